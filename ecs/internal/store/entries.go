package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/memmgr"
)

// VersionShift is where versions begin, in handles and in entries.
const VersionShift = entities.VersionShift

// word is the entry of e with its row at l: the version of e above, the location below.
func word(e Entity, l memmgr.Loc) uint64 { return entities.Word(e, uint64(l)) }

// Names tells whether an entry is of entity e, and names a row.
func Names(word uint64, e Entity) bool { return entities.WordIs(word, e) }

// locOf is the location in an entry.
func locOf(word uint64) memmgr.Loc { return memmgr.Loc(entities.WordLoc(word)) }

// Word returns the entry of an entity with its row at a location.
func Word(e Entity, l memmgr.Loc) uint64 { return word(e, l) }

// LocOf is the location in an entry.
func LocOf(word uint64) memmgr.Loc { return locOf(word) }

// RowOf is the row in an entry: LocOf and Loc.Index in one.
func RowOf(word uint64) uintptr { return uintptr(word << (64 - VersionShift) >> (64 - chunk.RowBits)) }

// entry is the entry of e with its row at l, as word is. 0 is no row.
func (w *Words) entry(e Entity, l memmgr.Loc) uint64 {
	if l == 0 {
		return uint64(e) & w.left
	}
	return word(e, l)
}

// Load returns the entry of an index; Names tells whether it has a row. An index behind the array is looked for in the map,
// and a nil map has none. An entity of the commons that is unseen is seen now.
func (w *Words) Load(i uint32) (v uint64) {
	if i < uint32(len(w.flat)) {
		v = w.flat[i]
	}
	if v == 0 {
		v = w.far(i)
	}
	return
}

// far is Load of an entry that is not among the flat ones, or is 0 there.
func (w *Words) far(i uint32) uint64 {
	if w.left == 0 {
		return w.rare[i]
	}
	if s := w.owner.store; s.unseen != nil && s.unseen.look(s, i) {
		return w.flat[i]
	}
	return 0
}

// set writes the entry of an index for which ensure was called. It can't fail: ensure has made the
// element or the map.
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

// setRun points the entries of entities at consecutive rows of a chunk. The entry is composed without
// a call: the handle with its index taken away leaves the version, which l completes.
func (w *Words) setRun(es []Entity, l memmgr.Loc) {
	flat, low := w.flat, uint64(l)
	for n, e := range es {
		i := e.Index()
		if uint(i) >= uint(len(flat)) {
			w.setRare(i, word(e, l.Plus(uint32(n))))
		} else {
			flat[i] = uint64(e) - uint64(i) ^ low
		}
		low += uint64(memmgr.Loc(0).Plus(1))
	}
}

// run is how many of the entities, from the first on, have consecutive rows of a chunk. It compares
// whole entries, version included. So a stale handle ends the run, and so does a second mention of an
// entity.
func (w *Words) run(es []Entity, l memmgr.Loc) int {
	flat, low := w.flat, uint64(l)
	for n, e := range es {
		i := e.Index()
		if uint(i) >= uint(len(flat)) {
			if w.Load(i) != word(e, l.Plus(uint32(n))) {
				return n
			}
		} else if flat[i] != uint64(e)-uint64(i)^low {
			return n
		}
		low += uint64(memmgr.Loc(0).Plus(1))
	}
	return len(es)
}

// clearRun has the entries of entities name no row. All handles must be current: versions are not compared.
func (w *Words) clearRun(es []Entity) {
	flat := w.flat
	for _, e := range es {
		if i := e.Index(); uint(i) < uint(len(flat)) {
			flat[i] &= w.left
		} else {
			w.setRare(i, 0)
		}
	}
}

// Flat returns the entries in the order of indexes; empty if they are a map.
func (w *Words) Flat() []uint64 { return w.flat }

// Rare returns the entries of indexes that are not among the flat ones.
func (w *Words) Rare() map[uint32]uint64 { return w.rare }

// covers tells whether the entry of an index is among the flat ones and may be written: its page is
// accounted for.
func (w *Words) covers(i uint32) bool {
	return i < uint32(len(w.flat)) && w.pages[i/(64*arena.PageLen)]>>(i/arena.PageLen%64)&1 != 0
}

// makeWords returns entries for up to so many indexes. It asks the system for nothing; ensure does.
func makeWords(a *arena.Arena, indexes uint32) Words {
	w := Words{array: arena.MakeArray[uint64](a, indexes+1, arena.PurposeSlots)}
	w.array.SetSparse()
	return w
}

const (
	rareSpan = 8192 // indexes below which entries are never a map: it would save few pages
	rareOne  = 64   // a map becomes an array once one in so many entities is in it
)

// point makes the directory look values up in the entries where most of them are. It is called
// whenever these entries, the way, the owner or the lenders change.
func (c *Component) point() { c.Dir.SetEntries(c.lookedUp()) }

// lookedUp is the entries by which most values are found: the owner's, or its own if it is thin.
func (c *Component) lookedUp() []uint64 {
	switch {
	case c.MayLend() || c.store.counting:
		return nil
	case c.way == Thin:
		return c.own.flat
	}
	return c.owner.words.flat
}

// point has all components look their values up through the owner's entries.
func (o *Owner) point() {
	for _, c := range o.store.comps {
		if c.owner == o {
			c.point()
		}
	}
}

// setFlat takes all elements of the array but the last one for entries, or none. The last one stays 0:
// directories read it for indexes that are out of range. They get the new slice at once, because the
// array may have moved.
func (w *Words) setFlat(all []uint64) {
	w.flat, w.pages = all[:max(len(all), 1)-1], w.array.Pages()
	switch {
	case w.owner != nil:
		w.owner.point()
	case w.thin != nil:
		w.thin.point()
	}
}

// take is Set.Take, and takeN Set.TakeN: the records may have grown.
func (s *Store) take(h *entities.Home) (Entity, error) {
	e, err := s.ids.Take(h)
	s.grown()
	return e, err
}

func (s *Store) takeN(h *entities.Home, dst []Entity) (n int, err error) {
	n, err = s.ids.TakeN(h, dst)
	s.grown()
	return n, err
}

// grown has the commons read the records, which are its entries.
func (s *Store) grown() {
	if all := s.ids.Records(); len(all) > len(s.Commons.words.flat)+1 {
		s.Commons.words.flat = all[:len(all)-1]
		s.Commons.point()
	}
}

// ensure makes room for the entry of an index, one of more that are new. bound is one more than the
// largest index in use. Errors are the arena's. It chooses the form:
//
//	array, or bound ≤ rareSpan    array
//	fewer than 1 in rareOne       map
//	more                          the map becomes an array (flatten)
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

// flatten makes the entries an array that has index i and all indexes of the map. The argument dense
// means that most indexes have an entry. After an error the entries are a map, as before.
func (w *Words) flatten(i uint32, dense bool) error {
	w.array.SetDense(dense)
	top := i
	for k := range w.rare {
		top = max(top, k)
	}
	if err := w.array.Grow(top + 1); err != nil {
		return err
	}
	if err := w.array.Take(i); err != nil {
		return err
	}
	for k := range w.rare {
		if err := w.array.Take(k); err != nil {
			return err
		}
	}
	w.setFlat(w.array.Span(0))
	for k, v := range w.rare {
		w.set(k, v)
	}
	w.rare = nil
	return nil
}

// clearWritten makes entries 0. It reads each page first: a page that was never written stays out of
// memory, where a write would bring it in.
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

// reset forgets all entries, and gives back their memory if the system takes it. No row may be named
// by them any more.
func (w *Words) reset() {
	clearWritten(w.flat)
	if len(w.flat) > 0 {
		_, _ = w.array.Purge(func(lo, hi uint32) bool { return true }) // pages that the system does not take back stay, and read as zero
	}
	w.rare = nil
	w.setFlat(nil)
}
