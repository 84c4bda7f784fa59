package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

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
