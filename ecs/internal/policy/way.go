package policy

// Way is how a component is stored. The zero value is Fixed.
type Way uint8

const (
	Fixed    Way = iota // a column of the tables that have the component in their set
	Optional            // a column for all rows of a table, with a presence bit a row
	Thin                // a sparse set of its own
	Ordered             // optional, and rows that have it lie together
)

// OrderMost is how many components may be ordered. Each doubles the areas, and a row that comes or goes
// is out of order at each border (BenchmarkArrange).
const OrderMost = 3

// Reason says why a component is stored the way it is.
type Reason uint8

const (
	Default        Reason = iota // nothing has been decided yet
	Stated                       // the program said so
	RemovedOften                 // moves between tables would cost more than tests of bits
	RarelyRemoved                // tests of bits have cost more than moves would
	TablesTooSmall               // without its column, tables merge
	LoopsTestIt                  // order costs less than moves between tables, and less than tests of bits
	Approved                     // the layout begins with it
)

// String returns the reason in words, to stand behind "because" or a colon.
func (r Reason) String() string {
	return [...]string{"by default", "stated", "removed often", "rarely removed", "tables too small", "removed often, rows that have it lie together", "approved in a layout"}[r]
}

// Options are the policy's.
type Options struct {
	// Off keeps every component fixed, except where the program states a way.
	Off bool
	// Work is how much a frame spends on change-overs, in units of cost. 0 is what a frame is predicted to
	// cost, and more where a change-over would take too many frames.
	Work int64
}

// Report says why a component is stored as it is.
type Report struct {
	Reason Reason
	// Frame is when it was last decided or stated, counted from 1; 0 is never.
	Frame int64
	// Removed is removes a frame, as of the last look.
	Removed float64
	// Removes is how many there were in all.
	Removes uint64
}

// roomMost is how many bytes of a row components may take that the policy makes optional. A table comes to have a column of
// each of them, whichever its entities have at a time, and a row has to fit in a chunk of 64 KiB. So
// three quarters are left for components that an entity has.
const roomMost = 16 << 10
