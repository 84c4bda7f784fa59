package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/bench/internal/stat"
)

// sample is one round: Ashlar, baseline and floor, 0 where there is none.
type sample [3]float64

type verdict uint8

const (
	ok verdict = iota
	over
	refused
)

func (v verdict) String() string { return [...]string{"ok", "over the budget", "inconclusive"}[v] }

// result has the figures of a row.
type result struct {
	ashlar, baseline, floor float64 // medians
	ratio                   float64 // median of the rounds' ratios of Ashlar to baseline
	spread                  float64 // of the figure that is compared with the bar
	verdict                 verdict
	why                     string
}

// spreadMax is how wide a spread may be before a row is refused.
const spreadMax = 0.30

// freeLeast is the part of a processor that a thread must get for the processor to count as free.
const freeLeast = 0.95

// judge is the rule: medians, the ratio within rounds, the spread of the figure compared
// with the bar. It refuses rows that were not measured, rows measured while the
// clock rate changed in more than a quarter of the rounds, rows of several workers that did not have their
// processors for themselves, rows that spread too wide,
// and rows that could as well be on the other side of the bar: the bar lies between the
// quartiles. Pure.
func judge(r row, samples []sample, allocs uint64, unsteady int, free float64) result {
	column := func(i int) (v []float64) {
		for _, s := range samples {
			v = append(v, s[i])
		}
		return v
	}
	res := result{ashlar: median(column(0)), baseline: median(column(1)), floor: median(column(2))}
	compared := column(0)
	if res.baseline != 0 {
		var ratios []float64
		for _, s := range samples {
			ratios = append(ratios, s[0]/s[1])
		}
		res.ratio = median(ratios)
		if r.ratio {
			compared = ratios
		}
	}
	of := stat.Describe(compared)
	res.spread = of.Spread()
	value := res.ashlar
	if r.ratio {
		value = res.ratio
	}
	lost := slices.ContainsFunc(compared, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) || v <= 0 })
	switch {
	case len(compared) == 0 || lost:
		res.verdict, res.why = refused, "something was not measured"
	case 4*unsteady > len(samples):
		res.verdict, res.why = refused, fmt.Sprintf("the clock rate changed in %d of %d rounds, so cycles and time disagree", unsteady, len(samples))
	case free < freeLeast:
		res.verdict, res.why = refused, fmt.Sprintf("%d processors were not free: a thread on one had %.0f %% of it", r.cores, 100*free)
	case res.spread > spreadMax:
		res.verdict, res.why = refused, fmt.Sprintf("a spread of %.0f %% is too wide", 100*res.spread)
	case of.Q1 <= r.bar && of.Q3 > r.bar:
		res.verdict, res.why = refused, fmt.Sprintf("the quartiles are %.3g and %.3g", of.Q1, of.Q3)
	case allocs > 0:
		res.verdict, res.why = over, fmt.Sprintf("%d allocations", allocs)
	case value > r.bar:
		res.verdict = over
	}
	return res
}

func median(v []float64) float64 { return stat.Describe(v).Median }
