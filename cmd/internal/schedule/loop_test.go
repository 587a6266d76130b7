package schedule

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// session is a loop in a bubble of fake time, whose wall clock can be set.
type session struct {
	*Loop

	mu    sync.Mutex
	log   strings.Builder
	skew  time.Duration // of the wall clock
	stuck time.Duration // that the loop takes to hear of a step
	steps []time.Duration
	runs  []time.Time // starts, by the monotonic clock
	job   func(run int) time.Time
}

// Write takes in a line of the log.
func (s *session) Write(line []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(line)
}

// seen is what has happened so far.
func (s *session) seen() (runs []time.Time, steps []time.Duration, log string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.runs), slices.Clone(s.steps), s.log.String()
}

// set changes the world that the loop lives in.
func (s *session) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

// now is the wall clock.
func (s *session) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.skew)
}

func (s *session) stepped(step time.Duration) {
	s.mu.Lock()
	s.steps = append(s.steps, step)
	stuck := s.stuck
	s.mu.Unlock()
	time.Sleep(stuck)
}

func (s *session) run() time.Time {
	s.mu.Lock()
	s.runs = append(s.runs, time.Now())
	job, n := s.job, len(s.runs)
	s.mu.Unlock()
	return job(n)
}

// inSession runs a loop by a specification through test, and waits for its end.
func inSession(t *testing.T, spec string, test func(s *session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		parsed, err := Parse(spec, "")
		if err != nil {
			t.Fatal(err)
		}
		s := &session{job: func(int) time.Time { return time.Time{} }}
		s.Loop = NewLoop(parsed, Options{
			Log: slog.New(slog.NewTextHandler(s, nil)), Now: s.now, Stepped: s.stepped,
		})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.Run(ctx, s.run)
		}()
		synctest.Wait()
		test(s)
		cancel()
		<-ended
	})
}

// pass lets fake time pass.
func (s *session) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// A bubble begins on 1 January 2000 at midnight, so quarters of an hour are quarters of an hour.
func TestLoop(t *testing.T) {
	inSession(t, "*/15 * * * *", func(s *session) {
		s.pass(time.Hour + time.Second)
		runs, _, _ := s.seen()
		var minutes []int
		for _, r := range runs {
			minutes = append(minutes, int(r.Sub(runs[0]).Minutes()))
		}
		if want := []int{0, 15, 30, 45, 60}; !slices.Equal(minutes, want) {
			t.Errorf("runs at minutes %v, want %v: at once, then by the schedule", minutes, want)
		}
	})
}

// F43: a job that panics, the first time included, is still scheduled.
func TestPanics(t *testing.T) {
	inSession(t, "@every 1m", func(s *session) {
		s.set(func() {
			s.job = func(run int) time.Time {
				if run <= 3 {
					panic("a bug")
				}
				return time.Time{}
			}
		})
		s.Wake() // the first run was before the job was set
		s.pass(5*time.Minute + time.Second)
		runs, _, log := s.seen()
		if got := len(runs); got != 7 {
			t.Errorf("runs = %d, want 7: two at once, five by the schedule", got)
		}
		if got := strings.Count(log, "sweep died"); got != 2 {
			t.Errorf("%d panics logged, want 2\n%s", got, log)
		}
		if !strings.Contains(log, "loop_test.go") {
			t.Errorf("the log does not say where: %s", log)
		}
	})
}

func TestPanicAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := Parse("@every 1m", "")
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute+time.Second)
		defer cancel()
		runs := 0
		NewLoop(s, Options{}).Run(ctx, func() time.Time {
			runs++
			panic("a bug")
		})
		if runs != 4 {
			t.Errorf("runs = %d, want 4", runs)
		}
	})
}

// One that takes long takes the place of those that become due meanwhile, and they are not made up for.
func TestSkip(t *testing.T) {
	inSession(t, "@every 1m", func(s *session) {
		s.set(func() {
			s.job = func(run int) time.Time {
				if run == 2 {
					time.Sleep(150 * time.Second)
				}
				return time.Time{}
			}
		})
		s.pass(5*time.Minute + time.Second)
		runs, _, log := s.seen()
		if got := len(runs); got != 4 {
			t.Errorf("runs = %d, want 4: at once, one long in place of two, two more", got)
		}
		if got := strings.Count(log, "sweep skipped"); got != 2 {
			t.Errorf("%d skips logged, want 2", got)
		}
	})
}

// A job may ask to be called again before the schedule says so, but not in a circle.
func TestAgain(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after time.Duration
		want  int // runs in ten minutes, after the first
	}{
		{"soon", 2 * time.Minute, 4},
		{"at once", -time.Minute, 39},
		{"later than the schedule", time.Hour, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSession(t, "0 0 * * *", func(s *session) {
				s.set(func() { s.job = func(int) time.Time { return time.Now().Add(tt.after) } })
				s.Wake()
				s.pass(10*time.Minute - time.Second)
				runs, _, _ := s.seen()
				if got := len(runs) - 2; got != tt.want {
					t.Errorf("ran %d times more, want %d", got, tt.want)
				}
			})
		})
	}
}

// A run asked for during a run follows it.
func TestWake(t *testing.T) {
	inSession(t, "0 0 * * *", func(s *session) {
		s.set(func() { s.job = func(int) time.Time { time.Sleep(time.Minute); return time.Time{} } })
		s.Wake()
		s.pass(10 * time.Second)
		s.Wake()
		s.Wake()
		s.pass(10 * time.Minute)
		runs, _, _ := s.seen()
		if got := len(runs); got != 3 {
			t.Errorf("runs = %d, want 3: the first, the one asked for, and one more", got)
		}
	})
}

func TestReschedule(t *testing.T) {
	inSession(t, "0 0 * * *", func(s *session) {
		every, err := Parse("@every 10m", "")
		if err != nil {
			t.Fatal(err)
		}
		s.Reschedule(every)
		s.pass(time.Hour + time.Second)
		runs, _, _ := s.seen()
		if got := len(runs); got != 7 {
			t.Errorf("runs = %d, want 7: the first, and six by the new schedule", got)
		}
	})
}

// F41: after a step of the clock the schedule goes on by what the clock says now, within a heartbeat.
func TestSteps(t *testing.T) {
	for _, tt := range []struct {
		name string
		step time.Duration
	}{
		{"a day back", -24 * time.Hour},
		{"a day on", 24 * time.Hour},
		{"ten years on", 10 * 365 * 24 * time.Hour},
		{"eight hours asleep", 8 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			inSession(t, "*/15 * * * *", func(s *session) {
				s.pass(7 * time.Minute)
				s.set(func() { s.skew = tt.step })
				s.pass(heartbeat)
				runs, steps, _ := s.seen()
				if len(runs) != 2 || len(steps) != 1 || (steps[0]-tt.step).Abs() > time.Second {
					t.Fatalf("runs = %d, steps = %v; want a second run, and a step of %v", len(runs), steps, tt.step)
				}
				s.pass(time.Hour)
				runs, _, log := s.seen()
				if got := len(runs); got != 6 {
					t.Errorf("runs = %d, want 6: four quarters of an hour more", got)
				}
				if got := strings.Count(log, "clock stepped"); got != 1 {
					t.Errorf("logged %d times, want once", got)
				}
			})
		})
	}
}

// Small corrections, as by NTP, are nobody's business.
func TestSlew(t *testing.T) {
	inSession(t, "*/15 * * * *", func(s *session) {
		for range 10 {
			s.set(func() { s.skew += 30 * time.Second })
			s.pass(heartbeat)
		}
		_, steps, log := s.seen()
		if len(steps) != 0 || log != "" {
			t.Errorf("steps = %v, log %q; want none", steps, log)
		}
	})
}

// The loop turns at least every twenty seconds, while a job runs, too; one that is stuck is seen to be.
func TestIdle(t *testing.T) {
	inSession(t, "0 0 * * *", func(s *session) {
		s.set(func() { s.job = func(int) time.Time { time.Sleep(time.Hour); return time.Time{} } })
		s.Wake()
		for range 30 {
			s.pass(7 * time.Second)
			if got := s.Idle(); got > heartbeat {
				t.Fatalf("idle for %v", got)
			}
		}
		s.set(func() { s.stuck, s.skew = time.Minute, time.Hour })
		s.pass(50 * time.Second)
		if got := s.Idle(); got < 30*time.Second {
			t.Errorf("idle for %v while it is stuck, want 30 s or more", got)
		}
		s.pass(time.Hour)
	})
}
