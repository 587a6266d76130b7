package feeds

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sheaf"
)

// Headlines, which alone often leave doubt, and one text in each of two languages.
var (
	germanHeadlines  = []string{"Hafenbrücke wieder offen", "Streik der Lotsen endet nach drei Tagen", "Was der neue Fahrplan bringt", "Stadtrat will mehr Geld für Schulen", "Sturm legt Fähren lahm"}
	spanishHeadlines = []string{"El puente reabre tras las obras", "La huelga de prácticos termina", "El ayuntamiento quiere más dinero para las escuelas", "Qué cambia con el nuevo horario"}
)

const (
	germanText  = "Die Brücke über den Hafen ist am Dienstag wieder freigegeben worden. Lastwagen müssen noch durch den Tunnel fahren, aber der Verkehr soll sich nach Angaben der Stadt beruhigen."
	englishText = "The bridge over the harbor was reopened on Tuesday. Lorries still have to use the tunnel, but the council said that traffic should return to normal."
)

func TestLanguages(t *testing.T) {
	items := func(claim, text string, titles ...string) string {
		var b strings.Builder
		for i, title := range titles {
			fmt.Fprintf(&b, "<item><title>%s</title><guid>%s%d</guid><description>%s</description>%s</item>", title, title, i, text, claim)
		}
		return b.String()
	}
	channel := func(claim, items string) string {
		return `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>f</title>` + claim + items + `</channel></rss>`
	}
	for _, tt := range []struct {
		name, doc, operator string
		want                []string // of the articles, in order; the last one stands for the rest
	}{
		{"silent, with texts", channel("", items("", englishText, "Bridge open again")), "", []string{"en"}},
		{"silent, headlines alone: one decides for the other", channel("", items("", "", germanHeadlines...)), "", []string{"de"}},
		{"silent, one headline", channel("", items("", "", "Hafen München")), "", []string{""}},
		{"silent, mixed", channel("", items("", germanText, germanHeadlines...)+items("", englishText, "Bridge open")), "", []string{"de", "de", "de", "de", "de", "en"}},
		{"a name for a code", channel("<language>Deutsch</language>", items("", germanText, germanHeadlines[0])), "", []string{"de"}},
		{"right", channel("<language>de-AT</language>", items("", germanText, germanHeadlines...)), "", []string{"de-AT"}},
		{"the default of a program, texts", channel("<language>en-US</language>", items("", germanText, germanHeadlines...)), "", []string{"de"}},
		{"the default of a program, headlines", channel("<language>en-US</language>", items("", "", slices.Concat(germanHeadlines, spanishHeadlines)...)), "", []string{"en-US"}},
		{"the default of a program, headlines of one language", channel("<language>en-US</language>", items("", "", germanHeadlines...)), "", []string{"de"}},
		{"an item that says so", channel("<language>en</language>", items("<dc:language>de</dc:language>", "", "Hafen München")), "", []string{"de"}},
		{"a relative", channel("<language>da</language>", items("", "Broen over havnen ble åpnet igjen tirsdag, sier bystyret. Lastebiler må fortsatt kjøre gjennom tunnelen.", "Broen åpner igjen")), "", []string{"da"}},
		{"the operator's word", channel("<language>en</language>", items("", germanText, germanHeadlines...)), "fr", []string{"fr"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := testNormalization()
			n.Feed.Lang = tt.operator
			articles := Normalize(parseString(t, tt.doc), n)
			for i, a := range articles {
				if want := tt.want[min(i, len(tt.want)-1)]; a.Lang != want {
					t.Errorf("%q: language %q, want %q", a.Title, a.Lang, want)
				}
			}
			if len(articles) < len(tt.want) {
				t.Errorf("%d articles", len(articles))
			}
		})
	}
}

func TestLanguageOfTextFile(t *testing.T) {
	for _, tt := range []struct{ name, body, operator, want string }{
		{"text", "Hafenbrücke offen\n\n" + germanText, "", "de"},
		{"page that says so", `<html lang="de-AT"><body><h1>Hafen</h1><p>` + germanText, "", "de-AT"},
		{"the operator's word", "Hafenbrücke offen\n\n" + germanText, "nl", "nl"},
		{"too short", "Hafen\n\nMünchen", "", ""},
	} {
		a, err := TextArticle(TextFile{Name: "a.txt", Body: []byte(tt.body), Feed: sheaf.Feed{Lang: tt.operator}})
		if err != nil || a.Lang != tt.want {
			t.Errorf("%s: language %q, %v; want %q", tt.name, a.Lang, err, tt.want)
		}
	}
}
