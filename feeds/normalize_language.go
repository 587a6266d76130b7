package feeds

import (
	"sheaf"
	"sheaf/feeds/clean"
	"sheaf/feeds/language"
)

// spoken is how much of the text of an article is asked for its language, beside the title, in bytes.
const spoken = 1 << 10

// speak gives articles their language: what the operator says, else what the item claims unless its text, or that of the whole document,
// is plainly in another language; where nothing is claimed, what the text is surely in, else what the document is.
func (r *reader) speak(readings []Reading) {
	if r.n.Feed.Lang != "" {
		for i := range readings {
			readings[i].Article.Lang = r.n.Feed.Lang
		}
		return
	}
	texts := make([]language.Evidence, len(readings))
	var whole language.Evidence
	for i := range readings {
		texts[i] = languageOf(&readings[i].Article)
		whole.Add(&texts[i])
	}
	common, sure := whole.Best()
	if !sure {
		common = ""
	}
	for i := range readings {
		a := &readings[i].Article
		a.Lang = settled(r.doc.Items[i].Lang, common, &texts[i], &whole)
	}
}

// settled is the language of an item that claims one or none, in a document of which common is the language, if it has one.
func settled(claim, common string, text, whole *language.Evidence) string {
	own, sure := text.Best()
	switch silent := language.Primary(claim) == ""; {
	case sure && (silent || text.Denies(claim)):
		return own
	case common != "" && (silent || whole.Denies(claim)):
		return common
	}
	return claim
}

// languageOf is what an article shows of its language.
func languageOf(a *sheaf.Article) language.Evidence {
	return language.Of(a.Title + "\n" + clean.Cut(first(a.Text, a.Summary), spoken))
}

// ownLanguage is the language an article is surely in; empty if its text is too short to tell.
func ownLanguage(a *sheaf.Article) string {
	text := languageOf(a)
	if own, sure := text.Best(); sure {
		return own
	}
	return ""
}
