package web

import (
	"fmt"
	"strings"
	"time"

	"sheaf"
	"sheaf/output"
)

// bars is a drawing of how many reports came when, with the same in words.
type bars struct {
	Width, Height int
	Own, Copies   string // paths: reports in their own words, and copies on top of them
	Label         string // what the drawing says
}

// sketch is the size of a drawing: its columns, the distance between them, and its height, in pixels.
type sketch struct{ columns, step, height int }

// smallBars stand beside a story in a list, largeBars on its page.
func smallBars() sketch { return sketch{19, 5, 20} }
func largeBars() sketch { return sketch{60, 12, 96} }

// draw shows the reports over the time they span; nil if they are fewer than two or of one instant.
func (s sketch) draw(f *frame, reports []output.Report) *bars {
	if len(reports) < 2 {
		return nil
	}
	first, last := reports[0].Published, reports[len(reports)-1].Published
	if !last.After(first) {
		return nil
	}
	own, copies := make([]int, s.columns), make([]int, s.columns)
	for _, r := range reports {
		at := int(int64(r.Published.Sub(first)) * int64(s.columns-1) / int64(last.Sub(first)))
		if r.Role == sheaf.RoleCopy {
			copies[at]++
		} else {
			own[at]++
		}
	}
	top, most := 1, 0
	for i := range own {
		if n := own[i] + copies[i]; n > top {
			top, most = n, i
		}
	}
	b := &bars{Width: s.columns * s.step, Height: s.height}
	var lower, upper strings.Builder
	for i := range own {
		x := i*s.step + s.step/2
		low, high := own[i]*s.height/top, (own[i]+copies[i])*s.height/top
		if low > 0 {
			fmt.Fprintf(&lower, "M%d %dv-%d", x, s.height, low)
		}
		if high > low {
			fmt.Fprintf(&upper, "M%d %dv-%d", x, s.height-low, high-low)
		}
	}
	b.Own, b.Copies = lower.String(), upper.String()
	b.Label = label(f, first, last, len(reports))
	if top > 1 {
		around := first.Add(time.Duration(int64(last.Sub(first)) * int64(most) / int64(s.columns-1)))
		b.Label += fmt.Sprintf(", most (%d) around %s", top, f.Clock(around))
	}
	return b
}

func label(f *frame, first, last time.Time, reports int) string {
	return fmt.Sprintf("%s, %s to %s", count(reports, "report"), f.Clock(first), f.Clock(last))
}
