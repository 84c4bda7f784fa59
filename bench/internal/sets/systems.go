package sets

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs"
)

// of is a component. N, an array of bytes, has its number as its length.
type of[N any] value

// The components by their numbers, as scripts know them.
type (
	c0  = of[[0]byte]
	c1  = of[[1]byte]
	c2  = of[[2]byte]
	c3  = of[[3]byte]
	c4  = of[[4]byte]
	c5  = of[[5]byte]
	c6  = of[[6]byte]
	c7  = of[[7]byte]
	c8  = of[[8]byte]
	c9  = of[[9]byte]
	c10 = of[[10]byte]
	c11 = of[[11]byte]
)

func (of[N]) number() int { return reflect.TypeFor[N]().Len() }

type component interface {
	~[2]uint64
	number() int
}

func numberOf[T component]() int {
	var v T
	return v.number()
}

// combination is a system: the component that it writes, and one or two components that it reads.
type combination struct {
	writes, reads, second int // second is -1 if there is none
	needs                 set
	register              func(w *world, name string)
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
	return combination{a, b, -1, 1<<a | 1<<b, func(w *world, name string) {
		ecs.System(w.World, name, func(c *struct {
			A ecs.Write[A]
			B []B
		}) {
			sum2(c.A, c.B)
			w.rows += len(c.A)
		})
	}}
}

func three[A, B, C component]() combination {
	a, b, c := numberOf[A](), numberOf[B](), numberOf[C]()
	return combination{a, b, c, 1<<a | 1<<b | 1<<c, func(w *world, name string) {
		ecs.System(w.World, name, func(c *struct {
			A ecs.Write[A]
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
		s.register(w, fmt.Sprintf("system%d", i))
	}
}
