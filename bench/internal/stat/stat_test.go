package stat

import (
	"math"
	"testing"
)

func near(a, b, most float64) bool { return math.Abs(a-b) <= most }

func TestDescribe(t *testing.T) {
	s := Describe([]float64{2, 4, 4, 4, 5, 5, 7, 9}) // R: median 4.5, mean 5, sd 2.13809, quantiles 4 and 5.5
	if s.N != 8 || s.Median != 4.5 || s.Mean != 5 || !near(s.Deviation, 2.138090, 1e-6) || s.Q1 != 4 || s.Q3 != 5.5 || s.Least != 2 || s.Worst != 9 {
		t.Errorf("%+v", s)
	}
	if !near(s.Spread(), 1.5/4.5, 1e-12) {
		t.Error("spread", s.Spread())
	}
	if (Describe(nil) != Summary{}) || Describe([]float64{3}).Deviation != 0 || (Summary{}).Spread() != 0 {
		t.Error("empty or single samples")
	}
}
