package query

import (
	"slices"

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
	// once the first time, later at the latest by Tell.
	Visit func(seq *memmgr.Sequence, rows, chunks int)
	// Serve, unless it is nil, says what is known of the columns that a source lacks; nil:
	// nothing.
	Serve func(*Source) *Serving
	// Met is how many rows were passed, Passed how many calls of Fn have returned: sums,
	// which the user of the cursor begins anew.
	Met, Passed int

	running  bool
	walk     uint64
	batch    uint64 // of values that are gathered
	columns  []gathered
	matching []uint16
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
}

// NewCursor returns a cursor for one walk at a time.
func NewCursor(p *Plan) *Cursor {
	c := &Cursor{Plan: p, columns: make([]gathered, len(p.Columns))}
	c.sharing()
	return c
}

// Running tells whether a walk is under way.
func (c *Cursor) Running() bool { return c.running }

// Each calls call with the struct at into filled, for each batch of rows (or each row, for
// a struct of pointers), until it returns false. Within a walk of the cursor it is a walk of
// another cursor over the same plan.
func (c *Cursor) Each(into raw.Ptr, call func(raw.Ptr) bool) {
	if c.running {
		since := c.since
		c = NewCursor(c.Plan)
		c.since = since
	}
	b := c.base
	if b.Walks.Busy != "" {
		c.mustNotMeetLent()
	}
	c.running = true
	c.walk++
	defer c.done(b.Walks.Begin(c.Name))
	if b.Guard {
		c.guarded(into, call)
	} else {
		c.over(into, call)
	}
}

// over goes over all sources of the plan.
func (c *Cursor) over(into raw.Ptr, call func(raw.Ptr) bool) {
	b := c.base
	list, layout, tick := c.Sources(), b.M.Layout(), b.M.Tick()
	hides := c.hides()
	c.tests.hide = nil // and stays so, if nothing hides
	marks := b.S.AsksRows()
	c.marks = c.marks[:0]
	quick := !hides && !c.Pointers && c.Entities < 0 && !c.InRows && len(c.Presences) == 0
	tallies := c.tally(len(list))
	for i := range list {
		s := &list[i]
		n := s.Seq.Len()
		if (hides || len(s.back) > 0) && !c.tests.hides(&c.hiding, c.Plan, s, hides) {
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
		case quick && s.layout == layout && len(c.marks) == 0: // nothing to test, and one chunk, which is where it was
			c.Met += n
			if tallies != nil { // as count does; a call would take as long as the group
				if t := &tallies[i]; t.seq == s.Seq {
					t.sum += uint64(n)<<chunksBits + 1
				} else {
					c.count(i, s.Seq, n)
				}
			}
			fill(s.direct, into, n, tick)
			if c.Fn != nil {
				c.Fn(into)
				c.Passed++
			} else if !call(into) {
				return
			}
		case s.plain && c.tests.hide == nil && !s.tested() && !c.skips():
			c.Met += n
			if tallies != nil {
				c.count(i, s.Seq, n)
			}
			if !c.sweep(s, into, call) {
				return
			}
			if quick && s.pure && s.Seq.ChunkCount() == 1 {
				s.note(layout)
			}
		case s.idle():
		default:
			if !c.filter(s, into, call) {
				return
			}
		}
	}
	if len(c.Changes) > 0 {
		c.seen()
	}
}

func (c *Cursor) done(walk uint64) {
	c.running = false
	c.base.Walks.End(walk)
}

// fill fills the struct with n rows of noted columns.
func fill(ds []direct, into raw.Ptr, n int, tick uint64) {
	for j := range ds {
		d := &ds[j]
		raw.SetSlice(into, d.offset, d.addr, n)
		if d.write {
			d.cell.Stamp = tick
		}
	}
}

// note keeps where the columns of the source's only chunk are.
func (s *Source) note(layout uint64) {
	if s.layout == 0 && !s.given {
		s.direct = slices.Clone(s.direct) // the plan's are for all
	}
	id, _ := s.Seq.Chunk(0)
	for j := range s.direct {
		d := &s.direct[j]
		d.cell = d.dir.Cell(id)
		d.addr = d.cell.Addr
	}
	s.layout = layout
}
