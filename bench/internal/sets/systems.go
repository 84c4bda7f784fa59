package sets

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// The components, and the numbers that scripts know them by.
type (
	c0  value
	c1  value
	c2  value
	c3  value
	c4  value
	c5  value
	c6  value
	c7  value
	c8  value
	c9  value
	c10 value
	c11 value
)

func (c0) number() int  { return 0 }
func (c1) number() int  { return 1 }
func (c2) number() int  { return 2 }
func (c3) number() int  { return 3 }
func (c4) number() int  { return 4 }
func (c5) number() int  { return 5 }
func (c6) number() int  { return 6 }
func (c7) number() int  { return 7 }
func (c8) number() int  { return 8 }
func (c9) number() int  { return 9 }
func (c10) number() int { return 10 }
func (c11) number() int { return 11 }

type component interface {
	~[2]uint64
	number() int
}

func numberOf[T component]() int {
	var v T
	return v.number()
}

// combination is a system: what it writes, and one or two components that it reads.
type combination struct {
	writes, reads, second int // second is -1 if there is none
	needs                 set
	register              func(w *world, name string) error
}

// random are twelve systems over components that were drawn once.
var random = []combination{
	two[c9, c10](), three[c2, c7, c6](), two[c7, c6](), three[c2, c7, c4](), two[c5, c1](), three[c4, c3, c2](),
	two[c3, c0](), three[c2, c4, c9](), two[c11, c4](), three[c8, c3, c10](), two[c9, c0](), three[c6, c7, c3](),
}

// overlapping are four systems: 0 is a position, 1 a velocity, 2 to 4 are A, B and C.
var overlapping = []combination{two[c0, c1](), two[c0, c2](), three[c0, c1, c2](), two[c3, c4]()}

func two[A, B component]() combination {
	a, b := numberOf[A](), numberOf[B]()
	return combination{a, b, -1, 1<<a | 1<<b, func(w *world, name string) error {
		return ecs.System(w.World, name, func(c *struct {
			A []A `ashlar:"write"`
			B []B
		}) {
			sum2(c.A, c.B)
			w.rows += len(c.A)
		})
	}}
}

func three[A, B, C component]() combination {
	a, b, c := numberOf[A](), numberOf[B](), numberOf[C]()
	return combination{a, b, c, 1<<a | 1<<b | 1<<c, func(w *world, name string) error {
		return ecs.System(w.World, name, func(c *struct {
			A []A `ashlar:"write"`
			B []B
			C []C
		}) {
			sum3(c.A, c.B, c.C)
			w.rows += len(c.A)
		})
	}}
}

// sum2 and sum3 are the loops of all systems, in tables as well.
func sum2[A, B ~[2]uint64](a []A, b []B) {
	b = b[:len(a)]
	for i := range a {
		a[i][0] += b[i][0]
		a[i][1] += b[i][1]
	}
}

func sum3[A, B, C ~[2]uint64](a []A, b []B, c []C) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		a[i][0] += b[i][0] + c[i][0]
		a[i][1] += b[i][1] + c[i][1]
	}
}

// registerAll registers the systems of a scene.
func registerAll(w *world, systems []combination) {
	for i, s := range systems {
		twin.Check(s.register(w, fmt.Sprintf("system%d", i)))
	}
}
