package app

import (
	"context"
	"time"

	"sheaf/cmd/internal/schedule"
	"sheaf/cmd/internal/store"
	"sheaf/output"
)

const (
	digestSpan  = 40 * 24 * time.Hour // how far back the first period of a new digest may lie: a month and some
	digestsLate = 10                  // digests made up for after a pause, at most
)

// digests adds the digests that have become due to the memory of channel i, and says whether there were any.
func (a *App) digests(ctx context.Context, i int, memory store.Memory) (store.Memory, bool, error) {
	times, err := schedule.Parse(a.config.Channels[i].Every, a.config.Zone)
	if err != nil {
		return memory, false, err
	}
	changed := memory.At.IsZero()
	memory.At = a.now()
	for _, p := range periods(times, lastDigest(memory.Emissions, a.now()), a.now()) {
		stories, mark, err := a.store.Stories(ctx, store.StoryQuery{After: 1 << 62, Since: p.from})
		if err != nil {
			return memory, false, err
		}
		memory.Emissions, memory.Seen, changed = a.channels[i].AddDigest(memory.Emissions, stories, p.from, p.to), mark, true
	}
	return memory, changed, nil
}

// lastDigest is the end of the last period that has its digest; zero if none has. Digests from long after now are left out: the clock was
// wrong when they were made, and no others would come until then.
func lastDigest(memory []output.Emission, now time.Time) time.Time {
	var last time.Time
	for _, e := range memory {
		if e.Published.After(last) && e.Published.Before(now.Add(digestSpan)) {
			last = e.Published
		}
	}
	return last
}

// period is the time that a digest tells of.
type period struct{ from, to time.Time }

// periods lists the periods that ended after last and not after now, oldest first; without a last one, the one that ended most recently.
func periods(times schedule.Schedule, last, now time.Time) []period {
	from, most := last, digestsLate
	if last.IsZero() {
		from, most = times.Next(now.Add(-digestSpan)), 1
	}
	var all []period
	for to := times.Next(from); !to.IsZero() && !to.After(now); to = times.Next(from) {
		all = append(all, period{from, to})
		from = to
	}
	return all[max(0, len(all)-most):]
}
