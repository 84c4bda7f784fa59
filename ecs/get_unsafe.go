package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Get returns the value of an entity's component for reading, or nil if the
// entity is not alive or lacks it. The address is good until the next safe point
// or structural change, and within a system or loop that goes over the component until the call or
// turn ends. It costs three loads and no call for a value in a fixed column, and a
// call for other values and where there is none. (Its form fits the compiler's budget for
// inlining. That is why it is here and not in package raw: one call more is above it.)
func (p *Pool[T]) Get(e Entity) (v *T) {
	if arena.Checked {
		p.core().mustReach("Get", false)
	}
	return (*T)((*memmgr.Directory)(unsafe.Pointer(p)).Lookup(store.Find, uint64(e), uint64(unsafe.Sizeof(*v))))
}

// Get is Pool.Get, and is inlined as that is. A test for a Look that nothing made has no room there. So the zero Look is Go's
// own panic, of a nil pointer, and names itself in checked builds alone.
func (l Look[T]) Get(e Entity) (v *T) {
	if arena.Checked {
		l.p.look("Get").mustReach("Get", false)
	}
	return (*T)((*memmgr.Directory)(unsafe.Pointer(l.p)).Lookup(store.Find, uint64(e), uint64(unsafe.Sizeof(*v))))
}

// Get returns the value that an entity had, or nil if it is not alive or lacks the component. It is for reading, and good
// until the function returns. It costs as much as Pool.Get. The zero Prior is Go's own panic, as the zero Look is.
func (b Prior[T]) Get(e Entity) (v *T) {
	if arena.Checked && b.b == nil {
		panic(unmade{"Prior", "Get"})
	}
	return (*T)((*memmgr.Directory)(unsafe.Pointer(b.b)).Lookup(store.FindPrior, uint64(e), uint64(unsafe.Sizeof(*v))))
}

// Mut is Get for writing: it marks the chunk's column as changed. The pointer is good until the next
// safe point or structural change. Inside a system or a loop over a query that has the component,
// it is good until the function returns, or the turn of the loop ends: it may be that of a copy.
// It costs as much as Get, and a call for the first value of a chunk that a system or loop reaches.
//
// If the struct of the system or query has a field of the component, its slice is a copy. A write
// through the pointer shows there from the next call of a pool of the component on that finds its entity. If
// both have written within one batch, the pointer's value stays. Set shows at once.
func (p *Pool[T]) Mut(e Entity) (v *T) {
	if arena.Checked {
		p.core().mustReach("Mut", true)
	}
	return (*T)((*memmgr.Directory)(unsafe.Pointer(p)).LookupMarked(store.FindMut, uint64(e), uint64(unsafe.Sizeof(*v))))
}

// Has tells whether an entity is alive and has the component. It costs as much as Get.
func (p *Pool[T]) Has(e Entity) bool {
	if arena.Checked {
		p.core().mustReach("Has", false)
	}
	return (*memmgr.Directory)(unsafe.Pointer(p)).Lookup(store.FindHas, uint64(e), 0) != nil
}

// The common part of each type is its only field that takes room, and its methods stand in for the ones of the type: of a nil
// pointer it is nil. Such methods are compiled once, and methods of a generic type for each argument, several times.

func (p *Pool[T]) core() *pool       { return (*pool)(unsafe.Pointer(p)) }
func (q *Query[S]) core() *query     { return (*query)(unsafe.Pointer(q)) }
func (s *Spawner[S]) core() *spawner { return (*spawner)(unsafe.Pointer(s)) }

var _ [0]byte = [unsafe.Offsetof(Pool[int]{}.pool) + unsafe.Offsetof(pool{}.c)]byte{} // so that a pool begins with its directory
var _ [0]byte = [unsafe.Offsetof(Query[int]{}.query) + unsafe.Offsetof(Spawner[int]{}.spawner)]byte{}

// Field reaches one component through contracts of type S; see FieldOf. It is for the few
// places where Schema.Get costs too much: Valid and At are inlined where they are called.
type Field[S, T any] struct{ l *contract.Lane }

// At returns the value of a contract that holds, for reading. Schema.Valid must have said that
// it does since the last structural change: checked builds panic if not, others return the
// address of some value. The address is good until the next safe point or structural change.
// It costs two loads. After Close it returns nil, as it does if FieldOf was refused. (It is here for the same reason as Pool.Get.)
func (f Field[S, T]) At(c *Contract[S]) (v *T) {
	page, row := c.i.Page(), c.i.Row()*uint64(unsafe.Sizeof(*v)) // before the branch: several calls share them
	if f.l.Ended() {
		return nil
	}
	if arena.Checked && !f.l.Seen(&c.i) {
		panic("ecs: Field.At of a contract that may not hold any more: ask Schema.Valid first, and again after each structural change")
	}
	return (*T)(unsafe.Add(f.l.Base(page), row))
}

// inlined is never called. A program that uses this package can inline the callees of Get, Mut, At and Valid, in packages that it does not import itself, only because something here that is not
// generic does so, too. That is when the compiler passes their bodies on.
func inlined(d *memmgr.Directory, e Entity, clocks *store.RowClocks, l *contract.Lane, i *contract.Instance) (get, mut unsafe.Pointer, seen bool, base unsafe.Pointer, row uint64) {
	return d.Lookup(store.Find, uint64(e), 8), d.LookupMarked(store.FindMut, uint64(e), 8), i.Seen(clocks) && !l.Ended(), l.Base(i.Page()), i.Row()
}

var _ = inlined
