package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrLocked is what a LockedError is to errors.Is.
var ErrLocked = errors.New("ecs: the entity is locked")

// Lock is a reason to keep entities as they are. An entity that it holds is not destroyed and
// does not lose the lock's components. A lock may hold any number of entities, and belongs to
// the store that it is used with.
type Lock struct {
	// Name is what errors and listings call it.
	Name string
	// Comps are the components that stay; none: all do.
	Comps []*Component
}

// keeps tells whether a component stays.
func (l *Lock) keeps(c *Component) bool { return len(l.Comps) == 0 || slices.Contains(l.Comps, c) }

// Hold is an entity held by a lock.
type Hold struct {
	Lock *Lock
	// Holder is on whose behalf, and Count how often it has taken hold.
	Holder string
	Count  int
}

// LockedError is the error of what a lock prevents.
type LockedError struct {
	Entity Entity
	// Lock and Holder are the names of the lock, and of its first holder among those that
	// prevent the change.
	Lock, Holder string
	// Component is what was to be removed; "": the entity was to be destroyed.
	Component string
}

func (e LockedError) Error() string {
	what := "can't be destroyed"
	if e.Component != "" {
		what = fmt.Sprintf("can't lose component %q", e.Component)
	}
	return fmt.Sprintf("ecs: %v %s: %q holds it by lock %q until it calls Release", e.Entity, what, e.Holder, e.Lock)
}

// Is has errors.Is tell a LockedError by ErrLocked.
func (LockedError) Is(target error) bool { return target == ErrLocked }

// Hold has a lock hold an entity on behalf of a holder, until Release was called as often. It
// returns ErrStale if the entity is not alive. It changes no row, so it may be called while
// something iterates.
func (s *Store) Hold(l *Lock, e Entity, holder string) error {
	if !s.Alive(e) {
		return ErrStale
	}
	list := s.held[e.Index()]
	if i := indexOf(list, l, holder); i >= 0 {
		list[i].Count++
		return nil
	}
	if s.held == nil {
		s.held = make(map[uint32][]Hold)
	}
	s.held[e.Index()] = append(list, Hold{l, holder, 1})
	s.ids.SetFlag(e, inOthers)
	s.guarded = true
	return nil
}

// Release ends one call of Hold. It returns ErrStale if the entity is not alive, and panics
// if the lock does not hold it on behalf of the holder.
func (s *Store) Release(l *Lock, e Entity, holder string) error {
	if !s.Alive(e) {
		return ErrStale
	}
	list := s.held[e.Index()]
	i := indexOf(list, l, holder)
	if i < 0 {
		panic(fmt.Sprintf("ecs: Release of %v, which lock %q does not hold for %q: %s; call Release once for each Hold, with the same holder", e, l.Name, holder, shown(list)))
	}
	if list[i].Count--; list[i].Count > 0 {
		return nil
	}
	if list = slices.Delete(list, i, i+1); len(list) > 0 {
		s.held[e.Index()] = list
		return nil
	}
	delete(s.held, e.Index())
	s.guarded = s.guards()
	return nil
}

// Holds are those of an entity, in the order in which they were taken: good until the next
// Hold or Release.
func (s *Store) Holds(e Entity) []Hold {
	if !s.Alive(e) {
		return nil
	}
	return s.held[e.Index()]
}

// Held are the entities that are held, by index.
func (s *Store) Held() (es []Entity) {
	for i := range s.held {
		es = append(es, s.ids.At(i))
	}
	slices.SortFunc(es, func(a, b Entity) int { return int(a.Index()) - int(b.Index()) })
	return es
}

func indexOf(list []Hold, l *Lock, holder string) int {
	return slices.IndexFunc(list, func(h Hold) bool { return h.Lock == l && h.Holder == holder })
}

// shown lists the holders of an entity, for messages.
func shown(list []Hold) string {
	var by []string
	for _, h := range list {
		by = append(by, fmt.Sprintf("%q holds it by lock %q", h.Holder, h.Lock.Name))
	}
	if len(by) == 0 {
		return "no lock holds it"
	}
	return strings.Join(by, ", ")
}

// guards tells whether something keeps some entities as they are.
func (s *Store) guards() bool { return len(s.held) > 0 || s.disabledAll > 0 }

// locked is the error if a lock keeps an entity, which is alive, from losing a component; nil:
// from being destroyed.
func (s *Store) locked(c *Component, e Entity) error {
	if s.ids.Flags(e)&inOthers == 0 {
		return nil
	}
	for _, h := range s.held[e.Index()] {
		switch {
		case c == nil:
			return LockedError{Entity: e, Lock: h.Lock.Name, Holder: h.Holder}
		case h.Lock.keeps(c):
			return LockedError{Entity: e, Lock: h.Lock.Name, Holder: h.Holder, Component: c.Name}
		}
	}
	return nil
}

// guardedRemove is Remove where some entities are kept as they are.
func (s *Store) guardedRemove(c *Component, e Entity) error {
	if !c.Has(e) {
		return s.lacks(e)
	}
	if err := s.locked(c, e); err != nil {
		return err
	}
	defer s.guardAgain()
	s.guarded = false
	err := s.Remove(c, e)
	if err == nil {
		s.switchOne(c, e, true)
	}
	return err
}

// guardedDestroy is Destroy likewise.
func (s *Store) guardedDestroy(e Entity) error {
	if !s.Alive(e) {
		return ErrStale
	}
	if err := s.locked(nil, e); err != nil {
		return err
	}
	defer s.guardAgain()
	s.guarded = false
	if s.disabledAll > 0 && s.ids.Flags(e)&inOthers != 0 {
		s.enableAll(e)
	}
	return s.Destroy(e)
}

// guardAgain ends a call that has been looked at.
func (s *Store) guardAgain() { s.guarded = s.guards() }

// unguarded is how many entities, from the first on, may lose a component without a look.
func (s *Store) unguarded(c *Component, es []Entity) int {
	for i, e := range es {
		if s.ids.Flags(e)&inOthers != 0 && (s.held[e.Index()] != nil || c.disabled.has(e.Index())) {
			return i
		}
	}
	return len(es)
}

// unguard ends all holds, and enables everything.
func (s *Store) unguard() {
	for _, d := range s.disables {
		d.reset()
	}
	s.held, s.disabledAll, s.guarded = nil, 0, false
}

// checkHeld looks at what is held.
func (s *Store) checkHeld() error {
	for i, list := range s.held {
		e := s.ids.At(i)
		switch {
		case e == 0 || !s.guarded || s.ids.Flags(e)&inOthers == 0:
			return fmt.Errorf("index %d is locked (%s), and its record does not say so", i, shown(list))
		case len(list) == 0 || slices.ContainsFunc(list, func(h Hold) bool { return h.Count < 1 }):
			return fmt.Errorf("%v is said to be locked, and no lock holds it", e)
		}
	}
	return nil
}
