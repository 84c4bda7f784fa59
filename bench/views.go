package main

import (
	"context"
	"fmt"

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
	groups  int  // of readers
	systems int  // in each of them
	ordered bool // the readers' rows are in the order of the owner's
	changed int  // of ten chunks of the owner, how many change in each frame
}

// viewRows are the rows of the table about views.
func viewRows() []row {
	five := readers{rows: k262, groups: 1, systems: 5, changed: 10}
	unchanged, tenth, ordered, apart := five, five, five, five
	unchanged.changed = 0
	tenth.changed = 1
	ordered.ordered = true
	apart.groups, apart.systems = 5, 1
	line := func(name string, r readers, rival func(readers) piece, against string, bar float64) row {
		return row{name: fmt.Sprintf("shared: %s, against %s", name, against), ops: r.rows * r.groups * r.systems, bar: bar, ratio: true,
			make: func() (ours, other, limit piece) { return r.views(), rival(r), limit }}
	}
	return []row{
		line("5 systems, owner random, changed", five, readers.direct, "direct", 1./3),
		line("5 systems, owner random, changed", five, readers.inline, "inline", 1.1),
		line("5 systems, owner random, unchanged", unchanged, readers.inline, "inline", 0.6),
		line("5 systems, owner random, a tenth changed", tenth, readers.inline, "inline", 0.7),
		line("5 systems, owner in order, changed", ordered, readers.inline, "inline", 0.8),
		line("5 groups, owner random, changed", apart, readers.direct, "direct", 1/1.8),
	}
}

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
	if !r.ordered {
		es = shuffled(es)
	}
	for _, m := range meshes {
		for _, e := range es {
			check(m.Add(e, Mesh{1, 2}))
		}
	}
}

// change stamps the owner's chunks that change before a frame.
func (r readers) change(w *ecs.World, shapes *ecs.Group[struct{ S Shape }]) {
	w.Manager().Advance()
	s := shapes.Sequence()
	for i := range s.ChunkCount() {
		if i%10 < r.changed {
			id, _ := s.Chunk(i)
			s.Written(1, id)
		}
	}
}

// run is frames of the world.
func (r readers) run(w *ecs.World, shapes *ecs.Group[struct{ S Shape }]) piece {
	ctx := context.Background()
	frame := func() {
		r.change(w, shapes)
		check(w.Run(ctx))
	}
	for range 40 { // until the choice is made
		frame()
	}
	return piece{work: frame}
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
func (r readers) views() piece {
	w, shapes, meshes := r.scene(options())
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
	return r.run(w, shapes)
}

func draw(m []Mesh, at []vec4) {
	at = at[:len(m)]
	for i := range m {
		m[i].A += float64(at[i].X + at[i].W)
	}
}

// direct reads through the sparse index, row by row.
func (r readers) direct() piece {
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
	return r.run(w, shapes)
}

// inline has the whole component in the readers' own group.
func (r readers) inline() piece {
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
	ctx := context.Background()
	return piece{work: func() { check(w.Run(ctx)) }}
}
