package contract

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Instance binds an entity to a schema. It may be copied. It has no address. It has four fields of one word each:
// so the compiler keeps one in registers, and no copy waits for stores of narrower fields.
type Instance struct {
	entity store.Entity
	seen   clock.Rows // of the row's table when the entry was read, and scattered; 0: never, or it has ended
	page   uint64     // from the first chunk's bases to the bases of its chunk, in bytes
	at     spot
}

// spot is a row of the schema's home: the row in its chunk in 16 bits, the chunk in 32, and in the lowest 8 the number of
// the clock that seen is of.
type spot uint64

func spotOf(l memmgr.Loc, clock uint8) spot {
	return spot(l.Row())<<48 | spot(l.Chunk())<<16 | spot(clock)
}

func (p spot) clock() uint8    { return uint8(p) }
func (p spot) row() uint64     { return uint64(p >> 48) }
func (p spot) loc() memmgr.Loc { return memmgr.MakeLoc(chunk.ID(p>>16), uint32(p.row())) }

// scattered is set in seen if some required component lies outside the home. So Seen, which is
// inlined, does not answer for it.
const scattered clock.Rows = 1 << 63

// Bind returns an instance, and whether the entity is alive and has the components of the schema.
func (x *Schema) Bind(e store.Entity) (i Instance, ok bool) {
	i.entity = e
	ok = x.read(&i)
	return i, ok
}

// Entity is the one that is bound.
func (i *Instance) Entity() store.Entity { return i.entity }

// Row is the number of its row in the chunk of the schema's home.
func (i *Instance) Row() uint64 { return uint64(i.at >> 48) }

// Seen tells whether an instance is valid by its own record: it has been asked since the clock of its
// table moved. It never does if components lie outside the home.
func (i *Instance) Seen(clocks *store.RowClocks) bool { return i.seen == clocks[uint8(i.at)] }

// still is Seen for the home's part of any instance.
func (x *Schema) still(i *Instance) bool { return i.seen&^scattered == x.clocks[i.at.clock()] }

// Valid tells whether the entity is alive and has all that the schema asks for. It costs a
// read of the entity's entry, or a compare if nothing has changed in its table. Seen is that
// compare, inlined. Required components outside the home cost a look-up each.
func (x *Schema) Valid(i *Instance) bool {
	if arena.Checked {
		x.verify(i)
	}
	if x.still(i) && (i.seen&scattered == 0 || x.hasAway(i.entity)) {
		return true
	}
	return x.again(i)
}

// again reads an entry again that may have changed. While reads are counted, that is where contracts are.
func (x *Schema) again(i *Instance) bool {
	x.stats.Rechecks++
	was := *i
	ok := x.read(i)
	if x.store.Counting() {
		x.count(i.entity, ok)
	}
	if !ok || was.seen == 0 || i.at.loc() != was.at.loc() {
		x.stats.Refreshes++
	}
	return ok
}

// count counts the values that a contract gives if it is valid.
func (x *Schema) count(e store.Entity, valid bool) {
	for k := range x.lanes {
		if l := &x.lanes[k]; valid && l.Filled && (!l.Optional || l.C.Has(e)) {
			l.C.Give()
		}
	}
}

// verify panics if an instance is valid by its clock and not by a new look: something
// has moved, removed or stored values otherwise, and was not counted.
func (x *Schema) verify(i *Instance) {
	if !x.still(i) || i.seen&scattered != 0 && !x.hasAway(i.entity) {
		return
	}
	now, n := Instance{entity: i.entity}, len(x.lanes)
	chunk := int(i.page) / (n * int(raw.WordBytes))
	x.were = append(x.were[:0], x.bases[chunk*n:][:n]...)
	x.noted[chunk] = 0 // so that addresses are looked up, too
	if !x.read(&now) || now != *i || !slices.Equal(x.were, x.bases[chunk*n:][:n]) {
		panic(fmt.Sprintf("ecs: a contract with %v would give another row's values: a change was not counted; report this", i.entity))
	}
}

// read reads the entry of the entity, and tells whether it has all.
func (x *Schema) read(i *Instance) bool {
	if x.valid != x.store.Version() {
		x.arrange()
	}
	i.seen = 0
	w := uint64(0)
	if x.home != nil {
		if w = x.home.Load(i.entity.Index()); !store.Names(w, i.entity) || !x.notes(w) && !x.note(w) || x.partly && !x.inRow(w) {
			return false
		}
	}
	l, clock := store.LocOf(w), uint8(0)
	if w != 0 {
		clock = x.store.RowClock(w)
	}
	i.at = spotOf(l, clock)
	i.page = uint64(l.Chunk()) * uint64(len(x.lanes)) * uint64(raw.WordBytes)
	if len(x.away) > 0 && !x.hasAway(i.entity) {
		return false
	}
	if !x.lent() {
		i.seen = x.clocks[clock]
		if len(x.away) > 0 {
			i.seen |= scattered
		}
	}
	return true
}

// hasAway tells whether an entity has the required components that lie outside the home.
func (x *Schema) hasAway(e store.Entity) bool {
	for _, l := range x.away {
		if !l.C.Has(e) {
			return false
		}
	}
	return true
}

// lent tells whether values in the home may be copies, now or soon. Then an instance is valid for one
// call. Components outside the home are found by Reach, which knows of copies.
func (x *Schema) lent() bool {
	return x.store.Lends() && slices.ContainsFunc(x.near, func(l *Lane) bool { return l.C.MayLend() })
}

// Page is where the bases of its chunk are: see Lane.Base.
func (i *Instance) Page() uintptr { return uintptr(i.page) }

// Base is the address of row 0 in a chunk: given the Page of a valid instance, of a lane
// in the schema's home. Lanes that have Ended have none.
func (l *Lane) Base(page uintptr) raw.Ptr { return raw.Kept(raw.As[raw.Word](raw.At(l.first, page))) }

// Ended tells whether the memory of all values has gone: see Schema.End.
func (l *Lane) Ended() bool { return l.first == nil }

// Seen tells whether an instance is valid by its own record: it has been asked since the last
// change.
func (l *Lane) Seen(i *Instance) bool { return l.x.still(i) }

// Fill writes the addresses of an instance's values into the struct of pointers at into, if
// it is valid: nil for optional ones that the entity lacks. It tells whether it is.
func (x *Schema) Fill(i *Instance, into raw.Ptr) bool {
	if arena.Checked {
		x.verify(i)
	}
	if !i.Seen(x.clocks) {
		return x.fillAgain(i, into) // a call at the end, so that arguments stay in registers
	}
	x.fillNear(uintptr(i.page), uintptr(i.at.row()), into)
	if len(x.odd) > 0 {
		x.fillOdd(i.entity, into)
	}
	return true
}

// fillNear writes the addresses of a row's values in the home.
func (x *Schema) fillNear(page, row uintptr, into raw.Ptr) {
	base := raw.At(raw.Data(x.bases), page)
	shorts := x.shorts
	for k := range shorts {
		f := &shorts[k]
		raw.SetAddress(raw.At(into, uintptr(f.offset)), *raw.As[raw.Word](raw.At(base, uintptr(k)*raw.WordBytes))+row*uintptr(f.size))
	}
}

// fillAgain is Fill for an instance that has to be looked at.
func (x *Schema) fillAgain(i *Instance, into raw.Ptr) bool {
	if !(x.still(i) && i.seen&scattered != 0) && !x.again(i) {
		return false
	}
	if i.seen == 0 { // some value may be a copy
		for _, l := range x.near {
			if l.Filled {
				*raw.As[raw.Ptr](raw.At(into, l.Offset)) = l.C.Reach(i.entity, false)
			}
		}
	} else {
		x.fillNear(uintptr(i.page), uintptr(i.at.row()), into)
	}
	return x.fillOdd(i.entity, into) || x.again(i)
}

// fillOdd is Fill for lanes outside the home. It tells whether the entity has the required ones.
func (x *Schema) fillOdd(e store.Entity, into raw.Ptr) bool {
	for _, l := range x.odd {
		at := l.C.Reach(e, false)
		if at == nil && !l.Optional {
			return false
		}
		if l.Filled {
			*raw.As[raw.Ptr](raw.At(into, l.Offset)) = at
		}
	}
	return true
}

// Mark marks an instance's value as changed, wherever it is at this moment. In the home of an instance
// that is valid, it costs a stamp and no look-up.
func (l *Lane) Mark(i *Instance) {
	if l.far || !l.x.still(i) {
		l.C.Reach(i.entity, true)
		return
	}
	l.C.Written(i.entity, i.at.loc())
}

// Mark marks the components that are to be written.
func (x *Schema) Mark(i *Instance) {
	for _, l := range x.writes {
		l.Mark(i)
	}
}
