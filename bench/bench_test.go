package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	steady := []sample{{10, 9, 0}, {10.1, 9.1, 0}, {9.9, 9, 0}, {10, 9, 0}}
	wild := []sample{{10, 9, 0}, {30, 9, 0}, {5, 9, 0}, {60, 9, 0}}
	tests := []struct {
		name    string
		row     row
		samples []sample
		allocs  uint64
		want    verdict
	}{
		{"under the bar", row{bar: 11}, steady, 0, ok},
		{"over the bar", row{bar: 9.5}, steady, 0, over},
		{"ratio under", row{bar: 1.2, ratio: true}, steady, 0, ok},
		{"ratio over", row{bar: 1.05, ratio: true}, steady, 0, over},
		{"allocations", row{bar: 11}, steady, 1, over},
		{"too wide", row{bar: 1000}, wild, 0, refused},
		{"nothing", row{bar: 1}, nil, 0, refused},
	}
	for _, tt := range tests {
		if got := judge(tt.row, tt.samples, tt.allocs); got.verdict != tt.want {
			t.Errorf("%s: %v (%s), want %v", tt.name, got.verdict, got.why, tt.want)
		}
	}
	if r := judge(row{bar: 1, ratio: true}, steady, 0); r.ours != 10 || r.ratio < 1.1 || r.ratio > 1.12 {
		t.Errorf("medians %+v", r)
	}
}

func TestQuantile(t *testing.T) {
	v := []float64{4, 1, 3, 2, 5}
	if median(v) != 3 || quantile(v, 0.25) != 2 || quantile(v, 1) != 5 || median([]float64{1, 2}) != 1.5 || median(nil) != 0 {
		t.Error("quantiles are wrong")
	}
}

// Every row can be measured: it prints a line, with a number or the reason why not.
func TestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs every row three times; the full test run does")
	}
	var out, errs bytes.Buffer
	status := run([]string{"-rounds", "3", "-rows", "1024|16k|256 groups|one entity|registrations"}, &out, &errs)
	if status == 2 || errs.Len() > 0 {
		t.Fatalf("status %d, %s", status, errs.String())
	}
	for _, r := range rows() {
		for _, name := range []string{"1024", "16k", "256 groups", "one entity", "registrations"} {
			if strings.Contains(r.name, name) && !strings.Contains(out.String(), r.name) {
				t.Errorf("no line for %q in:\n%s", r.name, out.String())
			}
		}
	}
}

func TestSeriesError(t *testing.T) {
	r := row{series: func(int) (float64, float64, error) { return 0, 0, errors.New("no clock") }}
	if got := measure(r, nil, 3); got.verdict != refused || got.why != "no clock" {
		t.Errorf("got %+v", got)
	}
}
