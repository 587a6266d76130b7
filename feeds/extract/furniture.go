package extract

import (
	"strings"
	"unicode/utf8"
)

// least is the length from which a text can be an article, in characters; of scripts that need fewer, half of it.
const least = 160

// long is the length in bytes from which a line is a paragraph and not a headline or a label.
const long = 100

// plenty is how many bytes in long lines make an article of a text that is mostly short ones: one with verse, code or questions in it.
const plenty = 600

// isArticle tells prose from stubs and from lists of headlines: there is enough of it, and half of it stands in long lines, or a fifth
// that is plenty.
func isArticle(text string) bool {
	n := utf8.RuneCountInString(text)
	if n < least && (n < least/2 || len(text) < 2*n) {
		return false
	}
	prose := 0
	for l := range strings.SplitSeq(text, "\n") {
		if len(l) >= long {
			prose += len(l)
		}
	}
	return 2*prose >= len(text) || prose >= plenty && 5*prose >= len(text)
}

// consent are phrases of the walls that ask for consent, in lower case.
var consent = [...]string{
	"we use cookies", "uses cookies", "cookie policy", "our partners", "manage preferences", "your privacy choices", "we value your privacy",
	"store and/or access information", "accept all", "consent to", "wir verwenden cookies", "nutzen cookies", "unsere partner", "alle akzeptieren",
	"einwilligung", "utilisons des cookies", "nos partenaires", "tout accepter", "votre consentement", "utilizamos cookies", "nuestros socios",
	"aceptar todo", "utilizziamo i cookie", "i nostri partner", "accetta tutto", "wij gebruiken cookies", "onze partners", "мы используем cookie",
}

// isWall tells a text most of which asks for consent.
func isWall(text string) bool {
	asking := 0
	for l := range strings.SplitSeq(strings.ToLower(text), "\n") {
		for _, phrase := range consent {
			if strings.Contains(l, phrase) {
				asking += len(l)
				break
			}
		}
	}
	return asking > 0 && 2*asking >= len(text)
}

// addresses are how lines start that speak to the visitor of a page and not to the reader of a report, in lower case.
var addresses = [...]string{
	"we use cookies", "this site uses cookies", "this website uses cookies", "by clicking “accept", "by clicking \"accept", "accept all cookies",
	"already a subscriber", "already have an account", "subscribe to continue", "subscribe to read", "sign in to continue", "sign in to read",
	"log in to continue", "log in to read", "to continue reading", "to read the full", "this article is for subscribers", "this content is for subscribers",
	"this article is reserved for", "you have reached your limit", "you have read your last", "become a member", "create a free account", "start your free trial",
	"sign up for our newsletter", "get our newsletter", "enter your email", "by signing up", "by subscribing", "please enable javascript",
	"wir verwenden cookies", "bereits abonnent", "jetzt abonnieren", "dieser artikel ist exklusiv", "dieser inhalt ist exklusiv", "lesen sie mit",
	"nous utilisons des cookies", "déjà abonné", "cet article est réservé", "il vous reste", "abonnez-vous", "inscrivez-vous",
	"utilizamos cookies", "este artículo es exclusivo", "este contenido es exclusivo", "suscríbete", "regístrate", "utilizziamo i cookie", "sei già abbonato",
}

// longest is the length in bytes up to which a line can be such an address.
const longest = 400

// dropFurniture takes out the lines that speak to the visitor of the page.
func dropFurniture(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	for l := range strings.SplitSeq(text, "\n") {
		if len(l) <= longest && isAddress(strings.ToLower(l)) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(l)
	}
	return b.String()
}

func isAddress(line string) bool {
	for _, a := range addresses {
		if strings.HasPrefix(line, a) {
			return true
		}
	}
	return false
}
