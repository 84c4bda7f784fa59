package walk

import "github.com/ashlar-go/ashlar/ecs/internal/raw"

// span is chunks of a table, one after the other. Tests have shown that all their rows match.
// Where rows lie in the order of an optional component, these are most chunks with a match. They
// are passed as whole tables are: with their neighbours, and without sources. So a table in order
// costs as much as a table without rows to test.
//
//	matches   ·····  ··███  █████  █████  █████  ██···
//	passed            run  └───── span ───────┘  run
type span struct{ first, end int } // positions in the sequence; empty: none waits

// all are the chunks of a table.
func all(t *Table) span { return span{0, t.Seq.ChunkCount()} }

// extend adds the i-th chunk to the span that waits, and passes that before if the chunk does not
// follow it. Rows that are held come first, to keep the order of rows.
func (c *Cursor) extend(t *Table, i int, into raw.Ptr, call func(raw.Ptr) bool) bool {
	s := &c.cut.span
	if s.end == i && s.first < i {
		s.end++
		return true
	}
	if !c.passSpan(t, into, call) || !c.passHeld(t, into, call) {
		return false
	}
	*s = span{i, i + 1}
	return true
}

// passSpan passes the span that waits, if there is one. It has to run before later rows are passed
// in another way, and at the end of the table.
func (c *Cursor) passSpan(t *Table, into raw.Ptr, call func(raw.Ptr) bool) bool {
	s := c.cut.span
	if s.first < s.end && c.strides { // rows before it may have been picked, and lie side by side
		c.setStrides(into)
	}
	for c.cut.span = (span{}); s.first < s.end; {
		n, next := c.beside(t, s.first, s.end, into)
		for j := range c.wholes.spots {
			x := &c.wholes.spots[j]
			raw.SetSlice(into, x.field, x.addr, n)
			if x.write {
				x.cell.Stamp = c.Tick()
			}
		}
		s.first = next
		if c.Fn != nil {
			c.Fn(into)
			c.Passed++
		} else if !call(into) {
			return false
		}
	}
	return true
}
