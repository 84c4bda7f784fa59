package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	hp     struct{ V int32 }
	name16 [16]byte
	frozen struct{}
)

// unstriped is options of a world in which tables of up to eight chunks have a batch for each chunk.
func unstriped() (o ecs.Options) {
	o.Memory.Arena.Backend = arena.Heap
	return o
}

func world(t testing.TB, o ecs.Options) *ecs.World {
	t.Helper()
	w := ecs.New(o)
	t.Cleanup(func() {
		if err := w.Err(); err != nil {
			t.Error("set up wrongly:", err)
		}
		if err := w.Check(); err != nil {
			t.Error(err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func ok[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func panics(t *testing.T, want string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), want) {
			t.Errorf("panicked with %v, want %q", r, want)
		}
	}()
	f()
}

// E5, S1: null, stale, foreign and out-of-range handles are not contained, and asking
// makes nothing.
func TestHandlesThatAreNotLive(t *testing.T) {
	for _, b := range []arena.Backend{arena.Auto, arena.Heap} {
		w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Backend: b}}})
		p := ecs.Register[hp](w, "hp")
		e := ok(w.Spawn())
		if err := p.Add(e, hp{1}); err != nil {
			t.Fatal(err)
		}
		old := ok(w.Spawn())
		w.Destroy(old)
		before := w.Manager().Stats().Arena.Committed
		for what, h := range map[string]ecs.Entity{
			"null": 0, "stale": old, "other version": e + 1<<36, "never given out": e + 7,
			"far out": ecs.Entity(1<<36 | 0xFFFFFFF0), "all ones": ^ecs.Entity(0), "index alone": 1,
		} {
			if w.Alive(h) || p.Has(h) || p.Get(h) != nil || p.Mut(h) != nil {
				t.Errorf("%s (%v) is taken for live", what, h)
			}
			for call, err := range map[string]error{"Add": p.Add(h, hp{}), "Set": p.Set(h, hp{}), "Remove": p.Remove(h), "Destroy": w.Destroy(h)} {
				if !errors.Is(err, ecs.ErrStale) {
					t.Errorf("%s of %s: %v", call, what, err)
				}
			}
		}
		if after := w.Manager().Stats().Arena.Committed; after != before {
			t.Errorf("asking took %d bytes", after-before)
		}
		if p.Get(e).V != 1 {
			t.Error("the live one changed")
		}
	}
}

// Worlds with different tags tell each other's handles apart.
func TestForeignHandles(t *testing.T) {
	a, b := world(t, ecs.Options{Tag: 1}), world(t, ecs.Options{Tag: 2})
	e, f := ok(a.Spawn()), ok(b.Spawn())
	if e.Index() != f.Index() || a.Alive(f) || b.Alive(e) || !a.Alive(e) {
		t.Errorf("%v and %v are not told apart", e, f)
	}
	if err := ecs.New(ecs.Options{Tag: 16}).Err(); err == nil || !strings.Contains(err.Error(), "Options.Tag is 16") {
		t.Errorf("tag 16: %v", err)
	}
	if err := ecs.New(ecs.Options{MaxEntities: 1<<32 - 2}).Err(); err == nil || !strings.Contains(err.Error(), "Options.MaxEntities is 4294967294") {
		t.Errorf("as many entities as there are indexes: %v", err)
	}
}

// S4, S5: add twice, remove twice; the row that moves into a hole keeps its version.
func TestAddRemove(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	var es []ecs.Entity
	for i := range 5 {
		e := ok(w.Spawn())
		for range i { // versions differ
			w.Destroy(e)
			e = ok(w.Spawn())
		}
		if err := p.Add(e, hp{int32(i)}); err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	if err := p.Add(es[0], hp{9}); !errors.Is(err, ecs.ErrPresent) || p.Get(es[0]).V != 0 {
		t.Errorf("second Add: %v, value %v", err, p.Get(es[0]))
	}
	for _, i := range []int{0, 3, 2} { // first, a middle one, the last
		if err := p.Remove(es[i]); err != nil {
			t.Fatal(err)
		}
		if err := p.Remove(es[i]); !errors.Is(err, ecs.ErrAbsent) {
			t.Errorf("second Remove: %v", err)
		}
	}
	for _, i := range []int{1, 4} {
		if v := p.Get(es[i]); v == nil || v.V != int32(i) {
			t.Errorf("%v lost its value: %v", es[i], v)
		}
	}
	if n, err := p.RemoveAll(ecs.Handles{es[1], es[1], 0, es[0], es[4]}); n != 2 || err != nil || p.Len() != 0 {
		t.Errorf("RemoveBatch removed %d, %v", n, err)
	}
	if n, err := p.AddAll(ecs.Handles{es[1], es[1], 0, es[2]}, hp{3}); n != 2 || err != nil {
		t.Errorf("AddBatch added %d, %v", n, err)
	}
}

// E1: the order of recycling, and versions.
func TestRecycling(t *testing.T) {
	for _, tt := range []struct {
		fifo  bool
		first int // of the indexes that were used before, among those that come
		want  []uint32
	}{{false, 0, []uint32{2, 1, 3}}, {true, 59, []uint32{3, 1, 2}}} { // FIFO: after those of the block that were never used
		w := world(t, ecs.Options{FIFO: tt.fifo})
		es := []ecs.Entity{ok(w.Spawn()), ok(w.Spawn()), ok(w.Spawn()), ok(w.Spawn())}
		for _, i := range []int{2, 0, 1} {
			w.Destroy(es[i])
		}
		var got []uint32
		for range 63 - 1 {
			e := ok(w.Spawn())
			got = append(got, e.Index())
			if e.Index() <= 3 && e.Version() != 2 {
				t.Errorf("%v is recycled without a new version", e)
			}
		}
		if again := got[tt.first:][:3]; !slices.Equal(again, tt.want) {
			t.Errorf("FIFO %v: indexes %v, want %v from number %d on", tt.fifo, got, tt.want, tt.first)
		}
	}
}

// E4, E6: too many entities; Clear makes handles stale and the world goes on.
func TestLimitAndClear(t *testing.T) {
	w := world(t, ecs.Options{MaxEntities: 600})
	var es []ecs.Entity
	for {
		e, err := w.Spawn()
		if err != nil {
			if !errors.Is(err, arena.ErrFull) {
				t.Fatal(err)
			}
			break
		}
		es = append(es, e)
	}
	if len(es) != 600 || w.Len() != 600 {
		t.Fatalf("%d entities of at most 600", len(es))
	}
	w.Reset()
	if w.Len() != 0 || w.Alive(es[0]) || len(slices.Collect(w.All())) != 0 {
		t.Error("Clear left something")
	}
	if e := ok(w.Spawn()); e.Version() != 2 {
		t.Errorf("after Clear: %v", e)
	}
}

// E7, G9: destroying removes everything, in groups and out, beyond 64 components.
func TestDestroy(t *testing.T) {
	w := world(t, ecs.Options{})
	var pools []*ecs.Pool[name16]
	for i := range 70 {
		pools = append(pools, ecs.Register[name16](w, fmt.Sprintf("c%d", i)))
	}
	type pair struct{ A, B name16 }
	g := ecs.GroupOf[pair](w, "pair", pools[3], pools[68])
	var es []ecs.Entity
	for range 3 {
		e := ok(w.Spawn())
		for _, p := range pools {
			if err := p.Add(e, name16{1}); err != nil {
				t.Fatal(err)
			}
		}
		es = append(es, e)
	}
	if g.Len() != 3 {
		t.Fatalf("%d members", g.Len())
	}
	if err := w.Destroy(es[0]); err != nil {
		t.Fatal(err)
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	for i, p := range pools {
		if p.Len() != 2 || p.Has(es[0]) || !p.Has(es[2]) {
			t.Errorf("component %d: %d left", i, p.Len())
		}
	}
	if n := ok(w.DestroyAll(ecs.Handles{es[1], es[1], es[0], es[2]})); n != 2 || g.Len() != 0 || w.Len() != 0 {
		t.Errorf("DestroyBatch destroyed %d", n)
	}
}

// G2, G3: a group made late has the members of one made early; entities enter with
// the last component and leave with any.
func TestGroupEarlyAndLate(t *testing.T) {
	build := func(late bool) (*ecs.World, *ecs.Group[duo], []ecs.Entity) {
		w := world(t, ecs.Options{})
		a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
		var g *ecs.Group[duo]
		if !late {
			g = ecs.GroupOf[duo](w, "duo")
		}
		for i := range 30 {
			e := ok(w.Spawn())
			if i%2 == 0 {
				a.Add(e, b4{byte(i)})
			}
			if i%3 == 0 {
				b.Add(e, b16{byte(i)})
			}
		}
		if late {
			g = ecs.GroupOf[duo](w, "duo")
		}
		return w, g, membersByIndex(g)
	}
	w, g, early := build(false)
	_, _, late := build(true)
	if len(early) != 5 || !slices.Equal(early, late) {
		t.Errorf("early %v, late %v", early, late)
	}
	a := ecs.QueryOf[struct {
		A *b4
		E ecs.Entity
	}](w)
	if a.Len() != 15 {
		t.Errorf("%d entities have a", a.Len())
	}
	for row := range a.All() {
		if int(row.A[0])+1 != int(row.E.Index()) {
			t.Errorf("%v has %v", row.E, row.A)
		}
	}
	if g.Len() != 5 {
		t.Errorf("%d members", g.Len())
	}
}

// S10: Structural changes while something iterates are a panic that names the remedy,
// also from nested queries, and the world is usable afterwards.
func TestChangesWhileIterating(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	type solo struct{ HP hp }
	g := ecs.GroupOf[solo](w, "solo")
	e := ok(g.Spawn(solo{hp{5}}))
	type view struct{ HP []hp }
	q := ecs.QueryOf[view](w)
	for range q.All() {
		for range q.All() { // nested, of the same query
		}
		for what, f := range map[string]func(){
			"Add":     func() { p.Add(e, hp{}) },
			"Remove":  func() { p.Remove(e) },
			"Destroy": func() { w.Destroy(e) },
			"Spawn":   func() { g.Spawn(solo{}) },
			"Run":     func() { w.Run(context.Background()) },
			"Close":   func() { w.Close() },
		} {
			panics(t, "whose rows would move under it", f)
			panics(t, what, f)
		}
	}
	ecs.System(w, "boom", func(c *view) { panic("mine") })
	panics(t, "mine", func() { w.Run(context.Background()) })
	if err := p.Remove(e); err != nil {
		t.Errorf("after a panic in a system: %v", err)
	}
}

// Commands are applied at the next safe point, in order; a command that no longer applies is
// counted.
func TestCommands(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	f := ecs.Register[frozen](w, "frozen")
	type solo struct{ HP hp }
	g := ecs.GroupOf[solo](w, "solo")
	for i := range 4 {
		ok(g.Spawn(solo{hp{int32(i)}}))
	}
	type reap struct {
		HP   []hp
		Ents []ecs.Entity
		Cmd  *ecs.Commands
		_    ecs.Without[frozen]
	}
	var born ecs.Entity
	ecs.System(w, "reap", func(c *reap) {
		for i, e := range c.Ents {
			switch c.HP[i].V {
			case 0:
				c.Cmd.Destroy(e)
				c.Cmd.Destroy(e) // dropped
				f.Later(c.Cmd).Add(e, frozen{})
			case 1:
				f.Later(c.Cmd).Add(e, frozen{})
				p.Later(c.Cmd).Remove(e)
			case 2:
				born = g.Later(c.Cmd).Spawn(solo{hp{7}})
				if !w.Alive(born) || p.Has(born) {
					t.Error("a spawned entity is not alive at once, or has its components too early")
				}
			}
		}
	})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.Len() != 4 || p.Len() != 3 || f.Len() != 1 || w.Stats().Dropped != 2 || p.Get(born).V != 7 || w.Commands().Len() != 0 {
		t.Errorf("%d entities, %d hp, %d frozen, %d dropped, born %v", w.Len(), p.Len(), f.Len(), w.Stats().Dropped, p.Get(born))
	}
}

// One system over many groups of one shape reads each group's own components.
func TestOver(t *testing.T) {
	w := world(t, ecs.Options{})
	type red struct {
		HP hp `ashlar:"red.hp"`
	}
	r, b := ecs.Register[hp](w, "red.hp"), ecs.Register[hp](w, "blue.hp")
	reds, blues := ecs.GroupOf[red](w, "red"), ecs.GroupOf[struct{ HP hp }](w, "blue", b)
	x, y := ok(reds.Spawn(red{hp{1}})), ok(blues.Spawn(struct{ HP hp }{hp{10}}))
	type hurt struct {
		HP ecs.Write[hp] `ashlar:"red.hp"`
	}
	ecs.System(w, "hurt", func(c *hurt) {
		for i := range c.HP {
			c.HP[i].V++
		}
	}, ecs.OnlyIn(reds, blues))
	for range 3 {
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if r.Get(x).V != 4 || b.Get(y).V != 13 {
		t.Errorf("red %v, blue %v", r.Get(x), b.Get(y))
	}
}

// A registered system, a query and single spawns allocate nothing on the Go heap.
func TestAllocations(t *testing.T) {
	w := world(t, ecs.Options{Adapt: memmgr.AdaptOptions{Clock: standing}})
	type pair struct {
		A b4
		B b16
	}
	a, _ := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
	g := ecs.GroupOf[pair](w, "pair")
	type sys struct {
		A ecs.Write[b4]
		B []b16
	}
	ecs.System(w, "s", func(c *sys) {})
	type filtered struct {
		A []b4
		_ ecs.Without[hp]
	}
	ecs.Register[hp](w, "hp")
	ecs.System(w, "filtered", func(c *filtered) {})
	e := ok(g.Spawn(pair{}))
	q, qf, qp := ecs.QueryOf[sys](w), ecs.QueryOf[filtered](w), ecs.QueryOf[struct {
		A ecs.WriteOne[b4]
		_ ecs.Without[hp]
	}](w)
	rows := 0
	for what, f := range map[string]func(){
		"a query": func() {
			for c := range q.All() {
				rows += len(c.A)
			}
		},
		"a query with a filter": func() {
			for c := range qf.All() {
				rows += len(c.A)
			}
		},
		"a query of pointers": func() {
			for c := range qp.All() {
				*c.A = b4{1}
				rows++
			}
		},
		"Run":             func() { w.Run(context.Background()) },
		"Spawn, Destroy":  func() { w.Destroy(ok(g.Spawn(pair{}))) },
		"Remove and Add":  func() { a.Remove(e); a.Add(e, b4{}) },
		"Get, Set, Mut":   func() { a.Get(e); a.Set(e, b4{1}); a.Mut(e) },
		"Spawn of nobody": func() { w.Destroy(ok(w.Spawn())) },
	} {
		f()
		if n := testing.AllocsPerRun(200, f); n != 0 {
			t.Errorf("%s: %v allocations", what, n)
		}
	}
}

// Memory goes back after a peak: chunks, and pages of slots nobody uses.
func TestShrink(t *testing.T) {
	w := world(t, ecs.Options{})
	type pair struct {
		A b4
		B b16
	}
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	g := ecs.GroupOf[pair](w, "pair")
	es := make([]ecs.Entity, 1_000_000)
	if err := g.SpawnN(es, []pair{{}}); err != nil {
		t.Fatal(err)
	}
	peak, err := w.Manager().Arena().Resident()
	measured := err == nil
	if n := ok(w.DestroyAll(ecs.Handles(es[1000:]))); n != 999_000 {
		t.Fatalf("%d destroyed", n)
	}
	freed, err := w.Purge()
	if err != nil || freed == 0 {
		t.Errorf("freed %d, %v", freed, err)
	}
	if err := w.Check(); err != nil {
		t.Fatal(err)
	}
	if now, _ := w.Manager().Arena().Resident(); measured && now > peak*2/3 {
		t.Errorf("%d bytes resident of %d at the peak", now, peak)
	}
	for _, e := range es[:1000] {
		if !w.Alive(e) {
			t.Fatal("a survivor is gone")
		}
	}
}

// A group with all components in the third plane of the set has members, however
// they are spawned, and in batches of values that fill their memory to the end.
func TestGroupInThirdPlane(t *testing.T) {
	w := world(t, ecs.Options{})
	type wide struct{ V [4]uint64 }
	var last *ecs.Pool[wide]
	for i := range 140 {
		last = ecs.Register[wide](w, fmt.Sprint("c", i))
	}
	g := ecs.GroupOf[struct{ W wide }](w, "far", last)
	one := ok(g.Spawn(struct{ W wide }{wide{[4]uint64{7}}}))
	for n := range 65 {
		values, handles := make([]struct{ W wide }, n), make([]ecs.Entity, n)
		for i := range values {
			values[i].W.V[0] = uint64(n + i)
		}
		if err := g.SpawnN(handles, values); err != nil {
			t.Fatal(err)
		}
		for i, e := range handles {
			if v := last.Get(e); v == nil || v.V[0] != uint64(n+i) {
				t.Fatalf("entity %d of %d: %v", i, n, v)
			}
		}
	}
	if g.Len() != 1+64*65/2 || last.Get(one).V[0] != 7 {
		t.Errorf("%d members, the first has %v", g.Len(), last.Get(one))
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}
