package query

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/views"
)

// Serving is what is known of the columns that a source lacks, beyond where their values
// lie: a way to get them that is better than to gather them for each call.
type Serving struct {
	// Begin is called before a walk over the source, and End after it, with how many rows
	// and chunks it passed.
	Begin func()
	End   func(rows, chunks int)
	// Look is called with the entities of the first chunk.
	Look func(es []store.Entity)
	// Direct tells whether the j-th column is to be passed as its owner has it, where the
	// rows lie in long runs there.
	Direct func(j int) bool
	// Kept returns the j-th column's values for the rows of the i-th chunk, if they are kept;
	// else nil. They are good until something is changed.
	Kept func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) raw.Ptr
	// Where returns where the rows of the i-th chunk have the j-th column's component, if several
	// readers share that; else nil. If it is not known, the places are to be filled in at once.
	// They are good until something is changed.
	Where func(j, i int, id chunk.ID, es []store.Entity, from *views.Source) (places []views.Place, known bool)
}

// isCertain tells whether gathering the columns answers whether a row of the source
// matches: nothing is excluded, and what is tested for is gathered.
func (p *Plan) isCertain(s *Source) bool {
	if p.Pointers || len(s.none)+len(s.with)+len(s.sans)+len(s.any)+len(s.back)+len(s.rows)+len(s.far) > 0 {
		return false
	}
	for _, c := range s.all {
		if !slices.ContainsFunc(p.Columns, func(x Column) bool { return x.Comp == c && !x.Optional }) {
			return false
		}
	}
	return true
}

// fillWhole fills the struct with all rows of a chunk, what the source has as it lies and
// the rest gathered, if they all match. Direct columns are left to callWhole.
func (c *Cursor) fillWhole(s *Source, i int, id chunk.ID, es []store.Entity, into raw.Ptr) bool {
	n := len(es)
	c.direct = false
	c.batch++
	for j := range c.Columns {
		x, g := &c.Columns[j], &c.columns[j]
		switch {
		case c.inPlace(s, j):
			g.data = x.Comp.Dir.Addr(id)
		case s.place[j] == Nowhere:
			g.data = g.zeros(x, n)
		case g.few.marks != nil:
			g.data = c.gatherFew(s, i, j, es, nil)
		case s.place[j] != Absent:
			g.data = g.pick(x, id, c.first(n))
			c.stamp(x, id)
		case c.aliased(j, es):
			g.data, c.direct = nil, true
			continue
		default:
			if g.data = c.column(j, i, id, es); g.data == nil {
				return false
			}
		}
		if s.gap(j, x) {
			g.allOf(s.bits(x.Comp, i), n)
			g.blank(g.data, x.Part.Size, n)
		}
		raw.SetSlice(into, uint32(x.Offset), g.data, n)
	}
	for j := range c.Columns {
		if x := &c.Columns[j]; x.Write && c.inPlace(s, j) {
			x.Comp.Dir.Cell(id).Stamp = c.base.M.Tick()
		}
	}
	c.fillEntities(into, es)
	c.fillPresences(s, into, n)
	return true
}

// column returns the values of a column that the source lacks, for a chunk: kept ones, or
// gathered. It returns nil if some row lacks the component.
func (c *Cursor) column(j, i int, id chunk.ID, es []store.Entity) raw.Ptr {
	g := c.gathered(j)
	if c.serving != nil && len(g.source.Cells) <= views.PlaceCells {
		if values := c.serving.Kept(j, i, id, es, &g.source); values != nil {
			return values
		}
	}
	var places []views.Place
	known := false
	if c.columns[g.first].batch != c.batch {
		places, known = c.shared(j, i, id, es)
	}
	to := c.gather(j, es, places, known)
	if !c.Columns[j].Optional && !full(g.presence, len(es)) {
		return nil
	}
	return to
}

// callWhole calls with what fillWhole has filled, and scatters what was written: in one
// call, or a call for each stretch of rows for which the direct columns lie
// side by side in one of the owner's chunks.
func (c *Cursor) callWhole(s *Source, id chunk.ID, es []store.Entity, into raw.Ptr, call func(raw.Ptr) bool) bool {
	more := true
	if !c.direct {
		more = call(into)
	}
	for row := 0; c.direct && more && row < len(es); {
		n := len(es) - row
		for j := range c.Columns {
			if c.columns[j].data == nil {
				_, run := follow(c.Columns[j].Comp, es[row:][:n])
				n = run
			}
		}
		for j := range c.Columns {
			x := &c.Columns[j]
			data := c.columns[j].data
			if data == nil {
				l, _ := x.Comp.Loc(es[row])
				data = x.Comp.At(l)
			} else {
				data = raw.At(data, uintptr(row)*x.Part.Size)
			}
			raw.SetSlice(into, uint32(x.Offset), data, n)
		}
		c.fillEntities(into, es[row:][:n])
		more = call(into)
		row += n
	}
	c.putAll(s, id, es)
	return more
}

// putAll puts back what was written to columns that were gathered for all rows of a chunk.
func (c *Cursor) putAll(s *Source, id chunk.ID, es []store.Entity) {
	tick := c.base.M.Tick()
	for j := range c.Columns {
		switch x, g := &c.Columns[j], &c.columns[j]; {
		case !x.Write || s.place[j] == Nowhere || c.inPlace(s, j):
		case g.few.marks != nil:
			g.scatterFew(tick)
		case s.place[j] == Absent:
			c.scatter(j, es, tick)
		default:
			g.putBack(x, id, c.first(len(es)), tick)
		}
	}
}

// directRun is how long the stretches of direct columns have to be on average.
const directRun = 128

// Along tells whether entities are in long stretches in the owner's order, as direct columns need
// them, and how many stretches; -1 if some lack the component.
func Along(of *store.Component, es []store.Entity) (stretches int, long bool) {
	next := memmgr.Loc(0)
	for _, e := range es {
		l, ok := of.Loc(e)
		if !ok {
			return -1, false
		}
		if l != next {
			stretches++
		}
		next = l.Plus(1)
	}
	return stretches, stretches <= 1+len(es)/directRun
}

// aliased tells whether a column is to be passed as it lies in its owner's chunks.
func (c *Cursor) aliased(j int, es []store.Entity) bool {
	if c.serving == nil || !c.serving.Direct(j) {
		return false
	}
	_, long := Along(c.Columns[j].Comp, es)
	return long
}

// follow returns where the first entity's value is, and how many of those after it have
// theirs right behind it. All must have the component.
func follow(of *store.Component, es []store.Entity) (l memmgr.Loc, n int) {
	l, _ = of.Loc(es[0])
	for n = 1; n < len(es); n++ {
		if next, _ := of.Loc(es[n]); next != l.Plus(uint32(n)) {
			break
		}
	}
	return l, n
}
