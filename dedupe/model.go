package dedupe

import (
	_ "embed" // the default model
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
)

// FeatureCount is the number of features that an article and a story are measured by.
const FeatureCount = 38

// Features are what the scorer sees of an article and a story, in the order of [FeatureNames].
type Features [FeatureCount]float64

// FeatureNames are the names of the features, in order: cosines with the story (c_), with its best member (m_), coverage of title terms
// (ta_, te_), sizes, distance to the crowd of other stories (k_, r_, bg_), times (t_), and single shared terms.
var FeatureNames = [FeatureCount]string{
	"c_lt", "c_at", "m_at", "ta_max", "ta_rev", "te_max", "size", "len_d", "len_c", "short",
	"k_at", "k_tt", "k_e", "t_new", "t_old", "t_gap", "r_at", "r_e", "min_ene",
	"rarest", "rare", "runs", "second", "mean", "sparse", "bg_at", "bg_e", "len_min", "m_lt", "m_e", "m_tt", "na_max", "na_rev", "plain",
	"c_ne", "m_ne", "hardest", "telling",
}

// Places of the features of time, and of shared runs of words.
const (
	featureNew  = 13
	featureOld  = 14
	featureGap  = 15
	featureRuns = 21
)

var (
	//go:embed model.json
	embeddedModel []byte

	// defaultModel is the embedded model, read once.
	defaultModel = sync.OnceValues(func() (*Model, error) { return ParseModel(embeddedModel) })
)

// ErrModel is wrapped by every fault of a model file.
var ErrModel = errors.New("not a usable model")

// Model holds the weights of the scorer: p = 1 / (1 + exp(−(bias + Σ weight · term))). It is read-only once in use.
type Model struct {
	Version string // names the weights in decisions
	Terms   []Term
	Weights []float64 // by term
	Bias    float64
	Missing Missing

	names []string // text forms of Terms, where they were read from a file
}

// Missing is what a model takes the cosines of unrelated stories to be where there are too few stories to see: in a small collection, or
// soon after the first start. With 0 any likeness looks striking there.
type Missing struct {
	All   float64 `json:"all"`
	Names float64 `json:"names"`
	Title float64 `json:"title"`
}

// modelFile is the form of a model on disk.
type modelFile struct {
	Version string         `json:"version"`
	Bias    float64        `json:"bias"`
	Missing Missing        `json:"missing"`
	Terms   []weightedTerm `json:"terms"`
}

type weightedTerm struct {
	Term   string  `json:"term"`
	Weight float64 `json:"weight"`
}

// DefaultModel is the model embedded in the program.
func DefaultModel() (*Model, error) { return defaultModel() }

// ParseModel reads a model file.
func ParseModel(data []byte) (*Model, error) {
	var f modelFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	if len(f.Terms) == 0 {
		return nil, fmt.Errorf("%w: it has no terms", ErrModel)
	}
	m := &Model{Version: f.Version, Bias: f.Bias, Missing: f.Missing}
	for _, w := range f.Terms {
		t, err := ParseTerm(w.Term)
		if err != nil {
			return nil, err
		}
		m.Terms = append(m.Terms, t)
		m.Weights = append(m.Weights, w.Weight)
		m.names = append(m.names, w.Term)
	}
	return m, nil
}

// Encode writes the model in the form [ParseModel] reads; the same model gives the same bytes.
func (m *Model) Encode() []byte {
	f := modelFile{Version: m.Version, Bias: m.Bias, Missing: m.Missing}
	for i, t := range m.Terms {
		f.Terms = append(f.Terms, weightedTerm{t.String(), m.Weights[i]})
	}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		panic("dedupe: encode model: " + err.Error()) // only numbers that are not finite get here
	}
	return append(data, '\n')
}

// Score is the probability in 0–1 that article and story are one event.
func (m *Model) Score(f *Features) float64 {
	z := m.Bias
	for i := range m.Terms {
		z += m.Weights[i] * m.Terms[i].Value(f)
	}
	return 1 / (1 + math.Exp(-z))
}
