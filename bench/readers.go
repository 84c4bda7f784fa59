package main

import (
	"math/rand/v2"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// Shared components: systems read 16 of the 64 bytes of a Shape that another group owns.

type (
	vec4  struct{ X, Y, Z, W float32 }
	Shape struct { // 64 B, as a transform has
		At, Turn, Scale, Colour vec4
	}
	// Mesh is the component that a group of readers owns.
	Mesh struct{ A, B float64 }
)

// drawShapes registers a system of readers.
func drawShapes(w *ecs.World, name string) {
	ecs.System(w, name, func(c *struct {
		M  ecs.Write[Mesh]
		At []vec4 `ashlar:"shape.At"`
	}) {
		m, at := c.M, c.At[:len(c.M)]
		for i := range m {
			m[i].A += float64(at[i].X + at[i].W)
		}
	})
}

// order is how the readers' rows lie, seen from the owner's.
type order uint8

const (
	random    order = iota
	clustered       // runs of clusterRows in the owner's order, the runs in random order
	ordered         // as the owner's
)

func (o order) String() string { return [...]string{"random", "clustered", "ordered"}[o] }

// clusterRows is how many entities lie side by side in both groups where they are
// clustered, as entities do that were spawned together.
const clusterRows = 256

// arrange puts handles that are in the owner's order into the readers'.
func (o order) arrange(es []ecs.Entity) []ecs.Entity {
	switch o {
	case random:
		es = slices.Clone(es)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	case clustered:
		runs := slices.Collect(slices.Chunk(es, clusterRows))
		rand.New(rand.NewPCG(3, 4)).Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		return slices.Concat(runs...)
	}
	return es
}

// changeShapes marks that many of ten chunks of the owner as written.
func changeShapes(w *ecs.World, changed int) {
	w.Manager().Advance()
	q := w.Manager().Named("shapes")
	for i := range q.ChunkCount() {
		if i%10 < changed {
			id, _ := q.Chunk(i)
			q.Written(1, id)
		}
	}
}
