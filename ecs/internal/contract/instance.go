package contract

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Instance binds an entity to a schema. It may be copied. It holds no address.
type Instance struct {
	entity store.Entity
	seen   clock.Rows // shifts when the word was read; 0: never, or it has ended
	row    uint64     // in its chunk of the schema's home
	page   uint64     // from the first chunk's bases to those of its chunk, in bytes
}

// Bind returns an instance, and whether the entity is alive and has what the schema asks for.
func (x *Schema) Bind(e store.Entity) (i Instance, ok bool) {
	i.entity = e
	ok = x.read(&i)
	return i, ok
}

// Entity is the one that is bound.
func (i *Instance) Entity() store.Entity { return i.entity }

// Row is the number of its row in the chunk of the schema's home.
func (i *Instance) Row() uint64 { return i.row }

// Seen tells whether an instance holds as far as it knows: it has been asked since shifts
// counted last.
func (i *Instance) Seen(shifts *clock.Rows) bool { return i.seen == *shifts }

// Valid tells whether the entity is alive and has all that the schema asks for. It costs what
// reading the entity's entry costs, or a compare if nothing has changed. Seen is that compare,
// inlined.
func (x *Schema) Valid(i *Instance) bool {
	if arena.Checked {
		x.verify(i)
	}
	if !x.shifts.Stale(i.seen) {
		return true
	}
	x.stats.Rechecks++
	was := *i
	ok := x.read(i)
	if !ok || was.seen == 0 || i.row != was.row || i.page != was.page {
		x.stats.Refreshes++
	}
	return ok
}

// verify panics if an instance holds by its count and not by what it would find: something
// has moved, removed or stored values otherwise, and was not counted.
func (x *Schema) verify(i *Instance) {
	if x.shifts.Stale(i.seen) {
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
	if x.valid != x.s.Version() {
		x.arrange()
	}
	i.seen = 0
	w := uint64(0)
	if x.home != nil {
		if w = x.home.Load(i.entity.Index()); !store.Names(w, i.entity) || !x.note(w) {
			return false
		}
	}
	l := store.LocOf(w)
	i.row = uint64(l.Index())
	i.page = uint64(l.Chunk()) * uint64(len(x.lanes)) * uint64(raw.WordBytes)
	for _, k := range x.odd {
		if l := &x.lanes[k]; l.away && !l.Optional && !l.C.Has(i.entity) {
			return false
		}
	}
	if !x.lent() {
		i.seen = *x.shifts
	}
	return true
}

// lent tells whether values of a component may be copies at this moment. Then an instance holds for
// one call.
func (x *Schema) lent() bool { return slices.ContainsFunc(x.comps, (*store.Component).Lent) }

// Base is the address of row 0 in an instance's chunk: of an instance that holds, and a lane
// in the schema's home. Lanes that have Ended have none.
func (l *Lane) Base(i *Instance) raw.Ptr {
	return raw.Kept(raw.As[raw.Word](raw.At(l.first, uintptr(i.page))))
}

// Ended tells whether the memory of all values has gone: see Schema.End.
func (l *Lane) Ended() bool { return l.first == nil }

// Seen tells whether an instance holds as far as it knows: it has been asked since the last
// change.
func (l *Lane) Seen(i *Instance) bool { return i.Seen(l.x.shifts) }

// Fill writes the addresses of an instance's values into the struct of pointers at into, if
// it holds: nil for optional ones that the entity lacks. It tells whether it does.
func (x *Schema) Fill(i *Instance, into raw.Ptr) bool {
	if arena.Checked {
		x.verify(i)
	}
	if x.shifts.Stale(i.seen) {
		return x.Valid(i) && x.fillAgain(i, into) // calls at the end, so that arguments stay in registers
	}
	row := uintptr(i.row)
	base := raw.At(raw.Data(x.bases), uintptr(i.page))
	shorts := x.shorts
	for k := range shorts {
		f := &shorts[k]
		raw.SetAddress(raw.At(into, uintptr(f.offset)), *raw.As[raw.Word](raw.At(base, uintptr(k)*raw.WordBytes))+row*uintptr(f.size))
	}
	if len(x.odd) > 0 {
		x.fillOdd(i, into)
	}
	return true
}

// fillAgain is Fill for an instance that holds, as Holds has just found.
func (x *Schema) fillAgain(i *Instance, into raw.Ptr) bool {
	if i.seen != 0 {
		return x.Fill(i, into)
	}
	for k := range x.lanes {
		if l := &x.lanes[k]; l.Filled {
			*raw.As[raw.Ptr](raw.At(into, l.Offset)) = l.C.Reach(i.entity, false)
		}
	}
	return true
}

// fillOdd is Fill for lanes that are away, or have no pointer.
func (x *Schema) fillOdd(i *Instance, into raw.Ptr) {
	for _, k := range x.odd {
		l := &x.lanes[k]
		if !l.Filled {
			continue
		}
		address := uintptr(0)
		if at, has := l.C.Loc(i.entity); has {
			address = raw.Address(l.C.At(at))
		}
		raw.SetAddress(raw.At(into, l.Offset), address)
	}
}

// Mark marks an instance's value as changed, wherever it is at this moment.
func (l *Lane) Mark(i *Instance) { l.C.Reach(i.entity, true) }

// Mark marks the components that are to be written.
func (x *Schema) Mark(i *Instance) {
	for k := range x.lanes {
		if l := &x.lanes[k]; l.Write {
			l.Mark(i)
		}
	}
}
