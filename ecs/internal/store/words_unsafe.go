package store

import (
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Words are entries by index of an entity. They belong to one owner or one thin component, and
// say where each entity's row is. An entry, a Word in code, is the entity's version above the Loc
// of the row. 0 is no row.
//
//	63     36 35   23 22      0
//	| version |  row  |  chunk |
//
// They are an array of entries by index, of which only pages that are used are resident. If few
// entities of many have a row, they are a map. A map becomes an array when it grows, and an
// array a map when hardly any of its entries are left (rare.go).
type Words struct {
	flat  []uint64 // none: look at rare; one more lies behind them, which stays 0
	rare  map[uint32]uint64
	array arena.Array[uint64]
	owner *Owner     // whose components are looked up here
	thin  *Component // or which thin one
	made  bool
	stays bool // an array, however few there are

	named        int // rows, when countNamed counted them last
	peak, shrank int // most rows since they were tidied, and looks in a row at which they had half of that
}

// Entity is a handle.
type Entity = entities.Entity

// VersionShift is where versions begin, in handles and in entries.
const VersionShift = entities.VersionShift

// Find returns the address of the value that an entity has in a directory of a Component; nil if
// it has none. It is what Pool.Get calls where an entry alone does not tell.
func Find(d *memmgr.Directory, e uint64) unsafe.Pointer {
	c := (*Component)(unsafe.Pointer(d))
	w, at, listed := d.Entry(e)
	if at.Is(w) && w^e < 1<<VersionShift { // written out, for speed
		if !at.Partial() {
			return c.find(Entity(e)) // Lookup has found it
		}
		t := c.s.tables[at.Key()]
		for _, x := range t.opts {
			if x.C == c {
				l := locOf(w)
				if b := uint(t.bitAt(l)); x.Bits[b/64]>>(b%64)&1 != 0 {
					return unsafe.Add(at.Addr, l.Index()*c.Size)
				}
				break
			}
		}
	}
	if listed && c.plain { // the entity lacks it
		return nil
	}
	return c.find(Entity(e))
}

// find is Find for all cases.
func (c *Component) find(e Entity) unsafe.Pointer {
	if c.Sealed > 0 {
		c.Fault()
	}
	l, has := c.Loc(e)
	if !has {
		return nil
	}
	if c.s.counting {
		c.reads.Add(1)
	}
	return c.At(l)
}

var _ [0]byte = [unsafe.Offsetof(Component{}.Dir)]byte{} // so that Find has the component

// word is the entry of e with its row at l.
func word(e Entity, l memmgr.Loc) uint64 { return entities.Word(e, uint64(l)) }

// Names tells whether an entry is of entity e.
func Names(word uint64, e Entity) bool { return entities.WordIs(word, e) }

// locOf is the location in an entry.
func locOf(word uint64) memmgr.Loc { return memmgr.Loc(entities.WordLoc(word)) }

// Load returns the entry of an index.
func (w *Words) Load(i uint32) uint64 {
	if uint(i) < uint(len(w.flat)) {
		return w.flat[i]
	}
	return w.rare[i]
}

// set writes the entry of an index for which ensure was called.
func (w *Words) set(i uint32, v uint64) {
	if uint(i) < uint(len(w.flat)) {
		w.flat[i] = v
		return
	}
	w.setRare(i, v)
}

func (w *Words) setRare(i uint32, v uint64) {
	if v == 0 {
		delete(w.rare, i)
	} else {
		w.rare[i] = v
	}
}

// Flat returns the entries in the order of indexes; empty if they are a map.
func (w *Words) Flat() []uint64 { return w.flat }

// Rare are the entries of indexes that are not among the flat ones.
func (w *Words) Rare() map[uint32]uint64 { return w.rare }

// covers tells whether the entry of an index is among the flat ones.
func (w *Words) covers(i uint32) bool { return i < uint32(len(w.flat)) }

// makeWords returns entries for up to so many indexes.
func makeWords(a *arena.Arena, indexes uint32) Words {
	return Words{array: arena.MakeArray[uint64](a, max(indexes, indexes+1), arena.PurposeSlots), made: true}
}

// setFlat takes all elements of the array but the last one for entries, or none.
func (w *Words) setFlat(all []uint64) {
	w.flat = all[:max(len(all), 1)-1]
	switch {
	case w.owner != nil:
		w.owner.point()
	case w.thin != nil:
		w.thin.point()
	}
}

const (
	rareSpan = 8192 // indexes below which entries are never a map: it would save few pages
	rareOne  = 64   // a map becomes an array once one in so many entities is in it
)

// ensure makes place for the entry of an index, one of so many that are new. bound is one
// more than the largest index in use. Errors are the arena's.
func (w *Words) ensure(i, bound uint32, more int) error {
	if w.covers(i) {
		return nil
	}
	if len(w.flat) == 0 && bound > rareSpan && uint64(len(w.rare)+more-1)*rareOne < uint64(bound) {
		if w.rare == nil {
			w.rare = make(map[uint32]uint64)
		}
		return nil
	}
	return w.flatten(i, uint32(len(w.rare)) > bound/2)
}

// flatten makes the entries an array that has index i; dense says whether most indexes have one.
func (w *Words) flatten(i uint32, dense bool) error {
	w.array.SetDense(dense)
	for k := range w.rare {
		i = max(i, k)
	}
	if err := w.array.Grow(i + 1); err != nil {
		return err
	}
	w.setFlat(w.array.Span(0))
	for k, v := range w.rare {
		w.set(k, v)
	}
	w.rare = nil
	return nil
}

// dense has the entries be an array from the beginning and stay one: every entity has one.
func (w *Words) dense(i uint32) error {
	if w.covers(i) {
		return nil
	}
	w.stays = true
	return w.flatten(i, true)
}

// clearWritten makes entries 0. Pages that were never written stay out of memory.
func clearWritten(words []uint64) {
	for len(words) > 0 {
		page := words[:min(len(words), arena.PageLen)]
		if written(page) {
			clear(page)
		}
		words = words[len(page):]
	}
}

// written tells whether some entry is not 0.
func written(words []uint64) bool {
	for ; len(words) >= 8; words = words[8:] {
		w := (*[8]uint64)(words)
		if w[0]|w[1]|w[2]|w[3]|w[4]|w[5]|w[6]|w[7] != 0 {
			return true
		}
	}
	return slices.ContainsFunc(words, func(w uint64) bool { return w != 0 })
}

// reset forgets all entries, and gives back their memory if that can be.
func (w *Words) reset() {
	clearWritten(w.flat)
	if len(w.flat) > 0 {
		_, _ = w.array.Purge(func(lo, hi uint32) bool { return true }) // what is refused stays, and reads as zero
	}
	w.rare = nil
	w.setFlat(nil)
}

// entityAt returns whose row a location is.
func (s *Store) entityAt(l memmgr.Loc) Entity { return *(*Entity)(s.IDs.At(l, 8)) }

// putEntity writes whose row a location is, and stamps that column: it is what changes
// with membership and order.
func (s *Store) putEntity(l memmgr.Loc, e Entity) {
	c := s.IDs.CellOf(l)
	c.Stamp = s.m.Tick()
	*(*Entity)(unsafe.Add(c.Addr, l.Index()*8)) = e
}
