package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/internal/arena/race"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// shadow is what hooks have been told: where each entity has its values.
type shadow struct {
	x    *model
	at   []map[Entity]memmgr.Loc // by component
	told [3]int
}

func shadowOf(x *model) *shadow {
	s := &shadow{x: x}
	for range x.comps {
		s.at = append(s.at, make(map[Entity]memmgr.Loc))
	}
	x.s.Hook(&Hooks{Came: s.came, Goes: s.goes, Moved: s.moved})
	return s
}

func (s *shadow) came(c *Component, e Entity) {
	l, ok := c.Loc(e)
	if !ok {
		s.x.failf("%v came to %v, which lacks it", c.Name, e)
	}
	s.told[0]++
	s.at[c.ID][e] = l
}

func (s *shadow) goes(c *Component, e Entity) {
	l, ok := c.Loc(e)
	if was, is := s.at[c.ID][e]; !ok || !is || was != l {
		s.x.failf("%v goes from %v, which has it: %v, at %v; it came: %v, to %v", c.Name, e, ok, l, is, was)
	}
	s.told[1]++
	delete(s.at[c.ID], e)
}

func (s *shadow) moved(e Entity, from, to memmgr.Loc) {
	s.told[2]++
	for i, c := range s.x.comps {
		was, is := s.at[i][e]
		if !is || from != 0 && was != from {
			continue
		}
		if l, ok := c.Loc(e); ok {
			s.at[i][e] = l
		}
	}
}

// compare finds values that hooks were told of wrongly, or not at all.
func (s *shadow) compare() {
	for i, c := range s.x.comps {
		if n := c.Len(); n != len(s.at[i]) {
			s.x.failf("%d have %s, and hooks know of %d", n, c.Name, len(s.at[i]))
		}
		for e, l := range s.at[i] {
			if at, ok := c.Loc(e); !ok || at != l {
				s.x.failf("%v has %s: %v, at %v; hooks know of %v", e, c.Name, ok, at, l)
			}
		}
	}
}

// Whatever happens, hooks know who has what and where it lies; and the store with hooks ends
// as the one without. Where memory is refused they are told of nothing that did not happen.
func TestHooks(t *testing.T) {
	n := 10
	if testing.Short() || race.Enabled {
		n = 6
	}
	var told [3]int
	for _, s := range streams(n) {
		if s.spread > 0 {
			continue
		}
		for _, refused := range []bool{false, true} {
			x := s.model(t, "hooks", memories[2].o)
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
			y := s.model(t, "no hooks", memories[2].o)
			if want := y.play(s.commands, s.every); sum != want {
				t.Errorf("%s: digest %#x with hooks, %#x without", x.name, sum, want)
			}
			y.close()
		}
	}
	if told[0] < 10_000 || told[1] < 10_000 || told[2] < 10_000 {
		t.Errorf("hooks were told only %d, %d and %d times", told[0], told[1], told[2])
	}
}
