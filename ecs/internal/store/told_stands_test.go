package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The policy is told of rows anew after each call that changes how many rows a table has, and always where bits tell rows
// apart.
func TestPolicyIsToldOfRowsThatChange(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s := New(m, Options{MaxEntities: 1 << 16, Policy: policy.Options{Off: true}})
	comps, v := make([]Component, 3), uint64(7)
	for i := range comps {
		s.Register(&comps[i], string(rune('a'+i)), chunk.Spec{Size: 8, Align: 8}, []Way{Fixed, Fixed, Optional}[i], false)
	}
	es := make([]Entity, 2)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var f policy.Facts
	told := func() bool {
		f.Counted, f.Sets = f.Counted[:0], f.Sets[:0]
		s.tell([]int{0, 1}, &f, 1)
		return len(f.Counted) > 0
	}
	for i, x := range []struct {
		what string
		do   func()
		told bool
	}{
		{"the first look", func() {}, true},
		{"nothing", func() {}, false},
		{"spawned bare", func() { es[0], err = s.Spawn(); must(err) }, false},
		{"added", func() { must(s.Add(&comps[0], es[0], raw.Of(&v))) }, true},
		{"another one added", func() { must(s.Add(&comps[1], es[0], raw.Of(&v))) }, true},
		{"removed", func() { must(s.Remove(&comps[1], es[0])) }, true},
		{"the table that was empty has a row", func() { must(s.Add(&comps[1], es[0], raw.Of(&v))) }, true},
		{"destroyed", func() { must(s.Destroy(es[0])) }, true},
		{"nothing again", func() {}, false},
		{"bits", func() { es[1], err = s.Spawn(); must(err); must(s.Add(&comps[2], es[1], raw.Of(&v))) }, true},
		{"nothing, with bits", func() {}, true},
	} {
		x.do()
		if got := told(); got != x.told {
			t.Errorf("step %d, %s: told of rows: %v", i, x.what, got)
		}
	}
}

// Rows that a change-over still moves do not stand, however many each table has.
func TestMovingRowsDoNotStand(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s := New(m, Options{MaxEntities: 1 << 10, Policy: policy.Options{Off: true}})
	var c Component
	s.Register(&c, "c", chunk.Spec{Size: 8, Align: 8}, Fixed, false)
	if s.standing() == 0 {
		t.Error("they stand, and are said to move")
	}
	if s.moving = append(s.moving, &c); s.standing() != 0 {
		t.Error("a component moves")
	}
	s.moving = nil
	if s.working = true; s.standing() != 0 {
		t.Error("a change-over works")
	}
	s.working = false
}
