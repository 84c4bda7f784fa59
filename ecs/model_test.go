package ecs_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// The model test: a stream of commands is carried out on a world and on plain
// maps, and they must agree after each. The same stream under other options must
// end in the same state.

type (
	tag0 struct{}
	b1   [1]byte
	b4   [4]byte
	b16  [16]byte
	b24  [24]byte
	b8K  [8 << 10]byte
	far  [2]uint64 // registered last, in every other stream beyond the first 64 components
)

// column is one component as the test sees it, whatever its type.
type column struct {
	pool interface {
		Len() int
		Has(ecs.Entity) bool
		Remove(ecs.Entity) error
		RemoveAll(ecs.AnyQuery) (int, error)
		Clear() error
		Enabled(ecs.Entity) bool
		SetEnabled(ecs.Entity, bool) error
	}
	add    func(e ecs.Entity, seed byte) error
	batch  func(es []ecs.Entity, seed byte) (int, error) // AddAll of Handles
	all    allOf
	sorts  sortsOf
	later  func(c *ecs.Commands, e ecs.Entity, seed byte) // Add, Remove and SetEnabled at a safe point
	drop   func(c *ecs.Commands, e ecs.Entity)
	enable func(c *ecs.Commands, e ecs.Entity, on bool)
	puts   putsOf
	set    func(e ecs.Entity, seed byte) error
	get    func(e ecs.Entity) (seed byte, ok bool)
	rows   func(yield func(ecs.Entity, byte))
	sized  bool
}

// columnOf registers T; fill writes a seed into every byte of a value and read
// gets it back, checking that all bytes agree.
func columnOf[T any](t testing.TB, w *ecs.World, name string, fill func(*T, byte), read func(*T) byte) column {
	p := ecs.Register[T](w, name)
	value := func(seed byte) (v T) { fill(&v, seed); return v }
	return column{
		pool:   p,
		add:    func(e ecs.Entity, s byte) error { return p.Add(e, value(s)) },
		batch:  func(es []ecs.Entity, s byte) (int, error) { return p.AddAll(ecs.Handles(es), value(s)) },
		all:    allOfPool(p, value),
		sorts:  sortsOfPool(p, read),
		puts:   putsOfPool(p, value),
		later:  func(c *ecs.Commands, e ecs.Entity, s byte) { p.Later(c).Add(e, value(s)) },
		drop:   func(c *ecs.Commands, e ecs.Entity) { p.Later(c).Remove(e) },
		enable: func(c *ecs.Commands, e ecs.Entity, on bool) { p.Later(c).SetEnabled(e, on) },
		set:    func(e ecs.Entity, s byte) error { return p.Set(e, value(s)) },
		get: func(e ecs.Entity) (byte, bool) {
			v := p.Get(e)
			if v == nil {
				return 0, false
			}
			return read(v), true
		},
		rows: func(yield func(ecs.Entity, byte)) {
			for e, v := range p.All() {
				yield(e, read(v))
			}
		},
		sized: read(new(value(7))) == 7,
	}
}

func fillBytes(b []byte, s byte) {
	for i := range b {
		b[i] = s
	}
}

func readBytes(b []byte) byte {
	if len(b) > 1 && !bytes.Equal(b[1:], b[:len(b)-1]) {
		panic("torn value")
	}
	return b[0]
}

type duo struct {
	A b4
	B b16
}

type trio struct {
	T tag0
	C b24
	D b8K
}

type model struct {
	t       testing.TB
	w       *ecs.World
	columns []column
	alive   map[ecs.Entity]map[int]byte
	order   []ecs.Entity // alive, in order of birth
	dead    []ecs.Entity
	duos    *ecs.Group[duo]
	trios   *ecs.Group[trio]
	next    func(n int) int // the stream: a number below n
	dropped int             // commands that found nothing to do
	guards  *guards         // nil: nothing is locked or disabled
	puts    *puts           // nil: nothing is put
	kin     *kinsfolk       // nil: no group stands within another, and nothing is sorted
	batches *ecs.Query[batchOfA]
	looks   int // of compareQuery
}

var names = []string{"tag", "b1", "b4", "b16", "b24", "b8k", "far"}

func newModel(t testing.TB, o ecs.Options, next func(int) int) *model {
	w := ecs.New(o)
	m := &model{t: t, w: w, alive: map[ecs.Entity]map[int]byte{}, next: next}
	m.columns = []column{
		columnOf(t, w, "tag", func(*tag0, byte) {}, func(*tag0) byte { return 0 }),
		columnOf(t, w, "b1", func(v *b1, s byte) { fillBytes(v[:], s) }, func(v *b1) byte { return readBytes(v[:]) }),
		columnOf(t, w, "b4", func(v *b4, s byte) { fillBytes(v[:], s) }, func(v *b4) byte { return readBytes(v[:]) }),
		columnOf(t, w, "b16", func(v *b16, s byte) { fillBytes(v[:], s) }, func(v *b16) byte { return readBytes(v[:]) }),
		columnOf(t, w, "b24", func(v *b24, s byte) { fillBytes(v[:], s) }, func(v *b24) byte { return readBytes(v[:]) }),
		columnOf(t, w, "b8k", func(v *b8K, s byte) { fillBytes(v[:], s) }, func(v *b8K) byte { return readBytes(v[:]) }),
	}
	for i := range 60 * next(2) { // far is in the second plane of sets, or all are in the first
		ecs.Register[[2]byte](w, fmt.Sprintf("filler%d", i))
	}
	m.columns = append(m.columns, columnOf(t, w, "far",
		func(v *far, s byte) { *v = far{uint64(s), ^uint64(s)} },
		func(v *far) byte {
			if v[0] != ^v[1] {
				panic("torn value")
			}
			return byte(v[0])
		}))
	return m
}

func (m *model) failf(format string, args ...any) {
	m.t.Helper()
	m.t.Fatalf(format, args...)
}

// pick returns a live entity, sometimes a dead, null or forged handle.
func (m *model) pick() ecs.Entity {
	switch k := m.next(16); {
	case k == 0 && len(m.dead) > 0:
		return m.dead[m.next(len(m.dead))]
	case k == 1:
		return []ecs.Entity{0, 7, 1 << 40, ^ecs.Entity(0), 1<<36 | 1<<31}[m.next(5)]
	case len(m.order) > 0:
		return m.order[m.next(len(m.order))]
	}
	return 0
}

func (m *model) born(e ecs.Entity, has map[int]byte) {
	if m.alive[e] != nil || e == 0 || slices.Contains(m.dead, e) {
		m.failf("handle %v was given out twice", e)
	}
	m.alive[e] = has
	m.order = append(m.order, e)
}

func (m *model) died(e ecs.Entity) {
	delete(m.alive, e)
	m.guards.died(e)
	m.order = slices.DeleteFunc(m.order, func(o ecs.Entity) bool { return o == e })
	m.dead = append(m.dead, e)
}

// want is the wanted result of a call on an entity and a component.
func (m *model) want(e ecs.Entity, c int, present error, absent error) error {
	has, ok := m.alive[e]
	if !ok {
		return ecs.ErrStale
	}
	if _, ok := has[c]; ok {
		return present
	}
	return absent
}

func (m *model) expect(what string, got, want error) {
	if !errors.Is(got, want) || (want == nil && got != nil) {
		m.failf("%s: got %v, want %v", what, got, want)
	}
}

func (m *model) seed(c int, s byte) byte {
	if m.columns[c].sized {
		return s
	}
	return 0
}

// step carries one command out on both.
func (m *model) step(crowd int) {
	c := m.next(len(m.columns))
	s := byte(m.next(256))
	k := m.next(44)
	if len(m.order) < crowd/2 && k >= 20 {
		k = m.next(3)
	}
	if len(m.order) > crowd && k < 3 {
		k = 3
	}
	switch {
	case len(m.order) > 50*crowd, k == 41 && m.next(32) == 0: // spawns may outgrow deaths
		m.w.Reset()
		m.dead = append(m.dead, m.order...)
		m.order = nil
		clear(m.alive)
		m.unguard()
	case k == 0:
		e, err := m.w.Spawn()
		m.expect("Spawn", err, nil)
		m.born(e, map[int]byte{})
	case k == 1 && m.duos != nil:
		e, err := m.duos.Spawn(duo{b4{s, s, s, s}, full16(s)})
		m.expect("Spawn duo", err, nil)
		m.born(e, map[int]byte{2: s, 3: s})
		if m.next(8) == 0 {
			m.spawnEach(s)
		}
	case k == 2 && m.trios != nil:
		es := make([]ecs.Entity, 1+m.next(9))
		v := trio{}
		fillBytes(v.C[:], s)
		fillBytes(v.D[:], s)
		m.expect("SpawnN trio", m.trios.SpawnN(es, []trio{v}), nil)
		for _, e := range es {
			m.born(e, map[int]byte{0: 0, 4: s, 5: s})
		}
	case k <= 4:
		e := m.pick()
		err := m.w.Destroy(e)
		if _, ok := m.alive[e]; !ok {
			m.expect("Destroy", err, ecs.ErrStale)
			return
		}
		if m.keeps(e, whole) {
			m.expect("Destroy", err, ecs.ErrLocked)
			return
		}
		m.expect("Destroy", err, nil)
		m.died(e)
	case k == 5:
		m.destroyBatch()
	case k <= 18:
		e := m.pick()
		want := m.want(e, c, ecs.ErrPresent, nil)
		m.expect("Add "+names[c], m.columns[c].add(e, s), want)
		if want == nil {
			m.alive[e][c] = m.seed(c, s)
		}
	case k <= 26:
		e := m.pick()
		want := m.wantRemoved(e, c)
		m.expect("Remove "+names[c], m.columns[c].pool.Remove(e), want)
		if want == nil {
			m.lost(e, c)
		}
	case k <= 30:
		e := m.pick()
		want := m.want(e, c, nil, ecs.ErrAbsent)
		m.expect("Set "+names[c], m.columns[c].set(e, s), want)
		if want == nil {
			m.alive[e][c] = m.seed(c, s)
		}
	case k == 31:
		m.expect("Frame", m.w.Run(m.t.Context()), nil)
	case k == 32 && m.duos == nil:
		m.duos = ecs.GroupOf[duo](m.w, "duo")
		m.expect("GroupOf duo", m.w.Err(), nil)
	case k == 33 && m.trios == nil:
		m.trios = ecs.GroupOf[trio](m.w, "trio")
		m.expect("GroupOf trio", m.w.Err(), nil)
	case k == 33 && m.kin == nil:
		ecs.Apart(m.trios)
		m.expect("rows of the trios' own", m.w.Err(), nil)
	case k == 34:
		m.commands()
	case k == 35 && m.next(8) == 0:
		var want error
		for e, has := range m.alive {
			if _, ok := has[c]; ok && m.keeps(e, c) {
				want = ecs.ErrLocked
				continue
			}
			m.lost(e, c)
		}
		m.expect("Clear "+names[c], m.columns[c].pool.Clear(), want)
	case k == 36 && m.next(8) == 0:
		_, err := m.w.Purge()
		m.expect("Purge", err, nil)
	case k <= 38:
		m.addBatch(c, s)
	case k <= 40:
		m.removeBatch(c)
	default:
		m.expect("SafePoint", m.w.SafePoint(), nil)
	}
}

func full16(s byte) (v b16) { fillBytes(v[:], s); return v }

// spawnEach makes enough of them at once that their records lie side by side, as far as
// they come from a batch that was destroyed.
func (m *model) spawnEach(s byte) {
	values := make([]duo, 1+m.next(24))
	es := make([]ecs.Entity, len(values))
	for i := range values {
		k := s + byte(i)
		values[i] = duo{b4{k, k, k, k}, full16(k)}
	}
	m.expect("SpawnN duo", m.duos.SpawnN(es, values), nil)
	for i, e := range es {
		m.born(e, map[int]byte{2: s + byte(i), 3: s + byte(i)})
	}
}

// destroyBatch destroys the last rows of a group, or some handles of any kind.
func (m *model) destroyBatch() {
	var es []ecs.Entity
	switch k := m.next(4); {
	case k == 0 && m.duos != nil:
		es = m.duos.Members(nil)
		es = es[len(es)-min(m.next(32), len(es)):]
	case k <= 1 && m.trios != nil:
		es = m.trios.Members(nil)
		es = es[len(es)-min(m.next(8), len(es)):]
	default:
		for range m.next(5) {
			es = append(es, m.pick())
		}
	}
	want := 0
	n := ok(m.w.DestroyAll(ecs.Handles(es)))
	for _, e := range es {
		if _, ok := m.alive[e]; ok && !m.keeps(e, whole) {
			want++
			m.died(e)
		}
	}
	if n != want {
		m.failf("DestroyAll destroyed %d of %v, want %d", n, es, want)
	}
}

// some is entities for a batch: a stretch of living ones in order of birth, rows as they
// lie, or handles of any kind, some of them twice.
func (m *model) some(c int) (es []ecs.Entity) {
	switch m.next(3) {
	case 0:
		k := m.next(len(m.order) + 1)
		es = append(es, m.order[k:k+m.next(len(m.order)-k+1)]...)
	case 1:
		m.columns[c].rows(func(e ecs.Entity, _ byte) { es = append(es, e) })
		es = es[m.next(len(es)+1):]
	default:
		for range m.next(24) {
			es = append(es, m.pick())
		}
	}
	if len(es) > 0 && m.next(3) == 0 {
		es = slices.Insert(es, m.next(len(es)), m.pick())
	}
	return es
}

func (m *model) addBatch(c int, s byte) {
	es := m.some([]int{2, 3, 4, 5}[m.next(4)])
	want := 0
	got, err := m.columns[c].batch(es, s)
	for _, e := range es {
		if m.want(e, c, ecs.ErrPresent, nil) == nil {
			want++
			m.alive[e][c] = m.seed(c, s)
		}
	}
	m.expect("AddAll "+names[c], err, nil)
	if got != want {
		m.failf("AddAll added %s to %d of %v, want %d", names[c], got, es, want)
	}
}

func (m *model) removeBatch(c int) {
	es := m.some(c)
	want, locked := 0, error(nil)
	got, err := m.columns[c].pool.RemoveAll(ecs.Handles(es))
	for _, e := range es {
		switch m.wantRemoved(e, c) {
		case nil:
			want++
			m.lost(e, c)
		case ecs.ErrLocked:
			locked = ecs.ErrLocked
		}
	}
	m.expect("RemoveAll "+names[c], err, locked)
	if got != want {
		m.failf("RemoveAll removed %s from %d of %v, want %d", names[c], got, es, want)
	}
}

// systems gives the world systems that go over changing columns.
func (m *model) systems() {
	type bump struct {
		A ecs.Write[b4]
		B ecs.Write[b16]
	}
	ecs.System(m.w, "bump", func(c *bump) {
		for i := range c.A {
			s := c.A[i][0] + 1
			c.A[i], c.B[i] = b4{s, s, s, s}, full16(s)
		}
	})
	m.expect("System", m.w.Err(), nil)
	type grow struct {
		C    ecs.Write[b24]
		Ents []ecs.Entity
		Tag  ecs.With[tag0]
	}
	ecs.System(m.w, "grow", func(c *grow) {
		for i := range c.C {
			fillBytes(c.C[i][:], c.C[i][0]+2)
		}
	})
	m.expect("System", m.w.Err(), nil)
	type change struct {
		B    []b16
		Ents []ecs.Entity
		Cmd  *ecs.Commands
	}
	ecs.System(m.w, "change", func(c *change) {
		for i, e := range c.Ents {
			switch s := c.B[i][0]; s % 4 {
			case 1:
				m.columns[1].later(c.Cmd, e, s)
			case 2:
				m.columns[1].drop(c.Cmd, e)
			}
		}
	})
	m.expect("System", m.w.Err(), nil)
}

// frame is the systems' work on the maps.
func (m *model) frame() {
	for e, has := range m.alive {
		if m.sees(e, 2) && m.sees(e, 3) {
			has[2]++
			has[3] = has[2]
		}
		if m.sees(e, 0) && m.sees(e, 4) {
			has[4] += 2
		}
		if s := has[3]; m.sees(e, 3) {
			switch s % 4 {
			case 1:
				m.addOrDrop(e, 1, s)
			case 2:
				m.removeOrDrop(e, 1)
			}
		}
	}
}
