package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type w16 [2]uint64

// A sweep over much memory passes short batches: the same rows in the same order,
// each once, and what is written is marked.
func TestFarSweeps(t *testing.T) {
	type b32 [4]uint64
	for _, n := range []int{1, 79, 80, 81, 1000, 5000} {
		for _, heap := range []bool{false, true} {
			o := ecs.Options{FarBytes: 1}
			if heap {
				o.Memory.Arena.Backend = arena.Heap
			}
			w := ok(ecs.New(o))
			small, large := ok(ecs.Register[w16](w, "small")), ok(ecs.Register[b32](w, "large"))
			type row struct {
				S w16
				L b32
			}
			g := ok(ecs.GroupOf[row](w, "g", small, large))
			es := make([]ecs.Entity, n)
			for i := range es {
				es[i] = ok(g.Spawn(row{S: w16{uint64(i)}}))
			}
			at, longest := 0, 0
			ok(0, ecs.System(w, "walk", func(c *struct {
				S    []w16
				L    []b32 `ashlar:"write"`
				Ents []ecs.Entity
			}) {
				if len(c.S) != len(c.L) || len(c.S) != len(c.Ents) || len(c.S) == 0 {
					t.Fatalf("a batch of %d, %d and %d rows", len(c.S), len(c.L), len(c.Ents))
				}
				longest = max(longest, len(c.S))
				for i := range c.S {
					if c.S[i][0] != uint64(at) || c.Ents[i] != es[at] {
						t.Fatalf("row %d has value %d of entity %v, not of %v", at, c.S[i][0], c.Ents[i], es[at])
					}
					c.L[i][0] += uint64(at)
					at++
				}
			}))
			for frame := range uint64(3) {
				at = 0
				ok(0, w.Run(t.Context()))
				if at != n || longest > 80 { // 4 KiB of 48 B, in sixteens
					t.Fatalf("%d of %d rows, in batches of up to %d", at, n, longest)
				}
				for i, e := range es {
					if got := large.Get(e)[0]; got != (frame+1)*uint64(i) {
						t.Fatalf("row %d is %d after frame %d", i, got, frame)
					}
				}
			}
			ok(0, w.Close())
		}
	}
}

// An iteration may end early, and hold others of the same query.
func TestFarQueries(t *testing.T) {
	w := world(t, ecs.Options{FarBytes: 1, Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}})
	p := ok(ecs.Register[w16](w, "p"))
	g := ok(ecs.GroupOf[struct{ P w16 }](w, "g", p))
	const n = 3000
	for i := range n {
		ok(g.Spawn(struct{ P w16 }{w16{uint64(i)}}))
	}
	q := ok(ecs.QueryOf[struct{ P []w16 }](w))
	seen := 0
	for outer := range q.All() {
		first := outer.P[0][0]
		inner := 0
		for c := range q.All() {
			inner += len(c.P)
		}
		if inner != n || outer.P[0][0] != first {
			t.Fatalf("%d rows inside, and the batch outside begins with %d, not %d", inner, outer.P[0][0], first)
		}
		if seen += len(outer.P); seen > n/2 {
			break
		}
	}
	if seen > n/2+256 || seen <= n/2 {
		t.Fatalf("%d rows before the end", seen)
	}
}

// Rows of which a step would hold a few only go by chunks, as do rows without bytes.
func TestFarNotForWideRows(t *testing.T) {
	w := world(t, ecs.Options{FarBytes: 1})
	type wide [512]byte
	p := ok(ecs.Register[wide](w, "wide"))
	g := ok(ecs.GroupOf[struct{ P wide }](w, "g", p))
	for range 300 {
		ok(g.Spawn(struct{ P wide }{}))
	}
	batches, rows := 0, 0
	for c := range ok(ecs.QueryOf[struct{ P []wide }](w)).All() {
		batches, rows = batches+1, rows+len(c.P)
	}
	if batches != 3 || rows != 300 {
		t.Fatalf("%d rows in %d batches; 126 fit a chunk", rows, batches)
	}
}
