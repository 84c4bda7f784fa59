package ecs_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// The model test with locks: between its commands entities are held and released. What the
// maps know of it is here.

// whole stands for all that an entity has, in place of a component's number.
const whole = -1

// guards is what is locked.
type guards struct {
	locks []*ecs.Lock
	keep  [][]int // components that each keeps, by number; none: all
	held  map[ecs.Entity][]hold
}

type hold struct {
	lock, count int
	holder      string
}

func (m *model) guard() {
	m.guards = &guards{held: map[ecs.Entity][]hold{}, keep: [][]int{nil, {2, 3}, {0, 6}}}
	for i, keep := range m.guards.keep {
		var pools []ecs.AnyPool
		for _, c := range keep {
			pools = append(pools, m.columns[c].pool.(ecs.AnyPool))
		}
		m.guards.locks = append(m.guards.locks, m.w.NewLock(fmt.Sprint("lock", i), pools...))
	}
}

// unguard is what World.Clear does.
func (m *model) unguard() {
	if m.guards != nil {
		clear(m.guards.held)
	}
}

func (g *guards) died(e ecs.Entity) {
	if g != nil && g.held[e] != nil {
		panic("a locked entity died")
	}
}

// keeps tells whether a lock keeps a component of an entity, or the whole.
func (m *model) keeps(e ecs.Entity, c int) bool {
	if m.guards == nil {
		return false
	}
	return slices.ContainsFunc(m.guards.held[e], func(h hold) bool {
		keep := m.guards.keep[h.lock]
		return c == whole || keep == nil || slices.Contains(keep, c)
	})
}

// wantRemoved is what Remove must return.
func (m *model) wantRemoved(e ecs.Entity, c int) error {
	want := m.want(e, c, nil, ecs.ErrAbsent)
	if want == nil && m.keeps(e, c) {
		return ecs.ErrLocked
	}
	return want
}

// lost is what happens to the maps when an entity loses a component.
func (m *model) lost(e ecs.Entity, c int) { delete(m.alive[e], c) }

// guardStep holds or releases an entity.
func (m *model) guardStep() {
	if m.guards == nil || m.next(2) == 0 {
		return
	}
	g, e := m.guards, m.pick()
	h := hold{m.next(3), 1, []string{"a", "b"}[m.next(2)]}
	if len(g.held) > 1+len(m.order)/4 || m.next(3) == 0 {
		m.release()
		return
	}
	err := g.locks[h.lock].Hold(e, h.holder)
	if m.alive[e] == nil {
		m.expect("Hold", err, ecs.ErrStale)
		return
	}
	m.expect("Hold", err, nil)
	if i := slices.IndexFunc(g.held[e], h.same); i >= 0 {
		g.held[e][i].count++
	} else {
		g.held[e] = append(g.held[e], h)
	}
}

func (h hold) same(o hold) bool { return h.lock == o.lock && h.holder == o.holder }

// release ends a hold of an entity that has one, or tries that of a dead one.
func (m *model) release() {
	g := m.guards
	es := slices.SortedFunc(mapsKeys(g.held), func(a, b ecs.Entity) int { return cmp.Compare(a, b) })
	if len(es) == 0 || m.next(8) == 0 {
		if e := m.pick(); m.alive[e] == nil {
			m.expect("Release", g.locks[0].Release(e, "a"), ecs.ErrStale)
		}
		return
	}
	e := es[m.next(len(es))]
	i := m.next(len(g.held[e]))
	h := &g.held[e][i]
	m.expect("Release", g.locks[h.lock].Release(e, h.holder), nil)
	if h.count--; h.count == 0 {
		if g.held[e] = slices.Delete(g.held[e], i, i+1); len(g.held[e]) == 0 {
			delete(g.held, e)
		}
	}
}

// compareGuards holds what is locked against the maps.
func (m *model) compareGuards() {
	if m.guards == nil {
		return
	}
	n, last := 0, uint32(0)
	for x := range m.w.Locks() {
		h := hold{slices.IndexFunc(m.guards.locks, func(l *ecs.Lock) bool { return l.Name() == x.Lock }), x.Count, x.Holder}
		if !slices.Contains(m.guards.held[x.Entity], h) || x.Entity.Index() < last || len(x.Components) != len(m.guards.keep[h.lock]) {
			m.failf("%v is listed as held, after %d; want %v", x, last, m.guards.held[x.Entity])
		}
		n, last = n+1, x.Entity.Index()
	}
	for e, list := range m.guards.held {
		n -= len(list)
		of := m.w.LocksOf(e)
		for i, h := range list {
			if len(of) != len(list) || of[i].Holder != h.holder || of[i].Count != h.count || of[i].Entity != e {
				m.failf("LocksOf(%v): %v, want %v", e, of, list)
			}
		}
		if _, is := errors.AsType[ecs.LockedError](m.w.Destroy(e)); !is {
			m.failf("%v is locked, and was destroyed", e)
		}
	}
	if n != 0 {
		m.failf("%d more holds are listed than there are", n)
	}
}

// The commands of TestModel, between which entities are held and released.
func TestModelGuards(t *testing.T) {
	streams, commands := 12, 4000
	if testing.Short() {
		streams, commands = 2, 1500
	}
	if race.Enabled {
		commands = 1000
	}
	for i := range streams {
		crowd, every := 12, 1
		if i%4 == 1 {
			crowd, every = 500, 100
		}
		want := uint64(0)
		all := fewer(variants())
		all["recorded"] = ecs.Options{Record: ecs.Recording{On: true}, Recycle: ecs.LIFO}
		for _, name := range slices.Sorted(mapsKeys(all)) {
			m := newModel(t, all[name], rand.New(rand.NewPCG(uint64(i), 2)).IntN)
			m.systems()
			m.guard()
			got := m.play(commands, crowd, every)
			if want == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("seed %d: digest %x under %q, others %x", i, got, name, want)
			}
		}
	}
}
