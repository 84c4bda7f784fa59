package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Hooks are called when values and rows change, for what has to hold beyond the store.
// Functions that are nil are not called. None may change the store.
type Hooks struct {
	// Came is called after an entity has got a component, with its value. It is also called
	// if a value that was told to go stays, for want of memory.
	Came func(c *Component, e Entity)
	// Goes is called before an entity loses a component, while its value is still there.
	Goes func(c *Component, e Entity)
	// Moved is called after values of an entity have moved from one location to another. These
	// are all values of the row, or those for which the new row has a column. From is 0 if
	// Declare has brought values together.
	Moved func(e Entity, from, to memmgr.Loc)
}

// hooks are Hooks that are in force.
type hooks struct {
	Hooks
	busy    bool // a call that tells is under way: what it calls tells nothing more
	none    bool // no Hooks were asked for
	watches bool // some groups observe components; see watch.go
}

// Hook has hooks called from now on; nil ends that. With hooks, batches go one by one.
// Without, each call costs a look at one word.
func (s *Store) Hook(h *Hooks) {
	watches := s.hooks != nil && s.hooks.watches
	switch {
	case h != nil:
		s.hooks = &hooks{Hooks: *h, watches: watches}
	case watches:
		s.hooks = &hooks{watches: true, none: true}
	default:
		s.hooks = nil
	}
}

// tells tells whether a call is to tell hooks what it does, and begins with that: quiet
// ends it.
func (s *Store) tells() bool {
	if s.hooks == nil || s.hooks.busy {
		return false
	}
	s.hooks.busy = true
	return true
}

func (s *Store) quiet() { s.hooks.busy = false }

func (h *hooks) came(c *Component, e Entity) {
	if h.Came != nil {
		h.Came(c, e)
	}
}

func (h *hooks) goes(c *Component, e Entity) {
	if h.Goes != nil {
		h.Goes(c, e)
	}
}

// allGo tells that an entity loses all that it has.
func (h *hooks) allGo(comps []*Component, e Entity) {
	for _, c := range comps {
		if c.Has(e) {
			h.goes(c, e)
		}
	}
}

// moved tells that values have moved.
func (s *Store) moved(e Entity, from, to memmgr.Loc) {
	if s.hooks.Moved != nil {
		s.hooks.Moved(e, from, to)
	}
}

// passTold is pass with hooks.
func (t *Table) passTold(e Entity, l memmgr.Loc, ed *edge, to memmgr.Loc) {
	last := t.Seq.Last()
	t.pass(e, l, ed, to)
	if l != last {
		t.s.moved(t.s.entityAt(l), last, l)
	}
	t.s.moved(e, l, to)
}

// relocated tells that a value has changed over, from a location that it had.
func (s *Store) relocated(c *Component, e Entity, from memmgr.Loc) {
	if s.hooks != nil {
		to, _ := c.Loc(e)
		s.moved(e, from, to)
	}
}

// swapped tells that the rows of two entities have changed places.
func (s *Store) swapped(x, y Entity, a, b memmgr.Loc) {
	if a != b {
		s.moved(x, a, b)
		s.moved(y, b, a)
	}
}

// toldAdd is Add with hooks.
func (s *Store) toldAdd(c *Component, e Entity, v raw.Ptr) error {
	defer s.quiet()
	err := s.addWatched(c, e, v)
	if err == nil {
		s.hooks.came(c, e)
	}
	return err
}

// toldRemove is Remove with hooks.
func (s *Store) toldRemove(c *Component, e Entity) error {
	defer s.quiet()
	if !c.Has(e) {
		return s.lacks(e)
	}
	s.hooks.goes(c, e)
	err := s.removeWatched(c, e)
	if err != nil {
		s.hooks.came(c, e)
	}
	return err
}

// toldDestroy is Destroy with hooks.
func (s *Store) toldDestroy(e Entity) error {
	defer s.quiet()
	if s.Alive(e) {
		s.hooks.allGo(s.comps, e)
	}
	return s.Destroy(e)
}

// toldClear tells that all entities lose all that they have.
func (s *Store) toldClear() {
	defer s.quiet()
	for e := range s.All() {
		s.hooks.allGo(s.comps, e)
	}
}

// told tells that entities have got the components of a bundle.
func (b *Bundle) told(es ...Entity) {
	for _, e := range es {
		for _, c := range b.comps {
			b.s.hooks.came(c, e)
		}
	}
}
