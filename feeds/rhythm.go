package feeds

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"time"

	"github.com/cespare/xxhash/v2"

	"sheaf"
)

// Constants of the rate estimate, in minutes and items.
const (
	rateHalfLife = 7 * 1440.0
	hourHalfLife = 14 * 1440.0
	priorItems   = 0.5
	priorMinutes = 2 * 1440.0
	maxSeen      = maxArticles // items of a document remembered
)

// Rhythm is what polling has observed of how often a feed publishes. The zero value knows nothing.
type Rhythm struct {
	Count  float64     `json:"count,omitempty"`  // items published since the first poll, halved every 7 days
	At     time.Time   `json:"at,omitzero"`      // when Count and Hours were right
	Hours  [24]float64 `json:"hours,omitzero"`   // items by hour of publication, UTC, halved every 14 days
	Window int         `json:"window,omitempty"` // items the document holds
	Seen   string      `json:"seen,omitempty"`   // hashes of the items of the last document
}

// observe takes in the articles of a document read now, of a feed first polled at first. It returns the new rhythm and which articles
// were not in the document before. Items count at the time they were published, between first and now; what is older than the first
// poll, and all of the first document, says nothing about the rhythm since. It does not change r.
func (r Rhythm) observe(articles []sheaf.Article, first, now time.Time) (Rhythm, []sheaf.Article) {
	fresh, seen := r.unseen(articles)
	sweep := r.Seen == ""
	r.Window, r.Seen = len(articles), seen
	if len(fresh) == 0 || sweep {
		return r, fresh
	}
	times := make([]time.Time, len(fresh))
	for i := range fresh {
		times[i] = fresh[i].Published
	}
	return r.counted(times, first, now), fresh
}

// added is the rhythm after a document that held only what is new since before: what was in the feed then is taken to be there still.
func (r Rhythm) added(before Rhythm) Rhythm {
	r.Window = max(r.Window, before.Window)
	seen, err := base64.RawStdEncoding.DecodeString(r.Seen)
	old, oldErr := base64.RawStdEncoding.DecodeString(before.Seen)
	if err != nil || oldErr != nil {
		return r
	}
	seen = append(seen, old...)
	r.Seen = base64.RawStdEncoding.EncodeToString(seen[:min(len(seen), 4*maxSeen)])
	return r
}

// counted takes in the publication times of new items found now; zero and future ones count as now.
func (r Rhythm) counted(times []time.Time, first, now time.Time) Rhythm {
	r = r.decayed(now)
	for _, at := range times {
		if at.IsZero() || at.After(now) {
			at = now
		}
		if at.Before(first) {
			continue
		}
		age := now.Sub(at).Minutes()
		r.Count += math.Exp2(-age / rateHalfLife)
		r.Hours[at.UTC().Hour()] += math.Exp2(-age / hourHalfLife)
	}
	r.Count = rounded(r.Count)
	for h := range r.Hours {
		r.Hours[h] = rounded(r.Hours[h])
	}
	return r
}

// rounded keeps the stored state short.
func rounded(x float64) float64 { return math.Round(x*1000) / 1000 }

// decayed moves the counts on to now.
func (r Rhythm) decayed(now time.Time) Rhythm {
	if !r.At.IsZero() && now.After(r.At) {
		dt := now.Sub(r.At).Minutes()
		r.Count *= math.Exp2(-dt / rateHalfLife)
		for h := range r.Hours {
			r.Hours[h] *= math.Exp2(-dt / hourHalfLife)
		}
	}
	r.At = now
	return r
}

// unseen is the articles whose hash is not in Seen, and the hashes of all.
func (r Rhythm) unseen(articles []sheaf.Article) ([]sheaf.Article, string) {
	old, err := base64.RawStdEncoding.DecodeString(r.Seen)
	if err != nil {
		old = nil
	}
	known := make(map[uint32]bool, len(old)/4)
	for ; len(old) >= 4; old = old[4:] {
		known[binary.LittleEndian.Uint32(old)] = true
	}
	var fresh []sheaf.Article
	hashes := make([]byte, 0, 4*min(len(articles), maxSeen))
	for i := range articles {
		hash := uint32(xxhash.Sum64String(string(articles[i].ID)))
		if i < maxSeen {
			hashes = binary.LittleEndian.AppendUint32(hashes, hash)
		}
		if !known[hash] && (i < maxSeen || r.Seen == "") {
			fresh = append(fresh, articles[i])
		}
	}
	return fresh, base64.RawStdEncoding.EncodeToString(hashes)
}

// rate is the estimated number of items a minute of a feed first polled at first.
func (r Rhythm) rate(first, now time.Time) float64 {
	count := r.decayed(now).Count
	age := max(now.Sub(first).Minutes(), 0)
	exposure := rateHalfLife / math.Ln2 * (1 - math.Exp2(-age/rateHalfLife))
	return (count + priorItems) / (exposure + priorMinutes)
}

// weight is how busy the hour h (0–23, UTC) is against the mean hour, smoothed over its neighbours and shrunk to 1 while little is known.
func (r *Rhythm) weight(h int) float64 {
	total := 0.0
	for _, n := range r.Hours {
		total += n
	}
	smooth := (r.Hours[(h+23)%24] + 2*r.Hours[h] + r.Hours[(h+1)%24]) / 4
	return (smooth + 1) / (total/24 + 1)
}

// stretch turns an interval meant for the mean hour into one from now on that is shorter in the feed's busy hours and longer in its quiet
// ones, with as many polls in a day: time runs at the square root of the hour's weight. The result is at most longest.
func (r Rhythm) stretch(interval time.Duration, now time.Time, longest time.Duration) time.Duration {
	var pace [24]float64
	sum := 0.0
	for h := range pace {
		pace[h] = math.Sqrt(r.weight(h))
		sum += pace[h]
	}
	need, passed := interval.Minutes()*sum/24, 0.0
	at := now.UTC()
	minute := float64(at.Minute()) + at.Sub(at.Truncate(time.Minute)).Minutes()
	for h := at.Hour(); passed < longest.Minutes(); h = (h + 1) % 24 {
		left := 60 - minute
		minute = 0
		if pace[h]*left >= need {
			passed += need / pace[h]
			break
		}
		need -= pace[h] * left
		passed += left
	}
	return min(time.Duration(passed*float64(time.Minute)), longest)
}
