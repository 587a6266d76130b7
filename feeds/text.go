package feeds

import (
	"bytes"
	"html"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"sheaf"
	"sheaf/feeds/clean"
	"sheaf/feeds/transcode"
)

// TextFile is one article in a file of plain text or HTML.
type TextFile struct {
	Name     string    // name within its feed: the identity of the article; its ending tells HTML from text
	Modified time.Time // taken for the time of publication
	Body     []byte
	Feed     sheaf.Feed
	Outlet   sheaf.Outlet // if its name is empty, the feed's outlet, else the name of the file
	Now      time.Time
	First    bool // first sweep of the feed
}

// TextArticle makes an article of a file. Its title is the first line, or the first sentence if that line is longer than 120 characters;
// of HTML, the first heading or the title of the page. A title that was a line of its own is not repeated in the text. It fails with a
// *ParseError: empty, too_large, or not_feed for what is no text.
func TextArticle(f TextFile) (sheaf.Article, error) {
	if len(f.Body) > MaxDocument {
		return sheaf.Article{}, &ParseError{Code: CodeTooLarge, Message: "the file is too large for an article"}
	}
	decoded, err := transcode.Decode(f.Body, "")
	if err != nil {
		return sheaf.Article{}, &ParseError{Code: CodeTooLarge, Message: "the file is too large for an article", Err: err}
	}
	if n := decoded.Notes["control_chars"]; n > 8+len(f.Body)/100 {
		return sheaf.Article{}, &ParseError{Code: CodeNotFeed, Message: "the file is not text"}
	}
	text := strings.ReplaceAll(strings.ReplaceAll(string(decoded.Text), "\r\n", "\n"), "\r", "\n")
	if strings.TrimSpace(text) == "" {
		return sheaf.Article{}, &ParseError{Code: CodeEmpty, Message: "the file is empty"}
	}
	a := sheaf.Article{Feed: f.Feed.ID, FeedURL: f.Feed.URL, GUID: f.Name, Key: "g:" + f.Name, Outlet: f.outlet(), Lang: f.Feed.Lang}
	a.ID = sheaf.NewArticleID(f.Feed.ID, a.Key)
	if isPage(f.Name, decoded.Text) {
		readPage(&a, text)
	} else {
		readText(&a, text)
	}
	if a.Title == "" {
		return sheaf.Article{}, &ParseError{Code: CodeEmpty, Message: "the file holds no words"}
	}
	a.Lang = first(a.Lang, ownLanguage(&a))
	a.Fetched, a.FirstSeen = f.Now, f.Now
	if isPlausible(f.Modified, f.Now) {
		a.Published = f.Modified.UTC()
		if f.First && a.Published.Before(f.Now) {
			a.FirstSeen = a.Published
		}
	}
	return a, nil
}

func (f *TextFile) outlet() sheaf.Outlet {
	o := f.Outlet
	if o.Name == "" {
		o.Owner = f.Feed.Owner
		o.Name = f.Feed.Outlet
	}
	if o.Name == "" {
		o.Name = f.Name
		if i := strings.LastIndexByte(f.Name, '.'); i > 0 {
			o.Name = f.Name[:i]
		}
	}
	return o
}

// isPage tells HTML from text.
func isPage(name string, text []byte) bool {
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".html") || strings.HasSuffix(name, ".htm") || strings.HasSuffix(name, ".xhtml") {
		return true
	}
	head := bytes.ToLower(bytes.TrimSpace(text[:min(len(text), 512)]))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// longTitle is the longest first line that is taken for a title, in characters.
const longTitle = 120

// readText fills an article from plain text.
func readText(a *sheaf.Article, text string) {
	paragraphs := paragraphsOf(text)
	if len(paragraphs) == 0 {
		return
	}
	a.Title = paragraphs[0]
	if utf8.RuneCountInString(a.Title) > longTitle {
		a.Title = clean.Headline(a.Title, longTitle)
	} else {
		paragraphs = paragraphs[1:]
	}
	setText(a, strings.Join(paragraphs, "\n"))
	var b strings.Builder
	for p := range strings.SplitSeq(a.Text, "\n") {
		if p != "" {
			b.WriteString("<p>" + html.EscapeString(p) + "</p>\n")
		}
	}
	a.HTML = clean.Cut(b.String(), clean.MaxMarkup)
}

// setText fills what follows from the text of a file.
func setText(a *sheaf.Article, text string) {
	body := clean.Article(text)
	a.Text, a.Wire = body.Text, body.Wire
	a.Summary = clean.Opening(a.Text, opening)
}

// paragraphsOf finds the paragraphs of a plain text: blocks between empty lines, whose lines are joined if they were only wrapped, else
// every line.
func paragraphsOf(text string) []string {
	var paragraphs, block []string
	flush := func() {
		if isWrapped(block) {
			block = []string{strings.Join(block, " ")}
		}
		paragraphs = append(paragraphs, block...)
		block = nil
	}
	for l := range strings.SplitSeq(text, "\n") {
		if l = clean.Line(clean.Undouble(l)); l == "" {
			flush()
			continue
		}
		block = append(block, l)
	}
	flush()
	return paragraphs
}

// isWrapped tells whether the lines of a block were broken for width: all but the last are of some width, and most that follow one go on
// in the middle of a sentence.
func isWrapped(block []string) bool {
	going := 0
	for i, l := range block {
		if n := utf8.RuneCountInString(l); i+1 < len(block) && (n < 40 || n > 120) {
			return false
		}
		if first, _ := utf8.DecodeRuneInString(l); i > 0 && !unicode.IsUpper(first) && unicode.IsLetter(first) {
			going++
		}
	}
	return len(block) > 1 && 2*going >= len(block)-1
}
