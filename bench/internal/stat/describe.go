// Package stat describes samples of times and compares two of them.
//
// A *sample* is a list of measured values of one thing. Describe gives its median, mean, deviation
// and quartiles. Compare gives the Mann–Whitney U of two samples, with z corrected for ties, the
// two-sided p of the normal approximation, and the effect size. Mean, deviation and the normal
// distribution are gonum's. It has no Mann–Whitney test, so that one is here, and is tested against
// published examples.
package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Summary describes a sample. Describe sets its fields. All fields but N have the unit of the sample.
type Summary struct {
	N                 int
	Median, Mean      float64
	Deviation         float64 // of the sample, with n-1
	Q1, Q3            float64
	Least, P99, Worst float64
}

// Describe sorts a copy of the sample. An empty sample gives the zero Summary.
func Describe(sample []float64) Summary {
	if len(sample) == 0 {
		return Summary{}
	}
	v := slices.Sorted(slices.Values(sample))
	s := Summary{N: len(v), Median: quantile(v, 0.5), Q1: quantile(v, 0.25), Q3: quantile(v, 0.75), Least: v[0], P99: quantile(v, 0.99), Worst: v[len(v)-1]}
	if s.Mean = stat.Mean(v, nil); len(v) > 1 {
		s.Deviation = stat.StdDev(v, nil)
	}
	return s
}

// Spread is the distance of the quartiles divided by the median, 0 where the median is 0.
func (s Summary) Spread() float64 {
	if s.Median == 0 {
		return 0
	}
	return (s.Q3 - s.Q1) / s.Median
}

// quantile interpolates between the values of a sorted sample, as R's type 7 does.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(math.Floor(at))
	if i+1 == len(sorted) {
		return sorted[i]
	}
	return sorted[i] + (sorted[i+1]-sorted[i])*(at-float64(i))
}
