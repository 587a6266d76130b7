package feeds

import (
	"math"
	"time"
)

// Claim is one feed's part in sharing a budget of polls.
type Claim struct {
	Rate     float64       // items a minute
	Shortest time.Duration // the feed may not be polled more often
	Longest  time.Duration // it must not be polled less often
}

// Interval is the square-root law K/√rate within the claim's bounds. k is in minutes times the root of items a minute.
func (c Claim) Interval(k float64) time.Duration {
	return time.Duration(c.minutes(k) * float64(time.Minute))
}

func (c Claim) minutes(k float64) float64 {
	return max(min(k/math.Sqrt(c.Rate), c.Longest.Minutes()), c.Shortest.Minutes())
}

// SolveK finds the k at which the intervals of all claims, bounds included, spend a mean of one poll per feed in each interval mean. The
// mean delay of news at a given number of polls is least when polls go by the square root of the rate. Without claims, or when the
// bounds leave no choice, it returns an end of its range.
func SolveK(claims []Claim, mean time.Duration) float64 {
	budget := float64(len(claims)) / mean.Minutes()
	low, high := 1e-3, 1e4
	for range 40 {
		k := math.Sqrt(low * high)
		spent := 0.0
		for _, c := range claims {
			spent += 1 / c.minutes(k)
		}
		if spent > budget {
			low = k
		} else {
			high = k
		}
	}
	return math.Sqrt(low * high)
}
