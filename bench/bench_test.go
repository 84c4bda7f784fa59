package main

import (
	"bytes"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/bench/internal/counters"
)

func TestJudge(t *testing.T) {
	steady := []sample{{10, 9, 0}, {10.1, 9.1, 0}, {9.9, 9, 0}, {10, 9, 0}}
	wild := []sample{{10, 9, 0}, {30, 9, 0}, {5, 9, 0}, {60, 9, 0}}
	tests := []struct {
		name    string
		row     row
		samples []sample
		allocs  uint64
		shaky   int
		free    float64
		want    verdict
	}{
		{"under the bar", row{bar: 11}, steady, 0, 0, 1, ok},
		{"over the bar", row{bar: 9.5}, steady, 0, 0, 1, over},
		{"ratio under", row{bar: 1.2, ratio: true}, steady, 0, 0, 1, ok},
		{"ratio over", row{bar: 1.05, ratio: true}, steady, 0, 0, 1, over},
		{"allocations", row{bar: 11}, steady, 1, 0, 1, over},
		{"too wide", row{bar: 1000}, wild, 0, 0, 1, refused},
		{"nothing", row{bar: 1}, nil, 0, 0, 1, refused},
		{"one not measured", row{bar: 11}, []sample{{10}, {math.NaN()}, {10}, {10}, {10}}, 0, 0, 1, refused},
		{"the clock rate changed once", row{bar: 11}, steady, 0, 1, 1, ok},
		{"the clock rate changed twice", row{bar: 11}, steady, 0, 2, 1, refused},
		{"processors were free but for little", row{bar: 11, cores: 2}, steady, 0, 0, 0.96, ok},
		{"processors were not free", row{bar: 11, cores: 2}, steady, 0, 0, 0.94, refused},
		{"undecided", row{bar: 10.02}, steady, 0, 0, 1, refused},
	}
	for _, tt := range tests {
		if got := judge(tt.row, tt.samples, tt.allocs, tt.shaky, tt.free); got.verdict != tt.want {
			t.Errorf("%s: %v (%s), want %v", tt.name, got.verdict, got.why, tt.want)
		}
	}
	if r := judge(row{bar: 1, ratio: true}, steady, 0, 0, 1); r.ashlar != 10 || r.ratio < 1.1 || r.ratio > 1.12 {
		t.Errorf("medians %+v", r)
	}
}

// Every row can be measured: it prints a line, with a number or the reason why not.
func TestRows(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs every row three times; the full test run does")
	}
	var out, errs bytes.Buffer
	status := run([]string{"-rounds", "3", "-rows", "1024|16k"}, &out, &errs)
	if status == 2 || errs.Len() > 0 {
		t.Fatalf("status %d, %s", status, errs.String())
	}
	for _, r := range rows() {
		for _, name := range []string{"1024", "16k"} {
			if strings.Contains(r.name, name) && !strings.Contains(out.String(), r.name) {
				t.Errorf("no line for %q in:\n%s", r.name, out.String())
			}
		}
	}
}

// A slow row is over its bar when it is measured, and not only when it is judged.
func TestSlowIsOver(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	meter := counters.New()
	defer meter.Close()
	r := row{ops: 1, unit: nanoseconds, bar: 1000, make: func() (ashlar, baseline, floor piece) {
		ashlar.work = func() { time.Sleep(2 * time.Millisecond) }
		return
	}}
	if got := measure(r, meter, 5); got.verdict == ok || got.ashlar < 1e6 {
		t.Errorf("2 ms against a bar of 1 µs: %+v", got)
	}
}
