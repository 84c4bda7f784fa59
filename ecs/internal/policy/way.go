package policy

// Way is how a component is stored. The zero value is Fixed.
type Way uint8

const (
	Fixed    Way = iota // a column of the tables that have the component in their set
	Optional            // a column for all rows of a table, with a presence bit a row
	Thin                // a sparse set of its own
)

// String returns the way's name in lower case.
func (w Way) String() string {
	switch w {
	case Fixed:
		return "fixed"
	case Optional:
		return "optional"
	case Thin:
		return "thin"
	}
	return "unknown way"
}

// Reason says why a component is stored the way it is.
type Reason uint8

const (
	Default        Reason = iota // nothing has been decided yet
	Stated                       // the program said so
	RemovedOften                 // moves between tables would cost more than tests of bits
	RarelyRemoved                // tests of bits have cost more than moves would
	TablesTooSmall               // without its column, tables merge
)

// String returns the reason in words, to stand behind "because" or a colon.
func (r Reason) String() string {
	switch r {
	case Default:
		return "by default"
	case Stated:
		return "stated"
	case RemovedOften:
		return "removed often"
	case RarelyRemoved:
		return "rarely removed"
	case TablesTooSmall:
		return "tables too small"
	}
	return "unknown reason"
}

// Decision is a change-over of one component.
type Decision struct {
	Component int
	From, To  Way
	Reason    Reason
}

// Options are the policy's.
type Options struct {
	// Off keeps every component fixed, except where the program states a way.
	Off bool
	// Work is how much a frame spends on change-overs, in units of cost. 0 is what a frame is predicted to
	// cost, and more where a change-over would take too many frames.
	Work int64
}

// Report says how a component is stored and why.
type Report struct {
	Way    Way
	Reason Reason
	// Frame is when it was last decided or stated, counted from 1; 0 is never.
	Frame int64
	// Removed is removes a frame, as of the last look.
	Removed float64
}
