package public

import (
	"context"
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The components as types. N has its number as its length.
type of[N any] struct{ Value }

type (
	position = of[[0]byte]
	velocity = of[[1]byte]
	c1       = of[[2]byte]
	c2       = of[[3]byte]
	c3       = of[[4]byte]
	c4       = of[[5]byte]
	c5       = of[[6]byte]
	c6       = of[[7]byte]
	c7       = of[[8]byte]
	c8       = of[[9]byte]
	c9       = of[[10]byte]
	c10      = of[[11]byte]
)

// pool is a pool of any component.
type pool interface {
	add(e ecs.Entity, v Value) error
	Remove(e ecs.Entity) error
	Len() int
}

type poolOf[N any] struct{ *ecs.Pool[of[N]] }

func (p poolOf[N]) add(e ecs.Entity, v Value) error { return p.Add(e, of[N]{v}) }

// world is the adapter of Ashlar. Create sets spawners, Run sets queries, Frame sets systems and rows: it makes spawners and queries when they are asked for, as a program has no more of them.
type world struct {
	*ecs.World
	pools    [components]pool
	position *ecs.Pool[position]
	velocity *ecs.Pool[velocity]
	bodies   *ecs.Spawner[body]
	points   *ecs.Spawner[point]
	large    *ecs.Spawner[tenOf]
	larger   *ecs.Spawner[elevenOf]
	move     *ecs.Query[moveRows]
	push     *ecs.Query[pushRows]
	both     *ecs.Query[bothRows]
	other    *ecs.Query[otherRows]
	unless   *ecs.Query[unlessRows]
	systems  []System // that are registered for frames
	rows     int      // of the frame
}

// Structs of values that entities are spawned with, and of slices that queries have. Nothing changes a value.
type (
	point struct{ P position }
	body  struct {
		P position
		V velocity
	}
	tenOf struct {
		A c1
		B c2
		C c3
		D c4
		E c5
		F c6
		G c7
		H c8
		I c9
		J c10
	}
	elevenOf struct {
		P position
		T tenOf
	}

	moveRows struct {
		P ecs.Write[position]
		V []velocity
	}
	pushRows struct {
		P ecs.Write[position]
		C []c1
	}
	bothRows struct {
		P ecs.Write[position]
		V []velocity
		C []c1
	}
	otherRows struct {
		C ecs.Write[c1]
		D []c2
	}
	unlessRows struct {
		P ecs.Write[position]
		V []velocity
		_ ecs.Without[c1]
	}
	eachRow struct {
		P ecs.WriteOne[position]
		V *velocity
	}
)

func register[N any](w *world, n int, how ...ecs.Storage) *ecs.Pool[of[N]] {
	p := ecs.Register[of[N]](w.World, fmt.Sprintf("c%d", n), how...)
	w.pools[n] = poolOf[N]{p}
	return p
}

// openAshlar is a world with twelve components.
func openAshlar() Store[ecs.Entity] { return openWorld() }

// openVolatile states that velocities come and go, as docs/guide/storage.md says.
func openVolatile() Store[ecs.Entity] { return openWorld(ecs.Volatile) }

func openWorld(velocities ...ecs.Storage) Store[ecs.Entity] {
	quiet := func(string) {}
	w := &world{World: ecs.New(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Log: quiet}}})}
	w.position, w.velocity = register[[0]byte](w, 0), register[[1]byte](w, 1, velocities...)
	register[[2]byte](w, 2)
	register[[3]byte](w, 3)
	register[[4]byte](w, 4)
	register[[5]byte](w, 5)
	register[[6]byte](w, 6)
	register[[7]byte](w, 7)
	register[[8]byte](w, 8)
	register[[9]byte](w, 9)
	register[[10]byte](w, 10)
	register[[11]byte](w, 11)
	return w
}

// Create spawns with values, and adds the components of other sets one by one.
func (w *world) Create(dst []ecs.Entity, s Set) {
	one := Value{1, 1}
	switch s {
	case SetOf(Position):
		if w.points == nil {
			w.points = ecs.SpawnerOf[point](w.World)
		}
		for i := range dst {
			dst[i] = twin.Must(w.points.Spawn(point{}))
		}
	case moving:
		if w.bodies == nil {
			w.bodies = ecs.SpawnerOf[body](w.World)
		}
		for i := range dst {
			dst[i] = twin.Must(w.bodies.Spawn(body{V: velocity{one}}))
		}
	case ten:
		if w.large == nil {
			w.large = ecs.SpawnerOf[tenOf](w.World)
		}
		v := tenOf{c1{one}, c2{one}, c3{one}, c4{one}, c5{one}, c6{one}, c7{one}, c8{one}, c9{one}, c10{one}}
		for i := range dst {
			dst[i] = twin.Must(w.large.Spawn(v))
		}
	case eleven:
		if w.larger == nil {
			w.larger = ecs.SpawnerOf[elevenOf](w.World)
		}
		v := elevenOf{T: tenOf{c1{one}, c2{one}, c3{one}, c4{one}, c5{one}, c6{one}, c7{one}, c8{one}, c9{one}, c10{one}}}
		for i := range dst {
			dst[i] = twin.Must(w.larger.Spawn(v))
		}
	default:
		for i := range dst {
			dst[i] = twin.Must(w.Spawn())
			for c := range Component(components) {
				if s>>c&1 != 0 {
					twin.Check(w.pools[c].add(dst[i], initial(c)))
				}
			}
		}
	}
}

// Destroy destroys one by one.
func (w *world) Destroy(list []ecs.Entity) {
	for _, e := range list {
		twin.Check(w.World.Destroy(e))
	}
}

// Add gives a component to each.
func (w *world) Add(list []ecs.Entity, c Component) {
	if c == Velocity {
		for _, e := range list {
			twin.Check(w.velocity.Add(e, velocity{Value{1, 1}}))
		}
		return
	}
	for _, e := range list {
		twin.Check(w.pools[c].add(e, initial(c)))
	}
}

// Remove takes a component from each.
func (w *world) Remove(list []ecs.Entity, c Component) {
	if c == Velocity {
		for _, e := range list {
			twin.Check(w.velocity.Remove(e))
		}
		return
	}
	for _, e := range list {
		twin.Check(w.pools[c].Remove(e))
	}
}

// The loops of systems and queries.
func (r *moveRows) do() int {
	p, v := r.P, r.V
	for i := range p {
		p[i].add(v[i].Value)
	}
	return len(p)
}

func (r *pushRows) do() int {
	p, c := r.P, r.C
	for i := range p {
		p[i].add(c[i].Value)
	}
	return len(p)
}

func (r *bothRows) do() int {
	p, v, c := r.P, r.V, r.C
	for i := range p {
		p[i].add(v[i].Value)
		p[i].add(c[i].Value)
	}
	return len(p)
}

func (r *otherRows) do() int {
	c, d := r.C, r.D
	for i := range c {
		c[i].add(d[i].Value)
	}
	return len(c)
}

func (r *unlessRows) do() int {
	p, v := r.P, r.V
	for i := range p {
		p[i].add(v[i].Value)
	}
	return len(p)
}

// made returns a query, which it makes once.
func made[S any](w *world, q **ecs.Query[S]) *ecs.Query[S] {
	if *q == nil {
		*q = ecs.QueryOf[S](w.World)
	}
	return *q
}

// Run goes over a query, outside of frames.
func (w *world) Run(s System) (rows int) {
	switch s {
	case Move:
		for c := range made(w, &w.move).All() {
			p, v := c.P, c.V
			for i := range p {
				p[i].add(v[i].Value)
			}
			rows += len(p)
		}
	case Push:
		for c := range made(w, &w.push).All() {
			rows += c.do()
		}
	case Both:
		for c := range made(w, &w.both).All() {
			rows += c.do()
		}
	case Other:
		for c := range made(w, &w.other).All() {
			rows += c.do()
		}
	case Unless:
		for c := range made(w, &w.unless).All() {
			rows += c.do()
		}
	case Each:
		ecs.Pairs(made(w, &w.move), func(p *position, v *velocity) {
			addTo(&p.Value, &v.Value)
			rows++
		})
	}
	return rows
}

// Frame registers systems at its first call, and runs a frame.
func (w *world) Frame(list []System) int {
	if w.systems == nil {
		w.systems = list
		for _, s := range list {
			switch s {
			case Move:
				ecs.System(w.World, "move", func(c *moveRows) { w.rows += c.do() })
			case Push:
				ecs.System(w.World, "push", func(c *pushRows) { w.rows += c.do() })
			case Both:
				ecs.System(w.World, "both", func(c *bothRows) { w.rows += c.do() })
			case Other:
				ecs.System(w.World, "other", func(c *otherRows) { w.rows += c.do() })
			case Unless:
				ecs.System(w.World, "unless", func(c *unlessRows) { w.rows += c.do() })
			case Each:
				ecs.System(w.World, "each", func(c *eachRow) {
					addTo(&c.P.Value, &c.V.Value)
					w.rows++
				})
			}
		}
	}
	w.rows = 0
	twin.Check(w.World.Run(context.Background()))
	return w.rows
}

// Read asks the pool for each.
func (w *world) Read(list []ecs.Entity) (sum float64) {
	for _, e := range list {
		sum += w.position.Get(e).X
	}
	return sum
}

// Count asks world and pools.
func (w *world) Count() (entities, n int) {
	for _, p := range w.pools {
		n += p.Len()
	}
	return w.Len(), n
}

// Close returns the memory.
func (w *world) Close() { twin.Check(w.World.Close()) }
