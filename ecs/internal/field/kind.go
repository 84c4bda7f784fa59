package field

// Kind is the meaning of a field.
type Kind uint8

const (
	Slice    Kind = iota // []T and its forms: a column
	Pointer              // *T and its forms: a value
	Entities             // []Entity
	Entity               // Entity
	Presence             // Has: which rows have an optional component
	With                 // With[T]: required, no data
	Without              // Without[T]: excluded
	Pool                 // *Pool[T], Look[T]: access by handle
	Commands             // *Commands
	Later                // Later[T]: changes at the next safe point
	Spawner              // LaterSpawner[S]: entities of one set, made then
	AtEnd                // AtEnd: changes at the end of the frame
	Local                // Local[T]: scratch of a worker
	Resource             // Res[T], WriteRes[T]: a resource
	Rows                 // Rows: the numbers of the matching rows
	Any                  // Or[A, B]: one of several is required
	Present              // Present[T]: required, also if disabled
	Disabled             // Disabled[T]: required, and disabled
	Changed              // Changed[T]: written or added since the last walk
	Added                // Added[T]: added since
	Random               // Random: random numbers of a system
	Events               // Events[T], WriteEvents[T]: events of a type
	Moves                // Arrived[T], Left[T]: entities that came or went
	Query                // *Query[S]: a query of the system's own
	Prior                // Prior[T]: values by handle, of when the system began
	Maybe                // Maybe[T] in a struct of values: owned, and members may lack it
)

// Changes tells whether such a field asks for rows that have changed.
func (k Kind) Changes() bool { return k == Changed || k == Added }

// Condition tells whether such a field only tells which rows match.
func (k Kind) Condition() bool {
	switch k {
	case With, Without, Present, Disabled, Changed, Added:
		return true
	}
	return false
}
