// Package repair makes the text of a feed document safe and well-formed before a parser sees it.
//
// [XML] rewrites tag soup in one linear pass: the result is strictly well-formed, its depth and width are bounded, and what a feed
// parser is known to lose is kept aside as [Facts]. [JSON] does the same for JSON Feed. [Check] is a second, independent pass over the
// very bytes the parser will get; it never rewrites, only refuses, and holds the totals that rewriting cannot mend.
//
// Running text does not go through the parser at all: every text construct (titles, descriptions, contents) is taken out, decoded once,
// and replaced by a short reference that [Facts.Text] resolves. A parser that knows nothing of the type of a title or of the base of a
// link would mangle it, and it would cost four times what everything here costs.
//
// All functions are pure and may be used concurrently. They expect text that package transcode has made: valid UTF-8, no forbidden
// characters.
package repair

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ErrLimits is what every refusal for structure wraps: no honest feed looks like that.
var ErrLimits = errors.New("structure beyond the limits for feeds")

func exceeded(what string, limit int) error {
	return fmt.Errorf("%w: more than %d %s", ErrLimits, limit, what)
}

// Result is a rewritten document.
type Result struct {
	Text      []byte         // strictly well-formed XML without declaration, or JSON; nil if Root is empty
	Root      string         // lower-case local name of the root: rss, feed, rdf or channel; for JSON "json"; empty if none was found
	First     string         // name of the first element, whatever it is; for messages
	Truncated bool           // the document ended before its root did
	Partial   bool           // the last item lost a child to the end of the document
	Notes     map[string]int // repairs, by code
	Facts     Facts
}

// Facts are what a parser forgets. Items are in document order.
type Facts struct {
	Base   string // xml:base of the root, resolved; empty if it has none
	Lang   string // xml:lang of the root
	Author string // author element of an RSS channel
	ID     string // exact text of the id of an Atom feed
	Items  []Item
	texts  []Text
}

// Item holds the facts of one item.
type Item struct {
	ID   string // exact text of an Atom id
	Base string // xml:base in scope; empty if none
	Lang string // xml:lang in scope
}

// Text is one text construct.
type Text struct {
	Value string // decoded once, trimmed
	Type  string // type attribute, lower case
	Plain bool   // an Atom text that is no markup
	Base  string // xml:base in scope; empty if none
}

// mark starts a reference to a text construct in the rewritten document.
const mark = "text#"

// Text resolves what the parser returned for a text construct. A value that is no reference is its own text.
func (f *Facts) Text(value string) Text {
	if rest, ok := strings.CutPrefix(value, mark); ok {
		if i, err := strconv.Atoi(rest); err == nil && i >= 0 && i < len(f.texts) {
			return f.texts[i]
		}
	}
	return Text{Value: value}
}

// Before tells whether the construct that the parser returned as a stands before b in the document. Both must be references.
func (f *Facts) Before(a, b string) bool {
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// limits within which rewriting keeps a document. Those of Check are wider: if one fires, there is a fault here.
const (
	maxDepth       = 100
	maxAttributes  = 64 // of one element, without declarations of namespaces
	maxNamespaces  = 64 // declarations in scope
	maxBases       = 8  // xml:base in scope
	maxItems       = 5000
	maxEntity      = 4 << 10
	maxNames       = 10_000 // different ones
	maxGrowthExtra = 64 << 10
)
