package query

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/views"
)

// gathered is what a walk has of a column that is not passed in place.
type gathered struct {
	source   views.Source // where values are gathered from
	resolve  func(handle, word uint64) uint64
	walk     uint64   // that it was found in
	scratch  []uint64 // where they are gathered to
	presence []uint64 // a bit a row of the batch: has the component, if that is optional
	data     raw.Ptr  // the values for the chunk under way; nil if it is direct
	first    int      // the first column of the same component
	again    bool     // values of the component are looked for more than once in a batch
	batch    uint64   // that places are of
	places   []views.Place
	room     []views.Place // for places that no other reader knows
	sought   uint64        // the chunk that found is of: see seek
	found    []views.Place // of all its rows
	mine     []views.Place // for found likewise
	few      few           // if few rows have the component
}

// sharing finds the columns that are of one component. The places of its values are found once
// in a batch, for the first column, and serve all of them and what is put back.
func (c *Cursor) sharing() {
	for j := range c.Columns {
		g := &c.columns[j]
		g.first = slices.IndexFunc(c.Columns, func(x Column) bool { return x.Comp == c.Columns[j].Comp })
		if g.first < j || c.Columns[j].Write {
			c.columns[g.first].again = true
		}
	}
}

// gathered returns what the walk has of the j-th column, ready to gather: during a walk no
// chunk comes or goes.
func (c *Cursor) gathered(j int) *gathered {
	g := &c.columns[j]
	if g.walk == c.walk {
		return g
	}
	x := &c.Columns[j]
	g.walk = c.walk
	g.source = views.Source{
		Words: x.Comp.Home().Flat(), Cells: x.Comp.Dir.Cells(),
		Stride: uint32(x.Comp.Size), Offset: uint32(x.Part.Offset), Size: uint32(x.Part.Size),
	}
	if own := x.Comp.Entries(); own != nil && (len(own.Flat()) > 0 || len(own.Rare()) == 0) && x.Comp.Certain() {
		g.source.Words = own.Flat()
	} else {
		if g.resolve == nil {
			g.resolve = func(handle, word uint64) uint64 { return x.Comp.Resolve(store.Entity(handle), word) }
		}
		g.source.Resolve = g.resolve
	}
	return g
}

// scratchFor returns scratch for n values of so many bytes.
func (g *gathered) scratchFor(n int, size uintptr) []byte { return room(&g.scratch, n, size) }

// room returns the first bytes of scratch, made larger if it has to be, for n values.
func room(scratch *[]uint64, n int, size uintptr) []byte {
	words := max((n*int(size)+7)/8, 1)
	if len(*scratch) < words {
		*scratch = make([]uint64, words)
	}
	return raw.Slice[byte](raw.Data(*scratch), n*int(size))
}

// gather copies the values of entities side by side into scratch; those that lack the
// component read as zero, and have no bit in presence. Places, unless they are nil, are where the
// values are if that is known, or else are filled in.
func (c *Cursor) gather(j int, es []store.Entity, places []views.Place, known bool) raw.Ptr {
	g := c.gathered(j)
	first := &c.columns[g.first]
	to := g.scratchFor(len(es), uintptr(g.source.Size))
	if known {
		first.places, first.batch = places, c.batch
		views.Present(first.bits(len(es)), places)
	}
	if first.batch == c.batch {
		g.source.GatherPlaces(to, first.places)
		g.presence = first.presence
		return raw.Data(g.scratch)
	}
	if places == nil && first.again && len(g.source.Cells) <= views.PlaceCells {
		first.room = slices.Grow(first.room[:0], len(es))[:len(es)]
		places = first.room
	}
	if places != nil {
		first.places, first.batch = places, c.batch
	}
	g.source.Gather(to, raw.Words(es), views.Found{Places: places, Presence: first.bits(len(es))})
	g.presence = first.presence
	return raw.Data(g.scratch)
}

// bits returns presence with room for n rows.
func (g *gathered) bits(n int) []uint64 {
	words := (n + 63) / 64
	g.presence = slices.Grow(g.presence[:0], words)[:words]
	return g.presence
}

// shared returns where rows of the i-th chunk have the j-th column's component, as Serving.Where.
func (c *Cursor) shared(j, i int, id chunk.ID, es []store.Entity) (places []views.Place, known bool) {
	if from := &c.gathered(j).source; c.serving != nil && len(from.Cells) <= views.PlaceCells {
		return c.serving.Where(j, i, id, es, from)
	}
	return nil, false
}

// seek finds the rows of a chunk that match, where they do if they have the components that are
// gathered. It notes the places, so that pass does not look rows up again. It returns a bit for
// each row, or nil if rows have to be tested, or if places can't tell so many chunks apart.
func (c *Cursor) seek(s *Source, i int, id chunk.ID, es []store.Entity) []uint64 {
	if !s.certain || c.tests.hide != nil {
		return nil
	}
	n := len(es)
	words := ones(c.tests.words[:0], n)
	c.tests.words = words
	c.sought++
	for j := range c.Columns {
		first := &c.columns[c.columns[j].first]
		if c.Columns[j].Optional || s.place[j] != Absent || first.sought == c.sought {
			continue
		}
		from := &c.gathered(j).source
		if len(from.Cells) > views.PlaceCells {
			return nil
		}
		first.sought = c.sought
		known := false
		if first.found, known = c.shared(j, i, id, es); first.found == nil {
			first.mine = slices.Grow(first.mine[:0], n)[:n]
			first.found = first.mine
		}
		if known {
			views.Present(first.bits(n), first.found)
		} else {
			from.Locate(raw.Words(es), views.Found{Places: first.found, Presence: first.bits(n)})
		}
		for i, m := range first.presence {
			words[i] &= m
		}
	}
	return words
}

// sift takes the places of some rows of the chunk under way, all of which match, for gather.
func (c *Cursor) sift(rows []uint16) {
	for j := range c.columns {
		if g := &c.columns[j]; g.sought == c.sought {
			g.room = g.room[:0]
			for _, row := range rows {
				g.room = append(g.room, g.found[row])
			}
			g.places = g.room
			g.allPresent(len(rows))
			g.batch = c.batch
		}
	}
}

// zeros returns zero values for n rows that lack the component.
func (g *gathered) zeros(x *Column, n int) raw.Ptr {
	clear(g.scratchFor(n, x.Part.Size))
	clear(g.bits(n))
	return raw.Data(g.scratch)
}

// scatter copies scratch back to the values of entities.
func (c *Cursor) scatter(j int, es []store.Entity, tick uint64) {
	g := &c.columns[j]
	first, from := &c.columns[g.first], g.scratchFor(len(es), uintptr(g.source.Size))
	if first.batch == c.batch {
		g.source.ScatterPlaces(from, first.places, tick)
	} else {
		g.source.Scatter(from, raw.Words(es), tick)
	}
}

// pick copies what a column asks for of some rows of a chunk side by side into scratch.
func (g *gathered) pick(x *Column, id chunk.ID, rows []uint16) raw.Ptr {
	g.scratchFor(len(rows), x.Part.Size)
	to := raw.Data(g.scratch)
	raw.Pick(to, raw.At(x.Comp.Dir.Addr(id), x.Part.Offset), rows, x.Comp.Size, x.Part.Size)
	return to
}

// putBack copies what pick has copied back to the rows.
func (g *gathered) putBack(x *Column, id chunk.ID, rows []uint16, tick uint64) {
	cell := x.Comp.Dir.Cell(id)
	raw.Put(raw.At(cell.Addr, x.Part.Offset), raw.Data(g.scratch), rows, x.Comp.Size, x.Part.Size)
	cell.Stamp = tick
}

// allPresent notes that n rows have the component.
func (g *gathered) allPresent(n int) {
	g.presence = g.presence[:0]
	for range (n + 63) / 64 {
		g.presence = append(g.presence, ^uint64(0))
	}
}

// allOf notes which of a chunk's n rows have the component, by the chunk's bits.
func (g *gathered) allOf(bits []uint64, n int) {
	g.presence = append(g.presence[:0], bits[:(n+63)/64]...)
}

// present notes which of the given rows of a chunk have the component.
func (g *gathered) present(bits []uint64, rows []uint16) {
	g.presence = append(g.presence[:0], make([]uint64, (len(rows)+63)/64)...)
	for i, row := range rows {
		g.presence[i/64] |= bits[row/64] >> (row % 64) & 1 << (i % 64)
	}
}

// blank clears the values of those of n adjacent rows that lack the component. No entity has
// them.
func (g *gathered) blank(column raw.Ptr, size uintptr, n int) {
	for base := 0; base < n; base += 64 {
		m := ^g.presence[base/64]
		if k := n - base; k < 64 {
			m &= 1<<k - 1
		}
		for m != 0 {
			first := bits.TrailingZeros64(m)
			k := bits.TrailingZeros64(^(m >> first))
			clear(raw.Slice[byte](raw.At(column, uintptr(base+first)*size), k*int(size)))
			m &^= (1<<k - 1) << first
		}
	}
}

// full tells whether all of n bits are set.
func full(bits []uint64, n int) bool {
	for ; n >= 64; n -= 64 {
		if bits[0] != ^uint64(0) {
			return false
		}
		bits = bits[1:]
	}
	return n == 0 || bits[0] == 1<<n-1
}
