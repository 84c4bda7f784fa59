package ecs

import (
	"errors"
	"testing"
)

// A struct of pointers gets what Get says, row by row: along the chunk, parts of a
// component, columns that lie elsewhere and those that a row lacks; columns that are
// written are marked, others are not.
func TestPointersAreGets(t *testing.T) {
	h := newHerd(t, "nothing moves")
	es := make([]Entity, 5000)
	var errs []error
	for i := range es {
		e, err := h.g.Spawn(both{left{[3]uint32{uint32(i)}}, right{[2]uint64{uint64(i)}}})
		errs = append(errs, err)
		if es[i] = e; i%3 == 0 {
			errs = append(errs, h.loose.Add(e, uint64(i)))
		}
	}
	q, err := QueryOf[struct {
		E Entity
		L *left   `ashlar:"write"`
		N *uint64 `ashlar:"optional"`
	}](h.World)
	p, err2 := QueryOf[struct {
		V *[2]uint64 `ashlar:"right.V"`
		N *uint64    `ashlar:"write"`
	}](h.World)
	if err := errors.Join(append(errs, err, err2)...); err != nil {
		t.Fatal(err)
	}
	h.m.Advance()
	n := 0
	for c := range q.All() {
		if c.L != h.l.Get(c.E) || c.N != h.loose.Get(c.E) || c.E != es[n] {
			t.Fatalf("row %d is %v %p %p, want %v %p %p", n, c.E, c.L, c.N, es[n], h.l.Get(es[n]), h.loose.Get(es[n]))
		}
		if n++; n == 4000 {
			break
		}
	}
	tick := h.m.Tick()
	for i := range h.g.seq.ChunkCount() {
		id, _ := h.g.seq.Chunk(i)
		first := 0
		for k := range i {
			_, r := h.g.seq.Chunk(k)
			first += r
		}
		if got := h.l.dir.Cell(id).Stamp == tick; got != (first < 4000) || h.r.dir.Cell(id).Stamp == tick {
			t.Errorf("chunk %d, from row %d: written %v", i, first, got)
		}
	}
	h.m.Advance()
	n = 0
	for c := range p.All() {
		e := es[3*n]
		if c.N != h.loose.Get(e) || c.V != &h.r.Get(e).V {
			t.Fatalf("row %d is %p %p, want %p %p", n, c.V, c.N, &h.r.Get(e).V, h.loose.Get(e))
		}
		n++
	}
	if n != (len(es)+2)/3 || h.busy != "" {
		t.Errorf("%d rows, %q", n, h.busy)
	}
}
