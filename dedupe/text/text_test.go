package text

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func wordTexts(words []Word) []string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.Text)
	}
	return texts
}

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"punctuation only", " — … !", nil},
		{"full stops inside", "The U.S. said so.", []string{"The", "U.S", "said", "so"}},
		{"possessive", "Norland’s mayor, the voters' choice", []string{"Norland", "mayor", "the", "voters", "choice"}},
		{"curly apostrophe", "don’t", []string{"don't"}},
		{"hyphen and ampersand", "Covid-19 hit AT&T", []string{"Covid-19", "hit", "AT&T"}},
		{"doubled joiner divides", "a--b c..d", []string{"a", "b", "c", "d"}},
		{"underscore divides", "a_b", []string{"a", "b"}},
		{"trailing joiner", "end- next.", []string{"end", "next"}},
		{"accents", "Ångström café", []string{"Ångström", "café"}},
		{"Japanese", "日銀が利上げ、市場に衝撃", []string{"日銀が利上げ", "市場に衝撃"}},
		{"Hindi keeps its vowel signs", "दिल्ली में", []string{"दिल्ली", "में"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := wordTexts(Words(tt.in)); !slices.Equal(got, tt.want) {
				t.Errorf("Words(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestWordsStandWhereTheySay(t *testing.T) {
	s := "Mayor’s plan. “It works,” he said.\nNext day"
	var opens []string
	for _, w := range Words(s) {
		if got := clean(s[w.Start:w.End]); got != w.Text {
			t.Errorf("bytes %d to %d are %q, want %q", w.Start, w.End, got, w.Text)
		}
		if w.Opens {
			opens = append(opens, w.Text)
		}
	}
	if want := []string{"Mayor", "It", "Next"}; !slices.Equal(opens, want) {
		t.Errorf("words that open sentences = %q, want %q", opens, want)
	}
}

func FuzzWords(f *testing.F) {
	for _, s := range []string{"The U.S. said.", "a’b’", "日銀-利上げ 3.5%", "\xff\xfe", "x’"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, w := range Words(s) {
			if w.Start < last || w.End <= w.Start || w.End > len(s) {
				t.Fatalf("word %+v after byte %d of %d", w, last, len(s))
			}
			last = w.End
		}
		For("en").Tokens(Words(s))
		For("ja").Names(s, Words(s))
		FirstSentences(s)
	})
}

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"plain", "One. Two! Three? Four", []string{"One.", "Two!", "Three?", "Four"}},
		{"quotes belong to the cut", `He said “no.” She left.`, []string{"He said “no.", "She left."}},
		{"no space, no cut", "3.5 percent", []string{"3.5 percent"}},
		{"newlines", "Head\n\nBody", []string{"Head", "Body"}},
		{"empty", "", []string{""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Sentences(tt.in); !slices.Equal(got, tt.want) {
				t.Errorf("Sentences(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestFirstSentences(t *testing.T) {
	long := strings.Repeat("word ", 70) + "end."
	for _, tt := range []struct{ name, in, want string }{
		{"stops once it is long enough", "One. " + strings.Repeat("a", 118) + ". Three.", "One. " + strings.Repeat("a", 118) + "."},
		{"stops before it grows too long", "Short. " + long, "Short."},
		{"a first sentence is cut", long, long[:300]},
		{"blank", " \n ", ""},
		{"characters, not bytes", strings.Repeat("é", 310), strings.Repeat("é", 300)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := FirstSentences(tt.in); got != tt.want {
				t.Errorf("FirstSentences = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestFieldsEnd(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		n        int
		want     string
	}{
		{"fewer fields", "a b", 3, "a b"},
		{"as many", "a b", 2, "a b"},
		{"more", "  one two  three", 2, "  one two"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.in[:FieldsEnd(tt.in, tt.n)]; got != tt.want {
				t.Errorf("first %d fields of %q end with %q, want %q", tt.n, tt.in, got, tt.want)
			}
		})
	}
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		name, lang, in string
		want           []string
	}{
		{"stop words and stems", "en", "The cities were calling for votes", []string{"city", "call", "vote"}},
		{"hyphens divide", "en-GB", "Covid-19 deaths", []string{"covid", "19", "death"}},
		{"full stops vanish", "en", "U.S. and E.U. talks", []string{"eu", "talk"}},
		{"single letters drop, digits stay", "en", "x 7", []string{"7"}},
		{"accents fold", "en", "café", []string{"cafe"}},
		{"Spanish stop words, and beginnings", "es", "El alcalde de Teherán", []string{"alcald", "tehera"}},
		{"an unknown language has no stop words", "fi", "Hallitus ja talous", []string{"hallit", "ja", "talous"}},
		{"Han pairs", "ja", "日銀が", []string{"日銀", "銀が"}},
		{"lone character", "zh", "水", []string{"水"}},
		{"katakana run", "ja", "ウクライナ侵攻", []string{"ウクライナ", "侵攻"}},
		{"kana keep their voicing marks", "ja", "が", []string{"が"}},
		{"Latin inside", "ja", "GDP成長", []string{"gdp", "成長"}},
		{"Korean phrase with pairs", "ko", "대통령이 말했다", []string{"대통령이", "대통", "통령", "령이", "말했다", "말했", "했다"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := For(tt.lang).Tokens(Words(tt.in)); !slices.Equal(got, tt.want) {
				t.Errorf("Tokens(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestStem(t *testing.T) {
	en := For("en")
	for in, want := range map[string]string{
		"cities": "city", "movies": "movy", "dresses": "dress", "boxes": "box", "running": "run", "calling": "call", "passing": "pass",
		"voted": "vot", "votes": "vote", "buses": "buse", "planned": "plan", "is": "is", "bus": "bus", "virus": "virus", "ties": "tie",
		"sing": "sing", "use": "use", "house": "hous",
	} {
		if got := en.Stem(in); got != want {
			t.Errorf("Stem(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	for _, tt := range []struct {
		name, lang, in string
		want           map[string]int
	}{
		{
			"runs as a whole and word by word", "en", "On Monday the mayor of Port Amery met Ines Okafor.",
			map[string]int{"port": 1, "amery": 1, "port amery": 1, "ines": 1, "okafor": 1, "ines okafor": 1},
		},
		{
			"a linking word joins", "en", "The Bank of Norland spoke, said Piotr van der Meer.",
			map[string]int{"bank": 1, "norland": 1, "bank of norland": 1, "piotr": 1, "meer": 1},
		},
		{"an opening word alone counts if known inside", "en", "Brandt left. When Brandt returned, he sat.", map[string]int{"brandt": 2}},
		{"an opening word alone does not count", "en", "Fog came.", map[string]int{}},
		{"long runs are headings", "en", "He read Alpha Beta Gamma Delta Epsilon Zeta aloud", map[string]int{}},
		{"titles and weekdays start none", "en", "said President Brandt on Tuesday", map[string]int{"brandt": 1}},
		{"katakana and Latin in Japanese", "ja", "ウクライナのGDP", map[string]int{"ウクライナ": 1, "gdp": 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := make(map[string]int)
			for _, n := range For(tt.lang).Names(tt.in, Words(tt.in)) {
				got[n]++
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Names(%q) differ (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestKey(t *testing.T) {
	for in, want := range map[string]string{"U.S": "us", "Ångström": "angstrom", "İstanbul": "istanbul", "ﬁre": "fire", "ДЕНЬ": "день", "Zürich": "zurich"} {
		if got := Key(in); got != want {
			t.Errorf("Key(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestPrimary(t *testing.T) {
	for in, want := range map[string]string{"": "und", "en-US": "en", "PT_br": "pt", " de ": "de", "nb-NO": "no", "nn": "no", "iw": "he", "in": "id", "fil": "tl"} {
		if got := Primary(in); got != want {
			t.Errorf("Primary(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestAllDigits(t *testing.T) {
	for in, want := range map[string]bool{"": false, "19": true, "19th": false, "٣": true} {
		if got := AllDigits(in); got != want {
			t.Errorf("AllDigits(%q) = %v, want %v", in, got, want)
		}
	}
}
