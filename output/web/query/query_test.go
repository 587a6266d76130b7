package query

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"words", "Ferry  Disaster", "ferry disaster"},
		{"accents and case", "ÉLECTION Zürich", "election zurich"},
		{"a phrase", `"interest rate" bank`, `"interest rate" bank`},
		{"curly quotation marks", "“interest rate”", `"interest rate"`},
		{"low quotation marks", "„interest rate“", `"interest rate"`},
		{"an open quotation mark", `"interest rate`, "interest rate"},
		{"an open ending", "elect*", "elect*"},
		{"an open phrase", `"interest rat*"`, `"interest rat*"`},
		{"without", "ferry -sport", "ferry -sport"},
		{"without a phrase", `ferry -"cup final"`, `ferry -"cup final"`},
		{"a compound is a phrase", "covid-19", `"covid 19"`},
		{"Chinese", "渡船事故", `"渡 船 事 故"`},
		{"Thai", "เรือ", "\"เ รื อ\""},
		{"Arabic", "عبّارة", "عبارة"},
		{"nothing to look for", "- * \" ' --", ""},
		{"operators of an index are words", "a AND (b OR c) NEAR", "a and b or c near"},
		{"too many words", strings.Repeat("a ", 40), strings.TrimSpace(strings.Repeat("a ", mostTerms))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := Parse(tt.in)
			if tt.name == "Thai" { // marks go with their letters, and folding takes them off
				if len(q.Terms) != 1 || len(q.Terms[0].Words) != 3 {
					t.Errorf("Parse(%q) = %+v, want one phrase of three", tt.in, q)
				}
				return
			}
			if got := q.String(); got != tt.want {
				t.Errorf("Parse(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestFinds(t *testing.T) {
	for in, want := range map[string]bool{"": false, "-sport": false, "a -b": true, "a": true} {
		if got := Parse(in).Finds(); got != want {
			t.Errorf("Parse(%q).Finds() = %t, want %t", in, got, want)
		}
	}
}

// marked writes hits in brackets.
func marked(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		if p.Hit {
			b.WriteString("[" + p.Text + "]")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

func TestMark(t *testing.T) {
	for _, tt := range []struct{ name, query, in, want string }{
		{"case", "ferry", "The Ferry sank", "The [Ferry] sank"},
		{"accents", "zurich", "In Zürich.", "In [Zürich]."},
		{"decomposed accents", "zurich", "In Zu\u0308rich.", "In [Zu\u0308rich]."},
		{"whole words only", "rate", "rates rate", "rates [rate]"},
		{"open ending", "rat*", "rates rate", "[rates] [rate]"},
		{"phrase", `"interest rate"`, "interest, rate of interest", "[interest, rate] of interest"},
		{"what is excluded is not marked", "a -b", "a b", "[a] b"},
		{"overlapping terms", `"a b" b`, "a b c b", "[a b] c [b]"},
		{"Chinese", "船事", "渡船事故", "渡[船事]故"},
		{"nothing", "x", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := marked(Parse(tt.query).Mark(tt.in)); got != tt.want {
				t.Errorf("Mark(%q) for %q = %q, want %q", tt.in, tt.query, got, tt.want)
			}
		})
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("before ", 30) + "the ferry sank off the harbor" + strings.Repeat(" after", 30)
	for _, tt := range []struct {
		name, query, in string
		most            int
		want            string
	}{
		{"short texts stay whole", "ferry", "A ferry sank.", 60, "A [ferry] sank."},
		{"around the words", "ferry harbor", long, 60, "… before before the [ferry] sank off the [harbor] after after …"},
		{"where most of them are", "a b", "a " + strings.Repeat("x ", 40) + "b a " + strings.Repeat("y ", 40), 12, "… x x [b] [a] y y …"},
		{"a word longer than the snippet", "supercalifragilistic", "supercalifragilistic", 5, "[supercalifragilistic]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			parts, ok := Parse(tt.query).Snippet(tt.in, tt.most)
			if got := marked(parts); !ok || got != tt.want {
				t.Errorf("Snippet = %q, %t, want %q", got, ok, tt.want)
			}
		})
	}
	for name, most := range map[string]int{"nothing may be quoted": 0, "it does not occur": 50} {
		text := map[string]string{"nothing may be quoted": "ferry", "it does not occur": "boat"}[name]
		if _, ok := Parse("ferry").Snippet(text, most); ok {
			t.Errorf("%s, and yet there is a snippet", name)
		}
	}
}

// Whatever is typed, the query says the same when it is read again, and marking loses nothing of a text.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`a "b c" -d e*`, "渡船 “x y”", "\xff\"", "-\"", "ǅ ß ﬁ İ", "a\u0300\u0301 *"} {
		f.Add(s, "some text "+s)
	}
	f.Fuzz(func(t *testing.T, s, text string) {
		q := Parse(s)
		again := Parse(q.String())
		if utf8.RuneCountInString(q.String()) <= mostLetters && again.String() != q.String() {
			t.Errorf("Parse(%q) = %q, read again %q", s, q, again)
		}
		var b strings.Builder
		for _, p := range q.Mark(text) {
			if p.Text == "" {
				t.Errorf("an empty part")
			}
			b.WriteString(p.Text)
		}
		if b.String() != text {
			t.Errorf("parts of %q make %q", text, b.String())
		}
		if parts, ok := q.Snippet(text, 40); ok && len(parts) == 0 {
			t.Error("an empty snippet")
		}
	})
}
