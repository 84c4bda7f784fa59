package policy

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/memmgr/frames"
)

const (
	one        = 1 << 16    // a row a frame: rates are integers with 16 bits of fraction
	rowsMost   = 1 << 32    // counts are cut off here, so that no product overflows
	shareUnit  = 10_000     // of what Options.Share is a part
	excludeFor = 4          // an excluded row is charged as this many required ones (TestOneComponent)
	payback    = 4096       // frames in which a change-over must earn what it costs (TestByTurns)
	calmPart   = 4          // calm: removes below this part of the limit (TestOneComponent)
	window     = frames.Few // rates decay by 7/8 a frame; after 8 without a look they start anew
)

// Counts describe one component at the end of a frame.
type Counts struct {
	// Required and Excluded are rows that scheduled systems visited in this frame, each
	// system for itself: rows that matched queries which require the component, and rows
	// that matched queries which exclude it. Queries by hand, tools and inspectors do
	// not count.
	Required, Excluded int
	// Have is the number of entities that have it.
	Have int
	// Among is the number of rows of the tables in which it lies or would lie if it
	// were optional. A number that is too high makes a component thin too early.
	Among int
	// Merges is the number of living tables which would merge with another if the
	// component were not fixed. It is read only where it was asked for.
	Merges int
}

// component is what the policy knows of one component. Rates are in rows a frame,
// decayed by 7/8 a frame.
type component struct {
	removed, visited uint64
	have, among      uint64
	limit            uint64 // removes a frame above which it is volatile
	owed             uint64 // what tests of bits have cost since it is calm, in rows moved
	age              uint64 // frames looked at, up to the window
	history          uint64 // a bit a frame: was it removed? the newest lowest
	removes          int    // since the last frame's end
	merges           int
	seen, changed    int64 // frames of the last look and of the last change-over
	calm, few        int64 // frames for which it has been so
	way              Way
	reason           Reason
	stated           bool
	watched          bool // in the list of the watched, or never to be put there
}

// quiet reports whether nothing is left of the component's last removes.
func (s *component) quiet() bool { return s.removes == 0 && s.history == 0 && s.removed == 0 }

// decayed returns the rate after one more frame with n rows. The rate is the mean of
// the first frames and decays after the window's last. It reaches zero.
func decayed(rate, n, age uint64) uint64 { return rate - (rate+age-1)/age + n*one/age }

func rows(n int) uint64 { return uint64(min(max(int64(n), 0), rowsMost)) }

// look takes in the counts of a frame.
func (s *component) look(o *Options, n Counts, frame int64) {
	passed := frame - s.seen
	s.seen = frame
	visited := min(rows(n.Required)+excludeFor*rows(n.Excluded), rowsMost)
	if passed >= window {
		s.age = 0
	}
	s.age = min(s.age+1, window)
	s.visited = decayed(s.visited, visited, s.age)
	s.have = decayed(s.have, rows(n.Have), s.age)
	s.among = decayed(s.among, rows(n.Among), s.age)
	s.removed = decayed(s.removed, rows(s.removes), s.age)
	s.history <<= 1
	if s.removes > 0 {
		s.history |= 1
	}
	s.removes = 0
	s.limit = s.visited*uint64(o.Share)/shareUnit + s.have/payback + one
	s.wait(o, passed)
}

// wait counts the frames for which a component has been calm, and for which few have
// had it, since its last change-over.
func (s *component) wait(o *Options, passed int64) {
	if s.removed*calmPart >= s.limit {
		s.calm, s.owed = 0, 0
	} else {
		s.calm += passed
		s.owed = min(s.owed+s.limit*uint64(min(passed, quietEvery)), rowsMost*one)
	}
	if s.sparse(o) {
		s.few += passed
	} else {
		s.few = 0
	}
}

// volatile reports whether the component comes and goes: by habit, and often enough for
// bits to be cheaper than moves.
func (s *component) volatile(o *Options) bool {
	return bits.OnesCount64(s.history) >= o.Frames && s.removed > s.limit
}

// stable reports whether it was calm for long enough, and whether moving the rows
// that have it costs less than the bits have cost meanwhile.
func (s *component) stable(o *Options) bool {
	return s.calm >= int64(o.Hold) && s.owed >= s.have
}

func (s *component) sparse(o *Options) bool { return s.have*uint64(o.ThinPart) < s.among }
func (s *component) dense(o *Options) bool  { return s.have*uint64(o.ThinPart) > s.among*2 }

// loose returns the way to store the component if not as a fixed column.
func (s *component) loose(o *Options) Way {
	if s.sparse(o) {
		return Thin
	}
	return Optional
}
