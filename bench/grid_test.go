package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

func TestCompare(t *testing.T) {
	flat := func(v ...float64) []float64 { return v }
	tests := []struct {
		name               string
		auto, stream, keep []float64
		unsteady           int
		best               int
		want               verdict
	}{
		{"as good as keep", flat(3, 3, 3), flat(9, 9, 9), flat(3, 3, 3), 0, wayKeep, ok},
		{"as good as stream", flat(9, 9.1, 9), flat(9, 9, 9), flat(12, 12, 12), 0, wayStream, ok},
		{"4 % slower", flat(3.12, 3.12, 3.12), flat(9, 9, 9), flat(3, 3, 3), 0, wayKeep, ok},
		{"6 % slower", flat(3.18, 3.18, 3.18), flat(9, 9, 9), flat(3, 3, 3), 0, wayKeep, over},
		{"6 % slower, within the spread", flat(2.9, 3.18, 3.4), flat(9, 9, 9), flat(3, 3, 3), 0, wayKeep, ok},
		{"the wrong choice", flat(9, 9, 9), flat(9, 9, 9), flat(3, 3, 3), 0, wayKeep, over},
		{"too wide", flat(1, 3, 9), flat(9, 9, 9), flat(3, 3, 3), 0, wayKeep, refused},
		{"an unsteady clock", flat(3, 3, 3), flat(9, 9, 9), flat(3, 3, 3), 4, wayKeep, refused},
		{"nothing", nil, nil, nil, 0, wayStream, refused},
	}
	for _, tt := range tests {
		got := compare([ways][]float64{wayAuto: tt.auto, wayStream: tt.stream, wayKeep: tt.keep}, tt.unsteady)
		if got.best != tt.best || got.verdict != tt.want {
			t.Errorf("%s: best %d, %v, want %d, %v (%+v)", tt.name, got.best, got.verdict, tt.best, tt.want, got)
		}
	}
}

func TestGridCells(t *testing.T) {
	var names []string
	for _, c := range gridCells() {
		names = append(names, c.name())
	}
	slices.Sort(names)
	if n := len(slices.Compact(names)); n != 81 {
		t.Errorf("%d cells, want 81", n)
	}
}

// A cell prints a line; auto keeps, or not, as it does where the others always do.
func TestGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes worlds of 16k rows and runs them thousands of times; the full test run does")
	}
	var out, errs bytes.Buffer
	status := run([]string{"-grid", "-rounds", "3", "-rows", "16k rows, 2 readers, random, 0 %"}, &out, &errs)
	if status == 2 || errs.Len() > 0 || strings.Count(out.String(), "\n| 16k | random | 0 % | 2 |") != 1 {
		t.Fatalf("status %d, %s\n%s", status, errs.String(), out.String())
	}
	c := cell{readers{rows: 3000, groups: 1, systems: 2, changed: 1}}
	w := c.fixed()
	defer w.close()
	w[wayAuto] = c.views(viewing(ecs.Views{Always: true}))
	for _, s := range w {
		s.frame(c.changed)
	}
	if n := c.kept(w[wayAuto], w[wayKeep]); n != 2 {
		t.Errorf("kept for %d of 2", n)
	}
	if n := c.kept(w[wayStream], w[wayKeep]); n != 0 {
		t.Errorf("streamed, and kept for %d of 2", n)
	}
}

// The orders hold the same entities; clusters are runs of the owner's order.
func TestOrders(t *testing.T) {
	var es []ecs.Entity
	for i := range 1000 {
		es = append(es, ecs.Entity(i))
	}
	follow := map[order]int{}
	for _, o := range []order{random, clustered, ordered} {
		got := o.arrange(slices.Clone(es))
		for i := range got[1:] {
			if got[i+1] == got[i]+1 {
				follow[o]++
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, es) {
			t.Errorf("%v: other entities", o)
		}
	}
	if follow[ordered] != 999 || follow[clustered] < 996-1 || follow[clustered] == 999 || follow[random] > 20 {
		t.Errorf("rows that follow the one before: %v", follow)
	}
}
