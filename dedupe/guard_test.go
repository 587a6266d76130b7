package dedupe

import (
	"testing"
	"time"

	"sheaf"
	"sheaf/dedupe/text"
)

// titled is an article that is nothing but a headline.
func titled(id, outlet, title string, at time.Time) sheaf.Article {
	return sheaf.Article{ID: sheaf.ArticleID(id), Outlet: sheaf.Outlet{Name: outlet}, Title: title, Published: at, FirstSeen: at, Lang: "en"}
}

var noon = time.Date(2026, 4, 1, 12, 0, 0, 0, time.UTC)

// admitted puts headlines, one outlet each, into a stream and returns what the Grouper keeps of them.
func admitted(t *testing.T, lang string, titles ...string) (*stream, []*article) {
	t.Helper()
	g := newGrouper(t, Options{})
	var kept []*article
	for i, title := range titles {
		a := titled(string(rune('a'+i)), "Outlet "+string(rune('A'+i)), title, noon)
		a.Lang = lang
		g.Add([]sheaf.Article{a})
		kept = append(kept, g.articles[a.ID])
	}
	return g.stream(lang), kept
}

func TestOtherSlots(t *testing.T) {
	for _, tt := range []struct {
		name, lang, a, b string
		want             bool
	}{
		{"another ordinal", "en", "Council adopts 4th reform plan", "Council adopts 5th reform plan", true},
		{"another ordinal in words", "en", "Team wins third leg of the tour", "Team wins fourth leg of the tour", true},
		{"another number of a round", "en", "Voss out in round 3 of the open", "Voss out in round 4 of the open", true},
		{"another version", "en", "Tellur 2.1 brings dark mode", "Tellur 2.2 fixes a leak", true},
		{"another name", "en", "Fire closes school in Marbach today", "Fire closes school in Tilden today", true},
		{"opposite", "en", "Valoria's steel imports rise in May", "Valoria's steel exports rise in May", true},
		{"roles exchanged", "en", "Then Kessler sues Brandt over patent", "Then Brandt sues Kessler over patent", true},
		{"opposite in Japanese", "ja", "北都電機、利益2割増", "南都電機、利益2割減", true},
		{"other name in German", "de", "Brand in der Fabrik von Tessin gelöscht", "Brand in der Fabrik von Morlau gelöscht", true},
		{"a count that grows", "en", "Flood in Marbach kills 5 people", "Flood in Marbach kills 12 people", false},
		{"the same", "en", "Fire closes school in Marbach", "Fire closes school in Marbach", false},
		{"a form of the name", "en", "Fire closes Australian school for days", "Fire closes Australia school for days", false},
		{"other words", "en", "Minister resigns over lost files", "Storm tears roof off town hall", false},
		{"passive voice", "en", "Kessler beaten by Brandt in final", "Then Brandt has beaten Kessler in final", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, kept := admitted(t, tt.lang, tt.a, tt.b)
			if got := s.otherSlots(kept[1], kept[0]); got != tt.want {
				t.Errorf("otherSlots(%q, %q) = %v, want %v", tt.b, tt.a, got, tt.want)
			}
		})
	}
}

func TestSameTemplate(t *testing.T) {
	for _, tt := range []struct {
		name, a, b string
		want       bool
	}{
		{"another day", "Tides at Moll harbor: Monday", "Tides at Moll harbor: Tuesday", true},
		{"another direction", "Market close: index ends higher", "Market close: index ends lower", true},
		{"a count", "Ferry sinks off the cape, 5 missing", "Ferry sinks off the cape, 9 missing", false},
		{"another subject", "Ferry sinks off the cape", "Council votes on budget", false},
		{"short and equal", "Chess corner", "Chess corner", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, kept := admitted(t, "en", tt.a, tt.b)
			kept[1].outlet = kept[0].outlet
			if got := sameTemplate(s.language, kept[1], kept[0]); got != tt.want {
				t.Errorf("sameTemplate(%q, %q) = %v, want %v", tt.b, tt.a, got, tt.want)
			}
			kept[1].outlet = "another"
			if sameTemplate(s.language, kept[1], kept[0]) {
				t.Error("two outlets share a template")
			}
		})
	}
}

func TestClassify(t *testing.T) {
	for _, tt := range []struct {
		title, url string
		want       kind
	}{
		{"Morning briefing: budget, storm and more", "", kindRoundup},
		{"The week in tech: chips and cows", "", kindRoundup},
		{"White House cancels briefing on talks", "", kindReport},
		{"Podcast: the deer and the speaker", "", kindRoundup},
		{"Strait crisis live: tanker attacked", "", kindLive},
		{"Budget day", "https://a.example/live/budget", kindLive},
		{"Parties live up to promises", "", kindReport},
		{"Opinion | A regent is no king", "", kindOpinion},
		{"What is a blue moon?", "", kindOpinion},
		{"Budget is fair", "https://a.example/opinion/budget-is-fair", kindOpinion},
		{"Ten years on: how the coup changed us", "", kindHistory},
		{"Woman arrested 41 years after double murder", "", kindReport},
	} {
		h := parseHeadline(tt.title, func(string) bool { return false })
		if got := classify(&h, &sheaf.Article{Title: tt.title, URL: tt.url}); got != tt.want {
			t.Errorf("classify(%q, %q) = %q, want %q", tt.title, tt.url, got, tt.want)
		}
	}
}

func TestParseHeadline(t *testing.T) {
	isOutlet := func(name string) bool { return name == "Daily Planet" }
	for _, tt := range []struct{ title, core, label string }{
		{"Opinion | A regent - Daily Planet", "A regent", "opinion"},
		{"LIVE: Strait closes", "Strait closes", "live"},
		{"Mayor: we will pay | news.example.org", "Mayor: we will pay", ""},
		{"Storm - what now", "Storm - what now", ""},
	} {
		if h := parseHeadline(tt.title, isOutlet); h.core != tt.core || h.label != tt.label {
			t.Errorf("parseHeadline(%q) = %q, %q, want %q, %q", tt.title, h.core, h.label, tt.core, tt.label)
		}
	}
}

func TestListed(t *testing.T) {
	for title, want := range map[string]bool{
		"Parliament live: budget, whales and ties": true,
		"Strait live: tanker hit; envoy recalled":  false,
		"Budget, whales and ties":                  false,
	} {
		if got := listed(title); got != want {
			t.Errorf("listed(%q) = %v, want %v", title, got, want)
		}
	}
}

func TestAlign(t *testing.T) {
	en := text.For("en")
	shared, gaps := align(titleWords(en, "Fire closes old school in Marbach"), titleWords(en, "Fire closes school of Tilden"))
	if shared != 3 || len(gaps) != 2 {
		t.Errorf("%d words shared, %d gaps, want 3, 2", shared, len(gaps))
	}
}

func TestModelRefusesNonsense(t *testing.T) {
	for name, data := range map[string]string{
		"no JSON": "weights", "no terms": `{"bias":1}`, "unknown feature": `{"terms":[{"term":"charm","weight":1}]}`,
		"bad knot": `{"terms":[{"term":"c_at>x","weight":1}]}`,
	} {
		if _, err := ParseModel([]byte(data)); err == nil {
			t.Errorf("%s: ParseModel succeeded, want an error", name)
		}
	}
}

func TestTerm(t *testing.T) {
	var f Features
	f[1], f[9] = 0.5, 1
	for s, want := range map[string]float64{"c_at": 0.5, "c_at>0.2": 0.3, "c_at>0.7": 0, "c_at*short": 0.5, "c_at>0.25*c_at": 0.125} {
		term, err := ParseTerm(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := term.Value(&f); got < want-1e-12 || got > want+1e-12 {
			t.Errorf("%s = %v, want %v", s, got, want)
		}
		if got := term.String(); got != s {
			t.Errorf("String() = %q, want %q", got, s)
		}
	}
}
