package ecs

import (
	"errors"
	"runtime"
	"testing"
)

// A struct of pointers gets the values of Get, row by row: along the chunk, parts of a
// component, columns that lie elsewhere and those that a row lacks; columns that are
// written are marked, others are not.
func TestPointersAreGets(t *testing.T) {
	type left struct{ V [3]uint32 }
	type right struct{ V [2]uint64 }
	type both struct {
		L left
		R right
	}
	for _, how := range []Storage{Stable, Volatile, Thin} {
		w := New(Options{})
		l := Register[left](w, "left")
		r := Register[right](w, "right")
		other := Register[uint64](w, "other", how)
		g := Apart(GroupOf[both](w, "both"))
		var errs []error
		es := make([]Entity, 5000)
		for i := range es {
			e, err := g.Spawn(both{left{[3]uint32{uint32(i)}}, right{[2]uint64{uint64(i)}}})
			errs = append(errs, err)
			if es[i] = e; i%3 == 0 {
				errs = append(errs, other.Add(e, uint64(i)))
			}
		}
		q := QueryOf[struct {
			E Entity
			L WriteOne[left]
			N MaybeOne[uint64]
		}](w)
		p := QueryOf[struct {
			V *[2]uint64 `ashlar:"right.V"`
			N WriteOne[uint64]
		}](w)
		if err := errors.Join(append(errs, w.Err())...); err != nil {
			t.Fatal(err)
		}
		w.base.Manager.Advance()
		n := 0
		for c := range q.All() {
			if c.L != l.Get(c.E) || c.N != other.Get(c.E) || c.E != es[n] {
				t.Fatalf("row %d is %v %p %p, want %v %p %p", n, c.E, c.L, c.N, es[n], l.Get(es[n]), other.Get(es[n]))
			}
			if n++; n == 4000 {
				break
			}
		}
		tick := w.base.Manager.Tick()
		for i, first := 0, 0; i < g.group.rows().ChunkCount(); i++ {
			id, rows := g.group.rows().Chunk(i)
			if got := l.pool.component.Dir.Cell(id).Stamp == tick; got != (first < 4000) || r.pool.component.Dir.Cell(id).Stamp == tick {
				t.Errorf("chunk %d, from row %d: written %v", i, first, got)
			}
			first += rows
		}
		w.base.Manager.Advance()
		seen := map[Entity]bool{}
		for c := range p.All() {
			e := es[*c.N]
			if *c.N%3 != 0 || seen[e] || c.N != other.Get(e) || c.V != &r.Get(e).V {
				t.Fatalf("row of %v is %p %p, want %p %p", e, c.V, c.N, &r.Get(e).V, other.Get(e))
			}
			seen[e] = true
		}
		if len(seen) != (len(es)+2)/3 || w.base.Walks.Busy != "" {
			t.Errorf("%d rows, %q", len(seen), w.base.Walks.Busy)
		}
		if err := errors.Join(w.Check(), w.Close()); err != nil {
			t.Error(err)
		}
	}
}

// Rows that have all columns in their chunk are pointed to one after the other, whatever the
// body of the loop makes of the struct, and however far it goes.
func TestPointersMoveOn(t *testing.T) {
	type left struct{ V [3]uint32 }
	type right struct {
		A uint32
		V [5]uint32
	}
	type tag struct{}
	type all struct {
		L left
		R right
		T tag
	}
	w := New(Options{})
	l := Register[left](w, "left")
	r := Register[right](w, "right")
	Register[tag](w, "tag")
	g := Apart(GroupOf[all](w, "all"))
	q := QueryOf[struct {
		L WriteOne[left]
		V *uint32 `ashlar:"right.A"`
		T *tag
	}](w)
	p := QueryOf[struct {
		R *right
		E Entity
	}](w)
	es := make([]Entity, 5000)
	if err := errors.Join(w.Err(), g.SpawnN(es, []all{{}})); err != nil {
		t.Fatal(err)
	}
	for _, most := range []int{1, 2, len(es) - 1, len(es)} {
		n := 0
		for c := range q.All() {
			if c.L != l.Get(es[n]) || c.V != &r.Get(es[n]).A || c.T == nil {
				t.Fatalf("row %d is %p %p, want %p %p", n, c.L, c.V, l.Get(es[n]), &r.Get(es[n]).A)
			}
			c.L.V[0]++
			if c.L, c.V = nil, new(uint32); n+1 == most {
				break
			}
			n++
		}
		if n+1 != most && n != most {
			t.Errorf("%d rows of %d", n, most)
		}
	}
	n := 0
	for c := range p.All() {
		if c.E != es[n] || c.R != r.Get(c.E) {
			t.Fatalf("row %d is %v %p, want %v %p", n, c.E, c.R, es[n], r.Get(es[n]))
		}
		c.E, c.R = 0, nil
		if n%500 == 0 {
			runtime.GC()
		}
		n++
	}
	if got := l.Get(es[0]).V[0]; got != 4 || l.Get(es[4998]).V[0] != 2 || l.Get(es[4999]).V[0] != 1 {
		t.Errorf("row 0 was passed %d times", got)
	}
	if err := errors.Join(w.Check(), w.Close()); err != nil {
		t.Error(err)
	}
}
