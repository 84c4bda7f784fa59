package query

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Cursor walks a plan. It has all that a walk changes.
type Cursor struct {
	*Plan
	// Fn is called for whole chunks, without a detour. If it is nil, the function that Each is
	// given is called. Both must do the same, except counting, which Each does for Fn.
	Fn func(raw.Ptr)
	// Visit, unless it is nil, is told how many rows and chunks of a source were passed: at
	// once the first time, later at the latest by Tell. Walks that do not come to their end may
	// not be counted.
	Visit func(seq *memmgr.Sequence, rows, chunks int)
	// Serve, unless it is nil, says what is known of the columns that a source lacks; nil:
	// nothing.
	Serve func(*Source) *Serving
	// Met is how many rows were passed, Passed how many calls of Fn have returned: sums,
	// which the user of the cursor begins anew.
	Met, Passed int

	running  bool
	parallel bool    // others may walk at the same time; see NewParallel
	within   *Cursor // for a walk within one of this cursor; nil until there was one
	walk     uint64
	batch    uint64 // of values that are gathered
	sought   uint64 // chunks whose rows were found by seek
	seeks    bool   // those of the chunk under way were
	columns  []gathered
	matching []uint16
	held     held
	ahead    []uint64 // rows of the next chunk that are likely to match
	all      []uint16 // the numbers of first rows; see first
	handles  []store.Entity
	lanes    lanes
	tests    tests
	hiding   hiding
	serving  *Serving // of the source under way
	guard    *guard   // nil until a walk is guarded
	direct   bool     // some column of the chunk under way is its owner's own
	broken   bool     // values of a source are lent, and its walk has not come to its end
	since    uint64   // tick in which the last whole walk ended; 0: there was none
	marks    []marked // of the source under way
	met      int      // rows of the source under way
	walked   int      // and chunks
	tallies  []tally  // by source
	passed   passed   // by the last walk that was counted
	again    int      // how many walks were the same as that one since
	counted  int      // and all walks since Tell
	simple   bool     // sources can be noted: see noting
	notes    []note   // by source
	noted    uint64   // what Plan.made was then
	laid     uint64   // the manager's layout when a source of one chunk was passed last that is not noted
	laidIn   uint64   // the first walk that met it so
}

// NewCursor returns a cursor for one walk at a time.
func NewCursor(p *Plan) *Cursor {
	c := &Cursor{Plan: p, columns: make([]gathered, len(p.Columns)), simple: p.noting()}
	c.sharing()
	return c
}

// Running tells whether a walk is under way.
func (c *Cursor) Running() bool { return c.running }

// Each calls call with the struct at into filled, for each batch of rows (or each row, for
// a struct of pointers), until it returns false. Within a walk of the cursor it is a walk of
// another cursor over the same plan.
func (c *Cursor) Each(into raw.Ptr, call func(raw.Ptr) bool) {
	for c.running {
		c = c.inner()
	}
	b := c.base
	if b.Walks.Busy != "" {
		c.mustNotMeetLent()
	} else if c.parallel {
		panic("query: a parallel cursor walks while nothing is said to: call Base.Parallel first")
	}
	c.running = true
	c.walk++
	walk := uint64(0)
	if !c.parallel {
		walk = b.Walks.Begin(c.Name)
	}
	defer c.done(walk)
	if b.Guard {
		c.guarded(into, call)
	} else {
		c.over(into, call)
	}
}

// inner is the cursor for a walk within one of this cursor. It keeps what it has found out, as
// any other does.
func (c *Cursor) inner() *Cursor {
	if c.within == nil {
		c.within = NewCursor(c.Plan)
		c.within.parallel = c.parallel
	}
	if !c.within.running {
		c.within.since = c.since
	}
	return c.within
}

// over goes over all sources of the plan.
func (c *Cursor) over(into raw.Ptr, call func(raw.Ptr) bool) {
	b := c.base
	var list []Source
	if c.parallel || c.stale() {
		list = c.Sources()
	} else {
		list = c.sources
	}
	hides, marks := c.hides(), b.S.AsksRows()
	notes := c.simple && !hides && !(marks && c.writes())
	if notes && c.noted != c.made {
		c.forget(len(list))
	}
	c.tests.hide = nil // and stays so, if nothing hides
	c.marks = c.marks[:0]
	met := c.Met
	for i := 0; i < len(list); i++ {
		if notes {
			if i = c.passNoted(i, into, call); i < 0 {
				return
			}
			if i == len(list) {
				break
			}
			if s := &list[i]; s.pure {
				if id, n, ok := s.Seq.Only(); ok {
					if !c.passOne(i, s, id, n, into, call) {
						return
					}
					continue
				}
			}
		}
		s := &list[i]
		n := s.Seq.Len()
		if (hides || len(s.back) > 0) && !c.hidden(&c.tests, &c.hiding, s, hides) {
			continue
		}
		if marks {
			c.findMarked(s)
		}
		switch {
		case n == 0:
		case c.InRows:
			if !c.inRows(s, into, call) {
				return
			}
		case s.plain && c.tests.hide == nil && !s.tested() && !c.skips():
			c.Met += n
			if !c.sweep(s, into, call) {
				return
			}
			if c.Visit != nil {
				c.Visit(s.Seq, n, s.Seq.ChunkCount())
			}
		case s.idle():
		default:
			more := c.filter(s, into, call)
			if met += c.met; !more { // what is tested may lose rows unseen: see count
				return
			}
		}
	}
	if c.Visit != nil && notes {
		c.count(c.Met - met)
	}
	if len(c.Changes) > 0 {
		c.seen()
	}
}

func (c *Cursor) done(walk uint64) {
	if c.running = false; walk > 0 {
		c.base.Walks.End(walk)
	}
}
