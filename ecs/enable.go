package ecs

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/queue"
)

// SetEnabled disables the component of an entity, or enables it again. Queries and systems
// pass over entities that have it disabled, as if they lacked it; Present and Disabled ask
// for them. Get, Mut, Has, Len and All see the value as ever. No row moves, and the value
// stays. A component is enabled when it is added. It returns ErrStale or ErrAbsent. It costs
// a bit, and one more for each table where the entity has a row. See docs/design/enable.md.
func (p *Pool[T]) SetEnabled(e Entity, on bool) error {
	return p.core().setEnabled(e, on)
}

func (p *pool) setEnabled(e Entity, on bool) error {
	w := p.made("SetEnabled").world
	w.enter(callSetEnabled)
	err := w.base.Store.SetEnabled(&p.component, e, on)
	w.exit()
	return w.inEcs(err)
}

// Enabled tells whether an entity is alive and has the component, and not disabled. Whether
// the entity is disabled as a whole is another thing: see World.Enabled.
func (p *Pool[T]) Enabled(e Entity) bool {
	return p.core().enabled(e)
}

func (p *pool) enabled(e Entity) bool {
	p.made("Enabled")
	if arena.Checked {
		p.mustReach("Enabled", false)
	}
	return p.component.Enabled(e)
}

// SetEnabled disables an entity as a whole, or enables it again. All queries and systems pass
// over it, unless they have a field Present[Entity] or
// Disabled[Entity]. Nothing else changes: it stays alive and keeps its components. Its disabled
// components stay disabled. It returns ErrStale.
func (w *World) SetEnabled(e Entity, on bool) error {
	if w.made("SetEnabled").refused != nil {
		return w.refused
	}
	w.enter(callSetEnabled)
	err := w.base.Store.SetEnabled(nil, e, on)
	w.exit()
	return w.inEcs(err)
}

// Enabled tells whether an entity is alive, and not disabled as a whole.
func (w *World) Enabled(e Entity) bool { return w.made("Enabled").base.Store.Enabled(e) }

func switching(on bool) queue.Op {
	if on {
		return queue.Enable
	}
	return queue.Disable
}
