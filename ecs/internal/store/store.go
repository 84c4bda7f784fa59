package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/tune"
	"github.com/ashlar-go/ashlar/memmgr"
)

// New makes a store in a manager's memory. It makes the commons without tables; memory is taken with
// the first entity. Forget ends it.
func New(m *memmgr.Manager, o Options) *Store {
	// One allocation, as that of memmgr.New.
	all := new(struct {
		s Store
		register
		guard
		upkeep
		scratch
		commons Owner
	})
	s := &all.s
	*s = Store{manager: m, warm: warm{from: tune.WarmLeast}, ways: 1, finding: 1, clocks: newRowClocks(), register: &all.register, guard: &all.guard, upkeep: &all.upkeep, scratch: &all.scratch, Commons: &all.commons}
	s.register.options, s.upkeep.visits = o, o.Visits
	s.ids = entities.Make(m.Arena(), entities.Options{Max: o.MaxEntities, Tag: o.Tag, FIFO: o.FIFO})
	*s.Commons = Owner{store: s, families: make(map[string]*family), ways: 1}
	s.Commons.words = Words{owner: s.Commons, left: entities.Bare}
	s.policy = policy.New(o.Policy, s.tell)
	return s
}

// Register makes a component of the commons. The component is the caller's, and stays at its address:
// Find gets from Dir to it. Stated means that code chose the way, so the policy leaves it. There is no
// way to unregister. It costs no memory for rows until an entity gets it.
func (s *Store) Register(c *Component, name string, spec chunk.Spec, way Way, stated bool) {
	c.store, c.Name, c.Spec, c.Size, c.ID = s, name, spec, uintptr(spec.Size), uint32(len(s.comps))
	c.owner, c.way, c.declared, c.byIndex = s.Commons, way, &declared{stated: stated}, new(byIndex)
	c.single[0] = pieceOf(c, 0)
	s.manager.Prepare(&c.Dir, spec)
	s.comps = append(s.comps, c)
	s.policy.Add()
	if stated {
		s.policy.State(int(c.ID), policies[way])
	}
	c.settled()
}

// Begin has the policy begin with a way to store a component that is not stated: fixed, optional or ordered.
// Call it before the first entity has it.
func (s *Store) Begin(c *Component, w policy.Way) {
	if w == policy.Fixed || c.stated || c.owner != s.Commons {
		return
	}
	if w == policy.Ordered && len(s.order.by) == policy.OrderMost {
		w = policy.Optional
	}
	s.policy.Begin(int(c.ID), w)
	s.Change(c, ways[w])
	s.reorder()
}

// Clear destroys all entities, locked ones too. Their handles become stale, and the lowest indexes are
// used first from then on. Tables, edges, chunks and registrations stay, so filling the store again is
// cheap. It costs a pass over the records and over rows or entries. The observer is told of all entities
// before.
func (s *Store) Clear() {
	if s.TellsEnds() {
		s.leaving(slices.Collect(s.All()), s.clear)
		return
	}
	s.clear()
}

// clear is Clear behind the notice.
func (s *Store) clear() {
	// Tables clear the entries of their rows; sets and records are cleared as wholes after that.
	for _, t := range s.tables {
		if t != nil {
			t.wipe()
		}
	}
	for _, p := range s.planes {
		p.clear(s.Bound())
	}
	s.ids.Clear()
	s.unseen = nil
	s.others.reset()
	// Holds and disabled bits are by index, and new entities will use the same indexes.
	s.unguard()
	s.dropTicks()
}

// Forget drops all addresses after the memory has gone. No entity is alive any more, and the store
// can't be used again. It must not read rows or entries: their pages may be unmapped.
func (s *Store) Forget() {
	s.ids.Close()
	s.unguard()
	s.unseen = nil
	s.Commons.words, s.others = Words{}, indexSet{}
	for _, o := range s.owners {
		o.words = Words{}
	}
	for _, c := range s.comps {
		c.own, c.tables, c.thin = Words{}, nil, nil
		c.point()
	}
	// Component.point has taken the entries from all directories, so no look-up reads unmapped memory.
	s.planes, s.groups, s.ended, s.moving, s.tables = nil, nil, nil, nil, nil
	s.rearranged()
}
