package ecs_test

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"weak"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A registration that failed keeps Run from running until one under the same name and of
// the same kind succeeds, however often it fails before.
func TestMendedRegistrations(t *testing.T) {
	type solo struct{ HP hp }
	type hurt struct {
		HP ecs.Write[hp]
	}
	w := world(t, ecs.Options{})
	steps := []struct {
		name string
		fail func()
		mend func()
	}{
		{"component", func() { ecs.Register[*int](w, "x") }, func() { ecs.Register[hp](w, "x") }},
		{"group", func() { ecs.GroupMade[struct{ F frozen }](w, "x") }, func() { ecs.GroupMade[solo](w, "x") }},
		{"system", func() { ecs.System(w, "x", func(*struct{ F []frozen }) {}) }, func() { ecs.System(w, "x", func(*hurt) {}) }},
	}
	for _, s := range steps {
		for range 3 {
			s.fail()
		}
		err := w.Run(t.Context())
		if err == nil || strings.Count(err.Error(), s.name+` "x"`) != 1 {
			t.Errorf("%s: Run does not tell what was refused, once: %v", s.name, err)
		}
	}
	for i, s := range steps {
		s.mend()
		err := w.Run(t.Context())
		if last := i == len(steps)-1; last != (err == nil) {
			t.Errorf("%s is mended: Run says %v", s.name, err)
		}
		if err != nil && strings.Contains(err.Error(), s.name+` "x"`) {
			t.Errorf("%s is mended, and Run still says %v", s.name, err)
		}
	}
}

// A group that memory was refused for can be made once there is memory, and then the
// refusal is over.
func TestRefusedGroupAgain(t *testing.T) {
	type solo struct{ B b8K }
	failed := 0
	for chunks := 1; chunks <= 64; chunks++ { // some number fills the committed memory
		refuse := false
		w := world(t, ecs.Options{MaxEntities: 1000, Memory: memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 1 << 30}.WithFault(func(op arena.Op, nth int, _ uint64) error {
			if refuse && op == arena.OpCommit {
				return errors.New("refused")
			}
			return nil
		})}})
		p := ecs.Register[b8K](w, "big")
		for i := range 7 * chunks {
			ok(0, p.Add(ok(w.Spawn()), b8K{byte(i)}))
		}
		if w.Manager().Arena().Backend() != arena.OS {
			t.Skip("nothing is asked of the operating system here: it refuses nothing")
		}
		refuse = true
		g := ecs.Apart(ecs.GroupOf[solo](w, "solo"))
		refuse = false
		err := w.Run(t.Context())
		if err == nil {
			continue
		}
		failed++
		if !strings.Contains(err.Error(), "refused") {
			t.Errorf("Run: %v", err)
		}
		ecs.Apart(g)
		if err := w.Run(t.Context()); err != nil || g.Len() != 7*chunks {
			t.Errorf("Run after the second try: %v, %d members", err, g.Len())
		}
	}
	if failed == 0 {
		t.Error("nothing was refused")
	}
}

// A registered component can be used: a row of the largest component fits in a chunk, and one
// that is larger by a byte is refused with the limit.
func TestLargestComponent(t *testing.T) {
	w := world(t, ecs.Options{})
	fits := ecs.Register[[65528]byte](w, "fits")
	e := ok(w.Spawn())
	ok(0, fits.Add(e, [65528]byte{65527: 9}))
	ok(0, w.Run(t.Context()))
	if fits.Get(e)[65527] != 9 {
		t.Error("the value is another one")
	}
	w2 := ecs.New(ecs.Options{})
	defer w2.Close()
	for what, err := range map[string]error{
		"65529 bytes": refusal(w2, ecs.Register[[65529]byte](w2, "a")),
		"65536 bytes": refusal(w2, ecs.Register[[65536]byte](w2, "b")),
		"70000 bytes": refusal(w2, ecs.Register[[70000]byte](w2, "d")),
		"8192 words":  refusal(w2, ecs.Register[[8192]uint64](w2, "c")),
	} {
		if err == nil || !strings.Contains(err.Error(), "the limit is 65528 bytes") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// Exactly as many entities as Options.MaxEntities says, one by one and in batches, and
// the error names the option to raise and nothing else.
func TestMaxEntities(t *testing.T) {
	for _, b := range []arena.Backend{arena.Auto, arena.Heap} {
		for _, n := range []uint32{1, 2, 511, 512, 513, 1024} {
			o := ecs.Options{MaxEntities: n, Memory: memmgr.Options{Arena: arena.Options{Backend: b}}}
			refused := func(w *ecs.World, err error) {
				t.Helper()
				if w.Len() != int(n) || !errors.Is(err, arena.ErrFull) || !strings.Contains(err.Error(), "Options.MaxEntities") || strings.Contains(err.Error(), "Options.Reserve") {
					t.Errorf("%d of at most %d entities, then: %v", w.Len(), n, err)
				}
			}
			w := world(t, o)
			p := ecs.Register[hp](w, "hp")
			var err error
			for range n {
				ok(0, p.Add(ok(w.Spawn()), hp{1}))
			}
			_, err = w.Spawn()
			refused(w, err)
			if e := w.Commands().Spawn(); e != 0 {
				t.Errorf("a command spawned %v", e)
			}
			refused(w, w.SafePoint())

			w = world(t, o)
			ecs.Register[hp](w, "hp")
			g := ecs.GroupOf[struct{ HP hp }](w, "g")
			all := make([]ecs.Entity, n+1)
			if err := g.SpawnN(all, []struct{ HP hp }{{}}); err == nil || w.Len() != 0 {
				t.Errorf("%d entities of at most %d in a batch: %v", w.Len(), n, err)
			}
			ok(0, g.SpawnN(all[:n], []struct{ HP hp }{{}}))
			_, err = g.Spawn(struct{ HP hp }{})
			refused(w, err)
			ok(0, w.Destroy(all[0]))
			ok(g.Spawn(struct{ HP hp }{}))
		}
	}
}

// A second name for a type takes nothing from earlier uses, and whatever names
// the type alone afterwards is refused with all names and the way to say which.
func TestSecondNameForAType(t *testing.T) {
	type solo struct{ HP hp }
	type hurt struct {
		HP ecs.Write[hp]
	}
	type row struct{ HP *hp }
	w := world(t, ecs.Options{})
	life := ecs.Register[hp](w, "life")
	g := ecs.GroupOf[solo](w, "solo")
	hurts := 0
	ecs.System(w, "hurt", func(c *hurt) {
		for i := range c.HP {
			c.HP[i].V--
			hurts++
		}
	})
	ecs.System(w, "over", func(c *hurt) {
		for i := range c.HP {
			c.HP[i].V--
			hurts++
		}
	}, ecs.OnlyIn(g))
	q := ecs.QueryOf[row](w)
	e := ok(g.Spawn(solo{hp{9}}))

	shield := ecs.Register[hp](w, "shield")
	ecs.Register[hp](w, "armour")
	ok(0, shield.Add(e, hp{50}))
	f := ok(g.Spawn(solo{hp{9}}))
	ok(0, w.Run(t.Context()))
	if life.Get(e).V != 7 || life.Get(f).V != 7 || shield.Get(e).V != 50 || hurts != 4 || g.Len() != 2 || q.Len() != 2 {
		t.Errorf("life %v and %v, shield %v, %d hurts, %d members, %d in the query", life.Get(e), life.Get(f), shield.Get(e), hurts, g.Len(), q.Len())
	}
	for what, err := range map[string]error{
		"query":  refusal(w, ecs.QueryMade[row](w)),
		"group":  refusal(w, ecs.GroupMade[solo](w, "late")),
		"system": systemRefusal(w, "late", func(*hurt) {}),
		"filter": refusal(w, ecs.QueryMade[struct {
			HP *hp `ashlar:"life"`
			_  ecs.Without[hp]
		}](w)),
	} {
		for _, want := range []string{`"life"`, `"shield"`, `"armour"`, "`ashlar:\"life\"`"} {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %s in %v", what, want, err)
			}
		}
	}
	// By name, and by pool, each can still be had.
	ecs.GroupMade[solo](w, "late", shield)
	ecs.System(w, "late", func(*struct {
		HP []hp `ashlar:"armour"`
	}) {
	})
	ok(0, w.Run(t.Context()))
}

// A name means one thing: a component, or a field of one as tags and layouts name it. Whoever comes second is refused.
func TestNamesOfFieldsAreNoComponents(t *testing.T) {
	type inner struct{ House int32 }
	type at struct {
		House int32
		In    inner
	}
	taken := "means field House of component \"at\""
	for _, x := range []struct {
		want     string // "": both are made
		register func(w *ecs.World)
	}{
		{taken, func(w *ecs.World) { ecs.Register[at](w, "at"); ecs.Register[hp](w, "at.House") }},
		{"means field In.House of component", func(w *ecs.World) { ecs.Register[at](w, "at"); ecs.Register[hp](w, "at.In.House") }},
		{"has the name that field House of this one", func(w *ecs.World) { ecs.Register[hp](w, "at.House"); ecs.Register[at](w, "at") }},
		{"field House: the name means", func(w *ecs.World) { ecs.Register[at](w, "at"); ecs.RegisterSplit[inner](w, "at.In") }},
		{"has the name that field In.House of this one", func(w *ecs.World) { ecs.RegisterSplit[inner](w, "at.In"); ecs.Register[at](w, "at") }},
		{"", func(w *ecs.World) { ecs.Register[at](w, "at"); ecs.Register[hp](w, "at.Home") }},
		{"", func(w *ecs.World) { ecs.Register[at](w, "at"); ecs.Register[hp](w, "at.House.x") }},
		{"", func(w *ecs.World) { ecs.Register[hp](w, "a.House"); ecs.Register[at](w, "at") }},
		{"", func(w *ecs.World) { ecs.Register[at](w, "at.x"); ecs.Register[hp](w, "at.House") }},
	} {
		w := world(t, ecs.Options{})
		x.register(w)
		if err := w.Err(); x.want == "" && err != nil || x.want != "" && (err == nil || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%v, want %q", err, x.want)
		}
	}
}

// A split type is registered as a whole or not at all: it can be registered under another name.
func TestSplitRefusedLeavesNoFields(t *testing.T) {
	type pose struct{ At, Größe int32 }
	type other struct{ At, Turn int32 }
	w := world(t, ecs.Options{})
	ecs.RegisterSplit[pose](w, "pose")
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), `field Größe: the name has "ö" in it: use a to z`) {
		t.Error(err)
	}
	ecs.RegisterSplit[other](w, "pose")
	ok(0, w.Err())
}

// A program that tries again keeps nothing of the pools that were refused.
func TestRefusedPoolsAreCollected(t *testing.T) {
	w := world(t, ecs.Options{})
	var refused []weak.Pointer[ecs.Pool[*int]]
	for range 8 {
		refused = append(refused, weak.Make(ecs.Register[*int](w, "pointer")))
	}
	if w.Err() == nil {
		t.Fatal("a pointer is registered")
	}
	runtime.GC()
	for i, p := range refused {
		if p.Value() != nil {
			t.Fatalf("the world keeps pool %d of %d", i, len(refused))
		}
	}
	runtime.KeepAlive(w)
}
