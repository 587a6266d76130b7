package dedupe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Term is one summand of a model: a product of factors. Its text form is the name of a feature, optionally with a knot as in "c_at>0.3",
// which counts what the feature exceeds the knot by; factors are joined by "*".
type Term struct{ factors []factor }

type factor struct {
	feature int
	hinged  bool
	knot    float64
}

// ParseTerm reads the text form of a term.
func ParseTerm(s string) (Term, error) {
	var t Term
	for part := range strings.SplitSeq(s, "*") {
		name, knot, hinged := strings.Cut(part, ">")
		f := factor{feature: slices.Index(FeatureNames[:], name), hinged: hinged}
		if f.feature < 0 {
			return Term{}, fmt.Errorf("%w: term %q has no known feature", ErrModel, s)
		}
		if hinged {
			var err error
			if f.knot, err = strconv.ParseFloat(knot, 64); err != nil {
				return Term{}, fmt.Errorf("%w: knot of term %q: %w", ErrModel, s, err)
			}
		}
		t.factors = append(t.factors, f)
	}
	return t, nil
}

// String is the text form.
func (t Term) String() string {
	var b strings.Builder
	for i, f := range t.factors {
		if i > 0 {
			b.WriteByte('*')
		}
		b.WriteString(FeatureNames[f.feature])
		if f.hinged {
			b.WriteByte('>')
			b.WriteString(strconv.FormatFloat(f.knot, 'g', -1, 64))
		}
	}
	return b.String()
}

// Value is the term before it is weighted.
func (t Term) Value(f *Features) float64 {
	v := 1.0
	for _, x := range t.factors {
		if x.hinged {
			v *= max(0, f[x.feature]-x.knot)
			continue
		}
		v *= f[x.feature]
	}
	return v
}
