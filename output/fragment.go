package output

// fragment is one item rendered in one format, with what it asks of the document around it.
type fragment struct {
	data             []byte
	picture, replies bool
}

// fragments are all items of a document, in order.
type fragments struct {
	parts            [][]byte
	separator        string
	picture, replies bool // some item asks for it
}

// collect takes one format out of rendered items.
func collect(items []*rendered, format int, separator string) *fragments {
	all := &fragments{parts: make([][]byte, 0, len(items)), separator: separator}
	for _, r := range items {
		all.add(&r.forms[format])
	}
	return all
}

func (f *fragments) add(item *fragment) {
	f.parts = append(f.parts, item.data)
	f.picture = f.picture || item.picture
	f.replies = f.replies || item.replies
}

// between puts the items between the parts of a document, copying each byte once.
func (f *fragments) between(before, after []byte) []byte {
	size := len(before) + len(after) + len(f.parts)*len(f.separator)
	for _, p := range f.parts {
		size += len(p)
	}
	data := append(make([]byte, 0, size), before...)
	for i, p := range f.parts {
		if i > 0 {
			data = append(data, f.separator...)
		}
		data = append(data, p...)
	}
	return append(data, after...)
}
