package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"sheaf/cmd/internal/app"
)

// progress is one line on a terminal that tells how far long work has come. Elsewhere it is silent.
type progress struct {
	w     io.Writer // nil: silent
	start time.Time
	drawn time.Time
}

// redraw is the shortest time between two drawings.
const redraw = 100 * time.Millisecond

func newProgress(w io.Writer, silent bool) *progress {
	p := &progress{start: time.Now()}
	if f, ok := w.(*os.File); ok && !silent && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		p.w = f
	}
	return p
}

// show draws the line, unless it was drawn just now.
func (p *progress) show(s app.Progress) {
	now := time.Now()
	if p.w == nil || now.Sub(p.drawn) < redraw && s.Done < s.Total {
		return
	}
	p.drawn = now
	fmt.Fprintf(p.w, "\r\x1b[K%s", progressText(s, now.Sub(p.start)))
}

// clear takes the line away.
func (p *progress) clear() {
	if p.w != nil && !p.drawn.IsZero() {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

// progressText tells the phase and, where the feeds so far allow an estimate, the time left.
func progressText(s app.Progress, elapsed time.Duration) string {
	switch {
	case s.Phase == "group":
		return fmt.Sprintf("group %d articles", s.Total)
	case s.Total == 0:
		return s.Phase
	}
	text := fmt.Sprintf("%s %d/%d", s.Phase, s.Done, s.Total)
	if s.Failed > 0 {
		text += fmt.Sprintf(", %d failed", s.Failed)
	}
	if s.Done > 0 && s.Done < s.Total && elapsed > time.Second {
		left := elapsed / time.Duration(s.Done) * time.Duration(s.Total-s.Done)
		text += fmt.Sprintf(", eta %s", left.Round(time.Second))
	}
	return text
}
