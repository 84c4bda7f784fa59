package ecs

import "iter"

// Held is an entity as a lock holds it: for inspectors.
type Held struct {
	Entity Entity
	// Lock and Holder are the names of the lock and of its holder.
	Lock, Holder string
	// Components are the names of the components that stay; nil if all do.
	Components []string
	// Count is how many calls of Release end it.
	Count int
}

// Locks iterates over holds: of the given entities, or of all in the order of their
// indexes. Holds of one entity come in the order in which they were taken. A hold that is taken or
// released meanwhile may be left out. Without entities it costs a sort of the held ones.
func (w *World) Locks(of ...Entity) iter.Seq[Held] {
	w.made("Locks")
	return func(yield func(Held) bool) {
		list := of
		if len(list) == 0 {
			list = w.base.Store.Held()
		}
		for _, e := range list {
			for _, h := range w.base.Store.Holds(e) {
				x := Held{Entity: e, Lock: h.Lock.Name, Holder: h.Holder, Count: h.Count}
				for _, c := range h.Lock.Comps {
					x.Components = append(x.Components, c.Name)
				}
				if !yield(x) {
					return
				}
			}
		}
	}
}
