package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Get returns the value of an entity's component for reading, or nil if the
// entity is not alive or lacks it. The address is good until the next safe point
// or structural change, and within a system or loop that goes over the component until the call or
// turn ends. It costs three loads that wait for each other, and no call, for a value in a fixed column, and a
// call for other values and where there is none. (Its form fits the compiler's budget for
// inlining. That is why it is here and not in package raw: one call more is above it.)
func (p *Pool[T]) Get(e Entity) (v *T) {
	if arena.Checked {
		p.core().mustReach("Get", false)
	}
	return (*T)((*memmgr.Directory)(unsafe.Pointer(p)).Lookup(store.Find, uint64(e), uint64(unsafe.Sizeof(*v))))
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

// core is the common part of pools of all types: the only field that takes room, so that of a nil pointer it is nil. Its methods
// stand in for the ones of Pool. They are compiled once, and methods of a generic type for each argument, several times.
func (p *Pool[T]) core() *pool { return (*pool)(unsafe.Pointer(p)) }

var _ [0]byte = [unsafe.Offsetof(Pool[int]{}.pool) + unsafe.Offsetof(pool{}.component)]byte{} // so that a pool begins with its directory

// inlined is never called. A program that uses this package can inline the callees of Get, Mut, At, Valid and Query.Get, in packages that it does not import itself, only because something here that is not
// generic does so, too. That is when the compiler passes their bodies on.
func inlined(d *memmgr.Directory, e Entity, clocks *store.RowClocks, l *contract.Lane, i *contract.Instance, p *contract.Point) (get, mut unsafe.Pointer, seen bool, base unsafe.Pointer, row uint64) {
	if w := p.Entry(e); w > 0 {
		if x, row := p.Known(w, e), store.RowOf(w); x.All() || x.Tested() && x.Has(row) {
			return p.One(x, row), p.Two(x, row), true, raw.Of(x), 0
		}
	}
	return d.Lookup(store.Find, uint64(e), 8), d.LookupMarked(store.FindMut, uint64(e), 8), i.Seen(clocks) && !l.Ended(), l.Base(i.Page()), i.Row()
}

var _ = inlined
