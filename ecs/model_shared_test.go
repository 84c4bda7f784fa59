package ecs_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
)

// The model test of systems over groups: they read and write components of other groups and of
// tables, whole and in part, all at the same time. Between systems and frames, commands and calls
// change components, sort rows, disable, and dissolve and declare groups. Each system must be
// passed the rows that plain maps say, with the values that these have.

type (
	shM struct { // of group mark
		X, Y uint32
		Z    [250]uint32 // several chunks, and at times a region
	}
	shB struct { // of group bell
		X, Y uint32
		Z    [4]uint32
	}
	shP struct { // of group place, while there is one
		X, Y uint32
		Z    [30]uint32
	}
	shF struct { // of tables
		X, Y uint32
		Z    [240]uint32
	}
	shV struct { // optional
		X, Y uint32
		Z    [2]uint32
	}
	shT struct { // thin
		X, Y uint32
		Z    [8]uint32
	}
	shU struct { // as the policy says
		X, Y uint32
		Z    [1]uint32
	}
)

const shCols = 7

var shNames = [shCols]string{"m", "b", "p", "f", "v", "t", "u"}

type shVal struct {
	x, y uint32
	off  bool // disabled
}

// shColumn is a component as the test sees it.
type shColumn struct {
	typ reflect.Type
	// With Commands the next changes are asked for, and made at a safe point.
	add    func(e ecs.Entity, v shVal, do *ecs.Commands) error
	put    func(e ecs.Entity, v shVal, do *ecs.Commands) error
	set    func(e ecs.Entity, v shVal, do *ecs.Commands) error
	remove func(e ecs.Entity, do *ecs.Commands) error
	enable func(e ecs.Entity, on bool, do *ecs.Commands) error
	addAll func(es []ecs.Entity, v shVal) (int, error)
	remAll func(es []ecs.Entity) (int, error)
	get    func(e ecs.Entity) (shVal, bool)
	sort   func()
	all    func(func(ecs.Entity))
}

// sharedModel is a world and its maps.
type sharedModel struct {
	t      *testing.T
	w      *ecs.World
	r      *rand.Rand
	stops  *rand.Rand // where walks end
	name   string
	cols   [shCols]shColumn
	has    map[ecs.Entity]*[shCols]*shVal
	off    map[ecs.Entity]bool // disabled as a whole
	order  []ecs.Entity        // alive, in order of birth
	then   []func()            // effects of commands at the next safe point
	under  *shSystem           // the system that runs, or is the next to
	list   []*shSystem
	groups [4]interface {
		Dissolve() error
		Members([]ecs.Entity) []ecs.Entity
		Sort(func(a, b ecs.Entity) int, ...ecs.SortWay)
	}
	nested [4]func()
	busy   bool // with a nested walk
	digest uint64
}

// shCol registers a component.
func shCol[T any](m *sharedModel, i int, way ...ecs.Storage) {
	p := ecs.Register[T](m.w, shNames[i], way...)
	typ := reflect.TypeFor[T]()
	value := func(e ecs.Entity, v shVal) T {
		r := reflect.New(typ).Elem()
		r.Field(0).SetUint(uint64(v.x))
		r.Field(1).SetUint(uint64(v.y))
		z := r.Field(2)
		for k := range z.Len() {
			z.Index(k).SetUint(uint64(e.Index()))
		}
		return r.Interface().(T)
	}
	m.cols[i] = shColumn{
		typ: typ,
		add: func(e ecs.Entity, v shVal, do *ecs.Commands) error {
			if do != nil {
				p.Later(do).Add(e, value(e, v))
				return nil
			}
			return p.Add(e, value(e, v))
		},
		put: func(e ecs.Entity, v shVal, do *ecs.Commands) error {
			if do != nil {
				p.Later(do).Put(e, value(e, v))
				return nil
			}
			return p.Put(e, value(e, v))
		},
		set: func(e ecs.Entity, v shVal, do *ecs.Commands) error {
			if do != nil {
				p.Later(do).Set(e, value(e, v))
				return nil
			}
			return p.Set(e, value(e, v))
		},
		remove: func(e ecs.Entity, do *ecs.Commands) error {
			if do != nil {
				p.Later(do).Remove(e)
				return nil
			}
			return p.Remove(e)
		},
		enable: func(e ecs.Entity, on bool, do *ecs.Commands) error {
			if do != nil {
				p.Later(do).SetEnabled(e, on)
				return nil
			}
			return p.SetEnabled(e, on)
		},
		addAll: func(es []ecs.Entity, v shVal) (int, error) {
			return p.AddAll(ecs.Handles(es), value(0, v))
		},
		remAll: func(es []ecs.Entity) (int, error) { return p.RemoveAll(ecs.Handles(es)) },
		get: func(e ecs.Entity) (v shVal, ok bool) {
			x := p.Get(e)
			if x == nil {
				return v, false
			}
			r := reflect.ValueOf(x).Elem()
			return shVal{x: uint32(r.Field(0).Uint()), y: uint32(r.Field(1).Uint()), off: !p.Enabled(e)}, true
		},
		sort: func() { p.SortKey(func(v *T) uint64 { return uint64(reflect.ValueOf(v).Elem().Field(0).Uint() % 64) }) },
		all: func(f func(ecs.Entity)) {
			for e := range p.All() {
				f(e)
			}
		},
	}
}

func (m *sharedModel) failf(f string, args ...any) {
	m.t.Helper()
	m.t.Fatalf("%s, frame %d: %s", m.name, m.w.Frame(), fmt.Sprintf(f, args...))
}

func (m *sharedModel) compOf(t reflect.Type) int {
	return slices.IndexFunc(m.cols[:], func(c shColumn) bool { return c.typ == t })
}

// command asks for some changes, from within a system.
func (m *sharedModel) command(e ecs.Entity) {
	c := m.w.Commands()
	if m.r.IntN(2) == 0 {
		e = m.order[m.r.IntN(len(m.order))]
	}
	for range 1 + m.r.IntN(3) {
		i, v := m.r.IntN(shCols), shVal{x: m.r.Uint32N(1000), y: m.r.Uint32N(1000)}
		switch m.r.IntN(12) {
		case 0:
			c.Destroy(e)
			m.then = append(m.then, func() { m.die(e) })
		case 1, 2, 3:
			m.cols[i].add(e, v, c)
			m.then = append(m.then, func() {
				if h := m.has[e]; h != nil && h[i] == nil {
					m.give(e, i, v)
				}
			})
		case 4:
			m.cols[i].put(e, v, c)
			m.then = append(m.then, func() {
				if m.has[e] != nil {
					m.write(e, i, v)
				}
			})
		case 5:
			m.cols[i].set(e, v, c)
			m.then = append(m.then, func() {
				if h := m.has[e]; h != nil && h[i] != nil {
					m.write(e, i, v)
				}
			})
		case 6:
			on := m.r.IntN(2) == 0
			m.cols[i].enable(e, on, c)
			m.then = append(m.then, func() {
				if h := m.has[e]; h != nil && h[i] != nil {
					h[i].off = !on
				}
			})
		default:
			m.cols[i].remove(e, c)
			m.then = append(m.then, func() {
				if h := m.has[e]; h != nil {
					h[i] = nil
				}
			})
		}
	}
}

// give notes a new value in the maps.
func (m *sharedModel) give(e ecs.Entity, c int, v shVal) {
	m.has[e][c] = &v
	m.touched(c, e)
}

func (m *sharedModel) write(e ecs.Entity, c int, v shVal) {
	if was := m.has[e][c]; was != nil {
		v.off = was.off
	}
	m.give(e, c, v)
}

func (m *sharedModel) die(e ecs.Entity) {
	if m.has[e] != nil {
		delete(m.has, e)
		delete(m.off, e)
		m.order = slices.DeleteFunc(m.order, func(o ecs.Entity) bool { return o == e })
	}
}

func (m *sharedModel) spawn() ecs.Entity {
	e := ok(m.w.Spawn())
	m.has[e] = &[shCols]*shVal{}
	m.order = append(m.order, e)
	for _, i := range m.r.Perm(shCols) {
		if k := []int{7, 6, 8, 6, 3, 1, 4}[i]; m.r.IntN(10) < k {
			v := shVal{x: m.r.Uint32N(1000), y: m.r.Uint32N(1000)}
			ok(0, m.cols[i].add(e, v, nil))
			m.give(e, i, v)
		}
	}
	return e
}

// change makes some changes at once: nothing runs.
func (m *sharedModel) change(most int) {
	for range m.r.IntN(most + 1) {
		e := m.order[m.r.IntN(len(m.order))]
		i, v := m.r.IntN(shCols), shVal{x: m.r.Uint32N(1000), y: m.r.Uint32N(1000)}
		h := m.has[e]
		switch k := m.r.IntN(40); {
		case k < 8:
			if h[i] != nil {
				ok(0, m.cols[i].remove(e, nil))
				h[i] = nil
			}
		case k < 16:
			if h[i] == nil {
				ok(0, m.cols[i].add(e, v, nil))
				m.give(e, i, v)
			}
		case k < 20:
			if h[i] != nil {
				ok(0, m.cols[i].set(e, v, nil))
				m.write(e, i, v)
			}
		case k < 23:
			if len(m.order) > 400 {
				ok(0, m.w.Destroy(e))
				m.die(e)
			}
		case k < 27:
			m.spawn()
		case k == 27:
			on := m.r.IntN(3) > 0
			if ok(0, m.w.SetEnabled(e, on)); on {
				delete(m.off, e)
			} else {
				m.off[e] = true
			}
		case k == 28:
			on := m.r.IntN(3) > 0
			if h[i] != nil {
				ok(0, m.cols[i].enable(e, on, nil))
				h[i].off = !on
			}
		case k == 29: // all are enabled
			for _, e := range m.order {
				ok(0, m.w.SetEnabled(e, true))
				for c, v := range m.has[e] {
					if v != nil && v.off {
						ok(0, m.cols[c].enable(e, true, nil))
						v.off = false
					}
				}
			}
			clear(m.off)
		case k == 30:
			at := m.r.IntN(len(m.order))
			es := m.order[at:min(len(m.order), at+m.r.IntN(200))]
			ok(m.cols[i].remAll(es))
			for _, e := range es {
				m.has[e][i] = nil
			}
		case k == 31 && i != 5:
			at := m.r.IntN(len(m.order))
			es := m.order[at:min(len(m.order), at+m.r.IntN(200))]
			ok(m.cols[i].addAll(es, v))
			for _, e := range es {
				if m.has[e][i] == nil {
					m.give(e, i, v)
				}
			}
		case k == 32:
			g := m.groups[m.r.IntN(4)]
			if g != nil {
				by := m.r.Uint32N(7) + 1
				g.Sort(func(a, b ecs.Entity) int { return int(a.Index()*by%97) - int(b.Index()*by%97) })
			}
		case k == 33 && m.r.IntN(4) == 0:
			m.cols[3].sort()
		case k == 34 && m.r.IntN(6) == 0:
			switch j := m.r.IntN(4); {
			case j == 0 && m.groups[3] != nil || j == 2 && m.groups[3] != nil || j == 3 && (m.groups[0] == nil || m.groups[2] != nil):
			case m.groups[j] != nil:
				ok(0, m.groups[j].Dissolve())
				m.groups[j] = nil
			default:
				m.declare(j)
			}
		case k == 35 && m.r.IntN(8) == 0:
			ok(m.w.Purge())
		case k == 36 && len(m.order) > 800: // the last rows of a group
			if g := m.groups[m.r.IntN(3)]; g != nil {
				es := g.Members(nil)
				es = es[len(es)-min(len(es), m.r.IntN(300)):]
				ok(m.w.DestroyAll(ecs.Handles(es)))
				for _, e := range es {
					m.die(e)
				}
			}
		case k == 37:
			if len(m.order) < 2500 {
				for range m.r.IntN(200) {
					m.spawn()
				}
			}
		case k == 38 && m.r.IntN(40) == 0:
			m.w.Reset()
			clear(m.has)
			clear(m.off)
			m.order = m.order[:0]
			for range 900 {
				m.spawn()
			}
		}
	}
}

func (m *sharedModel) declare(j int) {
	switch j {
	case 0:
		m.groups[0] = maybeApart(ecs.GroupOf[struct{ V shM }](m.w, "mark"), m.r)
	case 1:
		m.groups[1] = maybeApart(ecs.GroupOf[struct {
			B shB
			_ ecs.Maybe[shU]
		}](m.w, "bell"), m.r)
	case 3: // within mark
		m.groups[3] = ecs.GroupOf[struct {
			M shM
			P shP
		}](m.w, "both")
	case 2:
		m.groups[2] = maybeApart(ecs.GroupOf[struct{ V shP }](m.w, "place"), m.r)
	}
}

// maybeApart gives most groups rows of their own, which views need.
func maybeApart[S any](g *ecs.Group[S], r *rand.Rand) *ecs.Group[S] {
	if r.IntN(4) > 0 {
		ecs.Apart(g)
	}
	return g
}

func (m *sharedModel) compare() {
	if err := m.w.Check(); err != nil {
		m.failf("%v", err)
	}
	if m.w.Len() != len(m.has) {
		m.failf("%d entities, want %d", m.w.Len(), len(m.has))
	}
	for e, h := range m.has {
		for c := range m.cols {
			v, has := m.cols[c].get(e)
			if has != (h[c] != nil) || has && v != *h[c] {
				m.failf("%v has %s %v %v; %s", e, shNames[c], v, has, m.show(e))
			}
		}
	}
}

func playShared(t *testing.T, name string, o ecs.Options, seed uint64, frames int) uint64 {
	m := newShared(t, name, o, seed)
	for range frames {
		ok(0, m.w.Run(t.Context()))
		m.begin(nil)
		if m.r.IntN(3) > 0 {
			m.change([]int{3, 30, 200}[m.r.IntN(3)])
		}
		if m.r.IntN(10) == 0 {
			m.compare()
		}
	}
	m.compare()
	h := fnv.New64a()
	fmt.Fprint(h, m.digest)
	for c := range m.cols {
		m.cols[c].all(func(e ecs.Entity) { fmt.Fprint(h, e, *m.has[e][c]) })
	}
	if err := m.w.Close(); err != nil {
		t.Fatal(err)
	}
	return h.Sum64()
}

// sharedVariants are variants, and ways to get shared components.
func sharedVariants() map[string]ecs.Options {
	list := fewer(variants())
	list["kept"] = ecs.Options{Views: ecs.Views{Always: true}}
	list["off"] = ecs.Options{Views: ecs.Views{Off: true}}
	var views []string
	for i := range 30 {
		for j, c := range []string{"p", "p.X", "p.Y", "f", "f.Y", "v.X", "m.X", "b", "t", "u"} {
			views = append(views, fmt.Sprintf("view s%d %s %s", i, c, []string{"gathered", "cached", "direct"}[(i+j)%3]))
		}
	}
	list["mixed"] = ecs.Options{Layout: laid(views...)}
	return list
}

func TestModelShared(t *testing.T) {
	t.Parallel()
	frames, seeds := 30, 5
	if testing.Short() {
		frames, seeds = 12, 2
	}
	if race.Enabled {
		frames, seeds = 8, 1
	}
	list := sharedVariants()
	for seed := range uint64(seeds) {
		want := uint64(0)
		for _, name := range slices.Sorted(mapsKeys(list)) {
			got := playShared(t, name, list[name], seed, frames)
			if want == 0 {
				want = got
			}
			if got != want {
				t.Errorf("seed %d: digest %x under %q, others %x", seed, got, name, want)
			}
		}
	}
}
