package dedupe

import (
	_ "embed" // the default model
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"sync"
)

// FeatureCount is the number of features that a [Match] is scored by.
const FeatureCount = 19

// Features are what the scorer sees of an article and a story, in the order of [FeatureNames].
type Features [FeatureCount]float64

// FeatureNames are the names of the features, in order: cosines with the story (c_), with its best member (m_), coverage of title terms
// (ta_, te_), sizes, distance to the crowd of other stories (k_, r_), and times (t_).
var FeatureNames = [FeatureCount]string{
	"c_lt", "c_at", "m_at", "ta_max", "ta_rev", "te_max", "size", "len_d", "len_c", "short",
	"k_at", "k_tt", "k_e", "t_new", "t_old", "t_gap", "r_at", "r_e", "min_ene",
}

var (
	//go:embed model.json
	embeddedModel []byte

	// defaultModel is the embedded model, read once.
	defaultModel = sync.OnceValues(func() (*Model, error) { return ParseModel(embeddedModel) })
)

// ErrModel is wrapped by every fault of a model file.
var ErrModel = errors.New("not a usable model")

// Model holds the weights of the scorer: p = 1 / (1 + exp(−(bias + Σ weight · feature))). It is read-only once in use.
type Model struct {
	Version string   // names the weights in decisions
	Weights Features // of the raw features
	Bias    float64  //
}

// modelFile is the form of a model on disk.
type modelFile struct {
	Version  string    `json:"version"`
	Features []string  `json:"features"`
	Weights  []float64 `json:"weights"`
	Bias     float64   `json:"bias"`
}

// DefaultModel is the model embedded in the program.
func DefaultModel() (*Model, error) { return defaultModel() }

// ParseModel reads a model file. It must name exactly the features of this program, in their order.
func ParseModel(data []byte) (*Model, error) {
	var f modelFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrModel, err)
	}
	if len(f.Features) != FeatureCount || len(f.Weights) != FeatureCount {
		return nil, fmt.Errorf("%w: %d features and %d weights, want %d of each", ErrModel, len(f.Features), len(f.Weights), FeatureCount)
	}
	m := &Model{Version: f.Version, Bias: f.Bias}
	for i, name := range f.Features {
		if name != FeatureNames[i] {
			return nil, fmt.Errorf("%w: feature %d is %q, want %q", ErrModel, i, name, FeatureNames[i])
		}
		m.Weights[i] = f.Weights[i]
	}
	return m, nil
}

// Encode writes the model in the form [ParseModel] reads; the same model gives the same bytes.
func (m *Model) Encode() []byte {
	f := modelFile{Version: m.Version, Features: FeatureNames[:], Weights: m.Weights[:], Bias: m.Bias}
	data, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		panic("dedupe: encode model: " + err.Error()) // only numbers that are not finite get here
	}
	return append(data, '\n')
}

// Score is the probability in 0–1 that article and story are one event.
func (m *Model) Score(f *Features) float64 {
	z := m.Bias
	for i, w := range m.Weights {
		z += w * f[i]
	}
	return 1 / (1 + math.Exp(-z))
}
