// Package public has the workloads of the Go community's suite, mlange-42/go-ecs-benchmarks, by their names and
// definitions, and one that it lacks. All are made of few operations, which a Store adapts to one way of
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
//	worst_create       N with both in a new world, one in each call: the call that takes longest
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

// addTwo is the loop of query2comp over columns.
func addTwo(a, b []Value) {
	b = b[:len(a)]
	for i := range a {
		a[i].add(b[i])
	}
}

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
	// Run adds velocities to positions. It returns how many entities have both.
	Run() (rows int)
	// End ends a step, as the frame of a program without systems does.
	End()
	// Read sums the X of positions up.
	Read(list []H) float64
	// Count is how many entities live, and how many components they have.
	Count() (entities, components int)
	Close()
}
