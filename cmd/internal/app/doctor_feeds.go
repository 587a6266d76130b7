package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"sheaf/feeds"
)

const (
	// hostsAtOnce is how many hosts a Doctor asks at the same time; each is asked one thing after the other.
	hostsAtOnce = 8
	// fresh is how long a reading of a feed counts as an answer to the question whether it can be read.
	fresh = 2 * time.Hour
)

// examined is what has come of one feed.
type examined struct {
	symptoms []Symptom
	skew     time.Duration // of our clock against the server's
	served   bool          // skew is known
}

// feeds judges every feed: by what is remembered if it was read lately or its server has asked for rest, else by asking.
func (d *Doctor) feeds(ctx context.Context) (found []Symptom, skew []time.Duration, err error) {
	reports, err := Feeds(ctx, d.Config, d.Now())
	if err != nil { // the database is judged elsewhere
		reports = nil
		for _, f := range d.Config.Polled() {
			reports = append(reports, FeedReport{Feed: f})
		}
	}
	scout, err := NewScout(d.Config, d.Version)
	if err != nil {
		return nil, nil, err
	}
	defer scout.Close()
	outcomes := make([]examined, len(reports))
	var group errgroup.Group
	group.SetLimit(hostsAtOnce)
	for _, indexes := range byHost(reports) {
		group.Go(func() error {
			asked := false
			for _, i := range indexes {
				if d.remembers(reports[i]) {
					outcomes[i].symptoms = fromMemory(reports[i])
					continue
				}
				if asked && !pause(ctx, scout.gap) {
					break
				}
				asked = true
				outcomes[i] = d.ask(ctx, scout, reports[i])
			}
			return nil
		})
	}
	if err := errors.Join(group.Wait(), ctx.Err()); err != nil {
		return nil, nil, err
	}
	for _, o := range outcomes {
		found = append(found, o.symptoms...)
		if o.served {
			skew = append(skew, o.skew)
		}
	}
	return found, skew, nil
}

// remembers reports whether a feed need not, or must not, be asked.
func (d *Doctor) remembers(r FeedReport) bool {
	now := d.Now()
	resting := r.State.Code == feeds.FetchBusy && r.State.Next.After(now)
	lately := r.State.Failures == 0 && now.Sub(r.State.Succeeded) < fresh
	return d.Offline || resting || lately && !d.All
}

func fromMemory(r FeedReport) []Symptom {
	if found := symptoms(r.Feed.URL, r.Health); len(found) > 0 {
		return found
	}
	s := Symptom{AreaFeed, feeds.Redact(r.Feed.URL), LevelGood, "never read yet", ""}
	if at := r.State.Succeeded; !at.IsZero() {
		s.Message = "read at " + at.UTC().Format(time.RFC3339)
	}
	return []Symptom{s}
}

// ask makes one request.
func (d *Doctor) ask(ctx context.Context, scout *Scout, r FeedReport) examined {
	look := scout.Look(ctx, r.Feed.URL, false)
	var o examined
	if at := look.Found.Served; !at.IsZero() {
		o.skew, o.served = d.Now().Sub(at), true
	}
	address := feeds.Redact(r.Feed.URL)
	if look.Err != nil || look.Feed != r.Feed.URL {
		o.symptoms = []Symptom{unread(address, look)}
		return o
	}
	for _, s := range symptoms(r.Feed.URL, r.Health) {
		if !strings.HasPrefix(s.Message, string(feeds.ConditionFailing)) { // it answers now
			o.symptoms = append(o.symptoms, s)
		}
	}
	if look.Found.Truncated {
		o.symptoms = append(o.symptoms, Symptom{AreaFeed, address, LevelPoor, "the end of the document was missing", "what was complete is read; tell the outlet if it stays so"})
	}
	if len(o.symptoms) == 0 {
		o.symptoms = []Symptom{{AreaFeed, address, LevelGood, fmt.Sprintf("answers with %d articles", len(look.Found.Articles)), ""}}
	}
	return o
}

// unread tells why a feed could not be read, and what can be done.
func unread(address string, look Discovery) Symptom {
	s := Symptom{Area: AreaFeed, Subject: address, Level: LevelBad, Advice: "look whether the outlet has another feed: sheaf feeds test " + address}
	if look.Err == nil { // a web page, or a permanent redirect
		s.Level, s.Message, s.Advice = LevelPoor, "the feed is at "+feeds.Redact(look.Feed), "configure that address"
		return s
	}
	s.Message = look.Err.Error()
	var fe *feeds.FetchError
	if errors.As(look.Err, &fe) && fe.Advice != "" {
		s.Advice, s.Message = fe.Advice, strings.TrimSuffix(s.Message, "; "+fe.Advice)
	}
	return s
}

// byHost groups feeds that one host answers for, in the order of the first of each.
func byHost(reports []FeedReport) [][]int {
	var groups [][]int
	of := map[string]int{}
	for i, r := range reports {
		host := ""
		if u, err := url.Parse(r.Feed.URL); err == nil {
			host = u.Hostname()
		}
		g, ok := of[host]
		if !ok {
			g = len(groups)
			of[host] = g
			groups = append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// median is the middle of durations; zero without any.
func median(d []time.Duration) time.Duration {
	if len(d) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(d))
	return sorted[len(sorted)/2]
}
