package shared

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// served is a reader's record of a table that it gathers columns for. Begin begins a walk, in
// which each column is bound to its view once and gets its strategy from counts.
type served struct {
	reader *Reader
	table  *table
	begun  uint64 // the walk under way, among all walks
	walk   uint64 // the same, until values are written in it: then views are checked anew
	cols   []column
}

// column is one column of the reader, for the rows of one table.
type column struct {
	where *where         // nil: not bound yet
	view  *view          // nil: the values are written, or optional
	hint  views.Strategy // of a person; Unset: none
	use   views.Strategy // in the walk under way
	walk  uint64         // that use is of

	frames, chunks, stale uint64 // walks; chunks of a kept view, and how many of them were stale
}

// serve is Cursor.Serve. There may be hundreds of tables with few rows, which are gathered.
func (r *Reader) serve(t *store.Table) *source.Serving {
	if r.views.Off || r.Pointers || !r.views.Always && t.Seq.Len() < views.RowsLeast {
		return nil
	}
	if r.now = r.served[t]; r.now == nil {
		r.now = &served{reader: r, table: r.views.tableOf(t), cols: make([]column, len(r.Columns))}
		r.served[t], r.order = r.now, append(r.order, r.now)
	}
	return &r.serving
}

// begin is Serving.Begin, and again Serving.Again.
func (s *served) begin() { s.begun = s.again() }

func (s *served) again() uint64 {
	s.reader.views.walks++
	s.walk = s.reader.views.walks
	return s.walk
}

// bind is Serving.Bind. A view gets its room here, before any column of the walk is kept: more room
// for an annex is another address, and the columns that were kept before would lie at the old one.
func (s *served) bind(j int) {
	c, x := &s.cols[j], &s.reader.Columns[j]
	if c.where != nil {
		return
	}
	c.where, c.hint = s.table.whereOf(x.Comp), s.reader.intent(s.reader.Name, x.Shared())
	if !x.Write && !x.Optional && x.Part.Size > 0 {
		c.view = s.table.viewOf(x, c.where)
	}
}

// column returns the j-th column, with its strategy for the walk under way. In a walk it is called
// first with entities of the first chunk that is passed.
func (s *served) column(j int, es []store.Entity) *column {
	c := &s.cols[j]
	if c.walk == s.begun {
		return c
	}
	frame := s.reader.views.base.Frame
	c.frames++
	c.walk, c.use = s.begun, views.Gathered
	c.where.enter(s)
	if c.view != nil {
		c.where.along(es, frame)
		c.view.readers.add(frame)
		c.use = s.choose(c, &s.reader.Columns[j])
	}
	if c.use == views.Gathered || c.use == views.Cached && c.view.readers.now == 1 {
		c.where.finders.add(frame)
	}
	return c
}

// choose returns the strategy for a column that is read.
func (s *served) choose(c *column, x *source.Column) views.Strategy {
	n, plain := c.where.counts(s.table), x.Whole() && len(s.reader.Presences) == 0
	n.InOrder, n.Readers = plain && c.where.long, c.view.readers.last
	switch {
	case s.reader.views.Always:
		return views.Cached
	case c.hint != views.Unset && (c.hint != views.Direct || plain):
		return c.hint
	}
	return views.Choose(n)
}

// direct is Serving.Direct.
func (s *served) direct(j int, es []store.Entity) bool { return s.column(j, es).use == views.Direct }

// kept is Serving.Kept.
func (s *served) kept(j, i int, id chunk.ID, es []store.Entity, from *views.Source) raw.Ptr {
	c := s.column(j, es)
	if c.use != views.Cached {
		return nil
	}
	values, stale := c.view.keep(s, i, id, es, from)
	if c.chunks++; stale {
		c.stale++
	}
	return values
}

// Intend has the reader get its columns as intent says, in place of hints. It is
// for tests.
func (r *Reader) Intend(intent func(system, component string) views.Strategy) {
	r.intent = intent
	for _, s := range r.order {
		for j := range s.cols {
			s.cols[j].hint = intent(r.Name, r.Columns[j].Shared())
		}
	}
}

// Choices is how the reader gets its columns, by table and component: the strategy of its last walk.
func (r *Reader) Choices() (list []profile.Choice) {
	for _, s := range r.order {
		for j := range s.cols {
			c := &s.cols[j]
			f := profile.Choice{Group: s.table.of.Seq.Name(), Component: r.Columns[j].Shared(), Use: c.use.String(), Frames: c.frames, Chunks: c.chunks, Stale: c.stale}
			twice := slices.ContainsFunc(list, func(h profile.Choice) bool { return h.Group == f.Group && h.Component == f.Component })
			if c.view != nil && !twice && !s.table.of.Gone() {
				f.Order = int(100*c.where.order + 0.5)
				list = append(list, f)
			}
		}
	}
	return list
}
