package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	Position struct{ X, Y float64 }
	Velocity struct{ X, Y float64 }
	dummy    struct{ A, B float64 }

	body struct {
		Position
		Velocity
	}
	move struct {
		Pos ecs.Write[Position]
		Vel []Velocity
	}
)

// setup is a world with 64 registered components.
type setup struct {
	w   *ecs.World
	pos *ecs.Pool[Position]
	vel *ecs.Pool[Velocity]
}

func options() ecs.Options {
	quiet := func(string) {} // worlds of a row last until nothing uses them
	return ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Log: quiet}}}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func newSetup() *setup {
	s := &setup{w: ecs.New(options())}
	s.pos = ecs.Register[Position](s.w, "position")
	s.vel = ecs.Register[Velocity](s.w, "velocity")
	dummies(s.w)
	return s
}

// dummies registers 62 components that nobody has.
func dummies(w *ecs.World) {
	for i := range 62 {
		ecs.Register[dummy](w, fmt.Sprintf("dummy%d", i))
	}
}

func (s *setup) group() *ecs.Group[body] {
	g := ecs.GroupOf[body](s.w, "body")
	g.SortAs(nil, 0) // rows of its own
	return g
}

// spawn makes n bodies and returns their handles.
func spawn(g *ecs.Group[body], n int) []ecs.Entity {
	es := make([]ecs.Entity, n)
	check(g.SpawnN(es, []body{{Position{1, 2}, Velocity{0.5, 0.25}}}))
	return es
}

// moveSystem is the README's text.
func moveSystem(c *move) {
	pos, vel := c.Pos, c.Vel
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

// frame is work that runs a frame of a world.
func frame(w *ecs.World) func() {
	ctx := context.Background()
	return func() { check(w.Run(ctx)) }
}

// settle runs frames until chunks have come to their places.
func settle(w *ecs.World) {
	for range 50 {
		frame(w)()
	}
}

// shuffled is the handles in random order, the same in every run.
func shuffled(es []ecs.Entity) []ecs.Entity {
	es = append([]ecs.Entity(nil), es...)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	return es
}

// sparse is a sparse set of plain slices as one writes it by hand.
type sparse[T any] struct {
	slots []slot
	dense []T
}

type slot struct{ version, row uint32 }

func (s *sparse[T]) get(e ecs.Entity) *T {
	i := e.Index()
	if int(i) >= len(s.slots) {
		return nil
	}
	if k := s.slots[i]; k.version == e.Version() {
		return &s.dense[k.row]
	}
	return nil
}

func (s *sparse[T]) add(e ecs.Entity, v T) {
	for int(e.Index()) >= len(s.slots) {
		s.slots = append(s.slots, slot{})
	}
	s.slots[e.Index()] = slot{e.Version(), uint32(len(s.dense))}
	s.dense = append(s.dense, v)
}
