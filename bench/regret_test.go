package main

import (
	"math"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// The oracle has the better fixed choice of each phase, and the single choice is the better one
// over all.
func TestRegret(t *testing.T) {
	var r regret
	r.add([ways]float64{wayAuto: 20, wayStream: 28, wayKeep: 12})
	r.add([ways]float64{wayAuto: 17, wayStream: 16, wayKeep: 24})
	want := regret{ways: [ways]float64{wayAuto: 37, wayStream: 44, wayKeep: 36}, oracle: 28}
	if r != want || r.single() != 36 {
		t.Errorf("%+v, single %v; want %+v", r, r.single(), want)
	}
}

// Phases differ, and are the same each time. Worlds that go through the same have the same
// entities, whatever their views.
func TestPhases(t *testing.T) {
	list := drawPhases(1, phaseCount)
	if len(list) != phaseCount || !slices.Equal(list, drawPhases(1, phaseCount)) || slices.Equal(list, drawPhases(2, phaseCount)) {
		t.Error("phases are not what the seed says")
	}
	auto, keep := newLifetime(viewModes[wayAuto]), newLifetime(viewModes[wayKeep])
	for _, p := range []phase{{rows: 300, systems: 2, order: random, changed: 5, births: 3}, {rows: 100, systems: 1, order: clustered}} {
		for _, l := range []*lifetime{auto, keep} {
			l.enter(p)
			for range 20 {
				l.frame()
			}
			if n := l.meshes.Len(); n != p.rows || n != len(l.es) {
				t.Errorf("%v: %d rows, %d entities", p, n, len(l.es))
			}
		}
		if !slices.Equal(auto.es, keep.es) {
			t.Errorf("%v: entities differ", p)
		}
		for _, e := range auto.es {
			if a, k := auto.mesh.Get(e).A, keep.mesh.Get(e).A; a != k || math.IsNaN(a) {
				t.Fatalf("%v: %v has %v and %v", p, e, a, k)
			}
		}
	}
	twin.Check(auto.w.Close())
	twin.Check(keep.w.Close())
}

// Each order has the same entities. Clusters are runs of the owner's order.
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
