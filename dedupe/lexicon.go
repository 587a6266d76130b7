package dedupe

// lexicon numbers the terms of one stream and counts in how many articles each occurs.
type lexicon struct {
	static map[uint64]uint32 // background frequencies by hash; nil: none
	ids    map[uint64]uint32 // by hash
	hashes []uint64          // by id
	df     []uint32          // by id: background and window
	slots  []uint32          // by id: scratch, all zero between uses
}

func newLexicon(static map[uint64]uint32) *lexicon {
	return &lexicon{static: static, ids: make(map[uint64]uint32)}
}

// id numbers a term, by first appearance.
func (l *lexicon) id(hash uint64) uint32 {
	id, ok := l.ids[hash]
	if !ok {
		id = uint32(len(l.df))
		l.ids[hash] = id
		l.hashes = append(l.hashes, hash)
		l.df = append(l.df, l.static[hash])
		l.slots = append(l.slots, 0)
	}
	return id
}
