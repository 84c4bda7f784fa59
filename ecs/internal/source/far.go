package source

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/views"
)

// far has the facts of a column that the table lacks. It is made when the column is first
// gathered, and then kept by the set. Several columns of one component, which are fields of it,
// have a far each and one places.
type far struct {
	from   views.Source // good for the walk
	walk   uint64
	found  *places // of the component: all columns of it share them
	scarce scarceRows
}

// places are where the rows of a batch have a component that their table lacks. They are found
// once, for the first column of it, and serve all of them, and values that are put back.
//
//	batch == Set.batch      list has the places of the batch under way
//	sought == Set.sought    all has the places of the chunk that Seek looked at last
//	otherwise               stale: found again when needed
//
// A look-up by handle reads the entry of an entity, which may miss the cache for each row. A place
// saves that read. It is 4 bytes, and good while rows stay, even if chunks move.
type places struct {
	again    bool   // values of the component are looked for more than once in a batch
	batch    uint64 // the batch that list is of
	list     []views.Place
	room     []views.Place // for lists that no other reader knows
	presence []uint64      // of the batch's rows
	sought   uint64        // the chunk that all is of: see Seek
	all      []views.Place // of all its rows
	mine     []views.Place // room likewise
	resolve  func(handle, entry uint64) uint64
}

// farOf returns the facts of the j-th column, ready to gather: during a walk no chunk comes
// or goes. Words and cells are read once for each walk, for they move between walks only. Where
// each entry is certain to have the component, no Resolve is set, and gathering needs no call for
// each row.
func (s *Set) farOf(j int) *far {
	x, c := &s.sources[j], &s.fields.Columns[j]
	if x.far == nil {
		x.far = &far{found: s.placesOf(j)}
	}
	g := x.far
	if g.walk == s.walk {
		return g
	}
	g.walk = s.walk
	g.from = views.Source{
		Words: x.of.Home().Flat(), Cells: x.of.Dir.Cells(),
		Stride: uint32(x.of.Size), Offset: uint32(x.part), Size: uint32(x.size),
	}
	if own := x.of.Entries(); own != nil && (len(own.Flat()) > 0 || len(own.Rare()) == 0) && x.of.Certain() {
		g.from.Words = own.Flat()
		return g
	}
	if g.found.resolve == nil {
		g.found.resolve = func(handle, entry uint64) uint64 { return c.Comp.Resolve(store.Entity(handle), entry) }
	}
	g.from.Resolve = g.found.resolve
	return g
}

// placesOf are the places of the j-th column's component. The first column of it has them, whether
// or not that one is gathered in this table. A component with one column, which is only read, notes no
// places of its own: the list would be written and not read.
func (s *Set) placesOf(j int) *places {
	is := func(c Column) bool { return c.Comp == s.fields.Columns[j].Comp }
	first := slices.IndexFunc(s.fields.Columns, is)
	p := &places{}
	if g := s.sources[first].far; g != nil {
		p = g.found
	} else if first != j {
		s.sources[first].far = &far{found: p}
	}
	p.again = s.fields.Columns[first].Write || slices.ContainsFunc(s.fields.Columns[first+1:], is)
	return p
}

// bringFar gathers the j-th column for a batch, or finds it where it is kept or lies in stretches.
// It tells whether all rows have it that must.
//
// The ways are tried in the order of their cost. Direct copies nothing, and for kept a view has the
// copy. Then come places that other readers have found, and look-ups at last. Serving knows whole chunks
// only, so batches of runs and numbers are always gathered.
func (s *Set) bringFar(j int, b *Batch) (all bool) {
	x, c, g := &s.sources[j], &s.fields.Columns[j], s.farOf(j)
	tells := len(g.from.Cells) <= views.PlaceCells
	served := s.serving != nil && b.Whole
	if served && x.weft == nil && s.serving.Direct(j, b.Entities) {
		if _, long := Along(x.of, b.Entities); long {
			x.now = spread
			return true
		}
	}
	var list []views.Place
	known := false
	if served && tells {
		if values := s.serving.Kept(j, b.Chunk, b.ID, b.Entities, &g.from); values != nil {
			x.base, x.now = values, kept
			return true
		}
		if g.found.batch != s.batch {
			list, known = s.serving.Where(j, b.Chunk, b.ID, b.Entities, &g.from)
		}
	}
	s.gather(x, b, list, known)
	return !b.Guess || c.Optional || full(x.presence, b.N)
}

// gather copies the values of the batch's rows side by side. Rows that lack the component read as
// zero, and have no bit in presence. List, unless it is nil, is where the values are if that is
// known, or else is filled in.
func (s *Set) gather(x *source, b *Batch, list []views.Place, known bool) {
	p, from := x.far.found, &x.far.from
	to := room(&x.scratch, b.N, x.size)
	x.base = raw.Data(x.scratch)
	if known {
		p.list, p.batch = list, s.batch
		views.Present(p.bits(b.N), list)
	}
	if p.batch == s.batch {
		from.GatherPlaces(to, p.list)
		x.presence = p.presence
		return
	}
	if list == nil && p.again && len(from.Cells) <= views.PlaceCells {
		p.room = slices.Grow(p.room[:0], b.N)[:b.N]
		list = p.room
	}
	if list != nil {
		p.list, p.batch = list, s.batch
	}
	from.Gather(to, raw.Words(b.Entities), views.Found{Places: list, Presence: p.bits(b.N)})
	x.presence = p.presence
}

// bits returns presence with room for n rows.
func (p *places) bits(n int) []uint64 {
	p.presence = slices.Grow(p.presence[:0], (n+63)/64)[:(n+63)/64]
	return p.presence
}

// scatter copies gathered values back to where they come from, and stamps the chunks there. Rows
// that lack the component have no place and are left out.
func (s *Set) scatter(x *source, b *Batch, tick uint64) {
	g, values := x.far, raw.Slice[byte](x.base, b.N*int(x.size))
	if g.found.batch == s.batch {
		g.from.ScatterPlaces(values, g.found.list, tick)
	} else {
		g.from.Scatter(values, raw.Words(b.Entities), tick)
	}
}

// Seek finds the rows of a chunk that match, where they do if they have the components that are
// gathered. It notes the places, so that rows are not looked up again: see Sift. It appends a bit
// for each row to words; ok is false if places can't tell so many chunks apart.
//
//	Seek    places of all rows of the chunk    ─► bits of rows that match
//	Sift    those of one run, or of numbers    ─► the list of the next batch
//	Bring   copies values by the list, without a second look-up
func (s *Set) Seek(words []uint64, b *Batch) (_ []uint64, ok bool) {
	words = match.Ones(words, b.N)
	s.sought++
	for j := range s.sources {
		if x := &s.sources[j]; x.kind != gathered || s.fields.Columns[j].Optional {
			continue
		}
		g := s.farOf(j)
		p := g.found
		if p.sought == s.sought {
			continue
		}
		if len(g.from.Cells) > views.PlaceCells {
			return words, false
		}
		known := false
		if p.all = nil; s.serving != nil {
			p.all, known = s.serving.Where(j, b.Chunk, b.ID, b.Entities, &g.from)
		}
		if p.all == nil {
			p.mine = slices.Grow(p.mine[:0], b.N)[:b.N]
			p.all = p.mine
		}
		if known {
			views.Present(p.bits(b.N), p.all)
		} else {
			g.from.Locate(raw.Words(b.Entities), views.Found{Places: p.all, Presence: p.bits(b.N)})
		}
		p.sought = s.sought
		for i, m := range p.presence {
			words[i] &= m
		}
	}
	return words, true
}

// Sift takes the places that Seek has found for the batch that is brought next: rows of that
// chunk, all of which match. It must be called directly before Bring, since it names the batch by
// the count that Bring gives next. It costs 4 bytes copied for each row and component.
func (s *Set) Sift(b *Batch) {
	for j := range s.sources {
		g := s.sources[j].far
		if g == nil || g.found.sought != s.sought || g.found.batch > s.batch {
			continue
		}
		p := g.found
		p.room = p.room[:0]
		if b.Rows == nil {
			p.room = append(p.room, p.all[b.First:][:b.N]...)
		}
		for _, row := range b.Rows {
			p.room = append(p.room, p.all[row])
		}
		p.presence = match.Ones(p.presence[:0], b.N)
		p.list, p.batch = p.room, s.batch+1
	}
}
