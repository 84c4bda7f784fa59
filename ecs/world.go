package ecs

import (
	"errors"
	"fmt"
	"iter"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/order"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/shared"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// owner is whom a world's manager belongs to, in the words of its Close.
const owner = "an ecs.World, which World.Close closes with it"

// bare makes a world that goes by a layout: all but the parts that New adds for systems.
func bare(o Options, l layout.Layout) (*World, error) {
	m, err := memmgr.New(o.Memory)
	if err != nil {
		return nil, fmt.Errorf("ecs: %w", err)
	}
	if err := m.Adapt(o.Adapt.With(l)); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	w := &World{options: o, names: newNames(), layout: l}
	w.disown = m.Own(owner, w.under)
	b := &w.base
	b.Manager, b.RunLength, b.PieceRows, b.Guard = m, o.runLength, o.pieceRows, o.Memory.Stress || arena.Checked
	w.systems, w.sorters, w.views = schedule.New(b), order.NewSorters(b), shared.New(b)
	w.systems.Clock = schedule.Clock{Step: o.FixedStep, Most: o.MaxSteps}
	b.Store = store.New(m, store.Options{
		MaxEntities: o.MaxEntities, Tag: o.Tag, FIFO: o.FIFO, Visits: w.systems.Visits,
	})
	w.commands.world, w.late.world = w, w
	return w, nil
}

// end gives all memory back. After an error nothing has changed.
func (w *World) end() error {
	w.disown()
	if err := w.base.Manager.Close(); err != nil {
		w.disown = w.base.Manager.Own(owner, w.under)
		return fmt.Errorf("ecs: %w", err)
	}
	w.closed = true
	if w.systems.Crew != nil {
		w.systems.Crew.Close()
	}
	w.base.Store.Forget()
	w.names.groups, w.names.owners, w.names.mistakes, w.names.events = nil, nil, nil, nil
	for _, s := range w.names.schemas {
		s.End()
	}
	w.systems.Clear()
	w.sorters.Forget()
	w.views.Forget()
	return nil
}

// Manager returns the memory manager, for statistics, and for sequences of the program's own. Its
// safe points panic while a query or system iterates.
func (w *World) Manager() *memmgr.Manager {
	return w.made("Manager").base.Manager
}

// Len is the number of live entities.
func (w *World) Len() int {
	w.made("Len")
	if arena.Checked {
		w.watched.MustNot("Len")
	}
	return w.base.Store.Len()
}

// Frame is the number of frames that Run has finished.
func (w *World) Frame() uint64 { return w.made("Frame").base.Frame }

// Alive tells whether a handle is of a live entity of this world. Entities of
// another world with the same Tag can't be told apart from this one's.
func (w *World) Alive(e Entity) bool { return w.made("Alive").base.Store.Alive(e) }

// Spawn makes an entity without components. Errors are the arena's: the limit on
// entities or memory; nothing has changed then.
func (w *World) Spawn() (Entity, error) {
	if w.made("Spawn").closed {
		return 0, w.over()
	}
	was := w.doing
	if was != 0 && w.base.Walks.Busy == "" || w.base.Store.Hearing() != nil {
		w.mustEnter(callSpawn)
	}
	// Otherwise entities may be spawned while something iterates.
	w.mustPromiseNone("Spawn", "give its struct a field of type *ecs.Commands, and call Spawn of that; the handle is known at once")
	w.doing = callSpawn
	e, err := w.base.Store.Spawn()
	w.doing = was
	return e, w.inEcs(err)
}

// Destroy removes an entity and all its components. It returns ErrStale if it is
// not alive, and ErrLocked if a Lock holds it. Its cost grows with the components of the entity, not with
// the registered ones.
func (w *World) Destroy(e Entity) error {
	if w == nil || w.base.Store == nil {
		panic(unmade{"World", "Destroy"})
	}
	if w.refused != nil {
		return w.refused
	}
	w.enter(callDestroy)
	err := w.base.Store.Destroy(e)
	w.exit()
	return w.inEcs(err)
}

// Reset destroys all entities, locked ones too; their handles become stale, and the lowest
// indexes are used first from then on. It costs a pass over the records and over rows.
func (w *World) Reset() {
	w.made("Reset").enter(callReset)
	w.base.Store.Clear()
	w.exit()
}

// All iterates over the live entities by index. The world must not change
// meanwhile.
func (w *World) All() iter.Seq[Entity] {
	w.made("All").mustPromiseNone("All", "leave the option out, or give its struct a field *ecs.Query")
	return w.base.Store.All()
}

// Purge gives back memory of a peak: pages of entries of groups and thin components that name no row, spare chunks
// and free memory of chunks. Records of entities stay. It returns the bytes given back. It costs a pass over the
// entries.
func (w *World) Purge() (freed uint64, err error) {
	if w.made("Purge").closed {
		return 0, w.over()
	}
	w.enter(callPurge)
	defer w.exit()
	freed, err = w.base.Store.Shrink()
	if err == nil {
		var n uint64
		n, err = w.base.Manager.Reclaim(^uint64(0))
		freed += n
	}
	return freed, w.inEcs(err)
}
