package dedupe

import (
	"cmp"
	"math"
	"strings"

	"sheaf"
)

// The vectors of an article.
const (
	vTitle  = iota // tokens of the title
	vLede          // tokens of the first 60 words
	vAll           // tokens of body and title
	vNoName        // the same without names and numbers
	vNames         // names
	vectors
)

// entry is one term of a fingerprint. The frequency of the term is kept as it was when the article came, so that its weight never changes.
type entry struct {
	id    uint32 // in the lexicon of the stream
	df    uint32
	all   uint16
	lede  uint8
	title uint8 // the top bit marks a token that is part of a name
}

const namedBit = 0x80

func (e *entry) titles() uint8 { return e.title &^ namedBit }
func (e *entry) named() bool   { return e.title&namedBit != 0 }

// fingerprint is what grouping keeps of an article instead of its text. Weights are (1 + ln count) · idf, vectors have length 1; both are
// computed from counts when they are needed, which takes less memory than keeping them.
type fingerprint struct {
	terms    []entry // tokens, then names, each in order of hash
	nTokens  int
	articles uint32           // how many articles had been counted when this one came
	lnN      float64          // ln(articles + 1)
	scale    [vectors]float64 // 1 / length of each vector; 0 if it is empty
	titleSum float64          // idf of all title tokens
	plainSum float64          // idf of those that are no part of a name
	nameSum  float64          // idf of all title names
}

func (f *fingerprint) tokens() []entry { return f.terms[:f.nTokens] }
func (f *fingerprint) names() []entry  { return f.terms[f.nTokens:] }

// finish computes what follows from the terms.
func (f *fingerprint) finish() {
	f.lnN = math.Log(float64(f.articles) + 1)
	var square [vectors]float64
	for i := range f.tokens() {
		e := &f.terms[i]
		idf := f.idf(e.df)
		add := func(v int, count int) { w := tf(count) * idf; square[v] += w * w }
		add(vAll, int(e.all))
		add(vLede, int(e.lede))
		add(vTitle, int(e.titles()))
		if !e.named() {
			add(vNoName, int(e.all))
		}
		if e.titles() > 0 {
			f.titleSum += idf
			if !e.named() {
				f.plainSum += idf
			}
		}
	}
	for i := range f.names() {
		e := &f.names()[i]
		idf := f.idf(e.df)
		w := tf(int(e.all)) * idf
		square[vNames] += w * w
		if e.titles() > 0 {
			f.nameSum += idf
		}
	}
	for v, s := range square {
		if s > 0 {
			f.scale[v] = 1 / math.Sqrt(s)
		}
	}
}

// weigh gives the weights of a token in the four token vectors.
func (f *fingerprint) weigh(e *entry) (w [vectors]float64, idf float64) {
	idf = f.idf(e.df)
	w[vAll] = tf(int(e.all)) * idf * f.scale[vAll]
	if !e.named() {
		w[vNoName] = tf(int(e.all)) * idf * f.scale[vNoName]
	}
	if e.lede > 0 {
		w[vLede] = tf(int(e.lede)) * idf * f.scale[vLede]
	}
	if e.titles() > 0 {
		w[vTitle] = tf(int(e.titles())) * idf * f.scale[vTitle]
	}
	return w, idf
}

func (f *fingerprint) idf(df uint32) float64 { return max(0.1, f.lnN-lnDF(df)) }

// lnTable holds logarithms that are asked for all the time.
type lnTable [4096]float64

var (
	lnCounts = newLnTable(0)   // ln n
	lnDFs    = newLnTable(2.5) // ln(df + 2.5)
)

func newLnTable(offset float64) *lnTable {
	var t lnTable
	for i := range t {
		t[i] = math.Log(float64(i) + offset)
	}
	return &t
}

// tf is 1 + ln count, 0 for none.
func tf(count int) float64 {
	if count == 0 {
		return 0
	}
	if count < len(lnCounts) {
		return 1 + lnCounts[count]
	}
	return 1 + math.Log(float64(count))
}

// lnDF is ln(df + 2.5): the floor keeps a term that was never seen from outweighing everything.
func lnDF(df uint32) float64 {
	if int(df) < len(lnDFs) {
		return lnDFs[df]
	}
	return math.Log(float64(df) + 2.5)
}

// article is what the Grouper remembers of one article.
type article struct {
	fingerprint
	id    sheaf.ArticleID
	index uint32 // in order of arrival
	at    int64  // milliseconds since 1970
	story *story
	traits
}

func byTime(a, b *article) int {
	return cmp.Or(cmp.Compare(a.at, b.at), strings.Compare(string(a.id), string(b.id)))
}
