package contract

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/arena"
)

// Instance binds an entity to a schema. It may be copied. It holds no address.
type Instance struct {
	entity store.Entity
	seen   uint64 // shifts when the word was read; 0: never
	word   uint64 // of the schema's home
	page   uint64 // from the first chunk's bases to those of its chunk, in bytes
}

// Bind returns an instance, and whether the entity is alive and has what the schema asks for.
func (x *Schema) Bind(e store.Entity) (i Instance, ok bool) {
	i.entity = e
	ok = x.read(&i)
	return i, ok
}

// Entity is the one that is bound.
func (i *Instance) Entity() store.Entity { return i.entity }

// Word is that of the row in the schema's home.
func (i *Instance) Word() uint64 { return i.word }

// Holds tells whether the entity is alive and has all that the schema asks for. It costs a
// compare while nothing changes, otherwise what reading the entity's word costs.
func (x *Schema) Holds(i *Instance) bool {
	if arena.Checked {
		x.verify(i)
	}
	return i.seen == *x.shifts || x.renew(i)
}

// verify panics if an instance holds by its count and not by what it would find: something
// has moved, removed or stored values otherwise, and was not counted.
func (x *Schema) verify(i *Instance) {
	if i.seen != *x.shifts {
		return
	}
	now, chunk, n := Instance{entity: i.entity}, int(store.LocOf(i.word).Chunk()), len(x.lanes)
	x.were = append(x.were[:0], x.bases[chunk*n:][:n]...)
	x.noted[chunk] = 0 // so that addresses are looked up, too
	if !x.read(&now) || now.word != i.word || !slices.Equal(x.were, x.bases[chunk*n:][:n]) {
		panic(fmt.Sprintf("ecs: a contract with %v would give another row's values: a change was not counted; report this", i.entity))
	}
}

// renew is Holds after something has changed.
func (x *Schema) renew(i *Instance) bool {
	x.stats.Rechecks++
	was := i.word
	ok := x.read(i)
	if !ok || i.word != was {
		x.stats.Refreshes++
	}
	return ok
}

// read reads the word of the entity, and tells whether it has all.
func (x *Schema) read(i *Instance) bool {
	if x.valid != x.s.Version() {
		x.arrange()
	}
	i.seen = 0
	for k := range x.lanes {
		if c := x.lanes[k].C; c.Sealed > 0 {
			c.Words.Load(i.entity.Index()) // faults, and the walk that sealed it says why
		}
	}
	w := x.home.Load(i.entity.Index())
	i.word = w
	if !store.Names(w, i.entity) || !x.note(w) {
		return false
	}
	i.page = uint64(store.LocOf(w).Chunk()) * uint64(len(x.lanes)) * uint64(raw.WordBytes)
	for k := range x.lanes {
		if l := &x.lanes[k]; l.away && !l.Optional && !l.C.Has(i.entity) {
			return false
		}
	}
	i.seen = *x.shifts
	return true
}

// Base is the address of row 0 in an instance's chunk: of an instance that holds, and a lane
// in the schema's home.
func (l *Lane) Base(i *Instance) raw.Ptr {
	return raw.Kept(raw.As[raw.Word](raw.At(l.first, uintptr(i.page))))
}

// Seen tells whether an instance holds as far as it knows: it has been asked since the last
// change.
func (l *Lane) Seen(i *Instance) bool { return i.seen == *l.x.shifts }

// Fill writes the addresses of an instance's values into the struct of pointers at into, if
// it holds: nil for optional ones that the entity lacks. It tells whether it does.
func (x *Schema) Fill(i *Instance, into raw.Ptr) bool {
	if arena.Checked {
		x.verify(i)
	}
	if i.seen != *x.shifts && !x.renew(i) {
		return false
	}
	row := store.LocOf(i.word).Index()
	base := raw.At(raw.Data(x.bases), uintptr(i.page))
	for k := range x.shorts {
		f := &x.shorts[k]
		if f.odd {
			x.fillOdd(k, i, into)
			continue
		}
		raw.SetAddress(raw.At(into, uintptr(f.offset)), *raw.As[raw.Word](raw.At(base, uintptr(k)*raw.WordBytes))+row*uintptr(f.size))
	}
	return true
}

// fillOdd is Fill for a lane that is away, or has no pointer.
func (x *Schema) fillOdd(k int, i *Instance, into raw.Ptr) {
	l := &x.lanes[k]
	if !l.Filled {
		return
	}
	if at, has := l.C.Loc(i.entity); has {
		raw.SetAddress(raw.At(into, l.Offset), raw.Address(l.C.At(at)))
	} else {
		raw.SetAddress(raw.At(into, l.Offset), 0)
	}
}

// Mark marks an instance's value as changed.
func (l *Lane) Mark(i *Instance) {
	if at, has := l.C.Loc(i.entity); has {
		l.C.Written(i.entity, at)
	}
}

// Mark marks the components that are to be written.
func (x *Schema) Mark(i *Instance) {
	for k := range x.lanes {
		if l := &x.lanes[k]; l.Write {
			l.Mark(i)
		}
	}
}

// Lent is a component that is to be written while values of it are gathered; nil if there is
// none.
func (x *Schema) Lent() *store.Component {
	for k := range x.lanes {
		if l := &x.lanes[k]; l.Write && l.C.Lent > 0 {
			return l.C
		}
	}
	return nil
}
