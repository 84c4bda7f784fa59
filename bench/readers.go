package main

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	Mesh struct{ A, B float64 }
)

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
// clustered, as those do that were spawned together.
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
		s.w.Manager().Advance()
		q := s.shapes.Sequence()
		for i := range q.ChunkCount() {
			if i%10 < changed {
				id, _ := q.Chunk(i)
				q.Written(1, id)
			}
		}
	}
	check(s.w.Run(context.Background()))
}

// piece is frames of a stage; settled is for how many frames a choice may be tried.
func (r readers) piece(s stage) piece {
	for range settled {
		s.frame(r.changed)
	}
	return piece{work: func() { s.frame(r.changed) }}
}

const settled = 40

// scene makes the world: shapes in a group of their own, and readers' groups with a
// mesh for each shape.
func (r readers) scene(o ecs.Options) (w *ecs.World, shapes *ecs.Group[struct{ S Shape }], meshes []*ecs.Pool[Mesh]) {
	w = must(ecs.New(o))
	shape := must(ecs.Register[Shape](w, "shape"))
	shapes = must(ecs.GroupOf[struct{ S Shape }](w, "shapes", shape))
	for i := range r.groups {
		m := must(ecs.Register[Mesh](w, fmt.Sprintf("mesh.%d", i)))
		must(ecs.GroupOf[struct{ M Mesh }](w, fmt.Sprintf("meshes.%d", i), m))
		meshes = append(meshes, m)
	}
	return w, shapes, meshes
}

// fill makes the entities, once the systems are there.
func (r readers) fill(shapes *ecs.Group[struct{ S Shape }], meshes []*ecs.Pool[Mesh]) {
	es := make([]ecs.Entity, r.rows)
	check(shapes.SpawnN(es, struct{ S Shape }{Shape{At: vec4{1, 2, 3, 4}}}))
	es = r.order.arrange(es)
	for _, m := range meshes {
		for _, e := range es {
			check(m.Add(e, Mesh{1, 2}))
		}
	}
}

// each calls f for each system of each group of readers.
func (r readers) each(f func(group, system int)) {
	for g := range r.groups {
		for s := range r.systems {
			f(g, s)
		}
	}
}

// views reads through whatever the manager chooses.
func (r readers) views(o ecs.Options) stage {
	w, shapes, meshes := r.scene(o)
	r.each(func(g, s int) {
		name := fmt.Sprintf("draw.%d.%d", g, s)
		switch g { // a tag is a constant
		case 0:
			check(ecs.System(w, name, func(c *struct {
				M  []Mesh `ashlar:"mesh.0,write"`
				At []vec4 `ashlar:"shape.At"`
			}) {
				draw(c.M, c.At)
			}))
		case 1:
			check(ecs.System(w, name, func(c *struct {
				M  []Mesh `ashlar:"mesh.1,write"`
				At []vec4 `ashlar:"shape.At"`
			}) {
				draw(c.M, c.At)
			}))
		case 2:
			check(ecs.System(w, name, func(c *struct {
				M  []Mesh `ashlar:"mesh.2,write"`
				At []vec4 `ashlar:"shape.At"`
			}) {
				draw(c.M, c.At)
			}))
		case 3:
			check(ecs.System(w, name, func(c *struct {
				M  []Mesh `ashlar:"mesh.3,write"`
				At []vec4 `ashlar:"shape.At"`
			}) {
				draw(c.M, c.At)
			}))
		case 4:
			check(ecs.System(w, name, func(c *struct {
				M  []Mesh `ashlar:"mesh.4,write"`
				At []vec4 `ashlar:"shape.At"`
			}) {
				draw(c.M, c.At)
			}))
		}
	})
	r.fill(shapes, meshes)
	return stage{w, shapes}
}

func draw(m []Mesh, at []vec4) {
	at = at[:len(m)]
	for i := range m {
		m[i].A += float64(at[i].X + at[i].W)
	}
}

// direct reads through the sparse index, row by row.
func (r readers) direct() stage {
	w, shapes, meshes := r.scene(options())
	type one struct {
		M   []Mesh `ashlar:"mesh.0,write"`
		All []ecs.Entity
		S   *ecs.Pool[Shape]
	}
	body := func(m []Mesh, all []ecs.Entity, s *ecs.Pool[Shape]) {
		all = all[:len(m)]
		for i := range m {
			if v := s.Get(all[i]); v != nil {
				m[i].A += float64(v.At.X + v.At.W)
			}
		}
	}
	r.each(func(g, s int) {
		name := fmt.Sprintf("draw.%d.%d", g, s)
		switch g {
		case 0:
			check(ecs.System(w, name, func(c *one) { body(c.M, c.All, c.S) }))
		case 1:
			check(ecs.System(w, name, func(c *struct {
				M   []Mesh `ashlar:"mesh.1,write"`
				All []ecs.Entity
				S   *ecs.Pool[Shape]
			}) {
				body(c.M, c.All, c.S)
			}))
		case 2:
			check(ecs.System(w, name, func(c *struct {
				M   []Mesh `ashlar:"mesh.2,write"`
				All []ecs.Entity
				S   *ecs.Pool[Shape]
			}) {
				body(c.M, c.All, c.S)
			}))
		case 3:
			check(ecs.System(w, name, func(c *struct {
				M   []Mesh `ashlar:"mesh.3,write"`
				All []ecs.Entity
				S   *ecs.Pool[Shape]
			}) {
				body(c.M, c.All, c.S)
			}))
		case 4:
			check(ecs.System(w, name, func(c *struct {
				M   []Mesh `ashlar:"mesh.4,write"`
				All []ecs.Entity
				S   *ecs.Pool[Shape]
			}) {
				body(c.M, c.All, c.S)
			}))
		}
	})
	r.fill(shapes, meshes)
	return stage{w, shapes}
}

// inline has the whole component in the readers' own group.
func (r readers) inline() stage {
	w := must(ecs.New(options()))
	must(ecs.Register[Shape](w, "shape"))
	must(ecs.Register[Mesh](w, "mesh"))
	g := must(ecs.GroupOf[struct {
		M Mesh
		S Shape
	}](w, "both"))
	r.each(func(_, s int) {
		check(ecs.System(w, fmt.Sprintf("draw.%d", s), func(c *struct {
			M []Mesh `ashlar:"write"`
			S []Shape
		}) {
			m := c.M
			sh := c.S[:len(m)]
			for i := range m {
				m[i].A += float64(sh[i].At.X + sh[i].At.W)
			}
		}))
	})
	check(g.SpawnN(make([]ecs.Entity, r.rows), struct {
		M Mesh
		S Shape
	}{}))
	return stage{w: w}
}
