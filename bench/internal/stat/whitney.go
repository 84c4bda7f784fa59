package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Comparison is the Mann–Whitney U test of two samples.
type Comparison struct {
	U float64 // the smaller of both U
	Z float64 // of that U, corrected for ties and not for continuity; at most 0
	P float64 // that two samples of one distribution lie so far apart, both ways
	// Effect is the rank-biserial correlation: 1 if all values of the first sample are below all of the
	// second, -1 the other way round, 0 if neither tends to be below.
	Effect float64
}

// Compare ranks both samples together. The normal approximation needs some 8 values in each.
// An empty sample, or samples of one value alone, give U, z = 0 and p = 1.
func Compare(a, b []float64) Comparison {
	n, m := float64(len(a)), float64(len(b))
	if n == 0 || m == 0 {
		return Comparison{P: 1}
	}
	rankSum, ties := rank(a, b)
	ua := rankSum - n*(n+1)/2 // pairs in which a's value is above b's, and half of the equal ones
	c := Comparison{U: min(ua, n*m-ua), Effect: 1 - 2*ua/(n*m)}
	c.Z = ZOf(c.U, len(a), len(b), ties)
	c.P = min(1, 2*distuv.UnitNormal.Survival(math.Abs(c.Z)))
	return c
}

// ZOf returns z of a U from samples of n and m values. ties is the sum of t³-t over groups of t
// equal values.
func ZOf(u float64, n, m int, ties float64) float64 {
	a, b := float64(n), float64(m)
	all := a + b
	variance := a * b / 12 * (all + 1 - ties/(all*(all-1)))
	if variance <= 0 {
		return 0
	}
	return (u - a*b/2) / math.Sqrt(variance)
}

// rank returns the sum of a's ranks, and the sum of t³-t over groups of t equal values.
func rank(a, b []float64) (sum, ties float64) {
	type value struct {
		v     float64
		first bool
	}
	all := make([]value, 0, len(a)+len(b))
	for _, v := range a {
		all = append(all, value{v, true})
	}
	for _, v := range b {
		all = append(all, value{v, false})
	}
	slices.SortFunc(all, func(x, y value) int {
		switch {
		case x.v < y.v:
			return -1
		case x.v > y.v:
			return 1
		}
		return 0
	})
	for i := 0; i < len(all); {
		j, first := i, 0
		for ; j < len(all) && all[j].v == all[i].v; j++ {
			if all[j].first {
				first++
			}
		}
		t := float64(j - i)
		sum += float64(first) * (float64(i+j) + 1) / 2 // equal values share the mean of their ranks
		ties += t*t*t - t
		i = j
	}
	return sum, ties
}
