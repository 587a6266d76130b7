package dedupe

// posting says that an article has a term, and how much it weighs there.
type posting struct {
	article uint32
	all     uint16 // weight in the vector of all tokens, or of names, in parts of fine
	title   uint16 // weight in the vector of title tokens; 0 for names
}

// fine is the weight 1 in a posting.
const fine = 65535

// longestList is how many articles are found by one term: the last to come that have it.
const longestList = 256

// index finds articles that share terms with another. Its weights are rounded: it only chooses whom to compare exactly.
type index struct {
	tokens [][]posting // by term id
	names  [][]posting
}

func (x *index) add(a *article) {
	for i := range a.tokens() {
		e := &a.terms[i]
		w, _ := a.weigh(e)
		x.tokens = post(x.tokens, e.id, posting{a.index, uint16(w[vAll] * fine), uint16(w[vTitle] * fine)})
	}
	for i := range a.names() {
		e := &a.names()[i]
		x.names = post(x.names, e.id, posting{article: a.index, all: uint16(a.nameWeight(e) * fine)})
	}
}

// post appends to the list of a term. Of a list that has grown to twice its length only the end that is read is kept.
func post(lists [][]posting, id uint32, p posting) [][]posting {
	for int(id) >= len(lists) {
		lists = append(lists, nil)
	}
	list := lists[id]
	if len(list) == 2*longestList {
		list = list[:copy(list, list[longestList:])]
	}
	lists[id] = append(list, p)
	return lists
}

// read is the end of the list of a term.
func read(lists [][]posting, id uint32) []posting {
	if int(id) >= len(lists) {
		return nil
	}
	list := lists[id]
	return list[max(0, len(list)-longestList):]
}
