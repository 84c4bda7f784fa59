package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// kept is the columns that views keep for a walk which is cut in pieces: a shelf for each table that lacks
// some. Views belong to the goroutine that has the world. So it fills the shelves before the first
// piece is passed, and pieces read them.
type kept struct {
	of    map[*store.Table]*source.Shelf
	serve func(*store.Table) *source.Serving
	spare []*source.Shelf
}

// fill has views bring the chunks of the walk's tables up to date, as far as pieces would ask for them. It asks for
// the same chunks as passChunks does for a whole walk.
func (k *kept) fill(s *Split) {
	c := s.of
	for _, f := range k.of {
		k.spare = append(k.spare, f)
	}
	if clear(k.of); c.Serve == nil {
		return
	}
	for i := range s.tables {
		t := &s.tables[i]
		if !t.certain || t.own || t.Seq.Len() == 0 || !c.begin(c.tests, t, s.asks) || t.Idle() {
			continue
		}
		if serving := c.Serve(t.Table); serving != nil {
			k.fillTable(c, t, serving)
		}
	}
}

// fillTable fills the shelf of a table.
func (k *kept) fillTable(c *Cursor, t *Table, serving *source.Serving) {
	if k.serve == nil {
		k.of = make(map[*store.Table]*source.Shelf)
		k.serve = k.serving
	}
	if len(k.spare) == 0 {
		k.spare = append(k.spare, &source.Shelf{})
	}
	f := k.spare[len(k.spare)-1]
	k.spare = k.spare[:len(k.spare)-1]
	f.Clear(len(c.Columns))
	k.of[t.Table] = f
	c.set.Begin(nil)
	c.set.Enter(t.Table, t.extents, t.comps, serving, t.Tested() || c.tests.Hides())
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
