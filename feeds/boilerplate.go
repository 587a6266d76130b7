package feeds

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"sheaf"
)

// Bounds of what makes a line boilerplate, and of what is remembered.
const (
	oftenFrom    = 3   // articles on different subjects that it stands in
	oftenPart    = 20  // and one in so many of the articles looked at
	maxLines     = 128 // lines remembered of a feed
	maxPages     = 8   // article pages remembered of a feed
	edgeLines    = 20  // lines looked at, at each end of a text
	longLine     = 600 // bytes from which a line is a paragraph of somebody's own
	subjectWords = 12  // of a headline
	subjectWord  = 4   // characters of the shortest word that tells a subject
	subjectStem  = 5   // characters of it that are compared
)

// Line is a line that an outlet prints with articles on different subjects: the name of a section, an appeal, a notice.
type Line struct {
	Hash  uint32 `json:"hash"`            // of its letters in lower case
	Since int64  `json:"since,omitempty"` // articles that claim to be later than this, in seconds since 1970, go without it; 0: all do
	Met   int64  `json:"met"`             // when it stood in a document last, in days since 1970
}

// Sheet is what one article shows of repeated lines.
type Sheet struct {
	Subject []uint32 `json:"subject"` // hashes of the words of its headline
	Lines   []uint32 `json:"lines"`   // hashes of its lines, but for the first and those that speak of its subject
}

// sheetOf looks at the lines of a text.
func sheetOf(title, text string) Sheet {
	s := Sheet{Subject: subjectOf(title, nil)}
	if len(s.Subject) == 0 || strings.IndexByte(text, '\n') < 0 {
		return s
	}
	var words []uint32
	for line := range edges(text) {
		hash := hashLine(line)
		if hash == 0 || slices.Contains(s.Lines, hash) {
			continue
		}
		if words = subjectOf(line, words[:0]); !shares(words, s.Subject) {
			s.Lines = append(s.Lines, hash)
		}
	}
	return s
}

// edges gives the lines near the beginning and the end of a text that are not too long, but for the first.
func edges(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		last := strings.Count(text, "\n") - edgeLines
		i := 0
		for line := range strings.SplitSeq(text, "\n") {
			if i > 0 && (i <= edgeLines || i > last) && len(line) < longLine && !yield(line) {
				return
			}
			i++
		}
	}
}

// hashLine is the hash of the letters of a line, 0 if there are none.
func hashLine(line string) uint32 {
	var buffer [longLine]byte
	letters := buffer[:0]
	for _, r := range line {
		switch {
		case 'a' <= r && r <= 'z':
			letters = append(letters, byte(r))
		case 'A' <= r && r <= 'Z':
			letters = append(letters, byte(r)+'a'-'A')
		case r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r)):
			letters = utf8.AppendRune(letters, unicode.ToLower(r))
		}
	}
	if len(letters) == 0 {
		return 0
	}
	return uint32(xxhash.Sum64(letters)) | 1 // never 0
}

// subjectOf appends hashes of the words of a headline that tell its subject. Of scripts without spaces these are pairs of characters.
func subjectOf(title string, words []uint32) []uint32 {
	for word := range strings.FieldsFuncSeq(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		if first, _ := utf8.DecodeRuneInString(word); first < 0x0E00 {
			if utf8.RuneCountInString(word) >= subjectWord {
				words = append(words, hashLine(beginning(word, subjectStem)))
			}
			continue
		}
		for i := range word {
			if pair := beginning(word[i:], 2); i == 0 || len(pair) > len(beginning(pair, 1)) {
				words = append(words, hashLine(pair))
			}
		}
	}
	return words
}

// beginning is the first n characters of s, or all of them.
func beginning(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}

func shares(a, b []uint32) bool {
	return slices.ContainsFunc(a, func(x uint32) bool { return slices.Contains(b, x) })
}

// repeated finds the lines that stand in enough articles no two of which share their subject: a paragraph of background that a running
// story repeats is no boilerplate.
func repeated(sheets []Sheet) []uint32 {
	in := make(map[uint32][]int)
	for i, s := range sheets {
		for _, line := range s.Lines {
			alike := func(j int) bool { return shares(sheets[j].Subject, s.Subject) }
			if n := len(in[line]); n <= len(sheets)/oftenPart+oftenFrom && !slices.ContainsFunc(in[line], alike) {
				in[line] = append(in[line], i)
			}
		}
	}
	var lines []uint32
	for line, articles := range in {
		if n := len(articles); n >= oftenFrom && n*oftenPart >= len(sheets) {
			lines = append(lines, line)
		}
	}
	slices.Sort(lines)
	return lines
}

// learn takes in the lines of articles read now. What it finds holds for articles that claim to be later than since: those already stored
// must stay as they are. A zero since means that none is.
func (l *Learned) learn(sheets []Sheet, since, now time.Time) {
	today := now.Unix() / int64(day/time.Second)
	standing := make(map[uint32]bool)
	for _, s := range sheets {
		for _, line := range s.Lines {
			standing[line] = true
		}
	}
	for i := range l.Lines {
		if standing[l.Lines[i].Hash] {
			l.Lines[i].Met = today
		}
	}
	for _, hash := range repeated(sheets) {
		if slices.ContainsFunc(l.Lines, func(known Line) bool { return known.Hash == hash }) || !l.room(today) {
			continue
		}
		line := Line{Hash: hash, Met: today}
		if !since.IsZero() {
			line.Since = since.Unix()
		}
		l.Lines = append(l.Lines, line)
	}
}

// room makes room for another line: the one that has not been met for longest goes, but none that was met today, or articles of the
// document at hand would change.
func (l *Learned) room(today int64) bool {
	if len(l.Lines) < maxLines {
		return true
	}
	oldest := 0
	for i, line := range l.Lines {
		if line.Met < l.Lines[oldest].Met {
			oldest = i
		}
	}
	if l.Lines[oldest].Met >= today {
		return false
	}
	l.Lines = slices.Delete(l.Lines, oldest, oldest+1)
	return true
}

// learnPages takes in the pages of articles read now, beside those read before: most polls bring one or two.
func (l *Learned) learnPages(pages []Sheet, now time.Time) {
	all := slices.Concat(l.Pages, pages)
	l.learn(all, now.Add(maxAhead), now)
	l.Pages = all[max(0, len(all)-maxPages):]
}

// ofPage is the claim under which every known line is held against a text. A page is read once, so that nothing stored can change.
func ofPage() time.Time { return time.Unix(1<<40, 0) }

// without takes the lines out of a text that are known for one which claims the given time, and returns them as well. The first line
// stays.
func (l *Learned) without(text string, claim time.Time) (kept string, dropped []string) {
	if len(l.Lines) == 0 || strings.IndexByte(text, '\n') < 0 {
		return text, nil
	}
	for line := range edges(text) {
		if hash := hashLine(line); hash != 0 && l.knows(hash, claim) {
			dropped = append(dropped, line)
		}
	}
	if len(dropped) == 0 {
		return text, nil
	}
	var b strings.Builder
	rest := dropped
	for line := range strings.SplitSeq(text, "\n") {
		if len(rest) > 0 && b.Len() > 0 && line == rest[0] {
			rest = rest[1:]
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return b.String(), dropped
}

func (l *Learned) knows(hash uint32, claim time.Time) bool {
	return slices.ContainsFunc(l.Lines, func(line Line) bool {
		return line.Hash == hash && (line.Since == 0 || claim.Unix() > line.Since)
	})
}

// claimOf is the time an article claims, by which known lines are held against it; zero if it claims none.
func claimOf(a *sheaf.Article) time.Time {
	if a.Published.IsZero() {
		return a.Updated
	}
	return a.Published
}
