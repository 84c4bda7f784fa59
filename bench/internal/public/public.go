// Package public has the workloads of the Go community's suite, mlange-42/go-ecs-benchmarks, by their names and
// definitions, and some that it lacks. All are made of few operations, which a Store adapts to one way of
// storing entities.
//
//	query2comp         N with position and velocity, 10 N with position: position += velocity
//	query32arch        N with both, in up to 32 sets of further components
//	query256arch       N with both; 4 N with position in up to 256 sets
//	random             N with position, read in random order
//	create2comp        N with both, where N have lived before; create2comp_alloc in a new world
//	create10comp       N with ten components, where N have lived before
//	add_remove         N with position: velocity is added to all, and removed from all
//	add_remove_large   the same beside ten more components
//	delete2comp        N with both; delete10comp: with ten components
//	new_world          a world with twelve components is made, and given back
//
// Components have two float64. Times are for each of the N entities.
package public

// Component is the number of a component.
type Component uint8

// The components. C1 to C10 follow Velocity.
const (
	Position Component = iota
	Velocity
	C1
	C2
	components = 12
)

// Set is a set of components, by bits.
type Set uint16

// SetOf is the set of some components.
func SetOf(list ...Component) (s Set) {
	for _, c := range list {
		s |= 1 << c
	}
	return s
}

// The sets that whole workloads are about.
const (
	moving = Set(1<<Position | 1<<Velocity)
	ten    = Set(1<<components - 1<<C1) // C1 to C10
	eleven = ten | 1<<Position
)

// System is one loop over entities. A number up to 15 is its set of components, among the first four: the loop adds the others
// to the first, or 1 where there is no other.
type System uint8

// The systems that whole workloads are about.
const (
	Move    = System(moving)
	Push    = System(1<<Position | 1<<C1)
	Both    = Move | Push
	Unless  = System(16) // position += velocity, of entities without C1
	Each    = System(17) // position += velocity, by a function that gets two pointers
	systems = 18
)

// overlapping is a system for each combination of four components.
func overlapping() (list []System) {
	for s := System(1); s < 16; s++ {
		list = append(list, s)
	}
	return list
}

// needs is the components that a system's entities have, and lack.
func (s System) needs() (with, without Set) {
	switch s {
	case Unless:
		return moving, SetOf(C1)
	case Each:
		return moving, 0
	}
	return Set(s), 0
}

// parts is the components of a system's loop. The first is written.
func (s System) parts() (list [4]Component, n int) {
	with, _ := s.needs()
	for c := range Component(4) {
		if with>>c&1 != 0 {
			list[n] = c
			n++
		}
	}
	return list, n
}

// Value is a component's value.
type Value struct{ X, Y float64 }

// initial is the value that a component has at first: velocities and others are 1, so that sums are exact.
func initial(c Component) Value {
	if c == Position {
		return Value{}
	}
	return Value{1, 1}
}

func (v *Value) add(w Value) {
	v.X += w.X
	v.Y += w.Y
}

// addTo is what Each calls for a row. No store sees through it.
//
//go:noinline
func addTo(v, w *Value) { v.add(*w) }

// Store adapts the operations to one way of storing entities. H is its handle. Loops stand in the adapter, so that a
// call through this interface isn't paid for each entity. To put another library beside Ashlar, write one and add
// it to Candidates.
type Store[H any] interface {
	// Create fills dst with new entities, one after another. Values are by initial.
	Create(dst []H, of Set)
	// Destroy, Add and Remove go over the list one by one.
	Destroy(list []H)
	Add(list []H, c Component)
	Remove(list []H, c Component)
	// Run is a query's loop. It returns how many entities matched.
	Run(s System) (rows int)
	// Frame runs several systems as a program's frame has them; without systems it ends a step of a program that has none.
	Frame(list []System) (rows int)
	// Read sums the X of positions up.
	Read(list []H) float64
	// Count is how many entities live, and how many components they have.
	Count() (entities, components int)
	Close()
}
