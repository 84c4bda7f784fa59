package ecs

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// Members that lose either component and get it back keep their other values, in
// whatever form slots and records come and over chunks that come and go; so does who is
// moved into their rows.
func TestMembersLeaveAndEnter(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(placed())) {
		t.Run(name, func(t *testing.T) {
			h, r := newHerd(t, name), rand.New(rand.NewPCG(3, 5))
			want := map[Entity]both{}
			var es []Entity
			for i := range uint32(6000) {
				v := both{left{[3]uint32{i, i + 1, i + 2}}, right{[2]uint64{uint64(i), ^uint64(i)}}}
				e, err := h.g.Spawn(v)
				if err != nil {
					t.Fatal(err)
				}
				es, want[e] = append(es, e), v
			}
			for _, away := range []int{1, 700, len(es)} { // how many are out of the group at a time
				r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
				for _, part := range slices.Collect(slices.Chunk(es[:min(len(es), 700*away)], away)) {
					for _, e := range part {
						if err := remove(h, e); err != nil {
							t.Fatal(err)
						}
					}
					if got := h.g.Len(); got != len(es)-len(part) {
						t.Fatalf("%d members, want %d", got, len(es)-len(part))
					}
					r.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
					for _, e := range part {
						if err := restore(h, e, want[e]); err != nil {
							t.Fatal(err)
						}
					}
				}
				for e, v := range want {
					if got := (both{*h.l.Get(e), *h.r.Get(e)}); got != v {
						t.Fatalf("%d away: %v is %v, want %v", away, e, got, v)
					}
				}
				if err := h.Check(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// remove takes one of a member's components, by its index.
func remove(h *herd, e Entity) error {
	if e.Index()%2 == 0 {
		return h.l.Remove(e)
	}
	return h.r.Remove(e)
}

// restore gives back what remove took.
func restore(h *herd, e Entity, v both) error {
	if e.Index()%2 == 0 {
		return h.l.Add(e, v.L)
	}
	return h.r.Add(e, v.R)
}
