package shared

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/views"
)

// where says for the rows of a group where they have a component that the group does not own. To
// find a row costs more than to copy its value, and rows stay where they are between most systems.
// So the first reader in a frame finds them, and the others gather by the same places. Views know
// by them which rows to gather again.
type where struct {
	comp   *store.Component
	asks   int    // readers that ask for the component in this group: see countAsks
	frame  uint64 // in which it was last used
	walk   uint64 // that the rest is of
	latest uint64 // tick in which rows of the owner last came, went or moved
	live   int    // its chunks; 0 if there are too many
	chunks []whereChunk
}

// whereChunk is where the rows of one of the group's chunks have the component.
type whereChunk struct {
	id          chunk.ID
	tick        uint64 // in which all were found last
	cells, live int    // of the component's directory, and the owner's chunks, then
	places      []views.Place
}

// fewChunks is how many chunks of an owner, and tables, may be looked at for any group. A look costs
// as much as finding some rows, so a small group shares nothing of a large owner.
const fewChunks = 64

// countAsks finds how many readers over the group's rows ask for each component.
func (g *group) countAsks() {
	if g.countedAt == g.laid {
		return
	}
	g.countedAt = g.laid
	for _, w := range g.wheres {
		w.asks = 0
	}
	for _, r := range g.guests.All() {
		for j := range r.Columns {
			if c := r.Columns[j].Comp; r.firstOf(j) == j && c.Owner() != g.owner {
				g.whereOf(c).asks++
			}
		}
	}
}

// whereOf is what is known of where the group's rows have a component.
func (g *group) whereOf(c *store.Component) *where {
	i := slices.IndexFunc(g.wheres, func(w *where) bool { return w.comp == c })
	if i < 0 {
		i = len(g.wheres)
		g.wheres = append(g.wheres, &where{comp: c})
	}
	return g.wheres[i]
}

// firstOf is the first column of the same component as the j-th.
func (r *Reader) firstOf(j int) int {
	return slices.IndexFunc(r.Columns, func(x source.Column) bool { return x.Comp == r.Columns[j].Comp })
}

// where is Serving.Where.
func (s *served) where(j, i int, id chunk.ID, es []store.Entity, from *views.Source) (places []views.Place, known bool) {
	w := s.wheres[j]
	if w == nil || !w.enter(s) {
		return nil, false
	}
	return w.at(s, i, id, len(es), len(from.Cells))
}

// dropWheres forgets what was not used for a while.
func (g *group) dropWheres(frame uint64) {
	for _, w := range g.wheres {
		if w.frame+IdleFrames <= frame {
			w.chunks = nil
		}
	}
}

// at returns where the n rows of the i-th chunk have the component, good until something is changed.
// If that is not known, the caller finds the places before it goes on.
func (w *where) at(s *served, i int, id chunk.ID, n, cells int) (places []views.Place, known bool) {
	b := s.reader.v.base
	shares := w.enter(s)
	for len(w.chunks) <= i {
		w.chunks = append(w.chunks, whereChunk{})
	}
	c := &w.chunks[i]
	since := max(w.latest, b.S.IDs.Cell(id).Stamp)
	known = shares && c.id == id && c.tick > since && c.cells == cells && c.live == w.live
	if !known {
		if len(c.places) < n {
			c.places = make([]views.Place, s.group.seq.Layout().Capacity())
		}
		c.id, c.tick, c.cells, c.live = id, b.M.Tick(), cells, w.live
	}
	return c.places[:n], known
}

// enter looks at what has changed since the last walk. It tells whether places that were found in
// another walk can be known to be good. It costs a load for each of the owner's chunks.
func (w *where) enter(s *served) (shares bool) {
	if w.walk == s.walk {
		return w.live > 0
	}
	b := s.reader.v.base
	w.walk, w.frame, w.latest, w.live = s.walk, b.Frame, 0, 0
	if n := s.group.seq.ChunkCount(); len(w.chunks) > n {
		clear(w.chunks[n:])
		w.chunks = w.chunks[:n]
	}
	most, n := max(fewChunks, s.group.seq.Len()/fewChunks), 0
	if len(w.comp.Tables()) > most {
		return false
	}
	for _, t := range w.comp.Tables() {
		n += t.Seq.ChunkCount()
	}
	if n > most {
		return false
	}
	w.live = n
	for _, t := range w.comp.Tables() {
		for id := range t.Seq.Chunks() {
			w.latest = max(w.latest, b.S.IDs.Cell(id).Stamp)
		}
	}
	return n > 0
}
