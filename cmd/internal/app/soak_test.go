package app

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

var soak = flag.Bool("soak", false, "let TestSoak run 2,000 feeds for 45 days and judge memory, too: up to an hour, so raise -timeout")

// farmDays are what TestSoak needs: without -soak, retention, which is 15 days at least, and some; with it, the 30 days that the grouper
// remembers, and two weeks in which it is renewed twice.
const farmDays, farmDaysLong = 22, 45

// A daemon runs for weeks of a fake clock, over HTTP, with feeds that change, do not change, fail, break off and lie. When the first
// articles have expired, the database has all it will ever hold; when the grouper's window is full, so has the memory. Goroutines and
// descriptors never grow.
func TestSoak(t *testing.T) {
	feeds, days, size := 40, farmDays, 20
	if *soak {
		feeds, days, size = 2000, farmDaysLong, 200
	}
	clock := time.Date(2026, 11, 2, 6, 0, 0, 0, time.UTC)
	now := func() time.Time { return clock }
	farm := httptest.NewServer(&newsFarm{now: now, events: feeds / 5})
	defer farm.Close()
	var addresses []string
	for n := range feeds {
		addresses = append(addresses, fmt.Sprintf("%s/%d", farm.URL, n))
	}
	c := settings(t, fmt.Sprintf("retention: 15d\nchannels: [{name: stories, settle: '0', size: %d, fewest: 10}]", size), addresses...)
	a := open(t, c, Options{Now: now})
	var daily []gauge
	for day := range days {
		clock = clock.Add(24 * time.Hour)
		if r := sweep(t, a); r.Feeds.Polled != feeds || r.Feeds.Failed == 0 || r.Feeds.Failed > feeds/8 || r.Articles.New == 0 {
			t.Fatalf("day %d: %+v; want all %d feeds polled, some failed, and news", day, r, feeds)
		}
		g := measure(t, a)
		t.Logf("day %2d: %v", day+1, g)
		daily = append(daily, g)
	}
	judge(t, daily)
}

// judge compares the last days with those before: a week with a week where memory counts, else half as much.
func judge(t *testing.T, daily []gauge) {
	t.Helper()
	span := 3
	if *soak {
		span = 7
	}
	full, later := highest(daily[len(daily)-2*span:len(daily)-span]), highest(daily[len(daily)-span:])
	const slack = 2 << 20
	if *soak && later.heap > full.heap+full.heap/10+slack {
		t.Errorf("memory grew from %d to %d bytes", full.heap, later.heap)
	}
	if later.database > full.database+full.database/10+slack {
		t.Errorf("the database grew from %d to %d bytes", full.database, later.database)
	}
	if later.articles > full.articles+full.articles/10 || later.stories > full.stories+full.stories/10 {
		t.Errorf("articles and stories grew: from %v to %v", full, later)
	}
	if all := highest(daily); all.goroutines > daily[0].goroutines+5 || all.descriptors > daily[0].descriptors+5 {
		t.Errorf("goroutines or descriptors grew: from %v to at most %v", daily[0], all)
	}
}

// highest is the most that was measured of everything.
func highest(all []gauge) gauge {
	var h gauge
	for _, g := range all {
		h.heap, h.resident, h.database = max(h.heap, g.heap), max(h.resident, g.resident), max(h.database, g.database)
		h.articles, h.stories = max(h.articles, g.articles), max(h.stories, g.stories)
		h.goroutines, h.descriptors = max(h.goroutines, g.goroutines), max(h.descriptors, g.descriptors)
	}
	return h
}

// gauge is what an installation holds at one moment.
type gauge struct {
	heap, resident, database int64 // bytes; resident: 0 where the system does not tell
	articles, stories        int
	goroutines, descriptors  int // descriptors: 0 where the system does not tell
}

func (g gauge) String() string {
	const mib = 1 << 20
	return fmt.Sprintf("heap %.1f MiB, resident %.0f MiB, database %.1f MiB, %d articles, %d stories, %d goroutines, %d descriptors",
		float64(g.heap)/mib, float64(g.resident)/mib, float64(g.database)/mib, g.articles, g.stories, g.goroutines, g.descriptors)
}

func measure(t *testing.T, a *App) gauge {
	t.Helper()
	totals, err := a.store.Totals(context.WithoutCancel(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	g := gauge{articles: totals.Articles, stories: totals.Stories, resident: resident(t)}
	a.poller.Close() // connections kept for the next sweep
	runtime.GC()
	runtime.GC() // what the first one's finalizers let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	g.heap, g.goroutines, g.descriptors = int64(m.HeapAlloc), runtime.NumGoroutine(), descriptors(t)
	files, err := filepath.Glob(filepath.Join(a.config.State, databaseName+"*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		g.database += info.Size()
	}
	return g
}

// resident is the memory of the process that is not swapped out, as Linux tells it.
func resident(t *testing.T) int64 {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(data), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * int64(os.Getpagesize())
}

// descriptors is how many files and connections are open, as Linux tells it.
func descriptors(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// newsFarm serves feeds without number at /N, all made up from the number and the time. Each publishes one or two items a day and shows
// the last eight; five feeds or so report the events of one half day. Of forty feeds one fails every other day, one is cut off, one resets
// the connection and one serves a web page.
type newsFarm struct {
	now    func() time.Time
	events int // of half a day
}

const (
	farmEvent = 12 * time.Hour // in which an event is reported
	farmItems = 8              // of a document
)

func (f *newsFarm) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d", &n); err != nil {
		http.NotFound(w, r)
		return
	}
	now := f.now()
	last := f.newest(n, now)
	tag := fmt.Sprintf("%q", fmt.Sprint(last))
	document := f.document(n, last)
	switch {
	case n%40 == 3 && now.YearDay()%2 == 1:
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	case n%40 == 11:
		document = document[:len(document)*2/3]
	case n%40 == 19:
		panic(http.ErrAbortHandler) // resets the connection
	case n%40 == 27:
		document = "<!DOCTYPE html><html><body>Please log in</body></html>"
	case r.Header.Get("If-None-Match") == tag:
		w.WriteHeader(http.StatusNotModified)
		return
	}
	w.Header().Set("ETag", tag)
	fmt.Fprint(w, document)
}

// period is the time between two items of a feed: half a day or a day.
func (f *newsFarm) period(n int) time.Duration { return farmEvent * time.Duration(1+n%2) }

// newest numbers the latest item of a feed.
func (f *newsFarm) newest(n int, now time.Time) int {
	return int(now.Unix() / int64(f.period(n)/time.Second))
}

func (f *newsFarm) document(n, last int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0"?><rss version="2.0"><channel><title>Outlet %d</title><link>https://outlet-%d.example/</link>`, n, n)
	for i := last; i > last-farmItems; i-- {
		at := time.Unix(int64(i)*int64(f.period(n)/time.Second), 0).UTC()
		event := uint64(at.Unix()/int64(farmEvent/time.Second))<<16 | uint64(n%f.events)
		about, own := newWords(event), newWords(uint64(n)<<32|uint64(i))
		fmt.Fprintf(&b, `<item><title>%s</title><link>https://outlet-%d.example/%d</link><guid>%d</guid><pubDate>%s</pubDate><description>%s. %s. %s.</description></item>`,
			about.phrase(7), n, i, i, at.Format(time.RFC1123Z), about.phrase(15), own.phrase(25), about.phrase(10))
	}
	b.WriteString("</channel></rss>")
	return b.String()
}

// words makes up words, the same for the same seed.
type words struct{ *rand.Rand }

func newWords(seed uint64) words { return words{rand.New(rand.NewPCG(seed, 1))} }

func (w words) word() string {
	const onsets, vowels = "bcdfglmnprstvz", "aeiou"
	var b strings.Builder
	for range 2 + w.IntN(2) {
		b.WriteByte(onsets[w.IntN(len(onsets))])
		b.WriteByte(vowels[w.IntN(len(vowels))])
	}
	return b.String()
}

func (w words) phrase(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = w.word()
		if w.IntN(4) == 0 {
			all[i] = strings.ToUpper(all[i][:1]) + all[i][1:]
		}
	}
	return strings.Join(all, " ")
}
