package store

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// A component that an entity has may be disabled, and so may an entity as a whole. Values
// stay where they are. A disabled component is a bit an index, which follows an entity
// wherever its rows go. Queries need it by row:
//
//	disabled   index 3: 1        rows of a chunk   e7 e3 e9 …
//	           index 7: 0        bits              0  1  0  …   found again for chunks whose
//	           …                                               rows have changed since
//
// So whatever moves rows need not know of it, and a store where nothing is disabled does
// nothing for it.

// good tells whether the bits are valid for the rows of the chunk, by the stamp of the entity column.
// Rows that are appended, moved or closed up stamp it.
func (k *disabledChunk) good(stamp uint64) bool { return !clock.Values(stamp).Stale(k.built) }

// disabledOf returns the set of entities that have a component disabled; for nil, the set of
// entities that are disabled as a whole.
func (s *Store) disabledOf(c *Component) *disabled {
	if c == nil {
		return &s.asleep
	}
	return &c.disabled
}

// SetEnabled enables or disables a component of an entity; nil: the entity as a whole. It returns
// ErrStale or ErrAbsent. No row moves. Queries see it from their next walk on. Locks do not prevent
// it.
func (s *Store) SetEnabled(c *Component, e Entity, on bool) error {
	switch {
	case c == nil && !s.Alive(e):
		return ErrStale
	case c != nil && !c.Has(e):
		return s.lacks(e)
	}
	if s.switchOne(c, e, on) {
		s.switched(c, e, on)
	}
	s.manager.Advance() // so that caches made from now on are good for longer than this tick
	s.done()
	return nil
}

// switchOne is SetEnabled for an entity that has the component. It tells whether the bit has changed.
// It keeps these in step: the bit by index, disabledAll, guarded, and bits by row that are cached.
func (s *Store) switchOne(c *Component, e Entity, on bool) bool {
	d := s.disabledOf(c)
	if !d.set(e.Index(), s.Bound(), !on) {
		return false
	}
	if !d.used { // plans of queries are made again, with a test of the bit
		d.used = true
		s.disables = append(s.disables, d)
		s.ways++
	}
	if on {
		s.plainly(&s.disabledAll, -1)
	} else {
		s.plainly(&s.disabledAll, 1)
	}
	s.guardAgain(e.Index())
	s.eachRow(e, func(l memmgr.Loc) { s.tableAt(l).disable(d, l, !on) })
	return true
}

// eachRow calls f with the rows of an entity: in the commons, in the group of its index, and those
// that planes note. It costs a step for each component of the entity.
func (s *Store) eachRow(e Entity, f func(l memmgr.Loc)) {
	i := e.Index()
	for _, words := range [...]*Words{&s.Commons.words, s.kinOf(e)} {
		if words == nil {
			continue
		}
		if w := words.Load(i); Names(w, e) {
			f(locOf(w))
		}
	}
	for _, p := range s.planes {
		for set := p.sets.Load(i); set != 0; set &= set - 1 {
			f(locOf(p.words(set).Load(i)))
		}
	}
}

// Enabled tells whether an entity is alive and not disabled as a whole.
func (s *Store) Enabled(e Entity) bool { return s.Alive(e) && !s.asleep.has(e.Index()) }

// Enabled tells whether an entity has the component, and not disabled.
func (c *Component) Enabled(e Entity) bool { return c.Has(e) && !c.disabled.has(e.Index()) }

// Disables tells whether the component was ever disabled.
func (c *Component) Disables() bool { return c.disabled.used }

// Disabled is how many have a component disabled; nil: how many entities are.
func (s *Store) Disabled(c *Component) int { return s.disabledOf(c).n }

// Disables tells whether anything is disabled.
func (s *Store) Disables() bool { return s.disabledAll > 0 }

// disable changes the bit of a row in the cache, if the bits of its chunk are good. Otherwise the next
// Disabled finds them from the rows. The bit must differ from to.
func (t *Table) disable(d *disabled, l memmgr.Loc, to bool) {
	x := t.disabledRows(d)
	i := t.store.manager.Order(l.Chunk())
	if x == nil || i >= len(x.chunks) {
		return
	}
	k := &x.chunks[i]
	if !k.good(t.store.IDs.CellOf(l).Stamp) {
		return
	}
	at, mask := t.bit(l)
	if x.Bits[at] ^= mask; to {
		k.count++
	} else {
		k.count--
	}
}

// disabledRows returns the cache of a set for this table; nil if no query has asked for it.
func (t *Table) disabledRows(d *disabled) *disabledRows {
	for _, x := range t.disables {
		if x.of == d {
			return x
		}
	}
	return nil
}

// Disabled returns the rows of entities that have a component disabled, wherever it is stored.
// For nil it returns the rows of entities that are disabled as a whole. The result is nil if the set
// has no entity. It is good until rows or disabled bits change. It costs a look at each chunk. Chunks that
// were stamped since the last call cost a look at each row, or one at each disabled entity if these are few.
func (t *Table) Disabled(c *Component) *Opt {
	d := t.store.disabledOf(c)
	if d.n == 0 {
		return nil
	}
	x := t.disabledRows(d)
	if x == nil {
		x = &disabledRows{Opt: Opt{C: c}, of: d}
		t.disables = append(t.disables, x)
	}
	// Chunks beyond the old length have built 0, and so are not good.
	x.chunks = fit(x.chunks, t.Seq.ChunkCount())
	x.Bits = fit(x.Bits, t.Seq.ChunkCount()*t.stride)
	x.Count = 0
	stale, now := 0, clock.Values(t.store.manager.Tick())
	for i := range x.chunks {
		k := &x.chunks[i]
		id, n := t.Seq.Chunk(i)
		if k.stale = !k.good(t.store.IDs.Cell(id).Stamp); k.stale {
			*k = disabledChunk{built: now, stale: true}
			stale += n
		}
	}
	byEntity := fewDisabled(d.n, len(d.bits), stale)
	if byEntity {
		t.placeDisabled(x)
	}
	for i := range x.chunks {
		k := &x.chunks[i]
		if k.stale && !byEntity {
			id, n := t.Seq.Chunk(i)
			k.count = t.findDisabled(x.Bits[i*t.stride:][:t.stride], d, id, n)
		}
		x.Count += k.count
	}
	return &x.Opt
}

// fewDisabled tells whether so many entities are found faster one by one than among so many rows: whether there are fewer
// than words of bits by row. Finding one by its index takes as long as 14 rows, and more if its entry is in no cache. A word
// of the bits by index takes less than a row (go test -run - -bench Disabled ./ecs/internal/store).
func fewDisabled(entities, words, rows int) bool { return entities+words/64 < rows/64 }

// placeDisabled finds the bits of stale chunks by entity.
func (t *Table) placeDisabled(x *disabledRows) {
	for i := range x.chunks {
		if x.chunks[i].stale {
			clear(x.Bits[i*t.stride:][:t.stride])
		}
	}
	place := func(l memmgr.Loc) {
		if t.store.tableAt(l) != t {
			return
		}
		if k := &x.chunks[t.store.manager.Order(l.Chunk())]; k.stale {
			at, mask := t.bit(l)
			x.Bits[at] |= mask
			k.count++
		}
	}
	for i, m := range x.of.bits {
		for ; m != 0; m &= m - 1 {
			t.store.eachRow(t.store.ids.At(uint32(i*64+trailingZeros(m))), place)
		}
	}
}

// findDisabled writes the bits of a chunk's n rows to the words to, and returns how many are set.
// Words behind the last row become 0.
func (t *Table) findDisabled(to []uint64, d *disabled, id chunk.ID, n int) (count int) {
	es := t.store.Entities(id, n)
	for i := range to {
		var m uint64
		for k, e := range es[:min(64, len(es))] {
			if w := int(e.Index() / 64); w < len(d.bits) {
				m |= d.bits[w] >> (e.Index() % 64) & 1 << k
			}
		}
		to[i] = m
		count += bits.OnesCount64(m)
		es = es[min(64, len(es)):]
	}
	return count
}

// enableAll clears all bits of an entity that is being destroyed. Its rows go as well, so caches need
// no update. The next entity of the index begins enabled.
func (s *Store) enableAll(e Entity) {
	for _, d := range s.disables {
		if d.set(e.Index(), 0, false) {
			s.plainly(&s.disabledAll, -1)
		}
	}
	s.guarded.set(e.Index(), 0, false)
}

// shrinkDisabled frees the bits of components that no entity has disabled any more, and their caches.
// The mark used stays, because plans of queries have the test.
func (s *Store) shrinkDisabled() {
	for _, d := range s.disables {
		if d.n == 0 {
			d.bits = nil
		}
	}
	for _, d := range []*indexSet{&s.guarded, &s.others} {
		if d.n == 0 {
			d.bits = nil
		}
	}
	for t := range s.Tables() {
		t.disables = slices.DeleteFunc(t.disables, func(x *disabledRows) bool { return x.of.n == 0 })
	}
}

// checkDisabled proves that disabled bits are of entities that have the component, and that all counts
// fit. It also compares cached bits by row with the bits by index.
func (s *Store) checkDisabled() error {
	all := 0
	for _, c := range append([]*Component{nil}, s.comps...) {
		d, n := s.disabledOf(c), 0
		name := "as a whole"
		if c != nil {
			name = fmt.Sprintf("component %q", c.Name)
		}
		for i, m := range d.bits {
			for ; m != 0; m &= m - 1 {
				n++
				e := s.ids.At(uint32(i*64 + trailingZeros(m)))
				if e == 0 || c != nil && !c.Has(e) || !s.guards(e) {
					return fmt.Errorf("index %d is disabled, %s, and lacks it, or is not guarded", i*64+trailingZeros(m), name)
				}
			}
		}
		if n != d.n {
			return fmt.Errorf("%d are disabled, %s, and %d are counted", n, name, d.n)
		}
		all += n
	}
	if all != s.disabledAll {
		return fmt.Errorf("%d are disabled in all, and %d are counted", all, s.disabledAll)
	}
	for _, t := range s.tables {
		if t == nil {
			continue
		}
		for _, x := range t.disables {
			if err := x.check(t); err != nil {
				return fmt.Errorf("table %q: %w", t.Seq.Name(), err)
			}
		}
	}
	return nil
}

// check finds the bits of good chunks again, and compares. Chunks that are stale may have any bits.
func (x *disabledRows) check(t *Table) error {
	fresh := make([]uint64, t.stride)
	for i := range min(len(x.chunks), t.Seq.ChunkCount()) {
		id, n := t.Seq.Chunk(i)
		k := &x.chunks[i]
		if !k.good(t.store.IDs.Cell(id).Stamp) {
			continue
		}
		if count := t.findDisabled(fresh, x.of, id, n); count != k.count {
			return fmt.Errorf("chunk %d has %d disabled rows, and %d are counted", i, count, k.count)
		}
		for j, m := range fresh {
			if x.Bits[i*t.stride+j] != m {
				return fmt.Errorf("chunk %d has disabled rows %#x from %d on, and bits %#x", i, m, j*64, x.Bits[i*t.stride+j])
			}
		}
	}
	return nil
}
