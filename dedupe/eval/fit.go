package eval

import (
	"errors"
	"math"

	"sheaf/dedupe"
)

// errSingular is returned when the rows do not determine the weights.
var errSingular = errors.New("the rows do not determine the weights")

// fit finds the weights of terms by logistic regression with an L2 penalty of 1/(2c) on standardized terms, by Newton's method. The same
// rows give the same weights, bit by bit.
func fit(rows []row, terms []dedupe.Term, c float64) (*dedupe.Model, error) {
	x := design(rows, terms)
	mean, deviation := x.standardize()
	d := x.width
	w := make([]float64, d+1) // bias last
	for range 60 {
		gradient, hessian := x.derivatives(rows, w)
		for i := range d {
			gradient[i] += w[i] / c
			hessian[i*(d+1)+i] += 1 / c
		}
		step, ok := solve(hessian, gradient)
		if !ok {
			return nil, errSingular
		}
		largest := 0.0
		for i := range w {
			w[i] -= step[i]
			largest = max(largest, math.Abs(step[i]))
		}
		if largest < 1e-9 {
			break
		}
	}
	m := &dedupe.Model{Terms: terms, Weights: make([]float64, d), Bias: w[d]}
	for i := range d {
		m.Weights[i] = w[i] / deviation[i]
		m.Bias -= m.Weights[i] * mean[i]
	}
	return m, nil
}

// matrix holds the terms of all rows, row by row.
type matrix struct {
	width int
	data  []float64
}

func design(rows []row, terms []dedupe.Term) *matrix {
	x := &matrix{width: len(terms), data: make([]float64, 0, len(rows)*len(terms))}
	for i := range rows {
		for _, t := range terms {
			x.data = append(x.data, t.Value(&rows[i].features))
		}
	}
	return x
}

// standardize shifts and scales every column to mean 0 and deviation 1, and says by how much.
func (x *matrix) standardize() (mean, deviation []float64) {
	d, n := x.width, float64(len(x.data)/max(1, x.width))
	mean, deviation = make([]float64, d), make([]float64, d)
	for i, v := range x.data {
		mean[i%d] += v
	}
	for i := range mean {
		mean[i] /= n
	}
	for i, v := range x.data {
		deviation[i%d] += (v - mean[i%d]) * (v - mean[i%d])
	}
	for i := range deviation {
		deviation[i] = math.Sqrt(deviation[i]/n) + 1e-9
	}
	for i := range x.data {
		x.data[i] = (x.data[i] - mean[i%d]) / deviation[i%d]
	}
	return mean, deviation
}

// derivatives are the gradient and the Hessian of the loss, without the penalty; the upper triangle is enough.
func (x *matrix) derivatives(rows []row, w []float64) (gradient, hessian []float64) {
	d := x.width
	gradient, hessian = make([]float64, d+1), make([]float64, (d+1)*(d+1))
	v := make([]float64, d+1)
	v[d] = 1
	for i := range rows {
		copy(v, x.data[i*d:(i+1)*d])
		z := 0.0
		for j, xj := range v {
			z += xj * w[j]
		}
		p := 1 / (1 + math.Exp(-z))
		miss := p
		if rows[i].same {
			miss = p - 1
		}
		curve := rows[i].weight * p * (1 - p)
		for j, xj := range v {
			gradient[j] += rows[i].weight * miss * xj
			scaled := curve * xj
			line := hessian[j*(d+1) : (j+1)*(d+1)]
			for k := j; k <= d; k++ {
				line[k] += scaled * v[k]
			}
		}
	}
	return gradient, hessian
}

// solve finds y with h·y = g for a symmetric positive definite h, given by its upper triangle, by Cholesky's decomposition. h is used up.
func solve(h, g []float64) ([]float64, bool) {
	n := len(g)
	for i := range n {
		h[i*n+i] += 1e-9
		for k := range i {
			h[i*n+i] -= h[k*n+i] * h[k*n+i]
		}
		if h[i*n+i] <= 0 {
			return nil, false
		}
		h[i*n+i] = math.Sqrt(h[i*n+i])
		for j := i + 1; j < n; j++ {
			for k := range i {
				h[i*n+j] -= h[k*n+i] * h[k*n+j]
			}
			h[i*n+j] /= h[i*n+i]
		}
	}
	y := append([]float64(nil), g...)
	for i := range n {
		for k := range i {
			y[i] -= h[k*n+i] * y[k]
		}
		y[i] /= h[i*n+i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			y[i] -= h[i*n+k] * y[k]
		}
		y[i] /= h[i*n+i]
	}
	return y, true
}
