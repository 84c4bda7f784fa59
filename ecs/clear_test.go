package ecs

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// Clear is Destroy of all entities by index: the same free list, versions and handles
// afterwards, in all forms of records and slots, with entities that have all, some or
// none of the components, in the second plane of sets too, and where versions wrap.
func TestClearIsCalls(t *testing.T) {
	versions := []uint32{10<<countBits | countMask, 10<<countBits | 1, slotMark - 1}
	for _, name := range slices.Sorted(maps.Keys(placed())) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 3))
			cleared, calls := newHerd(t, name), newHerd(t, name)
			var beyond [2]*Pool[size4]
			for i, h := range []*herd{cleared, calls} {
				for k := range 61 {
					if _, err := Register[size1](h.World, fmt.Sprint("filler", k)); err != nil {
						t.Fatal(err)
					}
				}
				p, err := Register[size4](h.World, "beyond")
				if err != nil || p.plane != 1 {
					t.Fatal(p.plane, err)
				}
				beyond[i] = p
			}
			for round := range 40 {
				if r.IntN(2) == 0 { // before anything is free, and with some that are
					version := versions[r.IntN(len(versions))]
					cleared.age(version)
					calls.age(version)
				}
				n, seed := []int{0, 1, 2, 9, 600, 3000}[r.IntN(6)], r.Uint64()
				for i, h := range []*herd{cleared, calls} {
					if err := h.populate(rand.New(rand.NewPCG(seed, 1)), beyond[i], n); err != nil {
						t.Fatal(err)
					}
				}
				cleared.Clear()
				for e := range calls.All() {
					if err := calls.Destroy(e); err != nil {
						t.Fatal(err)
					}
				}
				if err := cleared.same(calls); err != nil {
					t.Fatalf("round %d, %d entities: %v", round, n, err)
				}
				for i := range cleared.next { // also of indexes that are nobody's
					e := Entity(i)
					if s := cleared.l.slots.Load(i) | cleared.loose.slots.Load(i) | beyond[0].slots.Load(i); s != 0 || cleared.bitsOf(e, nil, 1) != 0 {
						t.Fatalf("round %d: index %d has a component", round, i)
					}
				}
			}
		})
	}
}

// populate makes n members, entities with a part of the components, and some that are
// dead again.
func (h *herd) populate(r *rand.Rand, beyond *Pool[size4], n int) error {
	es := make([]Entity, n)
	errs := []error{h.g.SpawnN(es, both{left{[3]uint32{1, 2, 3}}, right{}})}
	for range r.IntN(n + 2) {
		e, err := h.Spawn()
		es = append(es, e)
		errs = append(errs, err)
	}
	odds := r.IntN(5)
	for i, e := range es {
		if r.IntN(5) < odds {
			errs = append(errs, h.loose.Add(e, uint64(i)))
		}
		if r.IntN(5) < odds {
			errs = append(errs, beyond.Add(e, size4{}))
		}
		if i >= n && r.IntN(3) == 0 {
			errs = append(errs, h.r.Add(e, right{}))
		}
	}
	for range r.IntN(2) * r.IntN(len(es)+1) {
		_ = h.Destroy(es[r.IntN(len(es))])
	}
	return errors.Join(errs...)
}
