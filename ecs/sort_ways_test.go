package ecs_test

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// The model of sorting: rows of a table are a plain slice, which package slices sorts.

type (
	fat   struct{ N, Rest [3]uint64 }
	depth uint32
	odd   [3]byte
)

// sortWorld has components of all ways, and a group with an optional one.
type sortWorld struct {
	t     *testing.T
	w     *ecs.World
	depth *ecs.Pool[depth]
	wide  *ecs.Pool[fat]
	odd   *ecs.Pool[odd]  // comes and goes
	rare  *ecs.Pool[b4]   // thin
	own   *ecs.Pool[b16]  // a group's
	some  *ecs.Pool[b24]  // optional in the group
	tag   *ecs.Pool[tag0] // another table
	es    []ecs.Entity
}

type sortedOwn struct {
	Own b16
	_   ecs.Maybe[b24]
}

func newSortWorld(t *testing.T, o ecs.Options, r *rand.Rand, n int) *sortWorld {
	w := world(t, o)
	s := &sortWorld{t: t, w: w}
	s.depth, s.wide = ecs.Register[depth](w, "depth", ecs.Stable), ecs.Register[fat](w, "wide", ecs.Stable)
	s.odd, s.rare = ecs.Register[odd](w, "odd", ecs.Volatile), ecs.Register[b4](w, "rare", ecs.Thin)
	s.own, s.some, s.tag = ecs.Register[b16](w, "own"), ecs.Register[b24](w, "some"), ecs.Register[tag0](w, "tag", ecs.Stable)
	ecs.Apart(ecs.GroupOf[sortedOwn](w, "owners"))
	for range n {
		e := ok(w.Spawn())
		s.es = append(s.es, e)
		ok(0, s.depth.Add(e, depth(r.IntN(n/2))))
		v := s.of(e)
		for i, add := range []func() error{
			func() error { return s.wide.Add(e, v) },
			func() error { return s.odd.Add(e, odd{byte(v.N[0]), byte(v.N[1]), 7}) },
			func() error { return s.rare.Add(e, b4{byte(v.N[0])}) },
			func() error { return s.own.Add(e, full16(byte(v.N[0]))) },
			func() error { return s.some.Add(e, b24{byte(v.N[0]), 23: 5}) },
			func() error { return s.tag.Add(e, tag0{}) },
		} {
			if r.IntN([]int{4, 3, 3, 4, 3, 3}[i]) > 0 {
				ok(0, add())
			}
		}
	}
	return s
}

// of is the seed of an entity's values.
func (s *sortWorld) of(e ecs.Entity) fat {
	return fat{N: [3]uint64{uint64(e.Index()) * 7919 % 101, uint64(e.Index()), 1}, Rest: [3]uint64{2: uint64(e)}}
}

// check compares all values with the old ones, and runs Check.
func (s *sortWorld) check(depths map[ecs.Entity]depth, has map[ecs.Entity]int) {
	s.t.Helper()
	ok(0, s.w.Check())
	for _, e := range s.es {
		v := s.of(e)
		if *s.depth.Get(e) != depths[e] || s.has(e) != has[e] {
			s.t.Fatalf("%v has depth %d and %b, had %d and %b", e, *s.depth.Get(e), s.has(e), depths[e], has[e])
		}
		if p := s.wide.Get(e); p != nil && *p != v {
			s.t.Fatalf("%v is wide %v, was %v", e, *p, v)
		}
		if p := s.odd.Get(e); p != nil && *p != (odd{byte(v.N[0]), byte(v.N[1]), 7}) {
			s.t.Fatalf("%v is odd %v", e, *p)
		}
		if p := s.rare.Get(e); p != nil && *p != (b4{byte(v.N[0])}) {
			s.t.Fatalf("%v is rare %v", e, *p)
		}
		if p := s.own.Get(e); p != nil && *p != full16(byte(v.N[0])) {
			s.t.Fatalf("%v owns %v", e, *p)
		}
		if p := s.some.Get(e); p != nil && *p != (b24{byte(v.N[0]), 23: 5}) {
			s.t.Fatalf("%v has some %v", e, *p)
		}
	}
}

// has is the components of an entity, a bit each.
func (s *sortWorld) has(e ecs.Entity) (set int) {
	for i, p := range []interface{ Has(ecs.Entity) bool }{s.wide, s.tag, s.own, s.odd, s.rare, s.some} {
		if p.Has(e) {
			set |= 1 << i
		}
	}
	return set
}

// tables are rows in order, by the mask of their table.
func tables[T any](p *ecs.Pool[T], of func(e ecs.Entity) int) map[int][]ecs.Entity {
	m := make(map[int][]ecs.Entity)
	for e := range p.All() {
		m[of(e)] = append(m[of(e)], e)
	}
	return m
}

// sorts sorts a pool in some way and compares each table with a sort of slices.
func sorts[T any](s *sortWorld, r *rand.Rand, p *ecs.Pool[T], of func(ecs.Entity) int, key func(*T) int) {
	compare := func(a, b *T) int { return cmp.Compare(key(a), key(b)) }
	want, n := tables(p, of), len(s.es)+r.IntN(2)
	how := [][]ecs.SortWay{nil, {ecs.SortInPlace}, {ecs.SortByPermutation}, {ecs.SortThroughEntries}, {}}[r.IntN(5)]
	switch r.IntN(3) {
	case 0:
		p.Sort(compare, how...)
	case 1:
		p.SortKey(func(v *T) uint64 { return uint64(key(v)) }, how...)
	case 2:
		if any(p) != any(s.odd) && any(p) != any(s.some) { // of these others lie between
			n = r.IntN(40)
		}
		p.Sort(compare, append(how, ecs.First(n))...)
	}
	for _, es := range want {
		slices.SortStableFunc(es[:min(n, len(es))], func(a, b ecs.Entity) int { return compare(p.Get(a), p.Get(b)) })
	}
	if got := tables(p, of); !maps.EqualFunc(got, want, slices.Equal[[]ecs.Entity]) {
		s.t.Fatalf("%v: in order\n%v, want\n%v", how, got, want)
	}
}

// O1: Each way to sort ends in the same stable order, over several tables, while values
// and components change.
func TestSortWays(t *testing.T) {
	rounds := 60
	if testing.Short() || race.Enabled {
		rounds = 12
	}
	for _, name := range slices.Sorted(mapsKeys(fewer(variants()))) {
		r := rand.New(rand.NewPCG(8, 8))
		s := newSortWorld(t, variants()[name], r, 300)
		home := func(e ecs.Entity) int { return s.has(e) & 3 } // wide and tag make tables
		depths, has := map[ecs.Entity]depth{}, map[ecs.Entity]int{}
		for range rounds {
			for i := range r.IntN(4) * 20 { // some change, so that the rest is nearly sorted
				e := s.es[r.IntN(len(s.es))]
				switch *s.depth.Mut(e) = depth(r.IntN(200)); {
				case i%5 > 0:
				case s.odd.Has(e):
					ok(0, s.odd.Remove(e))
				default:
					v := s.of(e)
					ok(0, s.odd.Add(e, odd{byte(v.N[0]), byte(v.N[1]), 7}))
				}
			}
			for _, e := range s.es {
				depths[e], has[e] = *s.depth.Get(e), s.has(e)
			}
			switch r.IntN(6) {
			case 0, 1:
				sorts(s, r, s.depth, home, func(d *depth) int { return int(*d) })
			case 2:
				sorts(s, r, s.wide, home, func(w *fat) int { return int(w.N[0]) })
			case 3:
				sorts(s, r, s.odd, home, func(o *odd) int { return int(o[0]) })
			case 4:
				sorts(s, r, s.rare, func(ecs.Entity) int { return 0 }, func(o *b4) int { return int(o[0]) })
			case 5:
				sorts(s, r, s.own, func(ecs.Entity) int { return 0 }, func(o *b16) int { return int(o[0]) })
			}
			s.check(depths, has)
			if r.IntN(3) == 0 {
				s.respects(r, home)
				s.check(depths, has)
			}
		}
	}
}

// respects has rows of tables follow the rows of a thin component.
func (s *sortWorld) respects(r *rand.Rand, home func(ecs.Entity) int) {
	want, rank := tables(s.depth, home), map[ecs.Entity]int{}
	for e := range s.rare.All() {
		rank[e] = len(rank) - len(s.es)
	}
	s.depth.Respect(s.rare)
	for _, es := range want {
		slices.SortStableFunc(es, func(a, b ecs.Entity) int { return rank[a] - rank[b] })
	}
	if got := tables(s.depth, home); !maps.EqualFunc(got, want, slices.Equal[[]ecs.Entity]) {
		s.t.Fatalf("the order of others is not respected:\n%v, want\n%v", got, want)
	}
}

// G5: Groups sort the first members alone, and respect the order of their readers once.
func TestSortGroup(t *testing.T) {
	p := newPair(t, ecs.Options{}, 1000)
	back := func(a, b ecs.Entity) int { return int(b.Index()) - int(a.Index()) }
	for _, how := range []ecs.SortWay{0, ecs.SortInPlace, ecs.SortByPermutation, ecs.SortThroughEntries} {
		p.bodies.Sort(func(a, b ecs.Entity) int { return -back(a, b) })
		for _, n := range []int{0, 1, 77, p.bodies.Len(), p.bodies.Len() + 1} {
			want := p.bodies.Members(nil)
			slices.SortStableFunc(want[:min(n, len(want))], back)
			p.bodies.Sort(back, how, ecs.First(n))
			if !slices.Equal(p.bodies.Members(nil), want) {
				t.Fatalf("the first %d are not sorted in way %d", n, how)
			}
		}
	}
	p.bodies.SortAs(p.sprites, 0)
	rows, readers := p.bodies.Members(nil), p.sprites.Members(nil)
	if want := wantOrder(rows, readers); len(want) < 200 || !slices.Equal(rows[:len(want)], want) {
		t.Error("readers are not respected")
	}
	ok(0, p.w.Check())
}

func TestSortWaysRefuse(t *testing.T) {
	p, q := newPair(t, ecs.Options{}, 3), newPair(t, ecs.Options{}, 3)
	less := func(a, b *sprite) int { return 0 }
	same := func(a, b ecs.Entity) int { return 0 }
	panics(t, "with a nil function", func() { p.sp.Sort(nil) })
	panics(t, "with a nil function", func() { p.sp.SortKey(nil) })
	panics(t, "with -1 rows", func() { p.sp.Sort(less, ecs.First(-1)) })
	panics(t, "with 2 ways of sorting and 0 First: give one of each", func() { p.sp.Sort(less, ecs.SortInPlace, ecs.SortInPlace) })
	panics(t, "with 1 ways of sorting and 2 First", func() { p.sp.Sort(less, ecs.First(0), ecs.SortInPlace, ecs.First(2)) })
	panics(t, "which is not a SortWay", func() { p.sp.Sort(less, 9) })
	panics(t, "another world", func() { p.sp.Respect(q.sp) })
	panics(t, "nil or the zero value", func() { p.sp.Respect(nil) })
	panics(t, "nil or the zero value", func() { p.sp.Respect((*ecs.Pool[sprite])(nil)) })
	panics(t, "with a nil function", func() { p.sprites.Sort(nil, ecs.First(1)) })
	panics(t, "with -1 rows", func() { p.sprites.Sort(same, ecs.First(-1)) })
	panics(t, "another world", func() { p.sprites.SortAs(q.sprites, 0) })
	panics(t, "Sort while", func() {
		for range p.sp.All() {
			p.sp.Sort(less)
		}
	})
	panics(t, "SortAs while", func() {
		for range p.sp.All() {
			p.sprites.SortAs(p.bodies, 0)
		}
	})
	panics(t, "Respect while", func() {
		for range p.sp.All() {
			p.sp.Respect(p.tr)
		}
	})
}
