package dedupe

import (
	"cmp"
	"math"
	"slices"
)

// because is the decision about an article that came about by comparing stories; match is the story it turned on, nil if none was near.
func (g *Grouper) because(s *stream, a *article, reason Reason, match *candidate, candidates []candidate) Decision {
	d := a.decision(reason, score(match))
	d.Threshold, d.Profile, d.Model = s.threshold, g.settings.profile, g.settings.model.Version
	if match == nil {
		return d
	}
	d.Best, d.Guard = match.member.id, match.guard
	d.Contributions = g.settings.model.Contributions(&match.features)
	if next := runnerUp(candidates, match); next != nil {
		d.RunnerUp = &Match{Story: next.story.id, Score: next.p}
	}
	return d
}

// runnerUp is the most probable candidate but one; nil if there is no other.
func runnerUp(candidates []candidate, match *candidate) *candidate {
	var next *candidate
	for i := range candidates {
		if c := &candidates[i]; c.story != match.story && (next == nil || c.p > next.p) {
			next = c
		}
	}
	return next
}

// Contributions lists what each term adds to the log odds of a match, in thousandths, largest first, without those that add next to nothing.
// With the bias they sum to ln(p/(1−p)), but for what that leaves out.
func (m *Model) Contributions(f *Features) []Contribution {
	const least = 0.02
	var list []Contribution
	for i := range m.Terms {
		if w := m.Weights[i] * m.Terms[i].Value(f); math.Abs(w) >= least {
			list = append(list, Contribution{m.name(i), math.Round(w*1000) / 1000})
		}
	}
	slices.SortStableFunc(list, func(x, y Contribution) int { return cmp.Compare(math.Abs(y.Weight), math.Abs(x.Weight)) })
	return list
}

// name is the text form of a term.
func (m *Model) name(i int) string {
	if i < len(m.names) {
		return m.names[i]
	}
	return m.Terms[i].String()
}
