package store

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Table is rows that have the same columns.
type Table struct {
	// Seq has the rows: entities, the fixed components and the optional ones, each in the
	// order of their IDs.
	Seq *memmgr.Sequence
	// Made is less than that of tables which were made later.
	Made uint64

	// What a row that moves looks at comes first, side by side: of many tables, few are in a cache.
	s       *Store
	owner   *Owner       // nil: it is a thin component's
	words   *Words       // that name its rows
	lanes   []lane       // of the fixed components
	bare    bool         // nothing follows a row but its columns and the table's entries
	gone    bool         // it was dropped
	key     uint32       // its place in Store.tables
	plain   [ops][]edge  // by ID of the component, for rows without optional ones
	opts    []*Opt       // in the order of their IDs, as fixed
	watched []*Component // of its columns, those of which changes are noted

	place            place // of entities with a row here; homes in the commons have none
	fixed            []*Component
	fixedSet, optSet set
	family           *family
	stride           int // words of bits a chunk
	edges            map[edgeKey]*edge
	disables         []*disabledRows
	marks            []*marked
	empty            uint64 // frame since which it has had no rows; 0: it has some
}

// Opt is an optional component of a table.
type Opt struct {
	// C is the component.
	C *Component
	// Bits say which rows have it: chunk by chunk in order, each from a word of its own on.
	Bits []uint64
	// Count is how many have it.
	Count int
}

// findBare finds out whether anything follows a row, after some of that has changed.
func (t *Table) findBare() { t.bare = len(t.opts)+len(t.watched) == 0 }

// Owner is whose table it is; nil for that of a thin component.
func (t *Table) Owner() *Owner { return t.owner }

// Gone tells whether the table was dropped.
func (t *Table) Gone() bool { return t.gone }

// Fixed are the components that all rows have, in the order of their IDs.
func (t *Table) Fixed() []*Component { return t.fixed }

// Components are the names of those that it has columns of, in their order.
func (t *Table) Components() []string {
	list := names(t.fixed)
	for _, x := range t.opts {
		list = append(list, x.C.Name)
	}
	return list
}

// Stride is how many words of bits a chunk has.
func (t *Table) Stride() int { return t.stride }

// opt returns what the table has of an optional component; nil if nothing.
func (t *Table) opt(c *Component) *Opt {
	if !t.optSet.has(c.ID) {
		return nil
	}
	for _, x := range t.opts {
		if x.C == c {
			return x
		}
	}
	return nil
}

// inUse is those of the optional components that are stored like that.
func (t *Table) inUse() (opts []*Component) {
	for _, x := range t.opts {
		if x.C.way == Optional && x.C.owner == t.owner {
			opts = append(opts, x.C)
		}
	}
	return opts
}

// Opt is opt.
func (t *Table) Opt(c *Component) *Opt { return t.opt(c) }

// set is a set of components by ID.
type set []uint64

func (s set) has(id uint32) bool { return int(id/64) < len(s) && s[id/64]>>(id%64)&1 != 0 }

func setOf(comps []*Component) (s set) {
	for _, c := range comps {
		for len(s) <= int(c.ID/64) {
			s = append(s, 0)
		}
		s[c.ID/64] |= 1 << (c.ID % 64)
	}
	return s
}

// compsOf are the components of what a table has of them.
func compsOf(opts []*Opt) (comps []*Component) {
	for _, x := range opts {
		comps = append(comps, x.C)
	}
	return comps
}

// Has tells whether all rows have a component.
func (t *Table) Has(c *Component) bool { return t.fixedSet.has(c.ID) }

// Count is how many rows have a component that the table has a column of.
func (t *Table) Count(c *Component) int {
	if x := t.opt(c); x != nil {
		return x.Count
	}
	return t.Seq.Len()
}

// bit is where the bit of a row is.
func (t *Table) bit(l memmgr.Loc) (at int, mask uint64) {
	row := l.Row()
	return t.s.m.Nth(l.Chunk())*t.stride + int(row/64), 1 << (row % 64)
}

// present tells whether the row that an entry names has a component by its bit.
func (t *Table) present(c *Component, w uint64) bool {
	for _, x := range t.opts {
		if x.C == c {
			b := uint(t.bitAt(locOf(w)))
			return x.Bits[b/64]>>(b%64)&1 != 0
		}
	}
	return false
}

// bitAt is the number of a row's bit.
func (t *Table) bitAt(l memmgr.Loc) int {
	return t.s.m.Nth(l.Chunk())*t.stride*64 + int(l.Row())
}

// has tells whether the row at a bit has the component.
func (x *Opt) has(at int, mask uint64) bool { return x.Bits[at]&mask != 0 }

// set and unset note which rows have the component.
func (x *Opt) set(at int, mask uint64) {
	x.Bits[at] |= mask
	x.Count++
}

func (x *Opt) unset(at int, mask uint64) {
	x.Bits[at] &^= mask
	x.Count--
}

// row appends a row that no entity has yet.
func (t *Table) row() (memmgr.Loc, error) {
	l, err := t.Seq.Append()
	if err == nil {
		t.fitBits()
	}
	return l, err
}

// fitBits makes room for the bits of all chunks.
func (t *Table) fitBits() {
	n := t.Seq.ChunkCount() * t.stride
	for _, x := range t.opts {
		for len(x.Bits) < n {
			x.Bits = append(x.Bits, 0)
		}
	}
}

// dropBits is pass for the optional components.
func (t *Table) dropBits(l, last memmgr.Loc) {
	at, mask := t.bit(l)
	end, lastMask := t.bit(last)
	for _, x := range t.opts {
		if x.Count == 0 {
			continue
		}
		if x.has(at, mask) {
			x.unset(at, mask)
		}
		if l != last && x.has(end, lastMask) {
			x.unset(end, lastMask)
			x.set(at, mask)
			raw.Copy(x.C.At(l), x.C.At(last), x.C.Size)
		}
	}
}

// takeOut removes the row of an entity with the entry that names it.
func (t *Table) takeOut(e Entity, l memmgr.Loc) {
	if !t.bare {
		t.besides(l, nil, 0, nil)
	}
	last := t.Seq.Last()
	t.drop(e, l, 0)
	if l != last && t.s.hooks != nil {
		t.s.moved(t.s.entityAt(l), last, l)
	}
}

// Entities are those of a chunk's n rows: good until rows change.
func (s *Store) Entities(id chunk.ID, n int) []Entity {
	return raw.Slice[Entity](s.IDs.Addr(id), n)
}

// entitiesAt are those of n rows of a chunk from l on.
func (s *Store) entitiesAt(l memmgr.Loc, n int) []Entity {
	return raw.Slice[Entity](s.IDs.At(l, 8), n)
}

// swap exchanges two rows of a table: entities, values, bits and entries. The columns of
// entities are stamped, as wherever rows change.
func (t *Table) swap(a, b memmgr.Loc) {
	s := t.s
	s.m.Shift()
	if s.hooks != nil {
		defer s.swapped(s.entityAt(a), s.entityAt(b), a, b)
	}
	ea, eb := s.entityAt(a), s.entityAt(b)
	s.putEntity(a, eb)
	s.putEntity(b, ea)
	t.swapValues(a, b)
	t.words.set(eb.Index(), word(eb, a))
	t.words.set(ea.Index(), word(ea, b))
}

// popcount counts bits.
func popcount(words []uint64) (n int) {
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

func trailingZeros(w uint64) int { return bits.TrailingZeros64(w) }
