package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Cursor walks a plan. It has all that a walk changes.
//
//	rests    running false: Each, Matching, Len and Tell may be called
//	walks    running true: from the first line of Each to done, after a panic too
//
// While it walks, Each goes to within instead. Scratch is kept between walks, so that a steady walk
// allocates nothing. Fn, Visit, Serve and Picks are set between walks only: by the schedule, the recorder
// and the shared views.
type Cursor struct {
	*Plan
	// Fn is called for whole tables, without a detour. If it is nil, the function that Each is
	// given is called. Both must do the same, except counting, which Each does for Fn.
	Fn func(raw.Ptr)
	// Visit, unless it is nil, is told how many rows and chunks of a table were passed, and how many rows
	// were tested for it. It is
	// told at once the first time, and later at the latest by Tell. Walks that do not come to
	// their end may not be counted.
	Visit func(seq *memmgr.Sequence, rows, chunks, tested int)
	// Serve, unless it is nil, returns the source of columns that a table lacks; nil if there is
	// none.
	Serve func(*store.Table) *source.Serving
	// Picks says that the function reads entities here and there, which the processor does not see
	// coming: those of whole tables are read ahead. It changes no result.
	Picks bool
	// Met is how many rows were passed, Passed how many calls of Fn have returned: sums,
	// which the user of the cursor begins anew.
	Met, Passed int
	// Hand says that it is of a query which code walks by hand, in no system.
	Hand bool

	running  bool
	listed   uint64  // until when it is in Base.byHand
	parallel bool    // others may walk at the same time; see NewParallel
	walks    *Walks  // that may be around one of this cursor; nil: no other one has values that this one's struct has
	within   *Cursor // for a walk within one of this cursor; nil until there was one
	asks     bool    // the walk under way tests disabled bits: set by survey, good until clock moves
	walked   uint64  // counts walks of this cursor; notes use it to tell one from the next
	since    uint64  // tick in which the last whole walk ended; 0: there was none
	ownTick  uint64  // tick of the walk under way, where that is not the manager's; else 0
	owned    owned   // of a query of a system's struct
	set      *source.Set
	tests    *match.Tests
	bits     []uint64 // scratch of Matching: rows
	cut      *cut
	wholes   *wholes
	guard    *guard   // nil until a walk is guarded
	telling  *teller  // told of the rows that the walk under way passes; nil: nobody is
	chooser  *chooser // scratch of Choose; nil until there was one
}

// NewCursor returns a cursor for one walk at a time.
func NewCursor(p *Plan) *Cursor {
	return &Cursor{Plan: p, walks: &p.base.Walks, set: source.New(p.base.Store, p.base.Manager, &p.Fields, nil), tests: &match.Tests{}, cut: &cut{}, wholes: newWholes(p)}
}

// Running tells whether a walk is under way.
func (c *Cursor) Running() bool { return c.running }

// Each calls call with the struct at into filled, for each batch of rows, until it returns false.
// For a struct of pointers it calls for each row. Within a walk of the cursor it is a walk of
// another cursor over the same plan.
//
// Each is the only way into a walk of the cursor that passes values. It decides alone whether other walks
// matter: a parallel cursor and a first walk do not ask about them. So walks under way cost a
// walk something only where there is another one. The deferred done is the one exit.
func (c *Cursor) Each(into raw.Ptr, call func(raw.Ptr) bool) {
	for c.running {
		c = c.inner()
	}
	b := c.base
	if c.parallel && b.Walks.Busy == "" {
		panic("walk: a parallel cursor walks while nothing is said to: call Base.Parallel first")
	}
	alone := c.walks == nil || c.walks.Busy == ""
	if !alone {
		c.walks.mustBeOne(c.Name)
	}
	if c.parallel {
		c.resume()
	}
	if c.walked++; alone {
		c.set.Begin(nil)
	} else {
		c.set.Begin(c.others)
	}
	c.running = true
	if c.Hand && b.byHand.wants(c.listed) {
		c.listed = b.byHand.note(c.Visited)
	}
	number := uint64(0)
	if c.walks != nil {
		number = c.walks.begin(c.Name, c.passing)
	}
	defer c.done(number)
	if b.Guard {
		c.guarded(into, call, alone)
	} else {
		c.over(into, call, alone)
	}
}

// Visited is the rows that the cursor has passed since the last call, and the components that it asks about.
func (c *Cursor) Visited() store.Visit {
	v := store.Visit{Required: c.Required, Excluded: c.Excluded, Maybe: c.maybe, Pieces: c.pieces, Met: int64(c.Met)}
	c.Met = 0
	return v
}

// inner is the cursor for a walk within one of this cursor. It keeps its findings, as
// any other does. Its since is the outer walk's, so that both see the same changes. Depth is
// unbounded: each level has a cursor of its own, made the first time and kept.
func (c *Cursor) inner() *Cursor {
	if c.within == nil {
		c.within = NewCursor(c.Plan)
		c.within.Hand = c.Hand
		if c.parallel {
			c.within = NewParallel(c.Plan)
			if c.within.owned.by = c.owned.by; c.owned.by != nil {
				c.within.join(c.owned.by)
			}
		}
	}
	if !c.within.running {
		c.within.since = c.since
	}
	return c.within
}

// others tells whether a walk under way has the component of a column, and one of the two writes
// it, or whether it has copies. Set.Begin is given it, and asks once for each column. Components of
// groups stand for the column under other names, so each given row is asked about, too.
func (c *Cursor) others(x *source.Column) bool {
	if x.Comp.Lent() || c.walks.has(x.Comp, x.Write) {
		return true
	}
	for _, g := range c.found.given {
		for j, of := range g.Comps {
			if &c.Columns[j] == x && (of.Lent() || c.walks.has(of, x.Write)) {
				return true
			}
		}
	}
	return false
}

// lent tells whether a walk under way has copies of a component of the struct. Whole tables are then
// left to the slow path, which reads the copies: the fast one knows addresses of columns alone.
func (c *Cursor) lent() bool {
	for j := range c.Columns {
		if c.Columns[j].Comp.Lent() {
			return true
		}
		for _, g := range c.found.given {
			if g.Comps[j].Lent() {
				return true
			}
		}
	}
	return false
}

// over goes over all tables of the plan. The list is taken once: a walk within may find the plan's
// tables anew, and this walk goes on with its own.
//
// Questions about the whole walk are asked before it, not for each table, since tables may be many and small. Where
// nothing has changed since survey had nothing to ask about, one comparison answers them.
//
//	tested  rows that passTable has passed: count must not compare these
//
// A walk that call ends early is not counted, and all of its changes stay new to the next.
func (c *Cursor) over(into raw.Ptr, call func(raw.Ptr) bool, alone bool) {
	var list []Table
	whole, notes := true, true
	if c.wholes.calm == c.clock() && c.telling == nil {
		list = c.found.tables
	} else {
		list, whole, notes = c.survey(alone)
	}
	c.wholes.loose = 0
	met, tested := c.Met, 0
	for i := 0; i < len(list); i++ {
		if whole && list[i].plain {
			more := true
			if i, more = c.passWhole(list, i, notes, into, call); !more {
				return
			}
			if i == len(list) {
				break
			}
		}
		c.cut.spans = whole
		n, more := c.passTable(&list[i], all(&list[i]), into, call)
		if tested += n; !more { // rows that are tested may get fewer unseen: see count
			return
		}
	}
	if c.Visit != nil && notes {
		c.count(c.Met - met - tested - c.wholes.loose)
	}
	if len(c.Changes) > 0 {
		c.seen()
	}
}

// survey finds out the tables of a walk, and how it may pass them. It sets asks. It notes in wholes whether further walks may
// do without it until clock moves.
//
//	whole   this walk may take the fast path
//	notes   it may also note where columns lie, for the next walk
//	marks   writes are noted row by row, which the fast path does not do
func (c *Cursor) survey(alone bool) (list []Table, whole, notes bool) {
	st, w := c.base.Store, c.wholes
	if c.parallel || c.stale() {
		list = c.Tables()
	} else {
		list = c.found.tables
	}
	c.asks = (len(c.Disabled) > 0 || st.Disables()) && c.hides()
	marks := st.AsksRows() && c.writesRows()
	whole = wholeTables && w.may && !marks && c.telling == nil && (alone || !c.lent())
	notes = whole && w.noting && !c.asks
	if notes {
		w.follow(list, c.found)
	}
	if w.calm = 0; notes && c.found.settled && st.Plain() {
		w.calm = c.clock()
	}
	return list, whole, notes
}

// clock moves when one of the answers that survey finds may be another one. Both counts only grow, so no sum comes twice.
func (c *Cursor) clock() uint64 { return c.base.Store.Layout() + uint64(c.base.Store.Finding()) }

// skips tells whether a walk looks at chunks before it passes them. The first walk of a cursor does
// not: everything is new to it.
func (c *Cursor) skips() bool { return len(c.Changes) > 0 && c.since > 0 }

// seen notes the end of a walk: values written from now on are new to the next one. Values
// written during the walk are not, whether by its function or by others. The tick must advance for
// that: a write after the walk has the same tick otherwise. Parallel cursors leave the tick to the
// end of Base.Parallel.
func (c *Cursor) seen() {
	if c.since = c.Tick(); !c.parallel {
		c.base.Manager.Advance()
	}
	if c.owned.of != nil {
		c.owned.of.since = c.since
	}
}

// Tick is the tick of the walk under way.
func (c *Cursor) Tick() uint64 {
	if c.ownTick > 0 {
		return c.ownTick
	}
	return c.base.Manager.Tick()
}

func (c *Cursor) done(number uint64) {
	if c.running = false; number > 0 {
		c.walks.End(number)
	}
}

// writesRows tells whether rows that a walk passes may have to be marked one by one. For given rows
// it says yes without a look: their components differ from table to table.
func (c *Cursor) writesRows() bool {
	for j := range c.Columns {
		if x := &c.Columns[j]; x.Write && (c.found.given != nil || x.Comp.AsksRows()) {
			return true
		}
	}
	return false
}
