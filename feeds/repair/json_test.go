package repair

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJSON(t *testing.T) {
	for _, tt := range []struct{ name, in, want, note string }{
		{"as it is", `{"a":[1,{"b":"c\"},\\"}]}`, `{"a":[1,{"b":"c\"},\\"}]}`, ""},
		{"trailing commas", `{"a":[1,2, ],"b":3,}`, `{"a":[1,2],"b":3}`, "json_comma"},
		{"controls in a string", "{\"a\":\"x\ny\tz\x01\"}", `{"a":"x\ny\tz "}`, "json_control"},
		{"words of other languages", `{"a":[NaN,-Infinity,None,true,false,null,1e5,-2.5E-3]}`, `{"a":[null,null,null,true,false,null,1e5,-2.5E-3]}`, "json_word"},
		{"brackets of the wrong kind", `{"a":[1}]`, `{"a":[1]}`, "json_bracket"},
		{"anything after", `{"a":1} <script>`, `{"a":1}`, ""},
		{"cut in an item", `{"title":"a","items":[{"id":"1"},{"id":"2`, `{"title":"a","items":[{"id":"1"}]}`, "truncated"},
		{"cut in the first item", `{"title":"a","items":[{"id":"1`, `{"title":"a"}`, "truncated"},
		{"cut after the items", `{"items":[{"id":"1"}],"title":"a`, `{"items":[{"id":"1"}]}`, "truncated"},
		{"cut before the items", `{"title":"a","ti`, `{"title":"a"}`, "truncated"},
		{"cut at once", `{"ti`, `{}`, "truncated"},
		{"items elsewhere", `{"x":{"items":[1,2]},"items":[{"y":{"items":[3`, `{"x":{"items":[1,2]}}`, "truncated"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := JSON([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if string(r.Text) != tt.want || !json.Valid(r.Text) {
				t.Errorf("JSON(%q) = %q, want %q", tt.in, r.Text, tt.want)
			}
			if tt.note != "" && r.Notes[tt.note] == 0 || tt.note == "" && len(r.Notes) > 0 || r.Truncated != (tt.note == "truncated") {
				t.Errorf("notes %v, truncated %v, want %q", r.Notes, r.Truncated, tt.note)
			}
		})
	}
}

func TestJSONLimits(t *testing.T) {
	for name, in := range map[string]string{
		"depth":      strings.Repeat("[", maxJSONDepth+1),
		"containers": "[" + strings.Repeat("{},", maxJSONContainers+1),
		"values":     "[" + strings.Repeat("1,", maxJSONValues+1),
	} {
		if _, err := JSON([]byte(in)); !errors.Is(err, ErrLimits) {
			t.Errorf("%s: JSON = %v, want ErrLimits", name, err)
		}
	}
	r, err := JSON([]byte(`{"items":[` + strings.Repeat(`{"id":"a"},`, maxItems+5) + `{}],"title":"t"}`))
	if err != nil {
		t.Fatal(err)
	}
	var feed struct {
		Items []struct{ ID string }
		Title string
	}
	if err := json.Unmarshal(r.Text, &feed); err != nil || len(feed.Items) != maxItems || feed.Title != "t" || r.Notes["items_cut"] != 1 {
		t.Errorf("%d items, title %q, notes %v, %v", len(feed.Items), feed.Title, r.Notes, err)
	}
}

func TestReshape(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"single values", `{"items":{"id":9007199254740993,"tags":"a","authors":"Desk","attachments":{"url":"u"}}}`,
			`{"authors":null,"items":[{"attachments":[{"url":"u"}],"authors":[{"name":"Desk"}],"id":"9007199254740993","tags":["a"]}]}`},
		{"odd people", `{"author":["Desk",1],"authors":[{"name":7},"b",[]],"items":[]}`, `{"author":{"name":"Desk"},"authors":[{"name":"7"},{"name":"b"}],"items":[]}`},
		{"tags that are objects", `{"items":[{"tags":[{"name":"a"},{"x":1},2,true,null]}]}`, `{"authors":null,"items":[{"attachments":[],"authors":null,"tags":["a","2","true"]}]}`},
		{"items that are none", `{"items":["a",1,null,{}]}`, `{"authors":null,"items":[{"attachments":[],"authors":null,"tags":[]}]}`},
		{"strings that are none", `{"title":{"x":1},"language":false,"expired":"maybe"}`, `{"authors":null,"items":[],"language":"false"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, ok := Reshape([]byte(tt.in))
			if diff := cmp.Diff(tt.want, string(got)); diff != "" || !ok {
				t.Errorf("Reshape(%s), %v (-want +got):\n%s", tt.in, ok, diff)
			}
		})
	}
	for _, in := range []string{`["a"]`, "null", "", `{"a"`} {
		if _, ok := Reshape([]byte(in)); ok {
			t.Errorf("%q was reshaped into a feed", in)
		}
	}
}

// FuzzJSON: what is valid stays valid and keeps its meaning; nothing else panics, and a repaired document repairs to itself.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"items":[{"id":"1"},{"id":"2"`, `{"a":[1,2,],}`, "{\"a\":\"\n\"}", `{"items":{"tags":"a"}}`, `[}`, `{"a":"\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := JSON(b)
		if err != nil {
			if !errors.Is(err, ErrLimits) {
				t.Fatal(err)
			}
			return
		}
		var before, after any
		if len(b) > 0 && b[0] == '{' && json.Unmarshal(b, &before) == nil {
			if err := json.Unmarshal(r.Text, &after); err != nil || !cmp.Equal(before, after) {
				t.Fatalf("JSON(%q) = %q, %v", b, r.Text, err)
			}
		}
		again, err := JSON(r.Text)
		if err != nil || json.Valid(r.Text) && string(again.Text) != string(r.Text) {
			t.Fatalf("JSON(%q) = %q, and again %q, %v", b, r.Text, again.Text, err)
		}
		Reshape(r.Text)
	})
}
