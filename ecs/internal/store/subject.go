package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Subjects are made when somebody asks for the first time. Verbs look at fields of components, which Tell keeps in
// step:
//
//	subject     asked for by                 noted by
//	Having      c.having, or alive           came, went; Spawned, leaves
//	Disabling   c.disabling, or asleep       switched, went, leaves
//	Setting     c.setting                    Sets
//	Joining     c.joining of its components  follow, leaves

// SubjectOf is the subject of a component, or of entities as a whole if c is nil. Observe comes first.
func (s *Store) SubjectOf(k Kind, c *Component) *Subject {
	return s.subject(func(x *Subject) bool { return x.Kind == k && x.Component == c && x.group == nil }, func(x *Subject) {
		if x.Kind, x.Component = k, c; c != nil {
			x.Size = c.Size
		}
	})
}

// MembersOf is the subject of a group's members. Their values have so many bytes, with the group's fixed components at
// offsets. A group is known by its address.
func (s *Store) MembersOf(g *Group, at []uintptr, size uintptr) *Subject {
	return s.subject(func(x *Subject) bool { return x.group == g }, func(x *Subject) {
		x.Kind, x.group, x.at, x.Size = Joining, g, at, size
	})
}

func (s *Store) subject(is func(*Subject) bool, fill func(*Subject)) *Subject {
	t := s.telling
	if i := slices.IndexFunc(t.subjects, is); i >= 0 {
		return t.subjects[i]
	}
	x := &Subject{ID: len(t.subjects)}
	fill(x)
	for i := range x.sides {
		x.sides[i].now = Told{Of: x, Left: i == 1, Entities: t.single[:]}
	}
	x.sides[1].now.Values = raw.Data(raw.Room(nil, x.Size))
	t.subjects = append(t.subjects, x)
	return x
}

// Tell has the observer be told of entities that come under a subject, or that leave it, once more or once
// less.
func (s *Store) Tell(x *Subject, left bool, more int) {
	x.asks[sideOf(left)] += more
	s.retell()
}

func sideOf(left bool) int {
	if left {
		return 1
	}
	return 0
}

// retell sets the fields that say who asks.
func (s *Store) retell() {
	t := s.telling
	t.comps, t.setting, t.joining, t.alive, t.asleep = t.comps[:0], t.setting[:0], t.joining[:0], nil, nil
	for _, c := range s.comps {
		c.tells = tells{}
	}
	for _, x := range t.subjects {
		if x.asks == [2]int{} || x.ended {
			continue
		}
		c := x.Component
		switch {
		case x.Kind == Joining:
			t.joining = append(t.joining, x)
			for _, c := range x.group.All() {
				c.told, c.joining = true, append(c.joining, x)
			}
		case x.Kind == Setting:
			c.setting = x
			t.setting = append(t.setting, x)
		case c == nil && x.Kind == Having:
			t.alive = x
		case c == nil:
			t.asleep = x
		case x.Kind == Having:
			c.told, c.having = true, x
		default:
			c.told, c.disabling = true, x
		}
	}
	for _, c := range s.comps {
		if c.disabling == nil && len(c.joining)+len(t.setting) == 0 {
			c.solely = c.having
		}
		c.noticed = c.setting != nil || c.MayLend()
		if c.having != nil || c.disabling != nil {
			t.comps = append(t.comps, c)
		}
	}
	s.rewatch()
	s.rearranged() // bundles look again
}

// Disband tells that all members leave a group, which stands no more. Nobody is told of it from then on.
func (s *Store) Disband(x *Subject) {
	t := s.telling
	for es := range s.Having(x.group.Fixed) {
		t.follow(x, es, turn{}, turn{goes: x.group.Fixed})
	}
	x.ended = true // before observers are called, which may answer or panic
	s.retell()
	s.done()
}

// Gather writes the value of a group's member to an address, and tells whether the entity is one. Bytes of no component
// stay as they are.
func (x *Subject) Gather(e Entity, to raw.Ptr) bool {
	is := x.holds(e, turn{})
	if is {
		x.copy(e, to)
	}
	return is
}

// copy is Gather of an entity that has all components with values.
func (x *Subject) copy(e Entity, to raw.Ptr) {
	for i, at := range x.at {
		c := x.group.Fixed[i]
		raw.CopyAll(raw.At(to, at), c.Reach(e, false), c.Size)
	}
}

// holds tells whether an entity is a member after it has got and lost some components.
func (x *Subject) holds(e Entity, with turn) bool {
	has := func(c *Component) bool {
		return slices.Contains(with.comes, c) || !slices.Contains(with.goes, c) && c.Has(e)
	}
	for _, c := range x.group.Fixed {
		if !has(c) {
			return false
		}
	}
	for _, c := range x.group.With {
		if !has(c) {
			return false
		}
	}
	for _, c := range x.group.Without {
		if has(c) {
			return false
		}
	}
	return true
}

// follow notes entities that become members of a group, or cease to be, between two states. Both are told by
// the present one. Their values must be there still.
func (t *telling) follow(x *Subject, es []Entity, before, after turn) {
	for i, e := range es {
		if was := x.holds(e, before); was != x.holds(e, after) && t.note(x, was) {
			if was {
				t.gather(x, e)
			}
			t.add(es[i : i+1])
		}
	}
}

// gather copies the value of a member.
func (t *telling) gather(x *Subject, e Entity) {
	if x.Size == 0 {
		return
	}
	t.values = raw.Room(t.values, t.bytes+x.Size)
	to := raw.At(raw.Data(t.values), t.bytes)
	clear(raw.Slice[byte](to, int(x.Size)))
	x.copy(e, to)
	t.bytes += x.Size
}
