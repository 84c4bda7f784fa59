package ecs_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// The model test with changes of all that a query matches, by queries that are put together
// of random lists.

// allOf is the calls of a pool for all matches of a query.
type allOf struct {
	pool   ecs.AnyPool
	add    func(q ecs.AnyQuery, seed byte) (int, error)
	set    func(q ecs.AnyQuery, seed byte) (int, error)
	remove func(q ecs.AnyQuery) (int, error)
}

func allOfPool[T any](p *ecs.Pool[T], value func(byte) T) allOf {
	return allOf{
		pool:   p,
		add:    func(q ecs.AnyQuery, s byte) (int, error) { return p.AddAll(q, value(s)) },
		set:    func(q ecs.AnyQuery, s byte) (int, error) { return p.SetAll(q, value(s)) },
		remove: p.RemoveAll,
	}
}

// lists is a Match as the model has it: by columns.
type lists struct{ with, write, without, any []int }

func (m *model) lists() (l lists) {
	for _, list := range []*[]int{&l.with, &l.write, &l.without, &l.any} {
		for range m.next(3) {
			c := m.next(len(m.columns))
			if list == &l.without && (slices.Contains(l.with, c) || slices.Contains(l.write, c)) {
				continue
			}
			*list = append(*list, c)
		}
	}
	if len(l.with)+len(l.write)+len(l.any) == 0 {
		l.with = []int{m.next(len(m.columns))}
		l.without = nil
	}
	return l
}

func (m *model) matches(l lists, e ecs.Entity) bool {
	in := func(c int) bool { return m.sees(e, c) }
	out := func(c int) bool { return !in(c) }
	return !slices.ContainsFunc(l.with, out) && !slices.ContainsFunc(l.write, out) && !slices.ContainsFunc(l.without, in) &&
		(len(l.any) == 0 || slices.ContainsFunc(l.any, in))
}

func (m *model) poolsOf(list []int) (pools []ecs.AnyPool) {
	for _, c := range list {
		pools = append(pools, m.columns[c].all.pool)
	}
	return pools
}

// massStep makes a selection, goes over it, and makes a change of all that it matches.
func (m *model) massStep() {
	l := m.lists()
	q := ecs.Select(m.w, ecs.Match{With: m.poolsOf(l.with), Write: m.poolsOf(l.write), Without: m.poolsOf(l.without), Or: m.poolsOf(l.any)})
	err := m.w.Err()
	m.expect("Select", err, nil)
	var met []ecs.Entity
	for b := range q.All() {
		for _, c := range slices.Concat(l.with, l.write) {
			m.compareColumn(b, c)
		}
		met = append(met, b.Entities...)
	}
	want := 0
	for e := range m.alive {
		if m.matches(l, e) {
			want++
		}
	}
	if len(met) != want || q.Len() != want || slices.ContainsFunc(met, func(e ecs.Entity) bool { return !m.matches(l, e) }) {
		m.failf("a selection of %v gave %d entities and counted %d, want %d", l, len(met), q.Len(), want)
	}
	c, s, locked := m.next(len(m.columns)), byte(m.next(256)), error(nil)
	all, got, changed := m.columns[c].all, 0, 0
	var many ecs.AnyQuery = q
	if m.next(3) == 0 {
		many = ecs.Handles(met)
	}
	switch k := m.next(8); {
	case k < 4:
		got, err = all.add(many, s)
		for _, e := range met {
			if _, ok := m.alive[e][c]; !ok {
				m.alive[e][c] = m.seed(c, s)
				changed++
			}
		}
	case k < 6:
		got, err = all.remove(many)
		for _, e := range met {
			switch m.wantRemoved(e, c) {
			case nil:
				m.lost(e, c)
				changed++
			case ecs.ErrLocked:
				locked = ecs.ErrLocked
			}
		}
	case k < 7 || len(met) > 20:
		got, err = all.set(many, s)
		for _, e := range met {
			if _, ok := m.alive[e][c]; ok {
				m.alive[e][c] = m.seed(c, s)
				changed++
			}
		}
	default:
		got, err = m.w.DestroyAll(many)
		for _, e := range met {
			if !m.keeps(e, whole) {
				m.died(e)
				changed++
			}
		}
	}
	m.expect("a change of all", err, locked)
	if got != changed {
		m.failf("a change of all changed %d entities, want %d", got, changed)
	}
}

// compareColumn holds a column of a batch against the maps.
func (m *model) compareColumn(b *ecs.Batch, c int) {
	for i, e := range b.Entities {
		got := byte(0)
		switch v := b.Column(m.columns[c].all.pool).(type) {
		case []tag0:
			if len(v) != len(b.Entities) {
				m.failf("%d tags for %d entities", len(v), len(b.Entities))
			}
		case []b1:
			got = v[i][0]
		case []b4:
			got = readBytes(v[i][:])
		case []b16:
			got = readBytes(v[i][:])
		case []b24:
			got = readBytes(v[i][:])
		case []b8K:
			got = readBytes(v[i][:])
		case []far:
			got = byte(v[i][0])
		default:
			m.failf("the column of %s is %T", names[c], v)
		}
		if got != m.alive[e][c] {
			m.failf("%v in a batch: %s is %d, want %d", e, names[c], got, m.alive[e][c])
		}
	}
}

// Changes of all that a selection matches have the effect of calls one by one, with
// every option alike: handles, order of rows and values.
func TestModelMass(t *testing.T) {
	t.Parallel()
	streams := 6
	if testing.Short() {
		streams = 3
	}
	if race.Enabled {
		streams = 1
	}
	for i := range streams {
		want := uint64(0)
		for _, name := range slices.Sorted(mapsKeys(fewer(variants()))) {
			m := newModel(t, variants()[name], rand.New(rand.NewPCG(uint64(i), 77)).IntN)
			m.systems()
			crowd := 12
			if i%3 == 1 {
				crowd = 400
			}
			frames := uint64(0)
			for k := range 2500 {
				if m.step(crowd); m.next(5) == 0 {
					for ; frames < m.w.Frame(); frames++ {
						m.frame()
					}
					m.massStep()
				}
				for ; frames < m.w.Frame(); frames++ {
					m.frame()
				}
				if k%50 == 0 {
					m.compare()
				}
			}
			m.compare()
			got := m.digest()
			ok(0, m.w.Close())
			if want == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("seed %d: digest %x under %q, others %x", i, got, name, want)
			}
		}
	}
}
