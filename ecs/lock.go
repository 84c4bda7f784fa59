package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Lock keeps entities as they are for code that depends on them. While an entity is held,
// it can't be destroyed and can't lose the lock's components: such calls return a
// ErrLocked. Components can be added and values written, and the entity's rows move as
// ever. A lock may hold any number of entities, for any number of holders. A Lock comes from
// World.NewLock and lives as long as its world. See docs/design/locks.md.
type Lock struct {
	w *World
	l store.Lock
}

// NewLock makes a lock that keeps the components of the given pools; none: all components.
// Locks may have equal names, which errors and listings show. NewLock panics for a pool of
// another world. A lock of a pool that was refused holds nothing.
func (w *World) NewLock(name string, pools ...AnyPool) *Lock {
	l := &Lock{w: w.made("NewLock"), l: store.Lock{Name: name}}
	for _, p := range pools {
		c := coreOf(p)
		switch {
		case c == nil:
			panic(fmt.Sprintf("ecs: NewLock %q is given a pool that is nil or the zero value: pools come from ecs.Register", name))
		case c.world.refused != nil:
			l.w = c.world // Hold says why
			continue
		case c.world != w:
			panic(fmt.Sprintf("ecs: NewLock %q is given pool %q of another world: give pools of the lock's world", name, c.component.Name))
		}
		l.l.Comps = append(l.l.Comps, &c.component)
	}
	return l
}

// Hold holds an entity on behalf of a holder, until Release was called as often for the same
// holder. Holders do not affect each other. Hold returns ErrStale if the
// entity is not alive, or is about to be destroyed, as an observer hears. It takes effect at once, and may be called while
// queries and systems iterate.
func (l *Lock) Hold(e Entity, holder string) error {
	w := l.made("Hold").w
	return w.inEcs(w.base.Store.Hold(&l.l, e, holder))
}

// Release ends one call of Hold. It returns ErrStale if the entity is not alive, as after
// World.Reset. It panics if the lock does not hold the entity for that holder: some other
// code would lose its hold.
func (l *Lock) Release(e Entity, holder string) error {
	w := l.made("Release").w
	return w.inEcs(w.base.Store.Release(&l.l, e, holder))
}

func (l *Lock) made(call string) *Lock {
	if l == nil || l.w == nil {
		panic(unmade{"Lock", call})
	}
	return l
}
