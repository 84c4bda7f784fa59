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
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// The model test with locks, and with disabled rows: between its commands entities are held
// and released, disabled and enabled. The maps' side of it is here.

// whole stands for all that an entity has, in place of a component's number.
const whole = -1

// guards is the locked and the disabled entities.
type guards struct {
	locks []*ecs.Lock
	keep  [][]int // components that each keeps, by number; none: all
	held  map[ecs.Entity][]hold
	off   map[ecs.Entity]map[int]bool // by component; whole: the entity

	looks    int // how many there were
	disabled *ecs.Query[disabledB16]
	asleep   *ecs.Query[asleepB16]
	present  *ecs.Query[presentB24]
}

type (
	disabledB16 struct {
		V []b16
		_ ecs.Disabled[b16]
	}
	asleepB16 struct {
		E ecs.Entity
		V ecs.WriteOne[b16]
		_ ecs.Present[b16]
		_ ecs.Disabled[ecs.Entity]
		_ ecs.Without[b1]
	}
	presentB24 struct {
		Rows ecs.Rows
		V    []b16
		_    ecs.Present[b24]
		_    ecs.Present[ecs.Entity]
	}
)

type hold struct {
	lock, count int
	holder      string
}

func (m *model) guard() {
	m.guards = &guards{held: map[ecs.Entity][]hold{}, off: map[ecs.Entity]map[int]bool{}, keep: [][]int{nil, {2, 3}, {0, 6}}}
	for i, keep := range m.guards.keep {
		var pools []ecs.AnyPool
		for _, c := range keep {
			pools = append(pools, m.columns[c].pool.(ecs.AnyPool))
		}
		m.guards.locks = append(m.guards.locks, m.w.NewLock(fmt.Sprint("lock", i), pools...))
	}
}

// unguard is World.Reset on the maps.
func (m *model) unguard() {
	if m.guards != nil {
		clear(m.guards.held)
		clear(m.guards.off)
	}
}

func (g *guards) died(e ecs.Entity) {
	if g == nil {
		return
	}
	if g.held[e] != nil {
		panic("a locked entity died")
	}
	delete(g.off, e)
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

// wantRemoved is the wanted result of Remove.
func (m *model) wantRemoved(e ecs.Entity, c int) error {
	want := m.want(e, c, nil, ecs.ErrAbsent)
	if want == nil && m.keeps(e, c) {
		return ecs.ErrLocked
	}
	return want
}

// lost is the effect on the maps when an entity loses a component.
func (m *model) lost(e ecs.Entity, c int) {
	delete(m.alive[e], c)
	if m.guards != nil {
		delete(m.guards.off[e], c)
	}
}

// sees tells whether queries see a component of an entity.
func (m *model) sees(e ecs.Entity, c int) bool {
	_, has := m.alive[e][c]
	return has && (m.guards == nil || !m.guards.off[e][c] && !m.guards.off[e][whole])
}

// guardStep holds or releases an entity, or disables or enables something.
func (m *model) guardStep() {
	if m.guards == nil || m.next(2) == 0 {
		return
	}
	switch m.next(8) {
	case 0:
		m.massStep()
		return
	case 1, 2, 3, 4:
		m.switchStep()
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

// switchStep disables or enables a component or an entity: at once, by a command, or many.
func (m *model) switchStep() {
	e, c, on := m.pick(), m.next(len(m.columns)+1)-1, m.next(3) == 0
	want := m.wantSwitched(e, c)
	switch m.next(4) {
	case 0:
		es := m.some([]int{2, 3, 4, 5}[m.next(4)])
		for _, e := range es {
			enabled, set := m.w.Enabled, m.w.SetEnabled
			if c != whole {
				enabled, set = m.columns[c].pool.Enabled, m.columns[c].pool.SetEnabled
			}
			was := enabled(e)
			err, want := set(e, on), m.wantSwitched(e, c)
			changed := want == nil && m.switched(e, c, on)
			if err != want || (enabled(e) != was) != changed {
				m.failf("SetEnabled(%v, %v) of many: %v, want %v; was %v, changed %v", e, on, err, want, was, changed)
			}
		}
		return
	case 1:
		if c == whole {
			m.w.Commands().SetEnabled(e, on)
		} else {
			m.columns[c].enable(m.w.Commands(), e, on)
		}
		m.expect("SafePoint", m.w.SafePoint(), nil)
		if want != nil {
			m.dropped++
		}
	default:
		if c == whole {
			m.expect("SetEnabled", m.w.SetEnabled(e, on), want)
		} else {
			m.expect("SetEnabled "+names[c], m.columns[c].pool.SetEnabled(e, on), want)
		}
	}
	if want == nil {
		m.switched(e, c, on)
	}
}

// wantSwitched is the wanted result of SetEnabled.
func (m *model) wantSwitched(e ecs.Entity, c int) error {
	if c == whole && m.alive[e] != nil {
		return nil
	}
	return m.want(e, c, nil, ecs.ErrAbsent)
}

// switched is SetEnabled on the maps; it tells whether it changed anything.
func (m *model) switched(e ecs.Entity, c int, on bool) bool {
	off := m.guards.off
	if off[e][c] == !on {
		return false
	}
	if off[e] == nil {
		off[e] = map[int]bool{}
	}
	off[e][c] = !on
	return true
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

// compareGuards compares locks with the maps.
func (m *model) compareGuards() {
	if m.guards == nil {
		return
	}
	n, last := 0, uint32(0)
	for x := range m.w.Locks() {
		h := hold{slices.IndexFunc(m.guards.locks, func(l *ecs.Lock) bool { return ecs.NameOf(l) == x.Lock }), x.Count, x.Holder}
		if !slices.Contains(m.guards.held[x.Entity], h) || x.Entity.Index() < last || len(x.Components) != len(m.guards.keep[h.lock]) {
			m.failf("%v is listed as held, after %d; want %v", x, last, m.guards.held[x.Entity])
		}
		n, last = n+1, x.Entity.Index()
	}
	for e, list := range m.guards.held {
		n -= len(list)
		of := slices.Collect(m.w.Locks(e))
		for i, h := range list {
			if len(of) != len(list) || of[i].Holder != h.holder || of[i].Count != h.count || of[i].Entity != e {
				m.failf("Locks(%v): %v, want %v", e, of, list)
			}
		}
		if _, is := errors.AsType[store.LockedError](m.w.Destroy(e)); !is {
			m.failf("%v is locked, and was destroyed", e)
		}
	}
	if n != 0 {
		m.failf("%d more holds are listed than there are", n)
	}
	m.compareDisabled()
}

// compareDisabled compares disabled rows with the maps: look-ups, and queries that ask for
// it.
func (m *model) compareDisabled() {
	off := m.guards.off
	var want [3]int // rows of the queries below
	for e, has := range m.alive {
		if m.w.Enabled(e) == off[e][whole] {
			m.failf("%v is enabled: %v", e, off[e][whole])
		}
		for c := range m.columns {
			if _, ok := has[c]; m.columns[c].pool.Enabled(e) != (ok && !off[e][c]) {
				m.failf("%s of %v is enabled: %v, want %v", names[c], e, !(ok && !off[e][c]), ok && !off[e][c])
			}
		}
		_, b16 := has[3]
		_, b24 := has[4]
		if b16 && off[e][3] && !off[e][whole] {
			want[0]++
		}
		if _, b1 := has[1]; b16 && off[e][whole] && !(b1 && !off[e][1]) {
			want[1]++
		}
		if b16 && !off[e][3] && b24 {
			want[2]++
		}
	}
	if m.guards.looks%8 == 0 { // the others go on, as tables come and go
		m.guards.disabled = ecs.QueryOf[disabledB16](m.w)
		m.guards.asleep = ecs.QueryOf[asleepB16](m.w)
		m.guards.present = ecs.QueryOf[presentB24](m.w)
		m.expect("QueryOf", m.w.Err(), nil)
	}
	m.guards.looks++
	disabled, asleep, present := m.guards.disabled, m.guards.asleep, m.guards.present
	var got [3]int
	for s := range disabled.All() {
		got[0] += len(s.V)
	}
	for s := range asleep.All() {
		if got[1]++; !off[s.E][whole] {
			m.failf("%v is not disabled, and met", s.E)
		}
	}
	for s := range present.All() {
		got[2] += len(s.Rows)
	}
	if n := [3]int{disabled.Len(), asleep.Len(), present.Len()}; got != want || n != want {
		m.failf("queries for what is disabled meet %v, and count %v, want %v", got, n, want)
	}
}

// The commands of TestModel, between which entities are held and released, disabled and
// enabled.
func TestModelGuards(t *testing.T) {
	t.Parallel()
	streams, commands := 4, 3000
	if testing.Short() {
		streams, commands = 2, 1500
	}
	if race.Enabled {
		commands = 1000
	}
	all := fewer(variants())
	all["recorded"] = ecs.Options{Record: true}
	alike(t, streams, all, func(seed uint64, o ecs.Options) uint64 {
		crowd, every := 12, 4
		switch seed % 4 {
		case 0:
			every = 1
		case 1:
			crowd, every = 500, 100
		}
		m := newModel(t, o, rand.New(rand.NewPCG(seed, 2)).IntN)
		m.systems()
		m.guard()
		return m.play(commands, crowd, every)
	})
}
