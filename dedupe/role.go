package dedupe

import (
	"strconv"
	"strings"

	"sheaf"
	"sheaf/dedupe/text"
)

// kind is what an article is, told from its title, address and categories. All cues are English: without a cue an article is a report.
type kind uint8

const (
	kindReport  kind = iota
	kindRoundup      // several stories in one article: stands apart, feeds no story
	kindLive         // live blog: may join, does not lead while a report can
	kindOpinion      // opinion or explainer: may join, never leads, is no independent report
	kindHistory      // looks back on an old event: is not part of a new one
	kindRelease      // press release: what others copy, no independent report
)

// String names the kind as decisions do; a report is empty.
func (k kind) String() string {
	names := [...]string{"", "roundup", "live", "opinion", "history", "release"}
	if int(k) >= len(names) {
		return "kind " + strconv.Itoa(int(k))
	}
	return names[k]
}

// aside reports a kind that is listed in a story without confirming it.
func (k kind) aside() bool { return k != kindReport }

// classify tells the kind of an article.
func classify(h *headline, in *sheaf.Article) kind {
	c := newCues(h, in)
	switch {
	case c.roundup():
		return kindRoundup
	case c.live():
		return kindLive
	case c.release():
		return kindRelease
	case c.history():
		return kindHistory
	case c.opinion():
		return kindOpinion
	}
	return kindReport
}

// cues are the places where an article says what it is.
type cues struct {
	title string // keys of the raw title's words between single spaces, with one at each end
	head  string // the same for what stands before the first colon, bar or dash
	label string
	raw   string
	path  string // of the address, lower case
	tags  []string
	in    *sheaf.Article
}

func newCues(h *headline, in *sheaf.Article) *cues {
	c := &cues{title: spacedKeys(h.raw), label: h.label, raw: h.raw, path: strings.ToLower(pathOf(in.URL)), in: in}
	if i := strings.IndexAny(h.raw, ":|–—"); i > 0 {
		c.head = spacedKeys(h.raw[:i])
	}
	for _, tag := range in.Categories {
		c.tags = append(c.tags, strings.ToLower(strings.TrimSpace(tag)))
	}
	return c
}

// spacedKeys is a text as keys between single spaces, so that " live " finds a word; hyphens count as spaces.
func spacedKeys(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, w := range text.Words(s) {
		b.WriteString(strings.ReplaceAll(text.Key(w.Text), "-", " "))
		b.WriteByte(' ')
	}
	return b.String()
}

func pathOf(url string) string {
	if _, rest, ok := strings.Cut(url, "://"); ok {
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			return rest[i:]
		}
		return ""
	}
	return url
}

// containsAny reports whether one of the phrases, divided by bars, stands in s as whole words.
func containsAny(s, phrases string) bool {
	for p := range strings.SplitSeq(phrases, "|") {
		if contains(s, p, ' ') {
			return true
		}
	}
	return false
}

// contains reports whether p stands in s with the given byte on both sides.
func contains(s, p string, edge byte) bool {
	for from := 0; ; {
		i := strings.Index(s[from:], p)
		if i < 0 {
			return false
		}
		i += from
		if end := i + len(p); i > 0 && s[i-1] == edge && end < len(s) && s[end] == edge {
			return true
		}
		from = i + 1
	}
}

func (c *cues) tagged(list string) bool {
	for _, tag := range c.tags {
		for p := range strings.SplitSeq(list, "|") {
			if tag == p {
				return true
			}
		}
	}
	return false
}

func (c *cues) inPath(list string) bool {
	for p := range strings.SplitSeq(list, "|") {
		if contains(c.path, p, '/') {
			return true
		}
	}
	return false
}

const (
	roundupPhrases = "morning briefing|evening briefing|daily briefing|news briefing|weekend briefing|morning brief|evening brief|daily brief|" +
		"morning news|evening news|morning wrap|evening wrap|daily wrap|weekly wrap|news wrap|morning edition|news roundup|news round up|weekly roundup|" +
		"week in review|week in pictures|week in photos|the week in|this week in|day in pictures|day in photos|photos of the day|photos of the week|" +
		"pictures of the day|top stories|top headlines|news in brief|in brief|need to know today|need to know this morning|need to know for|" +
		"things to know today|things to know for|newsletter|news quiz|daily digest|news digest|weekly digest|press review|front pages|papers say"
	roundupHeads = "briefing|brief|roundup|round up|recap|podcast|digest|wrap|newsletter|headlines|at a glance"
	livePhrases  = "live updates|live blog|liveblog|as it happened|minute by minute|live coverage|live news|live text|follow live"
	askPhrases   = "what is|what are|who is|who are|what to know|what we know|what you need to know|things to know|everything you need to know|" +
		"explained|explainer|key takeaways|takeaways"
	backPhrases = "years on|years ago|years since|on this day|remembering|a look back|looking back|this day in history|il y a|vor jahren|jahre danach|" +
		"hace anos|anos despues"
)

// roundup needs a phrase that means nothing else, or a word for the format standing where a format stands.
func (c *cues) roundup() bool {
	if containsAny(c.title, roundupPhrases) || c.inPath("newsletter|newsletters|podcast|podcasts|briefing|roundup") {
		return true
	}
	if c.head != "" && len(strings.Fields(c.head)) <= 4 && containsAny(c.head, roundupHeads) {
		return true
	}
	return c.label == "podcast" || c.label == "newsletter" || c.tagged("roundup|newsletter|podcast|briefing")
}

func (c *cues) live() bool {
	return c.label == "live" || strings.HasSuffix(strings.TrimRight(c.head, " "), " live") || strings.HasPrefix(c.title, " live ") ||
		containsAny(c.title, livePhrases) || c.inPath("live|liveblog|live-updates|live-blog")
}

func (c *cues) opinion() bool {
	switch c.label {
	case "opinion", "op-ed", "op-ed columnist", "op-ed contributor", "editorial", "editorials", "column", "columnist", "commentary", "comment",
		"viewpoint", "analysis", "news analysis", "explainer", "explained", "letter", "letters", "fact check":
		return true
	}
	if containsAny(c.title, askPhrases) || strings.HasPrefix(c.title, " why ") {
		return true
	}
	return c.inPath("opinion|opinions|op-ed|editorial|editorials|commentary|comment|commentisfree|columnists|explainer|explainers") ||
		c.tagged("opinion|op-ed|editorial|commentary|comment|analysis|explainer|column|columnists")
}

// history asks for a look back at the very start, or as the label: further on it may belong to the news.
func (c *cues) history() bool {
	if c.in.Title == "" {
		return false
	}
	words := strings.Fields(c.title)
	start := " " + strings.Join(words[:min(5, len(words))], " ") + " "
	if c.head != "" && len(strings.Fields(c.head)) <= 5 {
		start = c.head
	}
	return containsAny(start, backPhrases) && !strings.Contains(start, " in ")
}

func (c *cues) release() bool {
	if c.inPath("prnewswire|news-releases") {
		return true
	}
	start := strings.ToUpper(text.Prefix(text.Prefix(c.in.Text, 200)+text.Prefix(c.in.Summary, 200), 200))
	return strings.Contains(start, "GLOBE NEWSWIRE") || strings.Contains(start, "/PRNEWSWIRE/") || strings.Contains(start, "BUSINESS WIRE)") ||
		strings.Contains(start, "(BUSINESS WIRE")
}
