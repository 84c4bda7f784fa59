package public

import (
	"context"
	"strconv"

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

	loopOne[A any] struct {
		A ecs.Write[of[A]]
	}
	loopTwo[A, B any] struct {
		A ecs.Write[of[A]]
		B []of[B]
	}
	loopThree[A, B, C any] struct {
		A ecs.Write[of[A]]
		B []of[B]
		C []of[C]
	}
	loopFour[A, B, C, D any] struct {
		A ecs.Write[of[A]]
		B []of[B]
		C []of[C]
		D []of[D]
	}
	moveRows   = loopTwo[[0]byte, [1]byte]
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
	p := ecs.Register[of[N]](w.World, "c"+strconv.Itoa(n), how...)
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

// loops registers the systems of all sets of the first four components.
var loops = [16]func(w *world, name string){
	1:  systemOne[[0]byte],
	2:  systemOne[[1]byte],
	3:  systemTwo[[0]byte, [1]byte],
	4:  systemOne[[2]byte],
	5:  systemTwo[[0]byte, [2]byte],
	6:  systemTwo[[1]byte, [2]byte],
	7:  systemThree[[0]byte, [1]byte, [2]byte],
	8:  systemOne[[3]byte],
	9:  systemTwo[[0]byte, [3]byte],
	10: systemTwo[[1]byte, [3]byte],
	11: systemThree[[0]byte, [1]byte, [3]byte],
	12: systemTwo[[2]byte, [3]byte],
	13: systemThree[[0]byte, [2]byte, [3]byte],
	14: systemThree[[1]byte, [2]byte, [3]byte],
	15: systemFour[[0]byte, [1]byte, [2]byte, [3]byte],
}

func systemOne[A any](w *world, name string) {
	ecs.System(w.World, name, func(r *loopOne[A]) {
		a := r.A
		for i := range a {
			a[i].add(Value{1, 1})
		}
		w.rows += len(a)
	})
}

func systemTwo[A, B any](w *world, name string) {
	ecs.System(w.World, name, func(r *loopTwo[A, B]) {
		a, b := r.A, r.B
		for i := range a {
			a[i].add(b[i].Value)
		}
		w.rows += len(a)
	})
}

func systemThree[A, B, C any](w *world, name string) {
	ecs.System(w.World, name, func(r *loopThree[A, B, C]) {
		a, b, c := r.A, r.B, r.C
		for i := range a {
			a[i].add(b[i].Value)
			a[i].add(c[i].Value)
		}
		w.rows += len(a)
	})
}

func systemFour[A, B, C, D any](w *world, name string) {
	ecs.System(w.World, name, func(r *loopFour[A, B, C, D]) {
		a, b, c, d := r.A, r.B, r.C, r.D
		for i := range a {
			a[i].add(b[i].Value)
			a[i].add(c[i].Value)
			a[i].add(d[i].Value)
		}
		w.rows += len(a)
	})
}

// Run goes over a query, outside of frames. Workloads have two such loops.
func (w *world) Run(s System) (rows int) {
	if w.move == nil {
		w.move = ecs.QueryOf[moveRows](w.World)
	}
	switch s {
	case Move:
		for c := range w.move.All() {
			p, v := c.A, c.B
			for i := range p {
				p[i].add(v[i].Value)
			}
			rows += len(p)
		}
	case Each:
		ecs.Pairs(w.move, func(p *position, v *velocity) {
			addTo(&p.Value, &v.Value)
			rows++
		})
	default:
		panic("ashlar: a query that it was not written for")
	}
	return rows
}

// Frame registers systems at its first call, and runs a frame.
func (w *world) Frame(list []System) int {
	if w.systems == nil {
		w.systems = list
		for _, s := range list {
			switch s {
			case Unless:
				ecs.System(w.World, "unless", func(c *unlessRows) {
					p, v := c.P, c.V
					for i := range p {
						p[i].add(v[i].Value)
					}
					w.rows += len(p)
				})
			case Each:
				ecs.System(w.World, "each", func(c *eachRow) {
					addTo(&c.P.Value, &c.V.Value)
					w.rows++
				})
			default:
				loops[s](w, "loop"+strconv.Itoa(int(s)))
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
