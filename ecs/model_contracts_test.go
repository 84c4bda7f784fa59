package ecs_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Contracts in the model: some are bound after each command and held over hundreds of them.
// Each must agree with the maps, whatever has happened meanwhile.

type (
	heldPair struct {
		A ecs.WriteOne[b4]
		B ecs.WriteOne[b16]
	}
	heldWide struct {
		C ecs.WriteOne[b24]
		D ecs.MaybeOne[b8K]
		_ ecs.With[tag0]
	}
	heldApart struct {
		One *b1
		A   *b4
		Far ecs.MaybeWriteOne[far]
	}
)

// keeper holds contracts of one type.
type keeper[S any] struct {
	m     *model
	s     *ecs.Schema[S]
	needs []int // columns
	list  []ecs.Contract[S]
	turn  int
	// parts are the values that a struct of pointers gives: by column, how to read and write.
	parts func(*S) map[int]heldPart
}

type heldPart struct {
	get func() byte
	set func(byte) // nil: it is not written
}

func heldBytes(b []byte, write bool) (p heldPart) {
	p.get = func() byte { return readBytes(b) }
	if write {
		p.set = func(s byte) { fillBytes(b, s) }
	}
	return p
}

func keep[S any](m *model, needs []int, parts func(*S) map[int]heldPart) *keeper[S] {
	s := ecs.SchemaOf[S](m.w)
	m.expect("SchemaOf", m.w.Err(), nil)
	return &keeper[S]{m: m, s: s, needs: needs, parts: parts}
}

func keepers(m *model) (steps []func()) {
	pair := keep(m, []int{2, 3}, func(s *heldPair) map[int]heldPart {
		return map[int]heldPart{2: heldBytes(s.A[:], true), 3: heldBytes(s.B[:], true)}
	})
	wide := keep(m, []int{4, 0}, func(s *heldWide) map[int]heldPart {
		p := map[int]heldPart{4: heldBytes(s.C[:], true)}
		if s.D != nil {
			p[5] = heldBytes(s.D[:], false)
		}
		return p
	})
	apart := keep(m, []int{1, 2}, func(s *heldApart) map[int]heldPart {
		p := map[int]heldPart{1: heldBytes(s.One[:], false), 2: heldBytes(s.A[:], false)}
		if s.Far != nil {
			p[6] = heldPart{func() byte { return byte(s.Far[0]) }, func(b byte) { *s.Far = far{uint64(b), ^uint64(b)} }}
		}
		return p
	})
	return []func(){pair.step, wide.step, apart.step}
}

// lacks is the components of the schema that an entity lacks, as the maps have it.
func (k *keeper[S]) lacks(e ecs.Entity) (list []string) {
	for _, c := range k.needs {
		if _, has := k.m.alive[e][c]; !has {
			list = append(list, names[c])
		}
	}
	return list
}

// held is how many contracts a keeper has, and looked how many it looks at after a command.
const (
	held   = 96
	looked = 8
)

// step binds a contract and looks at some.
func (k *keeper[S]) step() {
	m := k.m
	k.turn++
	if e := m.at(k.turn * 7); e != 0 {
		k.bind(e)
		if k.turn%5 == 0 {
			k.bind(e) // another one of the same entity
		}
		if k.turn%41 == 0 {
			k.complete(e)
		}
	}
	if k.turn%101 == 0 {
		k.bind(k.spawn())
		k.bind(0)
		if len(m.dead) > 0 {
			k.bind(m.dead[len(m.dead)-1])
		}
	}
	for i := range min(looked, len(k.list)) {
		k.look(&k.list[(k.turn*looked+i)%len(k.list)])
	}
}

// at is some entity that is alive, by a number; 0 if there is none.
func (m *model) at(i int) ecs.Entity {
	if len(m.order) == 0 {
		return 0
	}
	return m.order[i%len(m.order)]
}

func (k *keeper[S]) bind(e ecs.Entity) {
	c, err := k.s.Bind(e)
	lacks := k.lacks(e)
	if _, alive := k.m.alive[e]; !alive {
		k.m.expect("Bind", err, ecs.ErrStale)
	} else if lacks != nil {
		if !errors.Is(err, ecs.ErrAbsent) || !strings.Contains(err.Error(), "lacks "+strings.Join(lacks, ", ")+" of") {
			k.m.failf("Bind of %v: %v; it lacks %v", e, err, lacks)
		}
	} else {
		k.m.expect("Bind", err, nil)
	}
	if err != nil {
		if k.s.Valid(&c) {
			k.m.failf("a contract of %v holds that was not made", e)
		}
		return
	}
	if len(k.list) < held {
		k.list = append(k.list, c)
	} else {
		k.list[k.turn%held] = c
	}
}

func (k *keeper[S]) complete(e ecs.Entity) {
	k.m.expect("Complete", k.s.Complete(e), nil)
	for _, c := range k.needs {
		if _, has := k.m.alive[e][c]; !has {
			k.m.alive[e][c] = 0
		}
	}
	if lacks := k.s.Lacks(e); lacks != nil {
		k.m.failf("%v lacks %v and was completed", e, lacks)
	}
}

func (k *keeper[S]) spawn() ecs.Entity {
	e, err := k.s.Spawn()
	k.m.expect("Spawn", err, nil)
	has := map[int]byte{}
	for _, c := range k.needs {
		has[c] = 0
	}
	k.m.born(e, has)
	return e
}

// look holds a contract against the maps.
func (k *keeper[S]) look(c *ecs.Contract[S]) {
	m, e := k.m, c.Entity()
	_, want := m.alive[e]
	want = want && k.lacks(e) == nil
	if k.turn%3 == 0 {
		if got := k.s.Valid(c); got != want {
			m.failf("the contract of %v holds: %v; it has %v", e, got, m.alive[e])
		}
	}
	use, write := k.s.Get, k.turn%4 == 0
	if write {
		use = k.s.Mut
	}
	v, got := use(c)
	if got != want {
		m.failf("the contract of %v gives: %v; it has %v", e, got, m.alive[e])
	}
	if !got {
		return
	}
	parts := k.parts(&v)
	for col, p := range parts {
		if s, has := m.alive[e][col]; !has || m.seed(col, s) != p.get() {
			m.failf("the contract of %v gives %d of %s; it has %v", e, p.get(), names[col], m.alive[e])
		}
		if write && p.set != nil {
			s := byte(k.turn)
			p.set(s)
			m.alive[e][col] = s
		}
	}
	for col := range m.alive[e] {
		if _, given := parts[col]; !given && col == 6 && len(parts) == 2 && k.needs[0] == 1 || !given && col == 5 && k.needs[0] == 4 {
			m.failf("the contract of %v does not give %s", e, names[col])
		}
	}
}

// playHeld is play with contracts.
func playHeld(t testing.TB, o ecs.Options, next func(int) int, n, crowd, every int) uint64 {
	m := newModel(t, o, next)
	m.systems()
	steps := keepers(m)
	frames := uint64(0)
	for i := range n {
		m.step(crowd)
		for ; frames < m.w.Frame(); frames++ {
			m.frame()
		}
		for _, step := range steps {
			step()
		}
		if i%every == 0 {
			m.compare()
		}
	}
	m.compare()
	d := m.digest()
	m.w.Reset()
	clear(m.alive)
	m.order = nil
	for _, step := range steps {
		step()
	}
	if err := m.w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, step := range steps { // all say that their entities are gone
		step()
	}
	return d
}

func TestModelContracts(t *testing.T) {
	t.Parallel()
	streams, commands := 6, 4000
	if testing.Short() {
		streams, commands = 2, 3000
	}
	if race.Enabled {
		commands = 1000
	}
	alike(t, streams, fewer(variants()), func(seed uint64, o ecs.Options) uint64 {
		crowd, every := 12, 4
		if seed%7 == 1 {
			crowd, every = 300, 100
		}
		return playHeld(t, o, rand.New(rand.NewPCG(seed, 2)).IntN, commands, crowd, every)
	})
}

func FuzzContracts(f *testing.F) {
	f.Add([]byte("ashlar"))
	f.Add([]byte{0, 1, 2, 3, 32, 33, 200, 100, 7, 5, 34, 35, 36, 10, 11, 12, 13, 14, 15, 16, 31, 31})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			data = data[:4096]
		}
		at := 0
		next := func(n int) int {
			if at >= len(data) {
				return 0
			}
			at++
			return int(data[at-1]) % n
		}
		playHeld(t, ecs.Options{Memory: memmgr.Options{Stress: len(data)%2 == 0}}, next, len(data)/3, 12, 1)
	})
}

// Schemas of any list of pools, over entities that have any of the components.
func FuzzSchemas(f *testing.F) {
	f.Add([]byte{0, 1, 2}, []byte{1, 2, 3, 255})
	f.Add([]byte{2, 2}, []byte{0})
	f.Add([]byte{}, []byte{7, 9})
	f.Fuzz(func(t *testing.T, list, sets []byte) {
		w := ecs.New(ecs.Options{})
		defer w.Close()
		a, b := ecs.Register[b1](w, "b1"), ecs.Register[b24](w, "b24", ecs.Volatile)
		c, d := ecs.Register[far](w, "far", ecs.Thin), ecs.Register[tag0](w, "tag")
		ecs.GroupMade[struct{ b1 }](w, "group")
		names, pools := []string{"b1", "b24", "far", "tag"}, []ecs.AnyPool{a, b, c, d}
		add := []func(ecs.Entity) error{
			func(e ecs.Entity) error { return a.Add(e, b1{1}) }, func(e ecs.Entity) error { return b.Add(e, b24{2}) },
			func(e ecs.Entity) error { return c.Add(e, far{3}) }, func(e ecs.Entity) error { return d.Add(e, tag0{}) },
		}
		var given []ecs.AnyPool
		var asked []string
		twice := false
		for _, k := range list[:min(len(list), 6)] {
			given = append(given, pools[k%4])
			twice = twice || slices.Contains(asked, names[k%4])
			asked = append(asked, names[k%4])
		}
		s := ecs.SchemaOfPools(w, given...)
		err := w.Err()
		if (err != nil) != twice {
			t.Fatalf("schema of %v: %v", asked, err)
		}
		if err != nil {
			return
		}
		if len(asked) == 0 {
			asked = names
		}
		for _, set := range sets[:min(len(sets), 32)] {
			e := ok(w.Spawn())
			has := map[string]bool{}
			for k, f := range add {
				if set>>k&1 != 0 {
					ok(0, f(e))
					has[names[k]] = true
				}
			}
			var want []string
			for _, name := range asked {
				if !has[name] {
					want = append(want, name)
				}
				if (s.Value(e, name) != nil) != has[name] {
					t.Fatalf("%s of %v: %v", name, has, s.Value(e, name))
				}
			}
			if got := s.Lacks(e); !slices.Equal(got, want) {
				t.Fatalf("%v lacks %v, want %v", has, got, want)
			}
			ok(0, s.Complete(e))
			made := ok(s.Spawn())
			if s.Lacks(e) != nil || s.Lacks(made) != nil {
				t.Fatalf("completed lacks %v, made %v", s.Lacks(e), s.Lacks(made))
			}
			for k, p := range []interface{ Has(ecs.Entity) bool }{a, b, c, d} {
				if p.Has(made) != slices.Contains(asked, names[k]) || p.Has(e) != (has[names[k]] || slices.Contains(asked, names[k])) {
					t.Fatalf("%s: completed %v, made %v", names[k], p.Has(e), p.Has(made))
				}
			}
		}
		ok(0, w.Check())
	})
}
