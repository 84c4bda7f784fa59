package source

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/views"
)

// Shelf has the kept columns of a table for walks that run at the same time. One goroutine fills it before
// they begin: it has views bound and brought up to date, chunk by chunk. The walks only read it.
//
//	Clear ─► Set.Shelve of each chunk ─► Serving, of any number of sets
//
// A chunk that is not on it is gathered by the walk that passes it.
type Shelf struct {
	serving Serving
	columns []shelved
}

// shelved is a column of a shelf.
type shelved struct {
	direct bool      // passed as its owner has it, where rows lie in long runs there
	chunks []raw.Ptr // the kept values by chunk, nil if a chunk has none
	asked  int       // chunks that were asked for
	misses int       // chunks among them that have none
}

// ends tells whether it is not asked for any more: not one in two chunks has values, as where columns are
// not kept, or where many rows lack the component.
func (x *shelved) ends() bool { return x.direct || x.misses > 1 && x.misses*2 > x.asked }

// Clear empties a shelf for so many columns.
func (f *Shelf) Clear(columns int) {
	if f.serving.Begin == nil {
		nothing := func() {}
		f.serving = Serving{
			Begin: nothing, Again: nothing, Bind: func(int) {},
			Direct: func(j int, _ []store.Entity) bool { return f.columns[j].direct },
			Kept:   f.kept,
			Where:  func(int, int, chunk.ID, []store.Entity, *views.Source) ([]views.Place, bool) { return nil, false },
		}
	}
	f.columns = slices.Grow(f.columns[:0], columns)[:columns]
	for j := range f.columns {
		x := &f.columns[j]
		clear(x.chunks)
		*x = shelved{chunks: x.chunks[:0]}
	}
}

// Serving serves walks of the table from the shelf.
func (f *Shelf) Serving() *Serving { return &f.serving }

func (f *Shelf) kept(j, i int, _ chunk.ID, _ []store.Entity, _ *views.Source) raw.Ptr {
	if chunks := f.columns[j].chunks; i < len(chunks) {
		return chunks[i]
	}
	return nil
}

// Shelve puts the columns of a chunk that are kept on a shelf, for the table that was entered. It tells whether later
// chunks may have some.
func (s *Set) Shelve(f *Shelf, b *Batch) (more bool) {
	for j := range s.sources {
		x, to := &s.sources[j], &f.columns[j]
		if x.kind != gathered || to.ends() {
			continue
		}
		g := s.farOf(j)
		if to.direct = x.weft == nil && s.serving.Direct(j, b.Entities); to.direct || len(g.from.Cells) > views.PlaceCells {
			continue
		}
		values := s.serving.Kept(j, b.Chunk, b.ID, b.Entities, &g.from)
		if to.asked++; values == nil {
			to.misses++
			continue
		}
		for len(to.chunks) < b.Chunk {
			to.chunks = append(to.chunks, nil)
		}
		to.chunks = append(to.chunks, values)
	}
	return s.shelves(f)
}

// shelves tells whether a column may have values of a later chunk.
func (s *Set) shelves(f *Shelf) bool {
	for j := range s.sources {
		if s.sources[j].kind == gathered && !f.columns[j].ends() {
			return true
		}
	}
	return false
}
