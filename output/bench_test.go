package output

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/feeds"

	"sheaf"
)

// crowded is a memory of n items with k reports each.
func crowded(n, k int) []Emission {
	return Channel{Name: "feed"}.Advance(nil, crowdedStories(n, k), nil, clock(23, 0))
}

func crowdedStories(n, k int) []sheaf.Story {
	stories := make([]sheaf.Story, n)
	for i := range stories {
		var members []sheaf.Member
		for j := range k {
			key := fmt.Sprintf("outlet%d", j)
			m := member(key, fmt.Sprintf("Outlet %d & Sons", j), fmt.Sprintf("article-%d", i),
				fmt.Sprintf("Story %d as the people at number %d saw it, in a headline of usual length", i, j), clock(6, 0).Add(time.Duration(i*k+j)*time.Second))
			m.Summary = strings.Repeat("Some sentence of the lead, with a detail. ", 7)
			members = append(members, m)
		}
		stories[i] = story(0, members...)
	}
	return stories
}

func render(tb testing.TB, memory []Emission, cache *Cache) []File {
	files, err := Channel{Name: "feed"}.Render(testSite(), memory, cache)
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// plainGorilla writes the same items in three formats by gorilla/feeds alone.
func plainGorilla(tb testing.TB, f *feeds.Feed) {
	if err := f.WriteRss(io.Discard); err != nil {
		tb.Fatal(err)
	}
	if err := f.WriteAtom(io.Discard); err != nil {
		tb.Fatal(err)
	}
	if err := f.WriteJSON(io.Discard); err != nil {
		tb.Fatal(err)
	}
}

func plainFeed(memory []Emission) *feeds.Feed {
	f := &feeds.Feed{Title: "t", Link: &feeds.Link{Href: "https://x.example/"}, Updated: clock(12, 0)}
	for i := range memory {
		f.Items = append(f.Items, newView(testSite(), &memory[i]).generic().Items...)
	}
	return f
}

// B9: what a publish costs beside gorilla/feeds' plain writers on the same items. Both sides take turns, and the
// ratio of their best times is reported: what else the machine does counts for neither.
func BenchmarkRender(b *testing.B) {
	for _, size := range []struct{ items, reports int }{{200, 8}, {200, 12}} {
		memory := crowded(size.items, size.reports)
		plain := plainFeed(memory)
		for _, tt := range []struct {
			name    string
			changed int
		}{{"cold", size.items}, {"changed=0", 0}, {"changed=1", 1}, {"changed=5", 5}} {
			b.Run(fmt.Sprintf("reports=%d/%s", size.reports, tt.name), func(b *testing.B) {
				cache := new(Cache)
				render(b, memory, cache)
				ours, theirs := time.Hour, time.Hour
				for n := 0; b.Loop(); n++ {
					now := reload(b, memory)
					if tt.changed == size.items {
						cache = new(Cache)
					} else {
						touch(now, tt.changed, n)
					}
					start := time.Now()
					render(b, now, cache)
					half := time.Now()
					plainGorilla(b, plain)
					ours, theirs = min(ours, half.Sub(start)), min(theirs, time.Since(half))
				}
				b.ReportMetric(float64(ours)/float64(theirs), "x-gorilla")
				b.ReportMetric(float64(ours.Microseconds())/1000, "ms-ours")
			})
		}
	}
}

// reload is the memory as a sweep finds it: read from the store.
func reload(tb testing.TB, memory []Emission) []Emission {
	data, err := json.Marshal(memory)
	if err != nil {
		tb.Fatal(err)
	}
	var copied []Emission
	if err := json.Unmarshal(data, &copied); err != nil {
		tb.Fatal(err)
	}
	return copied
}

// touch gives the first n items new content.
func touch(memory []Emission, n, turn int) {
	for i := range n {
		memory[i].Item.Title = fmt.Sprintf("Changed for the %dth time", turn)
	}
}

// A sweep that brings little: 5,000 stories are looked at, nothing is new.
func BenchmarkAdvanceNothingNew(b *testing.B) {
	stories := crowdedStories(5000, 4)
	c := Channel{Name: "feed"}
	memory := c.Advance(nil, stories, nil, clock(23, 0))
	for b.Loop() {
		memory = c.Advance(memory, stories, nil, clock(23, 0))
	}
	if len(memory) != 5000 {
		b.Fatal("stories got lost")
	}
}

func BenchmarkAdvanceCold(b *testing.B) {
	stories := crowdedStories(5000, 4)
	for b.Loop() {
		Channel{Name: "feed"}.Advance(nil, stories, nil, clock(23, 0))
	}
}

func BenchmarkCheck(b *testing.B) {
	files := render(b, crowded(200, 8), nil)
	for b.Loop() {
		for _, f := range files {
			if err := f.Check(); err != nil {
				b.Fatal(err)
			}
		}
	}
}
