package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
)

// shadow is an observer's record: which entities have which component.
type shadow struct {
	x    *model
	has  []map[Entity]bool // by component
	told [2]int
}

func shadowOf(x *model) *shadow {
	s := &shadow{x: x}
	for range x.comps {
		s.has = append(s.has, make(map[Entity]bool))
	}
	x.s.Observe(&Observer{Before: s.before, After: s.after})
	return s
}

// before looks whether nothing has changed without a word.
func (s *shadow) before(c Change) {
	s.told[0]++
	for _, e := range c.Entities {
		for i, c := range s.x.comps {
			if c.Has(e) != s.has[i][e] {
				s.x.failf("%v had %v: %v, and nobody was told", e, c.Name, c.Has(e))
			}
		}
	}
}

func (s *shadow) after(c Change) {
	s.told[1]++
	for _, e := range c.Entities {
		for i, c := range s.x.comps {
			if delete(s.has[i], e); c.Has(e) {
				s.has[i][e] = true
			}
		}
	}
}

// compare finds changes that observers were not told of.
func (s *shadow) compare() {
	for i, c := range s.x.comps {
		if n := c.Len(); n != len(s.has[i]) {
			s.x.failf("%d have %s, and observers know of %d", n, c.Name, len(s.has[i]))
		}
		for e := range s.has[i] {
			if !c.Has(e) {
				s.x.failf("%v lacks %s, and observers know nothing of that", e, c.Name)
			}
		}
	}
}

// Observers are told of each change, before it and after it, and of each that is refused. The store
// with an observer ends as the one without.
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
	if told[0] < 10_000 || told[1] != told[0] {
		t.Errorf("observers were told only %d times before and %d after", told[0], told[1])
	}
}
