package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrLocked matches each LockedError in errors.Is.
var ErrLocked = errors.New("ecs: the entity is locked")

// keeps tells whether a component stays.
func (l *Lock) keeps(c *Component) bool { return len(l.Comps) == 0 || slices.Contains(l.Comps, c) }

// LockedError is returned for a change that a lock prevents.
type LockedError struct {
	Entity Entity
	// Lock and Holder are the names of the lock, and of its first holder among those that
	// prevent the change.
	Lock, Holder string
	// Component is the one that was to be removed; "": the entity was to be destroyed.
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

// Hold makes a lock hold an entity on behalf of a holder, until Release was called as often. It
// returns ErrStale if the entity is not alive, or is about to be destroyed: observers are told of that already. It changes no
// row, so it may be called while something iterates.
func (s *Store) Hold(l *Lock, e Entity, holder string) error {
	if !s.Alive(e) || s.ends(e) {
		return ErrStale
	}
	if i := s.holdAt(e.Index(), l, holder); i >= 0 {
		s.held[e.Index()][i].Count++
		return nil
	}
	s.addHold(e.Index(), Hold{l, holder, 1})
	s.guardAgain(e.Index())
	return nil
}

// Release ends one call of Hold. It returns ErrStale if the entity is not alive, and panics
// if the lock does not hold it on behalf of the holder.
func (s *Store) Release(l *Lock, e Entity, holder string) error {
	if !s.Alive(e) {
		return ErrStale
	}
	list := s.held[e.Index()]
	i := s.holdAt(e.Index(), l, holder)
	if i < 0 {
		panic(fmt.Sprintf("ecs: Release of %v, which lock %q does not hold for %q: %s; call Release once for each Hold, with the same holder", e, l.Name, holder, shown(list)))
	}
	if list[i].Count--; list[i].Count > 0 {
		return nil
	}
	s.dropHold(e.Index(), i)
	s.guardAgain(e.Index())
	return nil
}

// Holds returns the holds of an entity, in the order in which they were taken: good until the next
// Hold or Release.
func (s *Store) Holds(e Entity) []Hold {
	if !s.Alive(e) {
		return nil
	}
	if m := s.many[e.Index()]; m != nil && m.gaps > 0 {
		s.closeGaps(e.Index())
	}
	return s.held[e.Index()]
}

// Held returns the entities that a lock holds, by index.
func (s *Store) Held() (es []Entity) {
	for i := range s.held {
		es = append(es, s.ids.At(i))
	}
	slices.SortFunc(es, func(a, b Entity) int { return int(a.Index()) - int(b.Index()) })
	return es
}

// shown lists the holders of an entity, for messages.
func shown(list []Hold) string {
	var by []string
	for _, h := range list {
		if h.Lock == nil {
			continue
		}
		by = append(by, fmt.Sprintf("%q holds it by lock %q", h.Holder, h.Lock.Name))
	}
	if len(by) == 0 {
		return "no lock holds it"
	}
	return strings.Join(by, ", ")
}

// guards tells whether a lock may hold an entity, or something of it may be disabled. One test of a
// count answers while there is neither. Other entities lose components without a look, whatever is
// held or disabled elsewhere.
func (s *Store) guards(e Entity) bool { return s.guarded.n > 0 && s.guarded.has(e.Index()) }

// locked is the error if a lock keeps a live entity from losing a component; nil: from being
// destroyed. The first hold in the order of the list that prevents the change is named. Callers ask
// guards first.
func (s *Store) locked(c *Component, e Entity) error {
	for _, h := range s.held[e.Index()] {
		switch {
		case h.Lock == nil: // it has ended
		case c == nil:
			return LockedError{Entity: e, Lock: h.Lock.Name, Holder: h.Holder}
		case h.Lock.keeps(c):
			return LockedError{Entity: e, Lock: h.Lock.Name, Holder: h.Holder, Component: c.Name}
		}
	}
	return nil
}

// guardAgain sets whether the entity of an index is guarded, after a hold or a disabled bit has come
// or gone.
func (s *Store) guardAgain(i uint32) {
	s.guarded.set(i, s.Bound(), s.keeps(i))
}

// keeps tells whether a lock holds the entity of an index, or something of it is disabled. It is the
// definition of guarded, which Check compares with.
func (s *Store) keeps(i uint32) bool {
	return s.held[i] != nil || slices.ContainsFunc(s.disables, func(d *disabled) bool { return d.has(i) })
}

// unguarded is how many entities, from the first on, may lose a component without a look at holds or
// disabled bits. A run of rows ends there, and the next entity goes alone.
func (s *Store) unguarded(c *Component, es []Entity) int {
	for i, e := range es {
		if s.guards(e) && (s.held[e.Index()] != nil || c.disabled.has(e.Index())) {
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
	s.guarded.reset()
	s.held, s.many = nil, nil
	s.plainly(&s.disabledAll, -s.disabledAll)
}

// checkHeld compares holds with the guarded entities.
func (s *Store) checkHeld() error {
	for i, list := range s.held {
		e := s.ids.At(i)
		switch {
		case e == 0 || !s.guards(e):
			return fmt.Errorf("index %d is locked (%s), and is not guarded", i, shown(list))
		case len(list) == 0 || slices.ContainsFunc(list, func(h Hold) bool { return h.Count < 1 && h.Lock != nil }):
			return fmt.Errorf("%v is said to be locked, and no lock holds it", e)
		}
	}
	return s.checkGuarded()
}

// checkGuarded compares the guarded entities with holds and disabled bits.
func (s *Store) checkGuarded() error {
	n := 0
	for i := range uint32(len(s.guarded.bits) * 64) {
		if !s.guarded.has(i) {
			continue
		}
		if n++; !s.keeps(i) {
			return fmt.Errorf("index %d is guarded, and no lock holds it and nothing of it is disabled", i)
		}
	}
	if n != s.guarded.n {
		return fmt.Errorf("%d are guarded, and %d are counted", n, s.guarded.n)
	}
	return nil
}
