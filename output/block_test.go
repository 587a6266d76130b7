package output

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the test needs zones on every machine

	"github.com/google/go-cmp/cmp"

	"sheaf"
)

// blockOf is the coverage block of a story as first published.
func blockOf(t *testing.T, site Site, s sheaf.Story) string {
	t.Helper()
	memory := Channel{Name: "feed"}.Advance(nil, []sheaf.Story{s}, nil, clock(23, 59))
	if len(memory) != 1 {
		t.Fatalf("%d emissions, want 1", len(memory))
	}
	return memory[0].HTML(site)
}

func bare(id string, minutes int) sheaf.Member {
	m := member(id, "Outlet "+id, "x", "Title "+id, at(minutes))
	m.Summary = ""
	return m
}

const lastLine = `<p><a href="https://news.example.org/story/%s">Timeline and full coverage</a></p>`

func TestCoverageBlock(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	if err != nil {
		t.Fatal(err)
	}
	inVienna := testSite()
	inVienna.Zone = vienna
	teased := bare("a", 540)
	teased.Summary, teased.Authors = `He said "no" & left <at once>.`, []sheaf.Author{{Name: "A. <i>Writer</i>"}}
	copied, unlinked := bare("b", 550), bare("c", 560)
	copied.Role, copied.CopyOf, copied.URL = sheaf.RoleCopy, "a-x", ""
	unlinked.URL = "file:///c.txt"
	for _, tt := range []struct {
		name  string
		site  Site
		story sheaf.Story
		want  string
	}{
		{"one outlet has neither first nor latest", testSite(), story(0, bare("a", 540)), `<p><strong>1 outlet, 1 article</strong>.</p>
<ol>
<li><strong><a href="https://a.example/x">Title a</a></strong><br><cite>Outlet a</cite>, <time datetime="2026-11-30T09:00:00Z">30 Nov 09:00 UTC</time></li>
</ol>
`},
		{"text is escaped", testSite(), story(0, teased), `<p>He said &#34;no&#34; &amp; left &lt;at once&gt;.</p>
<p><strong>1 outlet, 1 article</strong>.</p>
<ol>
<li><strong><a href="https://a.example/x">Title a</a></strong><br><cite>Outlet a</cite>, A. &lt;i&gt;Writer&lt;/i&gt;, <time datetime="2026-11-30T09:00:00Z">30 Nov 09:00 UTC</time></li>
</ol>
`},
		{"the lead comes first, copies under their text, what has no address is not linked", testSite(), story(2, bare("a", 540), copied, unlinked), `<p><strong>3 outlets, 3 articles</strong>. First: Outlet a, <time datetime="2026-11-30T09:00:00Z">30 Nov 09:00 UTC</time>. Latest: Outlet c, <time datetime="2026-11-30T09:20:00Z">30 Nov 09:20 UTC</time>.</p>
<ol>
<li><strong><a href="https://news.example.org/story/%[1]s">Title c</a></strong><br><cite>Outlet c</cite>, <time datetime="2026-11-30T09:20:00Z">30 Nov 09:20 UTC</time></li>
<li><a href="https://a.example/x">Title a</a><br><cite>Outlet a</cite>, <time datetime="2026-11-30T09:00:00Z">30 Nov 09:00 UTC</time><br>Same text at Outlet b</li>
</ol>
`},
		{"in the site's zone", inVienna, story(0, bare("a", 1410)), `<p><strong>1 outlet, 1 article</strong>.</p>
<ol>
<li><strong><a href="https://a.example/x">Title a</a></strong><br><cite>Outlet a</cite>, <time datetime="2026-11-30T23:30:00Z">1 Dec 00:30 CET</time></li>
</ol>
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if strings.Contains(want, "%[1]s") {
				want = fmt.Sprintf(want, tt.story.ID)
			}
			want += fmt.Sprintf(lastLine, tt.story.ID)
			if diff := cmp.Diff(want, blockOf(t, tt.site, tt.story)); diff != "" {
				t.Errorf("block (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCoverageBlockEnds(t *testing.T) {
	var reports, copies []sheaf.Member
	for i := range 40 {
		m := bare(fmt.Sprintf("o%d", i), i)
		reports = append(reports, m)
		if i > 0 {
			m.Role, m.CopyOf = sheaf.RoleCopy, "o0-x"
		}
		copies = append(copies, m)
	}
	for _, tt := range []struct {
		name    string
		members []sheaf.Member
		items   int
		want    string
	}{
		{"25 reports are all listed", reports[:25], 25, "25 outlets, 25 articles"},
		{"of 40 the first 25", reports, 25, `">and 15 more</a></p>`},
		{"of 39 copies the first 12", copies, 1, `">Outlet o12</a> and 27 more</li>`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			block := blockOf(t, testSite(), story(0, tt.members...))
			if got := strings.Count(block, "<li>"); got != tt.items || !strings.Contains(block, tt.want) {
				t.Errorf("%d list items, want %d, and %q in:\n%s", got, tt.items, tt.want, block)
			}
			if len(tt.members) == 25 && strings.Contains(block, "more</a>") {
				t.Error("nothing is left out, yet more is promised")
			}
		})
	}
}
