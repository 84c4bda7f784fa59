package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// kept is the columns that views keep for a walk which is cut in pieces: a shelf for each table that lacks
// some. Views belong to one goroutine at a time. So shelves are filled before the first piece is passed, and pieces read
// them. Walks that go on beside each other are all bound before any is filled, because a view that needs room may have
// others lie elsewhere.
type kept struct {
	of    map[*store.Table]*source.Shelf
	serve func(*store.Table) *source.Serving
	spare []*source.Shelf
}

// bind has views make room for the columns that the walk's tables lack.
func (k *kept) bind(s *Split) {
	c := s.of
	for _, f := range k.of {
		k.spare = append(k.spare, f)
	}
	if clear(k.of); c.Serve == nil || c.calls != nil { // else values that calls write would be kept
		return
	}
	for i := range s.tables {
		t := &s.tables[i]
		if !t.certain || t.own || t.Seq.Len() == 0 || !c.begin(c.tests, t, s.asks) || t.Idle() {
			continue
		}
		if serving := c.Serve(t.Table); serving != nil {
			k.add(t)
			k.enter(c, t, serving)
			c.set.Leave()
		}
	}
}

// add adds an empty shelf for a table.
func (k *kept) add(t *Table) {
	if k.serve == nil {
		k.of = make(map[*store.Table]*source.Shelf)
		k.serve = k.serving
	}
	if len(k.spare) == 0 {
		k.spare = append(k.spare, &source.Shelf{})
	}
	last := len(k.spare) - 1
	f := k.spare[last]
	k.spare = k.spare[:last]
	f.Clear(len(t.comps))
	k.of[t.Table] = f
}

// enter enters a table with the set of the walk's own cursor.
func (k *kept) enter(c *Cursor, t *Table, serving *source.Serving) {
	c.set.Begin(nil)
	c.set.Enter(t.Table, t.extents, t.comps, serving, t.Tested() || c.tests.Hides())
}

// fill has views bring the chunks of these tables up to date, as far as pieces would ask for them. It asks for the
// same chunks as passChunks does for a whole walk.
func (k *kept) fill(s *Split) {
	c := s.of
	for i := range s.tables {
		t := &s.tables[i]
		if f := k.of[t.Table]; f != nil && c.begin(c.tests, t, s.asks) {
			k.enter(c, t, c.Serve(t.Table))
			k.fillTable(c, t, f)
		}
	}
}

// fillTable fills the shelf of the table that was entered, and leaves the table.
func (k *kept) fillTable(c *Cursor, t *Table, f *source.Shelf) {
	defer c.set.Leave()
	for i := range t.Seq.ChunkCount() {
		id, n := t.Seq.Chunk(i)
		if !t.Fresh(id, c.since) || !c.tests.AllShown(i*t.Table.Stride(), n) {
			continue
		}
		b := c.set.ChunkOf(i, id, n)
		if !c.set.Shelve(f, &b) {
			return
		}
	}
}

// serving serves a piece with the columns of a table; nil: it has none.
func (k *kept) serving(t *store.Table) *source.Serving {
	if f := k.of[t]; f != nil {
		return f.Serving()
	}
	return nil
}
