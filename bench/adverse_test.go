package main

import (
	"bytes"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/adverse"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// Programs run in processes, and programs that differ with adapting on and off are an error.
func TestAdverseRuns(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("there are no processes")
	}
	own := made()
	for i := range own {
		own[i].Variants = append(own[i].Variants, own[i].Variants[1])
	}
	for _, tt := range []struct {
		all    []twin.Program
		match  string
		status int
		out    int // lines of programs
		errs   string
	}{
		{adverse.Programs(), "^bursts", 0, 1, ""},
		{own, "^same$", 0, 1, ""},
		{own, "^different$", 1, 0, "they are not the same program"},
		{own, "^broken$", 1, 0, "slices: it did not get ready"},
	} {
		var out, errs bytes.Buffer
		status := measureAdverse(tt.all, request{match: regexp.MustCompile(tt.match), rounds: 1, divide: 8, out: &out, errs: &errs})
		if lines := strings.Count(out.String(), "\n") - 3; status != tt.status || lines != tt.out || (errs.Len() == 0) != (tt.errs == "") || !strings.Contains(errs.String(), tt.errs) {
			t.Errorf("%s: status %d, %d lines, %s\n%s", tt.match, status, lines, errs.String(), out.String())
		}
	}
}

func TestAdverseLine(t *testing.T) {
	c := contest{twin.Program{Frames: 10}, []tried{
		{[][]float64{{3, 90, 3}, {9, 9, 9}}, []float64{50, 60, 70}},
		{[][]float64{{4, 4, 4}, {80, 6, 6}}, []float64{100, 100, 1}},
		{[][]float64{{4, 4, 4}, {7, 7, 7}}, []float64{110, 110, 110}},
	}}
	l := c.line()
	if want := (adverseLine{1, 100, 1.2, 0.6, 1.1, 1.1}); l != want {
		t.Errorf("%+v, want %+v", l, want)
	}
	for _, tt := range []struct {
		time, alike, memory, alikeM float64
		peak                        bool
		want                        string
	}{
		{1.01, 1, 1, 1, false, ""},
		{1.02, 1, 1, 1, false, " time"},
		{1.02, 0.98, 1, 1, false, ""},
		{1.02, 1.03, 1.02, 1.01, false, " memory"},
		{1, 1, 0.51, 1, true, " memory"},
		{1, 1, 0.5, 1, true, ""},
	} {
		l := adverseLine{time: tt.time, alikeTime: tt.alike, memory: tt.memory, alikeM: tt.alikeM}
		if got := l.over(tt.peak); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}
