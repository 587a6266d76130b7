package dedupe

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

func TestCompare(t *testing.T) {
	at := time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)
	a := sheaf.Article{
		Lang: "en", Title: "Ferry Mirabel strikes Velport bridge", Published: at,
		Text: "The ferry Mirabel struck the bridge of Velport.\n“We felt one hard blow, and then silence,” said Ilse Karrow of the Velport Port Authority. Divers inspected the pier.",
	}
	b := sheaf.Article{
		Lang: "en", Title: "Divers look at pier after collision", Published: at.Add(90 * time.Minute),
		Text: "After the collision of the Mirabel divers were inspecting a pier in Velport. \"It was one hard blow and then silence,\" Karrow told the Velport Port Authority's board.",
	}
	got, err := Compare(&a, &b)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"Velport Port Authority", "Mirabel", "Karrow"}, got.Names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"one hard blow, and then silence"}, got.Quotes); diff != "" {
		t.Errorf("quotes (-want +got):\n%s", diff)
	}
	if got.Hours != 1.5 {
		t.Errorf("hours = %v, want 1.5", got.Hours)
	}
	found := map[string]bool{}
	for _, w := range got.Terms {
		found[w] = true
	}
	if !found["pier"] || !found["inspected"] || found["mirabel"] {
		t.Errorf("terms = %v, want pier and inspected, no part of a name", got.Terms)
	}
}

func TestQuotations(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"straight", `He said "one two" and "three".`, []string{"one two", "three"}},
		{"curly", "“One,” she said, “two.”", []string{"One,", "two."}},
		{"German", "„Eins“ und „zwei“", []string{"Eins", "zwei"}},
		{"French", "« un » puis « deux »", []string{" un ", " deux "}},
		{"Japanese", "「いち」と『に』", []string{"いち", "に"}},
		{"never closed", "\"one\nnext line", []string{"one"}},
		{"none", "It's nothing", nil},
	} {
		if diff := cmp.Diff(tt.want, quotations(tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestSharedQuotesIsPartOfText(t *testing.T) {
	a := `She said "any way, shape or form while in the United States" twice: "any way, shape or form".`
	got := sharedQuotes(a, `“Not in any way, shape, or form,” he said.`)
	if diff := cmp.Diff([]string{"any way, shape or form"}, got); diff != "" {
		t.Errorf("quotes (-want +got):\n%s", diff)
	}
}
