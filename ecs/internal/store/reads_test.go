package store

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// readAll reads all components of entities by handle, as Pool.Get does, and returns the values,
// and how many values of each component these are.
func (x *herd) readAll(es []Entity) (found []raw.Ptr, values map[*Component]uint64) {
	values = make(map[*Component]uint64)
	for _, c := range x.comps {
		for _, e := range es {
			at := c.Dir.Lookup(Find, uint64(e), uint64(c.Size))
			if found = append(found, at); at != nil {
				values[c]++
			}
		}
	}
	return found, values
}

func (x *herd) taken() map[*Component]uint64 {
	counts := make(map[*Component]uint64)
	x.TakeReads(func(c *Component, n Reads) { counts[c] += n.Values })
	return counts
}

// Reads find the same while they are counted, and are counted by component, however the values
// are stored.
func TestCountReads(t *testing.T) {
	for _, grouped := range []bool{false, true} {
		for form := range placed() {
			t.Run(fmt.Sprintf("%s, grouped %v", form, grouped), func(t *testing.T) {
				h := newHerd(t, form, grouped)
				var v whole
				var es []Entity
				spawn := func(n int) {
					for i := range n {
						e, err := h.Spawn()
						if err != nil {
							t.Fatal(err)
						}
						es = append(es, e)
						for k, c := range h.comps {
							if i>>k&1 != 0 {
								if err := h.Add(c, e, raw.Of(&v)); err != nil {
									t.Fatal(err)
								}
							}
						}
					}
				}
				spawn(200)
				if err := h.Destroy(es[63]); err != nil {
					t.Fatal(err)
				}
				check := func(what string) {
					t.Helper()
					found, values := h.readAll(es)
					if got := h.taken(); h.counting && !maps.Equal(got, values) || !h.counting && len(got) > 0 {
						t.Errorf("%s: counted %v of %v", what, got, values)
					}
					h.CountReads(!h.counting)
					if again, _ := h.readAll(es); !slices.Equal(again, found) {
						t.Errorf("%s: what is found depends on whether it is counted", what)
					}
					h.taken()
					h.CountReads(!h.counting)
				}
				check("before")
				h.CountReads(true)
				check("while counted")
				spawn(20_000 / max(1, len(h.comps))) // entries grow
				check("after growth")
				late := new(Component)
				h.Register(late, "late", chunk.Spec{Size: 8, Align: 8}, Fixed, true)
				h.comps = append(h.comps, late)
				if err := h.Add(late, es[0], raw.Of(&v)); err != nil {
					t.Fatal(err)
				}
				check("of a new component")
				h.CountReads(false)
				check("after")
			})
		}
	}
}

// newHerdOfOne is a herd with one entity, which has component l.
func newHerdOfOne(t *testing.T) (*herd, Entity) {
	h := newHerd(t, "all moves", false)
	var v whole
	e, err := h.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Add(h.l, e, raw.Of(&v)); err != nil {
		t.Fatal(err)
	}
	return h, e
}

// Goroutines may read while reads are counted, as ever.
func TestCountReadsOfGoroutines(t *testing.T) {
	h, e := newHerdOfOne(t)
	h.CountReads(true)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				h.l.Dir.Lookup(Find, uint64(e), uint64(h.l.Size))
			}
		})
	}
	all.Wait()
	if n := h.taken()[h.l]; n != 4000 {
		t.Errorf("%d of 4000 reads were counted", n)
	}
}

// A component that is lent is read where a lender has its copy, counted or not, and in its row once it is not.
func TestReadsFindCopies(t *testing.T) {
	h, e := newHerdOfOne(t)
	copied := &whole{}
	lender := &Lender{Copy: func(c *Component, of Entity, at raw.Ptr, write bool) raw.Ptr {
		if c != h.l || of != e || write {
			t.Errorf("asked for %s of %v, to write: %v", c.Name, of, write)
		}
		return raw.Of(copied)
	}}
	found := func() bool { return h.l.Dir.Lookup(Find, uint64(e), uint64(h.l.Size)) == raw.Of(copied) }
	h.CountReads(true)
	h.l.Lend(lender)
	if !found() {
		t.Error("the copy is not found while reads are counted")
	}
	h.CountReads(false)
	if !found() {
		t.Error("the copy is not found after reads were counted")
	}
	h.l.Unlend(lender)
	if found() {
		t.Error("the copy is found when all is over")
	}
}

// Values that are found to be written count as reads, and only while reads are counted.
func TestCountReadsOfMut(t *testing.T) {
	h, e := newHerdOfOne(t)
	for _, on := range []bool{true, false} {
		h.CountReads(on)
		for range 3 {
			h.l.Dir.LookupMarked(FindMut, uint64(e), uint64(h.l.Size))
		}
		if n := h.taken()[h.l]; (n == 3) != on {
			t.Errorf("counted: %v, %d of 3", on, n)
		}
	}
}
