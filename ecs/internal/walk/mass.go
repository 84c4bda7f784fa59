package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Len counts the rows that match. It costs a look at each table if all of its rows match,
// otherwise a pass over its rows' bits or entries. It uses tests of its own, so it may be called
// during a walk of the cursor. Changes count since the last whole walk, and stay new.
func (c *Cursor) Len() (n int) {
	if c.parallel && !c.running {
		c.resume()
	}
	var t match.Tests
	list, asks := c.Tables(), c.hides()
	for i := range list {
		x := &list[i]
		switch {
		case !c.begin(&t, x, asks) || x.Idle():
		case c.unread(&t, x):
			n += x.Seq.Len()
		default:
			c.find(&t, x)
			n += t.Count(&x.Filter, c.base.Store)
		}
	}
	return n
}

// Matches tells whether an entity has the required components, changed since the last walk where
// that is asked for, and no excluded one. It costs a look-up for each component, and does
// not look at the plan's tables.
func (c *Cursor) Matches(e store.Entity) bool { return c.Has(c.base.Store, e, c.since) }

// Matching goes over the rows that match, a table at a time. It looks for a table's rows after
// the table before is done. So entities that it has passed may be changed. Their rows may move
// to tables that come later, and are passed again there if they still match.
// It uses the cursor's scratch as a walk does, so no walk of the cursor may be under way. Rows that are
// yielded are good until yield returns: the next table's bits take their place.
//
// Tests are begun anew for each table, because a change of the table before may have disabled
// something or moved rows. The list stays: tables made meanwhile are not in it.
func (c *Cursor) Matching(yield func(store.Rows) bool) {
	t, list := c.tests, c.Tables() // which nobody writes again
	for i := range list {
		x := &list[i]
		if !c.begin(t, x, c.hides()) || x.Idle() {
			continue
		}
		rows := x.Table.All()
		if !c.unread(t, x) {
			c.find(t, x)
			rows = t.Rows(&x.Filter, c.base.Store, c.bits[:0])
			c.bits = rows.Bits
		}
		if rows.N > 0 && !yield(rows) {
			return
		}
	}
}

// unread tells whether all rows of a table match, without a look at any of them. The tests must have
// begun with the table, since Hides is asked.
func (c *Cursor) unread(t *match.Tests, x *Table) bool {
	return !t.Hides() && !x.Tested() && !c.skips()
}
