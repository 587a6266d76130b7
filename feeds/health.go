package feeds

import (
	"fmt"
	"math"
	"time"

	"sheaf"
)

// Quality is what polling has noticed about how well a feed tells news from old, in the last document that had new bytes.
type Quality struct {
	Items   int       `json:"items,omitempty"`   // in the document
	Undated int       `json:"undated,omitempty"` // of these without a date
	Future  int       `json:"future,omitempty"`  // of these dated more than an hour ahead
	Newest  time.Time `json:"newest,omitzero"`   // claimed by any item, the future left out
	Churned int       `json:"churned,omitempty"` // documents in a row whose items all had new ids though most were older than the last poll

	Restamped int `json:"restamped,omitempty"` // documents in a row whose items were all dated after the last poll though most were known
}

// judged takes in the articles of a document with new bytes. before is what was known of the feed's items at polled, its last success.
func (q Quality) judged(articles []sheaf.Article, before Rhythm, polled, now time.Time) Quality {
	churned, restamped := q.Churned, q.Restamped
	q = Quality{Items: len(articles)}
	old := 0
	for i := range articles {
		at := articles[i].Published
		switch {
		case at.IsZero():
			q.Undated++
			continue
		case at.After(now.Add(time.Hour)):
			q.Future++
			continue
		case at.Before(polled):
			old++
		}
		q.Newest = later(q.Newest, at)
	}
	fresh, _ := before.unseen(articles)
	if len(articles) >= 5 && before.Seen != "" && len(fresh) == len(articles) && 2*old > len(articles) {
		q.Churned = churned + 1
	}
	if dated := len(articles) - q.Undated - q.Future; dated >= 5 && before.Seen != "" && old == 0 && 2*len(fresh) < len(articles) {
		q.Restamped = restamped + 1
	}
	return q
}

// Condition is one way in which a feed is not well.
type Condition string

// The conditions.
const (
	ConditionBlocked   Condition = "blocked"   // the publisher refuses us
	ConditionGone      Condition = "gone"      // removed for good
	ConditionMissing   Condition = "missing"   // no such host or path
	ConditionBusy      Condition = "busy"      // the host asked for rest
	ConditionFailing   Condition = "failing"   // any other failure
	ConditionMoved     Condition = "moved"     // a permanent redirect
	ConditionSilent    Condition = "silent"    // nothing new for longer than its own rhythm explains
	ConditionStale     Condition = "stale"     // answers, but its newest item is old
	ConditionUndated   Condition = "undated"   // items without dates
	ConditionFuture    Condition = "future"    // items dated ahead
	ConditionChurning  Condition = "churning"  // ids change from poll to poll
	ConditionRestamped Condition = "restamped" // dates change from poll to poll
	ConditionWasteful  Condition = "wasteful"  // sends everything each time
	ConditionWaived    Condition = "waived"    // read without a protection that others have
)

// Finding is one thing an operator may want to know about a feed.
type Finding struct {
	Condition Condition
	Trouble   bool   // no news comes through; otherwise it does, but not as well as it could
	Message   string // what was observed
	Advice    string // what to do about it; empty if nothing
}

const (
	silentItems  = 12 // items the feed's own rate predicts before silence is worth a word
	silentLeast  = 2 * day
	staleAfter   = 90 * day
	churnedOften = 3
	wastedOften  = 10
)

// Health says how a feed does, the worst first. A feed that is well, or was never polled, has no findings. It is a pure function of what
// polling remembers.
func Health(s State, now time.Time) []Finding {
	var found []Finding
	if s.Failures > 0 {
		found = append(found, s.failing())
	}
	if f, yes := s.silence(now); yes {
		found = append(found, f)
	}
	if s.Moved.Used {
		found = append(found, Finding{ConditionMoved, false, "has moved to " + Redact(s.Moved.To), "write the new address into the configuration"})
	}
	if s.Waived {
		found = append(found, Finding{
			ConditionWaived, false, "read without proof of who answers, as configured: whoever is on the way can change its news",
			"remove insecure_tls and insecure_redirect once the outlet has mended its server",
		})
	}
	return append(found, s.flaws()...)
}

// failing describes the failures in a row.
func (s State) failing() Finding {
	f := Finding{Condition: ConditionFailing, Trouble: true, Message: fmt.Sprintf("%s since %s: %s", times(s.Failures, "failure"), s.Failing.UTC().Format(time.DateOnly), s.Error)}
	switch s.Code {
	case FetchBlocked:
		f.Condition, f.Advice = ConditionBlocked, statusAdvice(s.Code, s.Status)
	case FetchGone:
		f.Condition, f.Advice = ConditionGone, statusAdvice(s.Code, s.Status)
	case FetchMissing, FetchNoHost:
		f.Condition, f.Advice = ConditionMissing, statusAdvice(FetchMissing, s.Status)
	case FetchBusy:
		f.Condition, f.Advice = ConditionBusy, statusAdvice(s.Code, s.Status)
	case FetchPrivate, FetchAddress:
		f.Advice = transportAdvice(s.Code)
	case FetchPanic:
		f.Advice = "report it, with the document"
	default:
		f.Advice = "sheaf goes on trying, less and less often; nothing needs to be done unless it lasts"
	}
	return f
}

// silence compares the time since the last new item with the feed's own rate until then.
func (s State) silence(now time.Time) (Finding, bool) {
	quiet := now.Sub(s.Rhythm.At)
	if !s.Rhythm.At.IsZero() && quiet >= silentLeast && s.Failures == 0 {
		expected := s.Rhythm.rate(s.First, s.Rhythm.At) * quiet.Minutes()
		if expected >= silentItems {
			return Finding{
				ConditionSilent, true, fmt.Sprintf("nothing new for %s, where %d articles would be usual", days(quiet), int(math.Round(expected))),
				"look whether the outlet has moved its feed",
			}, true
		}
	}
	if newest := s.Quality.Newest; !newest.IsZero() && now.Sub(newest) > staleAfter && now.Sub(s.Rhythm.At) > staleAfter {
		return Finding{ConditionStale, true, "its newest article is of " + newest.UTC().Format(time.DateOnly), "look for the feed the outlet uses now"}, true
	}
	return Finding{}, false
}

// flaws are habits of a feed that make it harder to use.
func (s State) flaws() []Finding {
	var found []Finding
	q := s.Quality
	if q.Items > 0 && 2*q.Undated > q.Items {
		found = append(found, Finding{ConditionUndated, false, fmt.Sprintf("%d of %d articles have no date", q.Undated, q.Items), "they count as published when first seen"})
	}
	if q.Items > 0 && 4*q.Future > q.Items {
		found = append(found, Finding{ConditionFuture, false, fmt.Sprintf("%d of %d articles are dated in the future", q.Future, q.Items), "they count as published when first seen; tell the outlet about its clock"})
	}
	if q.Churned >= churnedOften {
		found = append(found, Finding{ConditionChurning, false, fmt.Sprintf("all ids changed in %d documents in a row", q.Churned), "look for another feed of the outlet; this one repeats old articles as new"})
	}
	if q.Restamped >= churnedOften {
		found = append(found, Finding{ConditionRestamped, false, fmt.Sprintf("all dates were new in %d documents in a row, most articles were not", q.Restamped), "look for another feed of the outlet; this one dates old articles as new"})
	}
	if s.Caching.Wasted >= wastedOften && !s.Caching.Capable {
		found = append(found, Finding{ConditionWasteful, false, fmt.Sprintf("the whole document came %d times for nothing: the server never answers 304", s.Caching.Wasted), "tell the outlet that its server ignores If-None-Match and If-Modified-Since"})
	}
	return found
}

// times is a number with its noun.
func times(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// days is a long time in words.
func days(d time.Duration) string { return times(int(d/day), "day") }
