package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
)

// Several cursors may walk at the same time, on a goroutine each, over one plan or over several.
// Then the walk changes nothing that others read:
//
//	the plan's tables      found by the first that finds them out of date, under a lock
//	bits that tables keep  likewise
//	gaps                   cleared in copies
//	walks under way        one stands for all: Base.Parallel begins it
//	copies                 not lent: nothing else reads or writes these values; but see calls.go
//	the tick               stays, until Parallel ends
//
// Without the lock, a parallel walk writes its cursor, the values that its struct writes, and their
// stamps and ticks. It may not touch:
//
//	Base.Walks, Manager.Advance    Each and seen leave them alone
//	lists of lenders               Set.lend returns at once, but for components of the system's own
//	views                          filled before, in a Split: see kept.go
//	tables, entries, handles       no structure changes
//
// Tests and tables are found under one lock for the whole world, once for each table and walk. Rows
// are matched and passed without it.

// NewParallel returns a cursor that may walk while others do, on a goroutine of its own: between
// Base.Parallel and its end. It has columns kept by views as far as a Split has filled them before.
func NewParallel(p *Plan) *Cursor {
	c := NewCursor(p)
	c.parallel, c.walks, c.set = true, nil, source.New(p.base.Store, p.base.Manager, &p.Fields, &p.base.finding)
	c.join(p)
	return c
}

// owned says to whom a parallel cursor belongs that walks a query of a system's struct.
type owned struct {
	by *Plan   // the system's; nil: none
	of *Cursor // of the query: it keeps which changes were seen, whoever walks; nil: a walk within keeps nothing
}

// NewOwned returns a parallel cursor for walks of c's plan within calls of the system that has the plan by. It walks in the
// tick of the system, and changes are new to it as they are to c.
func (c *Cursor) NewOwned(by *Plan) *Cursor {
	x := NewParallel(c.Plan)
	x.owned = owned{by, c}
	x.join(by)
	return x
}

// resume has a parallel cursor go on where the one left off that it stands for, in the tick of its system.
func (c *Cursor) resume() {
	if c.owned.by != nil {
		c.ownTick = c.owned.by.tick
		c.set.SetTick(c.ownTick)
	}
	if c.owned.of != nil {
		c.since = c.owned.of.since
	}
}

// RunIn has the system that has the plan run in a tick from now on, beside other systems; 0: in the manager's. Values that
// it writes where they lie, by handle or by a query, are of that tick.
func (p *Plan) RunIn(tick uint64) {
	p.tick = tick
	for _, c := range p.Reached {
		c.WriteIn(tick)
	}
}

// Parallel begins a time in which parallel cursors may walk, and returns the function that ends it. Both are
// called by the goroutine that has the world, with no other walk of it between them. Meanwhile
// no structure changes, no query is made, and nothing is enabled or disabled. No other
// goroutine may read or write values that a walk writes, by its struct or by handle.
func (b *Base) Parallel(name string) (end func()) {
	walk := b.Walks.Begin(name)
	b.Manager.Advance() // so that bits which are found from now on stay good
	return func() {
		b.Manager.Advance() // later writes are new to cursors that have walked
		b.Walks.End(walk)
	}
}

// Tables are the plan's. With the lock, the first cursor finds them and the others wait. The list may
// be read without the lock afterwards, because it is replaced and never written.
func (c *Cursor) Tables() []Table {
	if c.parallel {
		c.base.finding.Lock()
		defer c.base.finding.Unlock()
	}
	return c.Plan.Tables()
}

// find finds the tests of a table, with which begin has begun.
func (c *Cursor) find(t *match.Tests, x *Table) {
	if c.parallel {
		c.base.finding.Lock()
		defer c.base.finding.Unlock()
	}
	t.Find(&x.Filter, c.since)
}

// begin begins with the tests of a table. Asks says whether the spec asks about disabled components. It
// tells whether some rows may match. It locks, because bits of disabled rows are found here.
func (c *Cursor) begin(t *match.Tests, x *Table, asks bool) (some bool) {
	if c.parallel {
		c.base.finding.Lock()
		defer c.base.finding.Unlock()
	}
	return t.Begin(&c.Query, &x.Filter, c.base.Store, asks)
}

// join has a parallel cursor walk within calls of the system that has a plan.
func (c *Cursor) join(system *Plan) {
	if x := system.calls; x != nil {
		c.walks = &x.walks
		c.set.Lends(x.copied)
	}
}
