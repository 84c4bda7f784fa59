package policy

import (
	"slices"
	"testing"
)

// A policy that is told of rows only where they have changed decides as one that is told of all at each look.
func TestRowsThatStandDecideAlike(t *testing.T) {
	type step struct {
		frames        int
		rows, removes int64 // of the world
		met           int64 // of its systems
		told          int   // looks with facts about rows, at most
		also          int64 // removes of a second component
	}
	for name, steps := range map[string][]step{
		"nothing changes":              {{2000, 8000, 0, 4000, 1, 0}},
		"rows change once":             {{600, 8000, 0, 4000, 1, 0}, {600, 4000, 0, 2000, 2, 0}, {600, 8000, 0, 4000, 2, 0}},
		"systems change alone":         {{600, 8000, 0, 4000, 1, 0}, {600, 8000, 0, 8000, 1, 0}, {600, 8000, 0, 0, 1, 0}},
		"removes with rows as many":    {{200, 1 << 18, 0, 0, 1, 0}, {600, 1 << 18, 6500, 0, 99, 0}, {2000, 1 << 18, 0, 1 << 18, 99, 0}},
		"removes come and go by turns": {{40, 1 << 18, 9000, 1 << 18, 99, 0}, {80, 1 << 18, 0, 1 << 18, 99, 0}, {40, 1 << 18, 9000, 1 << 18, 99, 0}, {400, 1 << 18, 0, 1 << 18, 99, 0}},
		"removes become more":          {{600, 1 << 18, 20, 1 << 16, 99, 0}, {600, 1 << 18, 9000, 1 << 16, 99, 0}},
		"of another component as well": {{600, 1 << 18, 20, 0, 99, 0}, {600, 1 << 18, 20, 0, 99, 9000}},
	} {
		var now world
		all := New(Options{}, func(list []int, f *Facts, passed int) { now.facts(f, list) })
		told, number := 0, uint64(1)
		some := New(Options{}, func(list []int, f *Facts, passed int) {
			if f.Rows == number {
				var x Facts
				now.facts(&x, list)
				f.Systems = append(f.Systems, x.Systems...)
				return
			}
			told, f.Rows = told+1, number
			now.facts(f, list)
		})
		for range 8 {
			all.Add()
			some.Add()
		}
		for i, s := range steps {
			if now.rows != s.rows {
				number++
			}
			now = world{s.rows, 3, 8, true, s.removes, []System{{Required: 1, Pieces: 3, Met: s.met}, {Required: 6, Pieces: 2, Met: s.met / 2}}}
			told = 0
			for frame := range s.frames {
				for _, p := range []*Policy{all, some} {
					p.Removed(0, int(s.removes))
					p.Removed(1, int(s.also))
				}
				x := Tables{Living: 256, Rows: int(s.rows)}
				a, b := all.EndFrame(x), some.EndFrame(x)
				if !slices.Equal(a, b) || all.ways() != some.ways() || all.owed != some.owed || all.wait != some.wait || all.Budget() != some.Budget() {
					t.Fatalf("%s, step %d, frame %d: %v and %v change over, ways %s and %s", name, i, frame, a, b, all.ways(), some.ways())
				}
			}
			if told > s.told {
				t.Errorf("%s, step %d: told of rows in %d looks, at most %d are needed", name, i, told, s.told)
			}
		}
	}
}
