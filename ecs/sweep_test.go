package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type w16 [2]uint64

// sizes of tables from one row to more than two striped regions of 48 B and an entity.
func sweepSizes() []int {
	if testing.Short() {
		return []int{1, 1000, 5000, 40_000}
	}
	return []int{1, 79, 1000, 5000, 19_000, 40_000, 100_000}
}

// A sweep passes all rows in order, each once, and marks written columns in every chunk,
// whether batches are chunks or chunks that lie side by side.
func TestSweeps(t *testing.T) {
	type b32 [4]uint64
	for _, n := range sweepSizes() {
		for name, o := range map[string]memmgr.Options{
			"os": {}, "heap": {Arena: arena.Options{Backend: arena.Heap}}, "stress": {Stress: true},
		} {
			w := ecs.New(ecs.Options{Memory: o})
			small, large := ecs.Register[w16](w, "small"), ecs.Register[b32](w, "large")
			type row struct {
				S w16
				L b32
			}
			g := ecs.Apart(ecs.GroupOf[row](w, "g", small, large))
			es := make([]ecs.Entity, n)
			for i := range es {
				es[i] = ok(g.Spawn(row{S: w16{uint64(i)}}))
			}
			at, batches := 0, 0
			ecs.System(w, "walk", func(c *struct {
				S    []w16
				L    ecs.Write[b32]
				Ents []ecs.Entity
			}) {
				if len(c.S) != len(c.L) || len(c.S) != len(c.Ents) || len(c.S) == 0 {
					t.Fatalf("a batch of %d, %d and %d rows", len(c.S), len(c.L), len(c.Ents))
				}
				batches++
				for i := range c.S {
					if c.S[i][0] != uint64(at) || c.Ents[i] != es[at] {
						t.Fatalf("row %d has value %d of entity %v, not of %v", at, c.S[i][0], c.Ents[i], es[at])
					}
					c.L[i][0] += uint64(at)
					at++
				}
			})
			seq := ecs.RowsOf(g)
			for frame := range uint64(8) {
				at, batches = 0, 0
				since := w.Manager().Tick()
				ok(0, w.Run(t.Context()))
				if at != n || batches > seq.ChunkCount() {
					t.Fatalf("%s: %d of %d rows, in %d batches of %d chunks", name, at, n, batches, seq.ChunkCount())
				}
				for id := range seq.Chunks() {
					if ecs.ChangedIn(w, "small", id, since) || !ecs.ChangedIn(w, "large", id, since) {
						t.Fatalf("%s, frame %d: chunk %d: column 1 changed %v, column 2 changed %v", name, frame, id, ecs.ChangedIn(w, "small", id, since), ecs.ChangedIn(w, "large", id, since))
					}
				}
				for i, e := range es {
					if got := large.Get(e)[0]; got != (frame+1)*uint64(i) {
						t.Fatalf("row %d is %d after frame %d", i, got, frame)
					}
				}
			}
			if chunks := seq.ChunkCount(); name == "os" && chunks > 64 && batches > (chunks+31)/32 {
				t.Errorf("%d chunks are passed in %d batches once they have settled", chunks, batches)
			}
			ok(0, w.Close())
		}
	}
}

// An iteration may end early, and hold others of the same query.
func TestSweepsNest(t *testing.T) {
	w := world(t, unstriped())
	p := ecs.Register[w16](w, "p")
	g := ecs.Apart(ecs.GroupOf[struct{ P w16 }](w, "g", p))
	const n = 30_000
	for i := range n {
		ok(g.Spawn(struct{ P w16 }{w16{uint64(i)}}))
	}
	q := ecs.QueryOf[struct{ P []w16 }](w)
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
	if seen <= n/2 || seen == n {
		t.Fatalf("%d rows before the end", seen)
	}
}
