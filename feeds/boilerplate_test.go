package feeds

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const notice = "Our newsletter brings you the week, every Friday"

// unlike are headlines that share no word.
var unlike = []string{
	"Bridge reopens today", "Council wants schools", "Ferry pilots strike", "Storm hits coastline", "Museum finds painting", "Doctors warn smokers", "Train delayed again",
	"Orchestra loses conductor", "Vineyards fear frost", "Prison escape foiled",
}

func TestRepeated(t *testing.T) {
	sheets := func(n int, title func(i int) string, text string) []Sheet {
		list := make([]Sheet, n)
		for i := range list {
			list[i] = sheetOf(title(i), fmt.Sprintf(text, i))
		}
		return list
	}
	each := func(i int) string { return unlike[i] }
	for _, tt := range []struct {
		name   string
		sheets []Sheet
		want   []string
	}{
		{"different subjects", sheets(3, each, "Paragraph %d.\n"+notice), []string{notice}},
		{"two are too few", sheets(2, each, "Paragraph %d.\n"+notice), nil},
		{"numbers and case do not count", []Sheet{sheetOf(unlike[0], "a\nPage 1 of 3"), sheetOf(unlike[1], "b\nPAGE 2 OF 9"), sheetOf(unlike[2], "c\npage of")}, []string{"page of"}},
		{"the first line", sheets(3, each, notice+"\nParagraph %d."), []string{"Paragraph ."}},
		{"one running story", sheets(6, func(i int) string { return "Bridge: day " + strings.Repeat("I", i+1) }, "Paragraph %d.\nThe span was closed in January."), nil},
		{"a line that speaks of the headlines", sheets(3, func(i int) string { return unlike[i] }, "Paragraph.\n%d bridges, councils and ferries"), nil},
		{"two stories", sheets(6, func(i int) string { return unlike[i%2] }, "Paragraph.\n"+notice+" %d"), nil},
		{"headlines without words", sheets(4, func(i int) string { return "Q&A" }, "Paragraph.\n"+notice+" %d"), nil},
		{"no letters", sheets(3, each, "Paragraph.\n*** %d ***"), nil},
		{"long paragraphs are somebody's own", sheets(3, each, "Paragraph %d.\n"+strings.Repeat("long ", 150)), nil},
		{"without spaces", []Sheet{sheetOf("大桥重新开放", "一\n关注我们的频道"), sheetOf("渡轮罢工结束", "二\n关注我们的频道"), sheetOf("学校经费增加", "三\n关注我们的频道")}, []string{"关注我们的频道"}},
		{"one story without spaces", []Sheet{sheetOf("大桥重新开放", "一\n去年关闭"), sheetOf("大桥关闭", "二\n去年关闭"), sheetOf("大桥通车", "三\n去年关闭")}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var want []uint32
			for _, line := range tt.want {
				want = append(want, hashLine(line))
			}
			if diff := cmp.Diff(want, repeated(tt.sheets)); diff != "" {
				t.Errorf("repeated (-want +got):\n%s", diff)
			}
		})
	}
	rare := sheets(3, each, "Paragraph %d.\n"+notice)
	for i := range 70 {
		rare = append(rare, sheetOf(fmt.Sprintf("Other%c%c report", 'a'+i%26, 'a'+i/26), "Words."))
	}
	if got := repeated(rare); len(got) != 0 {
		t.Errorf("3 of %d articles are enough", len(rare))
	}
}

func TestLearnedWithout(t *testing.T) {
	hour := func(n int) time.Time { return noon.Add(time.Duration(n) * time.Hour) }
	var l Learned
	l.learn([]Sheet{sheetOf(unlike[0], "a\n"+notice), sheetOf(unlike[1], "b\n"+notice), sheetOf(unlike[2], "c\n"+notice)}, hour(0), hour(0))
	for _, tt := range []struct {
		name, text string
		claim      time.Time
		want       string
		dropped    int
	}{
		{"of a later article", "a\n" + notice + "\nb", hour(1), "a\nb", 1},
		{"of one that may be stored", "a\n" + notice, hour(0), "a\n" + notice, 0},
		{"of one that claims nothing", "a\n" + notice, time.Time{}, "a\n" + notice, 0},
		{"of a page", "a\n" + notice, ofPage(), "a", 1},
		{"the first line", notice + "\na", hour(1), notice + "\na", 0},
		{"the only line", notice, hour(1), notice, 0},
		{"twice", "a\n" + notice + "\nb\n" + notice, hour(1), "a\nb", 2},
		{"first and again", notice + "\n" + notice, hour(1), notice, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, dropped := l.without(tt.text, tt.claim); got != tt.want || len(dropped) != tt.dropped {
				t.Errorf("without = %q, %q dropped; want %q", got, dropped, tt.want)
			}
		})
	}
}

// What a text has lost to begin with it goes on losing, and no more: an article in a feed's document does not change because others teach
// something about it. Grouping must see what is stored.
func TestLearningChangesNothingStored(t *testing.T) {
	var learned Learned
	n := testNormalization()
	n.Learned, n.First = &learned, true
	line := func(k int) string {
		return []string{"Follow the harbour on every platform", "Reader offers for members", "Write to the night desk"}[k%3]
	}
	first := map[string][2]string{} // by key: text and summary as they came first
	clean := 0
	for poll := range 30 {
		n.Now = n.Now.Add(time.Hour)
		var items strings.Builder
		for i := poll; i < poll+8; i++ {
			date := "<pubDate>" + n.Now.Add(time.Duration(i-poll-7)*time.Hour+time.Minute*20).Format(time.RFC1123Z) + "</pubDate>"
			if i%5 == 3 {
				date = "" // claims nothing
			}
			body := fmt.Sprintf("<p>Paragraph %c of the report.</p><p>And a second one, %c.</p><p>%s</p>", 'a'+i%26, 'a'+i%26, line(i/12))
			fmt.Fprintf(&items, "<item><guid>%d</guid><title>%s</title>%s<description><![CDATA[%s]]></description></item>", i, unlike[i%len(unlike)], date, body)
		}
		for _, a := range Normalize(parseString(t, `<rss version="2.0"><channel><title>f</title>`+items.String()+"</channel></rss>"), n) {
			got := [2]string{a.Text, a.Summary}
			before, known := first[a.Key]
			switch {
			case !known:
				first[a.Key] = got
				if !strings.Contains(a.Summary, line(0)) && !strings.Contains(a.Summary, line(1)) && !strings.Contains(a.Summary, line(2)) {
					clean++
				}
			case before != got:
				t.Errorf("poll %d: article %s was %q and is %q", poll, a.Key, before, got)
			}
		}
		n.First = false
	}
	if clean < 15 || clean == len(first) {
		t.Errorf("%d of %d articles are clean: want those of the first sweep, and later ones once a line is known", clean, len(first))
	}
}

func TestReadingsTellWhatWasDropped(t *testing.T) {
	var items strings.Builder
	for i, title := range unlike[:3] {
		fmt.Fprintf(&items, "<item><guid>%d</guid><title>%s</title><description>Short %c.&lt;br&gt;%s</description></item>", i, title, 'a'+i, notice)
	}
	for _, d := range Readings(parseString(t, `<rss version="2.0"><channel><title>f</title>`+items.String()+"</channel></rss>"), testNormalization()) {
		if !slices.Equal(d.Dropped, []string{notice}) || strings.Contains(d.Text+d.Article.Summary, "newsletter") || !strings.HasPrefix(d.Article.Summary, "Short") {
			t.Errorf("dropped %q of %q", d.Dropped, d.Article.Summary)
		}
	}
}

// Pages come one or two a poll, so what they repeat shows only over several.
func TestLearnPages(t *testing.T) {
	var l Learned
	for i, title := range unlike {
		l.learnPages([]Sheet{sheetOf(title, "Paragraph.\n"+notice)}, noon)
		_, dropped := l.without("Paragraph.\n"+notice, ofPage())
		if want := i >= 2; want != (len(dropped) == 1) {
			t.Errorf("after %d pages: dropped %q", i+1, dropped)
		}
		if len(l.Pages) > maxPages {
			t.Errorf("%d pages are remembered", len(l.Pages))
		}
	}
}

func TestLinesAreBounded(t *testing.T) {
	var l Learned
	learn := func(from, n int, now time.Time) {
		var sheets []Sheet
		for _, title := range unlike[:3] {
			s := Sheet{Subject: subjectOf(title, nil)}
			for k := range n {
				s.Lines = append(s.Lines, uint32(from+k+1))
			}
			sheets = append(sheets, s)
		}
		l.learn(sheets, time.Time{}, now)
	}
	learn(0, maxLines+10, noon)
	if len(l.Lines) != maxLines {
		t.Fatalf("%d lines, want %d", len(l.Lines), maxLines)
	}
	learn(1000, 1, noon.Add(time.Hour))
	if l.knows(1001, ofPage()) {
		t.Error("a line that was met today has gone")
	}
	learn(0, 1, noon.Add(48*time.Hour)) // the first is met again
	learn(1000, 1, noon.Add(48*time.Hour))
	if !l.knows(1001, ofPage()) || !l.knows(1, ofPage()) || l.knows(2, ofPage()) || len(l.Lines) != maxLines {
		t.Error("want a line that was not met for two days to make room")
	}
}
