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

// Examples that others have published, with their U and p.
func TestCompareAgreesWithPublishedExamples(t *testing.T) {
	tests := []struct {
		name    string
		a, b    []float64
		u, z, p float64
	}{
		// Permeability of the human chorioamnion, Hollander and Wolfe (1973), p. 69, as in R's wilcox.test: W = 35.
		{"hollander-wolfe", []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}, []float64{1.15, 0.88, 0.90, 0.74, 1.21}, 15, -1.2247, 0.2207},
		// Ozone in New York, May and August 1973, R's airquality: W = 127.5 with ties; its p has a continuity correction.
		{"airquality", []float64{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37},
			[]float64{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85}, 127.5, -3.8541, 0.000116},
		// Ages at the diagnosis of diabetes, in SciPy's mannwhitneyu: U = 17 and 3, asymptotic p without correction below.
		{"scipy", []float64{19, 22, 16, 29, 24}, []float64{20, 11, 17, 12}, 3, -1.7146, 0.0864},
	}
	for _, tt := range tests {
		for _, way := range []struct {
			a, b []float64
			sign float64
		}{{tt.a, tt.b, 1}, {tt.b, tt.a, -1}} {
			c := Compare(way.a, way.b)
			if c.U != tt.u || !near(c.Z, tt.z, 0.0006) || !near(c.P, tt.p, 0.0003) {
				t.Errorf("%s: %+v, want U %v, z %v, p %v", tt.name, c, tt.u, tt.z, tt.p)
			}
			if d := 1 - 2*tt.u/float64(len(tt.a)*len(tt.b)); !near(math.Abs(c.Effect), d, 1e-12) {
				t.Errorf("%s: effect %v, want %v", tt.name, c.Effect, d)
			}
		}
	}
}

// With R's continuity correction the ozone example has the p that R prints.
func TestTiesAreCorrectedAsInR(t *testing.T) {
	a := []float64{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4, 32, 23, 45, 115, 37}
	b := []float64{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9, 45, 168, 73, 76, 118, 84, 85}
	_, ties := rank(a, b)
	z := ZOf(127.5+0.5, len(a), len(b), ties)
	if p := math.Erfc(math.Abs(z) / math.Sqrt2); !near(p, 0.0001208, 5e-8) {
		t.Errorf("p = %.7f, R prints 0.0001208", p)
	}
}

func TestCompareOfExtremes(t *testing.T) {
	low, high, same := []float64{1, 2, 3}, []float64{4, 5, 6}, []float64{7, 7, 7}
	if c := Compare(low, high); c.U != 0 || c.Effect != 1 {
		t.Errorf("all below: %+v", c)
	}
	if c := Compare(high, low); c.U != 0 || c.Effect != -1 {
		t.Errorf("all above: %+v", c)
	}
	if c := Compare(same, same); c.Z != 0 || c.P != 1 || c.Effect != 0 {
		t.Errorf("one value: %+v", c)
	}
	if c := Compare(nil, same); c.P != 1 || c.U != 0 {
		t.Errorf("nothing: %+v", c)
	}
}

// The thesis printed U and z of samples of 5,000 each. Two of its z agree with its U, and the third belongs
// to U = 0: docs/results/experiment.md names it.
func TestThesisRecomputed(t *testing.T) {
	for _, tt := range []struct{ u, z float64 }{
		{12_392_319.5, -0.746}, {12_373_963.5, -0.873}, {10_154.5, -86.528}, {0, -86.598},
	} {
		if z := ZOf(tt.u, 5000, 5000, 0); !near(z, tt.z, 0.0005) {
			t.Errorf("U %v: z %.4f, want %v", tt.u, z, tt.z)
		}
	}
}
