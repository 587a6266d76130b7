package output

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// Every field counts in equal: one that is forgotten there would leave stale bytes in documents.
func TestEqualMissesNoField(t *testing.T) {
	base := Emission{Item: Item{Reports: []Report{{}}}}
	for _, of := range []reflect.Type{reflect.TypeFor[Emission](), reflect.TypeFor[Item](), reflect.TypeFor[Report]()} {
		for i := range of.NumField() {
			t.Run(of.Name()+"."+of.Field(i).Name, func(t *testing.T) {
				other := Emission{Item: Item{Reports: []Report{{}}}}
				in := map[string]reflect.Value{
					"Emission": reflect.ValueOf(&other), "Item": reflect.ValueOf(&other.Item), "Report": reflect.ValueOf(&other.Item.Reports[0]),
				}[of.Name()].Elem()
				set(in.Field(i))
				if base.equal(&other) {
					t.Error("a difference is not seen")
				}
			})
		}
	}
	if other := (Emission{Item: Item{Reports: []Report{{}}}}); !base.equal(&other) {
		t.Error("equal emissions differ")
	}
}

// set gives the value something other than zero.
func set(v reflect.Value) {
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Unix(1, 0)
	case *bool:
		*x = true
	case *Item:
		x.Title = "x"
	default:
		switch v.Kind() {
		case reflect.String:
			v.SetString("x")
		case reflect.Int:
			v.SetInt(1)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		default:
			panic("no value for " + v.Type().String())
		}
	}
}

// The memory is stored as JSON by the app. What comes back must be what went in, so that a restart changes no byte.
func TestEmissionSurvivesJSON(t *testing.T) {
	steps := growth()
	memory := Channel{Name: "feed"}.Advance(nil, steps[2].stories, nil, steps[2].now)
	memory = Channel{Name: "feed"}.Advance(memory, steps[4].stories, steps[4].merges, steps[4].now)
	data, err := json.Marshal(memory)
	if err != nil {
		t.Fatal(err)
	}
	var back []Emission
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(memory, back); diff != "" {
		t.Errorf("memory (-stored +read):\n%s", diff)
	}
	for i := range back {
		if !back[i].equal(&memory[i]) {
			t.Errorf("emission %d differs after a restart", i)
		}
	}
}

func TestEmissionKeysAreFrozen(t *testing.T) {
	e := Emission{ID: "i", Story: "s", Absorbed: []sheaf.StoryID{"a"}, Into: "t", Left: time.Unix(0, 0).UTC(), Hidden: true, Item: Item{
		Title: "t", Link: "l", Lead: "a", Teaser: "t", Topics: []string{"x"}, Lang: "en", Image: "i", News: "n", Entries: []Entry{{Story: "s", Title: "t", Link: "l", Outlet: "o", Outlets: 2, Independent: 1}}, Reports: []Report{{
			Article: "a", Title: "t", URL: "u", Outlet: "o", OutletURL: "u", FeedURL: "f", Authors: "x", Role: sheaf.RoleCopy, CopyOf: "b", Lang: "en",
		}},
	}}
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"id":"i","story":"s","published":"0001-01-01T00:00:00Z","updated":"0001-01-01T00:00:00Z","item":{"title":"t","link":"l",` +
		`"lead":"a","teaser":"t","topics":["x"],"lang":"en","image":"i","news":"n",` +
		`"entries":[{"story":"s","title":"t","link":"l","outlet":"o","published":"0001-01-01T00:00:00Z","outlets":2,"independent":1}],"reports":[{"article":"a","title":"t","url":"u","outlet":"o",` +
		`"outlet_url":"u","feed_url":"f","authors":"x","published":"0001-01-01T00:00:00Z","role":"copy","copy_of":"b","lang":"en"}]},` +
		`"absorbed":["a"],"into":"t","left":"1970-01-01T00:00:00Z","hidden":true}`
	if string(data) != want {
		t.Errorf("stored form changed:\n got %s\nwant %s", data, want)
	}
}
