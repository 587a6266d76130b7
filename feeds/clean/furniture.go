package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// creditWords make up credit lines; the value tells the names of agencies and picture libraries from the words around them.
var creditWords = map[string]bool{
	"photo": false, "photos": false, "picture": false, "pictures": false, "image": false, "images": false, "credit": false, "credits": false, "pic": false,
	"foto": false, "bild": false, "by": false, "courtesy": false, "of": false, "press": false, "media": false, "wire": false, "stock": false,
	"via": false, "source": false, "stringer": false, "associated": false,
	"handout": true, "file": true, "pool": true, "getty": true, "ap": true, "reuters": true, "afp": true, "pa": true, "epa": true,
	"epa-efe": true, "efe": true, "alamy": true, "shutterstock": true, "istock": true, "bloomberg": true, "anadolu": true, "zuma": true,
	"dpa": true, "ansa": true, "xinhua": true, "tass": true, "imago": true,
}

// isCredit tells a line that only names where a picture is from.
func isCredit(l string) bool {
	if len(l) > 120 {
		return false
	}
	named := false
	for w := range strings.FieldsFuncSeq(l, isCreditSeparator) {
		agency, known := creditWords[strings.ToLower(w)]
		if !known && !strings.EqualFold(w, "Associated") {
			return false
		}
		named = named || agency || strings.EqualFold(w, "Associated")
	}
	return named
}

func isCreditSeparator(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("/|,©:()[].", r)
}

// isCaption tells a line that may be the caption of a picture: short, and no sentence.
func isCaption(l string) bool {
	return utf8.RuneCountInString(l) < 200 && !endsSentence(l)
}

func endsSentence(l string) bool {
	l = strings.TrimRight(l, "\"'”’)»")
	return strings.HasSuffix(l, ".") || strings.HasSuffix(l, "!") || strings.HasSuffix(l, "?") || strings.HasSuffix(l, ":") || strings.HasSuffix(l, "。")
}

// opening is how a line of furniture starts. loose ones may start a sentence as well, and count only where no sentence ends.
type opening struct {
	text  string
	loose bool
}

// openings are grouped by their first word, so that most lines cost one look-up.
var openings = map[string][]opening{
	"latest": {{"latest from ", true}}, "more": {{"more from ", true}, {"more on ", true}, {"more stories", true}, {"more news", true}},
	"related": {{"related:", false}, {"related articles", true}, {"related stories", true}, {"related topics", true}, {"related content", true}},
	"read":    {{"read more", true}, {"read next", false}, {"read also", false}, {"read full ", true}, {"read the full ", true}, {"read:", false}},
	"see":     {{"see also", false}}, "also": {{"also read", false}}, "don't": {{"don't miss", true}}, "don’t": {{"don’t miss", true}},
	"you":      {{"you may also like", false}, {"you might also like", false}, {"you may like", false}, {"you might like", false}},
	"trending": {{"trending", true}}, "most": {{"most read", true}, {"most popular", true}},
	"continue": {{"continue reading", true}}, "keep": {{"keep reading", true}}, "click": {{"click here", false}}, "tap": {{"tap here", false}},
	"sign": {{"sign up", false}}, "subscribe": {{"subscribe to", false}, {"subscribe now", false}, {"subscribe for", false}, {"subscribe here", false}},
	"register": {{"register now", false}, {"register here", false}, {"register for free", false}},
	"follow":   {{"follow us", false}, {"follow our ", true}}, "share": {{"share this", false}, {"share on ", false}},
	"leave": {{"leave a comment", false}}, "listen": {{"listen to this article", false}, {"listen to article", false}},
	"image": {{"image source", true}, {"image caption", true}, {"image credit", true}, {"image,", true}, {"image description", true}},
	"photo": {{"photo source", true}, {"photo caption", true}, {"photo credit", true}, {"photo gallery", true}},
	"video": {{"video source", true}, {"video caption", true}, {"video credit", true}}, "watch": {{"watch:", false}},
	"this":       {{"this article was first published", false}, {"this article was originally published", false}, {"this article originally appeared", false}, {"this story was originally published", false}, {"this story was first published", false}},
	"originally": {{"originally published ", true}, {"originally posted ", true}}, "copyright": {{"copyright ", true}, {"copyright©", false}},
	"all":       {{"all rights reserved", false}},
	"submitted": {{"submitted by /u/", false}}, "view": {{"view full coverage", true}, {"view comments", true}, {"view original", true}},
	"have": {{"have a story?", false}}, "contact": {{"contact us", true}}, "download": {{"download the app", false}, {"download our app", false}},
	"support": {{"support our journalism", false}, {"support independent journalism", false}}, "skip": {{"skip to", true}, {"skip advert", false}},
}

// isFurniture tells a short line that belongs to the page and not to the report.
func isFurniture(l string) bool {
	if len(l) > 560 || utf8.RuneCountInString(l) >= 140 {
		return false
	}
	l = strings.ToLower(l)
	if isLabel(l) {
		return true
	}
	first := l
	if i := strings.IndexAny(l, " :,©"); i > 0 {
		first = l[:i]
	}
	for _, o := range openings[first] {
		if strings.HasPrefix(l, o.text) && (!o.loose || !endsSentence(strings.TrimRight(l, ":"))) {
			return true
		}
	}
	return strings.HasPrefix(l, "©") || isStamp(l) || isReadingTime(l) || strings.HasPrefix(l, "end of ") && strings.HasSuffix(l, " promotion")
}

// isLabel tells lines that are one label and nothing else.
func isLabel(l string) bool {
	switch strings.TrimRight(l, " :→»") {
	case "related", "read more", "advertisement", "advert", "sponsored", "sponsored content", "promoted", "promoted content", "newsletter",
		"share", "comments", "comment", "copy link", "loading", "loading...", "loading…", "see also", "also read", "trending now", "anzeige", "publicidad", "publicité", "werbung", "реклама":
		return true
	}
	return strings.HasPrefix(l, "comments (") && strings.HasSuffix(l, ")")
}

// isStamp tells lines such as "Updated: 14 July 2026, 09:05".
func isStamp(l string) bool {
	for _, w := range [...]string{"last updated", "updated", "published"} {
		rest, ok := strings.CutPrefix(l, w)
		if !ok {
			continue
		}
		return len(rest) < 48 && strings.ContainsFunc(rest, unicode.IsDigit) && (rest[0] == ':' || w == "last updated") && !endsSentence(l)
	}
	return false
}

// isReadingTime tells "5 min read".
func isReadingTime(l string) bool {
	f := strings.Fields(l)
	if len(f) != 3 || f[2] != "read" || f[1] != "min" && f[1] != "mins" && f[1] != "minute" && f[1] != "minutes" {
		return false
	}
	return strings.Trim(f[0], "0123456789") == ""
}
