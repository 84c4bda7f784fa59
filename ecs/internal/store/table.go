package store

import (
	"errors"
	"iter"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// findBare sets bare: nothing follows a row but its fixed columns and its entry. It must be called
// after each change of opts or watched, since the short ways of verbs rely on it.
func (t *Table) findBare() { t.bare = len(t.opts)+len(t.watched) == 0 }

// Owner returns the owner of the table; nil for the table of a thin component.
func (t *Table) Owner() *Owner { return t.owner }

// Gone tells whether the table was dropped.
func (t *Table) Gone() bool { return t.key == noKey }

// Fixed are the components that all rows have, in the order of their IDs.
func (t *Table) Fixed() []*Component { return t.fixed }

// Components returns the names of the components with a column here, in the order of columns.
func (t *Table) Components() []string {
	return names(t.comps())
}

// comps returns the components that it has columns of, in their order: a list of its own.
func (t *Table) comps() []*Component { return slices.Concat(t.fixed, compsOf(t.opts)) }

// Stride is how many words of bits a chunk has.
func (t *Table) Stride() int { return t.stride }

// opt returns the column and bits of an optional component; nil if the table has none. The set answers
// for most tables without a search.
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

// inUse returns the optional components that the owner still stores as optional. Columns of others are
// left over from before a change-over.
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

// Has tells whether all rows have a component.
func (t *Table) Has(c *Component) bool { return t.fixedSet.has(c.ID) }

// Count is how many rows have a component that the table has a column of.
func (t *Table) Count(c *Component) int {
	if x := t.opt(c); x != nil {
		return x.Count
	}
	return t.Seq.Len()
}

// bit is where the presence bit of a row is: the word in Opt.Bits, and the mask in it. Each chunk
// begins a word of its own, so no word has rows of two chunks.
//
//	Bits   | chunk 0: stride words | chunk 1: stride words | …
func (t *Table) bit(l memmgr.Loc) (at int, mask uint64) {
	row := l.Row()
	return t.store.manager.Nth(l.Chunk())*t.stride + int(row/64), 1 << (row % 64)
}

// Present returns the presence bits of the rows of the chunk that an entry names, and whether its table
// still has such bits. They are good until Store.Places moves. Precondition: the cell of the chunk is Partial.
func (c *Component) Present(w uint64) (bits []uint64, has bool) {
	t := c.store.tables[c.Dir.Place(w).Key()]
	for _, x := range t.opts {
		if x.C == c {
			return x.Bits[t.store.manager.Nth(locOf(w).Chunk())*t.stride:][:t.stride], true
		}
	}
	return nil, false
}

// bitAt is the number of a row's bit among all of Opt.Bits: 64 to the word.
func (t *Table) bitAt(l memmgr.Loc) int {
	return t.store.manager.Nth(l.Chunk())*t.stride*64 + int(l.Row())
}

// fitBits makes room for the bits and counts of all chunks, after rows were appended. Neither becomes
// shorter; words and counts behind the last chunk are 0. Places of the component say where the bits of their chunk are.
func (t *Table) fitBits() {
	n := t.Seq.ChunkCount()
	for _, x := range t.opts {
		if n > len(x.Counts) {
			x.Bits, x.Counts = fit(x.Bits, n*t.stride), fit(x.Counts, n)
		}
		t.placeBits(x)
	}
}

// dropBits moves the optional values and bits of the row last to the row at l, and clears the bits of
// last. It is the drop of optional columns. l may be last: then its bits are
// cleared alone.
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

// Entities returns the entities of the first n rows of a chunk: good until rows change.
func (s *Store) Entities(id chunk.ID, n int) []Entity {
	s.See(id)
	return raw.Slice[Entity](s.IDs.Addr(id), n)
}

// Unread is Entities for a caller that does not read them, or had See see them: they may be unseen.
func (s *Store) Unread(id chunk.ID, n int) []Entity {
	return raw.Slice[Entity](s.IDs.Addr(id), n)
}

// entitiesAt returns the entities of n rows of a chunk from l on.
func (s *Store) entitiesAt(l memmgr.Loc, n int) []Entity {
	s.See(l.Chunk())
	return raw.Slice[Entity](s.IDs.At(l, 8), n)
}

var (
	// ErrStale is returned for a handle that is not of a live entity: null,
	// destroyed since, or never given out by this world.
	ErrStale = errors.New("ecs: the entity is not alive: the handle is null, stale or foreign")
	// ErrPresent is returned by Add for a component that the entity has already.
	ErrPresent = errors.New("ecs: the entity has the component already: use Set to change its value")
	// ErrAbsent is returned by Set and Remove for a component that the entity lacks.
	ErrAbsent = errors.New("ecs: the entity does not have the component")
)

// Alive tells whether a handle is of a live entity.
func (s *Store) Alive(e Entity) bool {
	return s.ids.Alive(e) || s.unseen != nil && s.Commons.words.Load(e.Index()) != 0 && s.ids.Alive(e) // Load sees it
}

// Len is the number of live entities.
func (s *Store) Len() int { return s.ids.Len() }

// Spare is how many entities there may be beside those.
func (s *Store) Spare() int { return s.ids.Spare() }

// Bound is one more than the largest index in reach.
func (s *Store) Bound() uint32 { return s.ids.Bound() }

// All iterates over the live entities by index.
func (s *Store) All() iter.Seq[Entity] {
	return func(yield func(Entity) bool) {
		s.SeeAll()
		s.ids.All()(yield)
	}
}

// tableAt is the table of a row.
func (s *Store) tableAt(l memmgr.Loc) *Table { return s.tableOf(uint64(l)) }

// tableOf is the table of the row that an entry names. It is one load of the directory cell, whose key
// is the index in Store.tables.
func (s *Store) tableOf(w uint64) *Table { return s.tables[s.IDs.Place(w).Key()] }

// TableOf is the table that a sequence is of; nil for others.
func (s *Store) TableOf(seq *memmgr.Sequence) *Table {
	if k := int(seq.Key()); k < len(s.tables) && s.tables[k] != nil && s.tables[k].Seq == seq {
		return s.tables[k]
	}
	return nil
}

// Tables goes over all tables.
func (s *Store) Tables() iter.Seq[*Table] {
	return func(yield func(*Table) bool) {
		for _, t := range s.tables {
			if t != nil && !yield(t) {
				return
			}
		}
	}
}

// indexes returns the length of arrays with an element for each index: of all entities, and 0.
func (s *Store) indexes() uint32 { return s.options.MaxEntities + 1 }

func (s *Store) locAt(id chunk.ID, row int) memmgr.Loc { return memmgr.MakeLoc(id, uint32(row)) }

// entityAt returns the entity of a row.
func (s *Store) entityAt(l memmgr.Loc) Entity {
	s.See(l.Chunk())
	return s.entityIn(l)
}

// entityIn is entityAt where the chunk was seen: it can be inlined.
func (s *Store) entityIn(l memmgr.Loc) Entity { return *raw.As[Entity](s.IDs.At(l, 8)) }

// putEntity gives a row an entity. It stamps the entity column, by which caches see that
// membership or order has changed.
func (s *Store) putEntity(l memmgr.Loc, e Entity) {
	c := s.IDs.CellOf(l)
	c.Stamp = s.manager.Tick()
	*raw.As[Entity](raw.At(c.Addr, l.Index()*8)) = e
}

// row is an entity's home, and whether it has one.
func (o *Owner) row(e Entity) (t *Table, l memmgr.Loc, ok bool) {
	w := o.words.Load(e.Index())
	if !Names(w, e) {
		return nil, 0, false
	}
	return o.store.tableAt(locOf(w)), locOf(w), true
}

// Tables are the owner's, in the order in which they were made.
func (o *Owner) Tables() []*Table { return o.tables }

// Comps returns the components that it owns, in the order in which they were declared.
func (o *Owner) Comps() []*Component { return o.comps }

// Home is the entry of an entity in an owner's tables: Names tells whether it has a row there.
func (o *Owner) Home(e Entity) uint64 { return o.words.Load(e.Index()) }

// At returns the address of a row's value. The row's chunk must have the column.
func (c *Component) At(l memmgr.Loc) raw.Ptr {
	return raw.At(c.Dir.Find(uint64(l)), l.Index()*c.Size)
}

// rowsFrom is how many rows the chunk of l has from l on.
func (t *Table) rowsFrom(l memmgr.Loc) int {
	_, rows := t.Seq.Chunk(t.store.manager.Order(l.Chunk()))
	return rows - int(l.Row())
}
