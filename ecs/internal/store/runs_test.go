package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows that move as a run while another of their components changes over keep it, whichever way
// each has it.
func TestRunsWhileWaysChange(t *testing.T) {
	x := newModel(t, 1, memmgr.Options{}, Options{Policy: policy.Options{Work: policy.CostMake + 50*policy.CostMove}})
	s, c := x.s, x.comps
	value := at(make([]byte, 64))
	spawn := func(n int, comps ...*Component) []Entity {
		es := make([]Entity, n)
		if err := s.NewBundle(comps, make([]uintptr, len(comps))).SpawnBatch(es, value, 0); err != nil {
			t.Fatal(err)
		}
		return es
	}
	spawn(1, c[0], c[1], c[2]) // its table moves first
	es := spawn(10_000, c[0], c[1])
	if !s.Change(c[0], Optional) {
		t.Fatal("it does not change over")
	}
	s.EndFrame()
	if s.Moving() == 0 || s.tableAt(locOf(c[0].Resolve(es[9_999], 0))).opt(c[0]) == nil || s.tableAt(locOf(c[0].Resolve(es[0], 0))).opt(c[0]) != nil {
		t.Fatal("all values have moved, or none")
	}
	if n, err := s.AddBatch(c[2], es[:100], value, 0); n != 100 || err != nil {
		t.Fatal(n, err)
	}
	for i := 0; s.Moving() > 0 && i < 1000; i++ {
		s.EndFrame()
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	for _, e := range es {
		if !c[0].Has(e) {
			t.Fatalf("%v has lost it", e)
		}
	}
	if err := x.m.Close(); err != nil {
		t.Fatal(err)
	}
}
