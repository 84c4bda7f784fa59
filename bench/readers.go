package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
)

// Shared components: five systems read 16 of the 64 bytes of a Transform that another
// group owns. Direct is Get through the sparse index, row by row; inline is the layout
// of an archetype, in which the readers' own group holds the whole of it.

type (
	vec4  struct{ X, Y, Z, W float32 }
	Shape struct { // 64 B, as a Transform has
		At, Turn, Scale, Colour vec4
	}
	// Mesh is the component that a group of readers owns, of another type for each group: G only
	// tells them apart.
	Mesh[G any] struct{ A, B float64 }

	// reader adds a group of readers to a scene: its component, its group, its rows.
	reader struct {
		own  func(*ecs.World)
		view func(w *ecs.World, name string)
		get  func(w *ecs.World, name string)
		add  func(w *ecs.World, es []ecs.Entity)
	}
)

// kinds are the groups of readers that there can be.
func kinds() []reader {
	return []reader{readerOf[[0]byte](), readerOf[[1]byte](), readerOf[[2]byte](), readerOf[[3]byte](), readerOf[[4]byte]()}
}

func readerOf[G any]() reader {
	var pool *ecs.Pool[Mesh[G]]
	return reader{
		own: func(w *ecs.World) {
			name := fmt.Sprintf("mesh.%d", reflect.TypeFor[G]().Len())
			pool = ecs.Register[Mesh[G]](w, name)
			ecs.GroupOf[struct{ M Mesh[G] }](w, name).SortAs(nil, 0)
		},
		view: func(w *ecs.World, name string) {
			ecs.System(w, name, func(c *struct {
				M  ecs.Write[Mesh[G]]
				At []vec4 `ashlar:"shape.At"`
			}) {
				m, at := c.M, c.At[:len(c.M)]
				for i := range m {
					m[i].A += float64(at[i].X + at[i].W)
				}
			})
		},
		get: func(w *ecs.World, name string) {
			ecs.System(w, name, func(c *struct {
				M   ecs.Write[Mesh[G]]
				All []ecs.Entity
				S   *ecs.Pool[Shape]
			}) {
				m, all, s := c.M, c.All[:len(c.M)], c.S
				for i := range m {
					if v := s.Get(all[i]); v != nil {
						m[i].A += float64(v.At.X + v.At.W)
					}
				}
			})
		},
		add: func(w *ecs.World, es []ecs.Entity) {
			for _, e := range es {
				check(pool.Add(e, Mesh[G]{1, 2}))
			}
		},
	}
}

// readers is how a world of readers is made.
type readers struct {
	rows    int
	groups  int   // of readers
	systems int   // in each of them
	order   order // of the readers' rows
	changed int   // of ten chunks of the owner, how many change in each frame
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
		return shuffled(es)
	case clustered:
		runs := slices.Collect(slices.Chunk(es, clusterRows))
		rand.New(rand.NewPCG(3, 4)).Shuffle(len(runs), func(i, j int) { runs[i], runs[j] = runs[j], runs[i] })
		return slices.Concat(runs...)
	}
	return es
}

// stage is a world of readers, ready to run.
type stage struct {
	w      *ecs.World
	shapes *ecs.Group[struct{ S Shape }] // nil if the readers' group holds them
}

// frame runs a frame, before which that many of ten chunks of the owner change.
func (s stage) frame(changed int) {
	if s.shapes != nil {
		changeShapes(s.w, changed)
	}
	check(s.w.Run(context.Background()))
}

// changeShapes marks that many of ten chunks of the owner as written.
func changeShapes(w *ecs.World, changed int) {
	w.Manager().Advance()
	q := rowsOf(w, "shapes")
	for i := range q.ChunkCount() {
		if i%10 < changed {
			id, _ := q.Chunk(i)
			q.Written(1, id)
		}
	}
}

// piece is frames of a stage; settled is for how many frames a choice may be tried.
func (r readers) piece(s stage) piece {
	for range settled {
		s.frame(r.changed)
	}
	return piece{work: func() { s.frame(r.changed) }}
}

const settled = 40

// build makes the world: shapes in a group of their own, readers' groups with a mesh
// for each shape, and, before there are rows, the systems.
func (r readers) build(o ecs.Options, system func(k reader, w *ecs.World, name string)) stage {
	w := ecs.New(o)
	shape := ecs.Register[Shape](w, "shape")
	shapes := ecs.GroupOf[struct{ S Shape }](w, "shapes", shape)
	shapes.SortAs(nil, 0)
	kinds := kinds()[:r.groups]
	for _, k := range kinds {
		k.own(w)
	}
	for g, k := range kinds {
		for s := range r.systems {
			system(k, w, fmt.Sprintf("draw.%d.%d", g, s))
		}
	}
	es := make([]ecs.Entity, r.rows)
	check(shapes.SpawnN(es, []struct{ S Shape }{{Shape{At: vec4{1, 2, 3, 4}}}}))
	es = r.order.arrange(es)
	for _, k := range kinds {
		k.add(w, es)
	}
	return stage{w, shapes}
}

// viewing is the options of a world with a fixed choice of views, or ViewsAuto.
func viewing(v ecs.Views) ecs.Options {
	o := options()
	o.Views = v
	return o
}

// views reads through whatever the manager chooses.
func (r readers) views(o ecs.Options) stage {
	return r.build(o, func(k reader, w *ecs.World, name string) { k.view(w, name) })
}

// direct reads through the sparse index, row by row.
func (r readers) direct() stage {
	return r.build(options(), func(k reader, w *ecs.World, name string) { k.get(w, name) })
}

// inline has the whole component in the readers' own group.
func (r readers) inline() stage {
	w := ecs.New(options())
	ecs.Register[Shape](w, "shape")
	ecs.Register[Mesh[[0]byte]](w, "mesh")
	type both struct {
		M Mesh[[0]byte]
		S Shape
	}
	g := ecs.GroupOf[both](w, "both")
	g.SortAs(nil, 0)
	for s := range r.systems {
		ecs.System(w, fmt.Sprintf("draw.%d", s), func(c *struct {
			M ecs.Write[Mesh[[0]byte]]
			S []Shape
		}) {
			m, sh := c.M, c.S[:len(c.M)]
			for i := range m {
				m[i].A += float64(sh[i].At.X + sh[i].At.W)
			}
		})
	}
	check(g.SpawnN(make([]ecs.Entity, r.rows), []both{{}}))
	return stage{w: w}
}
