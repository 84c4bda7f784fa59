// Package trial judges runs of a program with a layout and without it.
//
//	program ──layout.TrialVariable──→ file ──Read──→ worlds ──Sum──→ run ─┐
//	                                                                     ├─ Compare ─→ figures ─ Judge ─→ verdict
//	the same without the layout, by turns ───────────────────────→ run ─┘
package trial

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/ashlar-go/ashlar/profile/layout"
)

// Read reads the file that layout.TrialVariable names.
func Read(path string) (list []layout.Trial, err error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	for line := range bytes.Lines(b) {
		var t layout.Trial
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, t)
	}
	return list, err
}

// Sum joins the figures of the worlds of one run. Where worlds take turns, each has the runs of the others in its frames, in
// both runs of a pair alike.
func Sum(worlds []layout.Trial) (t layout.Trial) {
	for _, w := range worlds {
		t.Layout, t.Applied, t.Stated = w.Layout, t.Applied+w.Applied, t.Stated+w.Stated
		t.Start, t.First, t.Resident = t.Start+w.Start, t.First+w.First, t.Resident+w.Resident
		t.P50, t.P99, t.Worst = t.P50+w.P50, max(t.P99, w.P99), max(t.Worst, w.Worst)
	}
	return t
}

// Verdict is the outcome of a trial, for a layout or for one statement.
type Verdict string

const (
	Pays    Verdict = "pays"
	Same    Verdict = "no difference"
	Loses   Verdict = "loses"
	Unknown Verdict = "not known"
)

// Figure is one figure of runs with and without a layout.
type Figure struct {
	Name          string
	Without, With float64 // medians
	Ratio         float64 // median of the ratios of pairs: below 1 is better
	Spread        float64 // half of the distance between quartiles of the ratios
	Verdict       Verdict
}

// tolerance is how much a layout may cost.
const tolerance = 0.02

// Compare judges pairs of runs: each of without ran beside the one of with that has the same index. A figure
// differs if three quarters of the ratios are further from 1 than 2 %, on the same side.
func Compare(without, with []layout.Trial) (list []Figure) {
	for _, f := range []struct {
		name string
		of   func(layout.Trial) float64
	}{
		{"frame", func(t layout.Trial) float64 { return float64(t.P50) }},
		{"p99", func(t layout.Trial) float64 { return float64(t.P99) }},
		{"first 100", func(t layout.Trial) float64 { return float64(t.First) }},
		{"start", func(t layout.Trial) float64 { return float64(t.Start) }},
		{"memory", func(t layout.Trial) float64 { return float64(t.Resident) }},
	} {
		var a, b, ratios []float64
		for i := range min(len(without), len(with)) {
			x, y := f.of(without[i]), f.of(with[i])
			if x > 0 && y > 0 {
				a, b, ratios = append(a, x), append(b, y), append(ratios, y/x)
			}
		}
		list = append(list, figure(f.name, a, b, ratios))
	}
	return list
}

func figure(name string, a, b, ratios []float64) Figure {
	f := Figure{Name: name, Verdict: Unknown}
	if len(ratios) == 0 {
		return f
	}
	f.Without, f.With, f.Ratio = quantile(a, 2), quantile(b, 2), quantile(ratios, 2)
	low, high := quantile(ratios, 1), quantile(ratios, 3)
	f.Spread = (high - low) / 2
	switch {
	case low > 1+tolerance:
		f.Verdict = Loses
	case high < 1-tolerance:
		f.Verdict = Pays
	default:
		f.Verdict = Same
	}
	return f
}

// quantile is the value below which so many quarters of some values are.
func quantile(values []float64, quarters int) float64 {
	s := slices.Sorted(slices.Values(values))
	at := float64(quarters) / 4 * float64(len(s)-1)
	i := int(at)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (at-float64(i))*(s[i+1]-s[i])
}

// Judge is the verdict on all figures. A layout is refuted if frames, their p99 or memory lose, and pays if
// one figure does. A start that loses alone refutes nothing.
func Judge(figures []Figure) Verdict {
	all := Unknown
	for _, f := range figures {
		switch f.Verdict {
		case Loses:
			if f.Name == "frame" || f.Name == "p99" || f.Name == "memory" {
				return Loses
			}
		case Pays:
			all = Pays
		case Same:
			if all == Unknown {
				all = Same
			}
		}
	}
	return all
}
