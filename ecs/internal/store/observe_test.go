package store

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// shadow is an observer's record: which entities have which component, and which are alive.
type shadow struct {
	x     *model
	has   []map[Entity]bool // by component
	alive map[Entity]bool
	asks  []bool // by component
	told  [2]int
	done  int

	groups  []*Group
	members []map[Entity]bool // by group
}

// tell is Tell of entities that come under a subject, and that leave it.
func tell(s *Store, x *Subject, more int) {
	s.Tell(x, false, more)
	s.Tell(x, true, more)
}

// hear has a function hear of both.
func hear(s *Store, x *Subject, f func(*Told)) {
	for _, left := range []bool{false, true} {
		s.Listen(x, left, &Ear{Asks: true, Fn: func(raw.Ptr) { f(x.Now(left)) }})
	}
}

// shadowOf has every component but each third one told of, and two groups.
func shadowOf(x *model) *shadow {
	s := &shadow{x: x, alive: make(map[Entity]bool)}
	x.s.Observe(Observer{Done: func() { s.done++ }})
	ask := func(y *Subject) {
		hear(x.s, y, s.hears)
		tell(x.s, y, 1)
	}
	for i, c := range x.comps {
		s.has = append(s.has, make(map[Entity]bool))
		if s.asks = append(s.asks, i%3 != 2); s.asks[i] {
			ask(x.s.SubjectOf(Having, c))
		}
	}
	ask(x.s.SubjectOf(Having, nil))
	c := x.comps
	s.groups = []*Group{{Fixed: c[:1], With: c[2:3], Without: c[3:4]}, {Fixed: c[1:3]}}
	for _, g := range s.groups {
		at, size := []uintptr(nil), uintptr(0)
		for _, c := range g.Fixed {
			at, size = append(at, size), size+c.room()
		}
		ask(x.s.MembersOf(g, at, size))
		s.members = append(s.members, make(map[Entity]bool))
	}
	return s
}

// hears notes a change. An entity comes once and goes once. It is there when it is told of, but for a component
// that went.
func (s *shadow) hears(x *Told) {
	s.told[0]++
	s.told[1] += len(x.Entities)
	has, name := s.alive, "a life"
	if x.Of.Kind != Having {
		has, name = s.members[slices.Index(s.groups, x.Of.group)], "a group"
	} else if x.Of.Component != nil {
		i := slices.Index(s.x.comps, x.Of.Component)
		if has, name = s.has[i], x.Of.Component.Name; !s.asks[i] {
			s.x.failf("a change of %s is told, and nobody asks", name)
		}
	}
	for k, e := range x.Entities {
		if has[e] != x.Left {
			s.x.failf("%v, %s: comes or goes twice: left %v", e, name, x.Left)
		}
		if delete(has, e); !x.Left {
			has[e] = true
		}
		if !x.Left && !s.x.s.Alive(e) {
			s.x.failf("%v has got %s, and is not alive", e, name)
		}
		if x.Of.Kind == Joining && x.Left {
			s.compareMember(x.Of, e, raw.At(x.Values, uintptr(k)*x.Of.Size))
		}
		if x.Of.Component == nil {
			continue
		}
		i := slices.Index(s.x.comps, x.Of.Component)
		if l := s.x.life(e); l != nil && x.Left && x.Of.Component.Size > 0 {
			got := raw.Slice[byte](raw.At(x.Values, uintptr(k)*x.Of.Component.Size), int(x.Of.Component.Size))
			want := raw.Slice[byte](s.x.value(i, l.seeds[i]), int(x.Of.Component.Size))
			if l.has>>i&1 != 0 && !bytes.Equal(got, want) {
				s.x.failf("%v had %s of another value", e, name)
			}
		}
	}
}

// compareMember compares a value with the one that an entity had as a member.
func (s *shadow) compareMember(x *Subject, e Entity, v raw.Ptr) {
	l := s.x.life(e)
	for j, c := range x.group.Fixed {
		i := slices.Index(s.x.comps, c)
		if l == nil || l.has>>i&1 == 0 || c.Size == 0 {
			continue
		}
		if !bytes.Equal(raw.Slice[byte](raw.At(v, x.at[j]), int(c.Size)), raw.Slice[byte](s.x.value(i, l.seeds[i]), int(c.Size))) {
			s.x.failf("%v has left a group, and had %s of another value", e, c.Name)
		}
	}
}

// compare finds changes that the observer was not told of.
func (s *shadow) compare() {
	for i, c := range s.x.comps {
		if n := c.Len(); s.asks[i] && n != len(s.has[i]) {
			s.x.failf("%d have %s, and observers know of %d", n, c.Name, len(s.has[i]))
		}
		for e := range s.has[i] {
			if !c.Has(e) {
				s.x.failf("%v lacks %s, and observers know nothing of that", e, c.Name)
			}
		}
	}
	if n := s.x.s.Len(); n != len(s.alive) {
		s.x.failf("%d are alive, and observers know of %d", n, len(s.alive))
	}
	for i, g := range s.groups {
		x, n := s.x.s.MembersOf(g, nil, 0), 0
		for e := range s.x.s.All() {
			is := x.holds(e, turn{})
			if is {
				n++
			}
			if is != s.members[i][e] {
				s.x.failf("%v is a member of group %d: %v, and observers know other", e, i, is)
			}
		}
		if n != len(s.members[i]) {
			s.x.failf("%d are members of group %d, and observers know of %d", n, i, len(s.members[i]))
		}
	}
}

// The observer is told of each change of components that are asked about, once, and of none that is refused. The
// store with an observer ends as the one without.
func TestObservers(t *testing.T) {
	n := 10
	if testing.Short() || race.Enabled {
		n = 6
	}
	var told [2]int
	for _, s := range streams(n) {
		if s.spread > 0 {
			continue
		}
		for _, refused := range []bool{false, true} {
			x := s.model(t, "observed", memories[2].o)
			x.limits = refused
			h := shadowOf(x)
			for i := range s.commands {
				x.step()
				if i%97 == 0 {
					h.compare()
				}
				if i%s.every == s.every-1 {
					x.compare()
				}
			}
			x.free()
			x.compare()
			h.compare()
			for i := range told {
				told[i] += h.told[i]
			}
			sum := x.sum
			if x.close(); refused {
				continue
			}
			y := s.model(t, "unobserved", memories[2].o)
			if want := y.play(s.commands, s.every); sum != want {
				t.Errorf("%s: digest %#x observed, %#x unobserved", x.name, sum, want)
			}
			y.close()
		}
	}
	if told[0] < 5000 || told[1] < 2*told[0] {
		t.Errorf("observers were told only %d times, of %d entities", told[0], told[1])
	}
}
