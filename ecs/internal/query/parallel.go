package query

// Several cursors may walk at the same time, on a goroutine each, over one plan or over several.
// Then the walk changes nothing that others read:
//
//	the plan's sources     made by the first that finds them out of date, under a lock
//	bits that tables keep  likewise
//	gaps                   cleared in copies
//	walks under way        one stands for all: Base.Parallel begins it
//	what is lent           nothing: nobody may write it
//	the tick               stays, until Parallel ends

// NewParallel returns a cursor that may walk while others do, on a goroutine of its own: between
// Base.Parallel and its end. It serves nothing, and tells nobody what it visits.
func NewParallel(p *Plan) *Cursor {
	c := NewCursor(p)
	c.parallel = true
	return c
}

// Parallel begins a time in which parallel cursors may walk, and returns what ends it. Both are
// called by the goroutine that has the world, with no other walk of it between them. Meanwhile
// no structure changes, no query is made, and nothing is enabled or disabled. What a walk
// writes, by its struct or by handle, no other goroutine may read or write.
func (b *Base) Parallel(name string) (end func()) {
	walk := b.Walks.Begin(name)
	b.M.Advance() // so that bits which are found from now on stay good
	return func() {
		b.M.Advance() // what is written from now on is new to those who have walked
		b.Walks.End(walk)
	}
}

// Sources are the plan's.
func (c *Cursor) Sources() []Source {
	if c.parallel {
		c.base.finding.Lock()
		defer c.base.finding.Unlock()
	}
	return c.Plan.Sources()
}

// find is tests.find for the cursor.
func (c *Cursor) find(t *tests, s *Source) {
	if c.parallel {
		c.base.finding.Lock()
		defer c.base.finding.Unlock()
	}
	t.find(s, c.since)
}

// hidden is tests.hides for the cursor.
func (c *Cursor) hidden(t *tests, h *hiding, s *Source, asked bool) (some bool) {
	if c.parallel {
		c.base.finding.Lock()
		defer c.base.finding.Unlock()
	}
	return t.hides(h, c.Plan, s, asked)
}
