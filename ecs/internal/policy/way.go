package policy

// Way is how a component is stored. The zero value is Fixed.
type Way uint8

const (
	Fixed    Way = iota // a column of the tables whose set has the component
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
	FewHaveIt                    // an optional column would be empty in most rows
	ManyHaveIt                   // a sparse set costs more than an optional column
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
	case FewHaveIt:
		return "few have it"
	case ManyHaveIt:
		return "many have it"
	}
	return "unknown reason"
}

// Decision is a change-over of one component.
type Decision struct {
	Component int
	From, To  Way
	Reason    Reason
}

// Options are the policy's numbers. Zero or less is the default, which held in all
// cells of the models that the package comment describes.
type Options struct {
	// Off keeps every component fixed, except where the program states a way.
	Off bool
	// Share is the number of removes a frame, for 10,000 rows visited a frame, above
	// which a component is stored as optional or thin. Default 20, at most 10,000.
	Share int
	// Frames is in how many of the last 64 frames a component must have been removed
	// before that counts as a habit. It is also the least number of frames between two
	// change-overs of one component. Default 4, at most 64.
	Frames int
	// Hold is for how many frames a component must be calm before it is fixed again,
	// and for how many few must have it before an optional one becomes thin. Default 120,
	// at least Frames.
	Hold int
	// TableRows is the mean number of rows of living tables below which one more
	// component ceases to be fixed. Default 64.
	TableRows int
	// ThinPart is the part of rows, one in ThinPart, below which a component that comes
	// and goes is thin. Above twice that part, it is optional. Default 16.
	ThinPart int
	// MoveRows is the number of rows that the store moves a frame after a change-over.
	// The policy does not read it. Default 4,096.
	MoveRows int
}

// WithDefaults returns the options with defaults where nothing is set and with
// numbers that are too large brought into their limits.
func (o Options) WithDefaults() Options {
	set := func(n *int, def, limit int) {
		if *n <= 0 {
			*n = def
		}
		*n = min(*n, limit)
	}
	set(&o.Share, 20, shareUnit)
	set(&o.Frames, 4, 64)
	set(&o.Hold, 120, 1<<20)
	o.Hold = max(o.Hold, o.Frames)
	set(&o.TableRows, 64, 1<<20)
	set(&o.ThinPart, 16, 1<<10)
	set(&o.MoveRows, 4096, 1<<30)
	return o
}
