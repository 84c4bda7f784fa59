package ecs_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// presenceBatch is a batch with two presences, one of a component that the group may own.
type presenceBatch struct {
	Ents []ecs.Entity
	A    []b4
	B    ecs.Maybe[b16]
	HasB ecs.Has `ashlar:"b"`
	C    ecs.Maybe[b24]
	HasC ecs.Has `ashlar:"c"`
	_    ecs.Without[tag0]
}

// A filter leaves runs of every length in rows of a group and loose ones. Whether they are
// passed in place or gathered, each row says what it has, also in batches of more than a
// word of bits, and after batches that had more.
func TestPresenceInFilteredRuns(t *testing.T) {
	for _, runLength := range []int{1, 4, 1 << 20} {
		for seed := range uint64(4) {
			w := world(t, ecs.WithRunLength(ecs.Options{}, runLength))
			a, b, c := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b"), ecs.Register[b24](w, "c")
			tag := ecs.Register[tag0](w, "tag")
			g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
			r := rand.New(rand.NewPCG(seed, 3))
			var es []ecs.Entity
			for i := range 3000 {
				s := byte(i)
				var e ecs.Entity
				switch i % 3 {
				case 0: // loose
					e = ok(w.Spawn())
					ok(0, a.Add(e, b4{s, s, s, s}))
				default:
					e = ok(g.Spawn(duo{b4{s, s, s, s}, full16(s + 1)}))
				}
				if r.IntN(2) == 0 {
					v := b24{}
					fillBytes(v[:], s+2)
					ok(0, c.Add(e, v))
				}
				es = append(es, e)
			}
			// Runs without the tag of 1 to 200 rows, between some with it.
			tagged := map[ecs.Entity]bool{}
			for _, rows := range [][]ecs.Entity{g.Members(nil), keysOf(a.All())} {
				for i, left, with := 0, 0, false; i < len(rows); i++ {
					if left == 0 {
						with = !with
						if left = 1 + r.IntN(3); !with {
							left = 1 + r.IntN(200)
						}
					}
					if left--; with && !tagged[rows[i]] {
						tagged[rows[i]] = true
						ok(0, tag.Add(rows[i], tag0{}))
					}
				}
			}
			seen := map[ecs.Entity]bool{}
			batches, long := 0, 0
			look := func(p presenceBatch) {
				batches++
				if len(p.Ents) > 64 {
					long++
				}
				for i, e := range p.Ents {
					var wantB b16
					var wantC b24
					if v := b.Get(e); v != nil {
						wantB = *v
					}
					if v := c.Get(e); v != nil {
						wantC = *v
					}
					if tagged[e] || seen[e] || p.A[i] != *a.Get(e) || p.HasB.Has(i) != b.Has(e) || p.HasC.Has(i) != c.Has(e) || p.B[i] != wantB || p.C[i] != wantC {
						t.Fatalf("run length %d, seed %d: row %d of %d, %v: tagged %v, seen %v, has b %v, want %v, c %v, want %v", runLength, seed, i, len(p.Ents),
							e, tagged[e], seen[e], p.HasB.Has(i), b.Has(e), p.HasC.Has(i), c.Has(e))
					}
					seen[e] = true
				}
			}
			q := ecs.QueryOf[presenceBatch](w)
			for p := range q.All() {
				look(*p)
			}
			if len(seen)+len(tagged) != len(es) || q.Len() != len(seen) {
				t.Errorf("%d rows seen and %d counted, %d are tagged, of %d", len(seen), q.Len(), len(tagged), len(es))
			}
			if runLength == 1 && batches < 20 || long == 0 {
				t.Errorf("%d batches, %d of more than 64 rows: the test says nothing", batches, long)
			}
			clear(seen)
			ecs.System(w, "look", func(p *presenceBatch) { look(*p) })
			ok(0, w.Run(t.Context()))
			if len(seen)+len(tagged) != len(es) {
				t.Errorf("a system saw %d rows, %d are tagged, of %d", len(seen), len(tagged), len(es))
			}
		}
	}
}

// count is the numbers of a world.
type count struct {
	entities, members, waiting int
	dropped                    uint64
}

func countOf(w *ecs.World, g *ecs.Group[duo]) count {
	return count{w.Len(), g.Len(), w.Commands().Len(), uint64(w.Stats().Dropped)}
}

// When there are as many entities as the options allow, each way to make one is refused with
// an error that says so, gives no handle and changes nothing. When one has gone, each works.
func TestRefusedSpawns(t *testing.T) {
	for _, o := range []ecs.Options{{MaxEntities: 100}, {MaxEntities: 100, Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}} {
		w := world(t, o)
		a := ecs.Register[b4](w, "a")
		ecs.Register[b16](w, "b")
		g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
		cmd := w.Commands()
		v := duo{b4{1, 1, 1, 1}, full16(2)}
		var last ecs.Entity
		for {
			e, err := g.Spawn(v)
			if err != nil {
				break
			}
			last = e
		}
		if w.Len() < 90 || w.Len() > 100 {
			t.Fatalf("%d entities with MaxEntities 100", w.Len())
		}
		two := make([]ecs.Entity, 2)
		for name, spawn := range map[string]func() (ecs.Entity, error){
			"Spawn":        func() (ecs.Entity, error) { return w.Spawn() },
			"Group.Spawn":  func() (ecs.Entity, error) { return g.Spawn(v) },
			"Group later":  func() (ecs.Entity, error) { return g.Later(cmd).Spawn(v), w.SafePoint() },
			"Spawn later":  func() (ecs.Entity, error) { return cmd.Spawn(), w.SafePoint() },
			"Group.SpawnN": func() (ecs.Entity, error) { err := g.SpawnN(two[:1], []duo{v}); return two[0], err },
		} {
			before := countOf(w, g)
			for range 3 {
				if e, err := spawn(); e != 0 || !errors.Is(err, arena.ErrFull) {
					t.Errorf("%s: %v, %v", name, e, err)
				}
			}
			now := countOf(w, g)
			if now.dropped = before.dropped; now != before {
				t.Errorf("%s was refused, and there are %+v, before %+v", name, now, before)
			}
			ok(0, w.Destroy(last))
			e, err := spawn()
			if err != nil || !w.Alive(e) || e == last || w.Len() != before.entities {
				t.Errorf("%s, with room for one: %v, %v; %d entities", name, e, err, w.Len())
			}
			ok(0, w.SafePoint())
			if has := name != "Spawn" && name != "Spawn later"; a.Has(e) != has || has && *a.Get(e) != v.A {
				t.Errorf("%s: it has a component: %v, want %v", name, a.Has(e), has)
			}
			last = e
		}
		// Of a batch that is too large nothing is left.
		ok(0, w.Destroy(last))
		before := countOf(w, g)
		if err := g.SpawnN(two, []duo{v}); !errors.Is(err, arena.ErrFull) || two[0] != 0 || two[1] != 0 || countOf(w, g) != before {
			t.Errorf("two with room for one: %v, %v, %+v, before %+v", two, err, countOf(w, g), before)
		}
		ok(g.Spawn(v))
	}
}

type wide struct {
	W b8K
	A b4
}

// Where memory is refused for a row, the entity that was made for it is gone again, and its
// index is the group's next one's.
func TestSpawnRefusedMemory(t *testing.T) {
	w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}})
	ecs.Register[b8K](w, "wide")
	a := ecs.Register[b4](w, "a")
	g := ecs.Apart(ecs.GroupOf[wide](w, "wides"))
	first := ok(g.Spawn(wide{}))
	ok(0, w.Destroy(first)) // an index to recycle
	kept := ok(w.Spawn())
	ok(0, w.Destroy(kept))
	memory := w.Manager().Arena()
	memory.SetLimit(memory.Stats().Committed)
	n := 0
	var err error
	var e ecs.Entity
	for ; err == nil; n++ {
		if n > 1<<16 {
			t.Fatal("nothing is refused")
		}
		e, err = g.Spawn(wide{A: b4{byte(n)}})
	}
	n-- // were made
	if e != 0 || !errors.Is(err, arena.ErrLimit) || w.Len() != n || g.Len() != n || a.Len() != n {
		t.Fatalf("%v, %v; %d entities, %d members, %d of the component, want %d", e, err, w.Len(), g.Len(), a.Len(), n)
	}
	ok(0, w.Check())
	bare := ok(w.Spawn()) // has no row
	for range 3 {
		if _, err := g.Spawn(wide{}); !errors.Is(err, arena.ErrLimit) || w.Len() != n+1 {
			t.Fatalf("refused again: %v, %d entities", err, w.Len())
		}
	}
	memory.SetLimit(0)
	e = ok(g.Spawn(wide{A: b4{77}}))
	if w.Len() != n+2 || e.Version() != 5 || a.Has(bare) || *a.Get(e) != (b4{77}) {
		t.Errorf("after the refusals: %v, %d entities, the index that was refused four times was lost", e, w.Len())
	}
}

// Commands of every kind wait when memory is refused for one of them: commands before it are
// done, it and later ones are not, and with memory all are done, once and in order.
func TestCommandsOfEveryKindWait(t *testing.T) {
	for refused := range 6 {
		w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}})
		big := ecs.Register[b8K](w, "wide")
		a, hp1 := ecs.Register[b4](w, "a"), ecs.Register[hp](w, "hp")
		g := ecs.Apart(ecs.GroupOf[wide](w, "wides"))
		cmd := w.Commands()
		var es []ecs.Entity
		for range 8 {
			e := ok(w.Spawn())
			ok(0, hp1.Add(e, hp{5}))
			ok(0, a.Add(e, b4{1}))
			es = append(es, e)
		}
		memory := w.Manager().Arena()
		fill := func() (last ecs.Entity) { // until there is no row left
			memory.SetLimit(memory.Stats().Committed)
			for {
				e, err := g.Spawn(wide{})
				if err != nil {
					return last
				}
				last = e
			}
		}
		fill()
		members := g.Len()
		// The step that needs a row of the group is at a different place each time.
		steps := []func(){
			func() { cmd.Destroy(es[0]) },
			func() { hp1.Later(cmd).Remove(es[1]) },
			func() { hp1.Later(cmd).Add(es[1], hp{9}) },
			func() { hp1.Later(cmd).Remove(es[0]) },     // is dead by then
			func() { hp1.Later(cmd).Add(es[2], hp{7}) }, // is there
		}
		var born ecs.Entity
		steps = slices.Insert(steps, refused, func() {
			if refused%2 == 0 {
				born = g.Later(cmd).Spawn(wide{b8K{3}, b4{4}})
			} else { // the last component that the group asks for
				born = es[3]
				big.Later(cmd).Add(born, b8K{3})
			}
		})
		for _, f := range steps {
			f()
		}
		for range 3 {
			if err := w.SafePoint(); !errors.Is(err, arena.ErrLimit) {
				t.Fatalf("refused at %d: %v", refused, err)
			}
			if cmd.Len() != len(steps)-refused || g.Len() != members {
				t.Fatalf("refused at %d: %d commands wait, want %d; %d members, want %d", refused, cmd.Len(), len(steps)-refused, g.Len(), members)
			}
			done := []bool{!w.Alive(es[0]), !hp1.Has(es[1]) && refused == 2, hp1.Has(es[1]) && hp1.Get(es[1]).V == 9}
			if w.Alive(es[0]) != (refused == 0) || refused == 2 != done[1] || refused > 2 != done[2] {
				t.Fatalf("refused at %d: done are %v", refused, done)
			}
			ok(0, w.Check())
		}
		memory.SetLimit(0)
		ok(0, w.SafePoint())
		if cmd.Len() != 0 || w.Alive(es[0]) || hp1.Get(es[1]).V != 9 || hp1.Get(es[2]).V != 5 || w.Stats().Dropped != 2 || g.Len() != members+1 || big.Get(born)[0] != 3 {
			t.Errorf("refused at %d, then done: %d wait, %v %v, %d dropped, %d members", refused, cmd.Len(), hp1.Get(es[1]), hp1.Get(es[2]), w.Stats().Dropped, g.Len())
		}
	}
}

// An entity that was spawned by a command and got a component of the group before the commands
// were carried out keeps that, and gets the others.
func TestSpawnLaterMeetsComponents(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
	g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
	cmd := w.Commands()
	v := duo{b4{1, 1, 1, 1}, full16(2)}
	one, all, dead := g.Later(cmd).Spawn(v), g.Later(cmd).Spawn(v), g.Later(cmd).Spawn(v)
	ok(0, a.Add(one, b4{9, 9, 9, 9}))
	ok(0, a.Add(all, b4{8, 8, 8, 8}))
	ok(0, b.Add(all, full16(7)))
	ok(0, w.Destroy(dead))
	ok(0, w.SafePoint())
	if *a.Get(one) != (b4{9, 9, 9, 9}) || *b.Get(one) != v.B || *a.Get(all) != (b4{8, 8, 8, 8}) || *b.Get(all) != full16(7) || g.Len() != 2 || w.Stats().Dropped != 1 {
		t.Errorf("%v %v, %v %v; %d members, %d dropped", a.Get(one), b.Get(one), a.Get(all), b.Get(all), g.Len(), w.Stats().Dropped)
	}
}

// A chunk that is pinned while it is small can be read where it was while its group grows,
// shrinks and is emptied; no row is refused, lost or doubled.
func TestPinnedSmallChunks(t *testing.T) {
	for _, o := range []ecs.Options{{}, {Memory: memmgr.Options{Stress: true}}, {Views: ecs.Views{Always: true}, Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}} {
		w := world(t, o)
		a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
		g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
		es := []ecs.Entity{ok(g.Spawn(duo{b4{0, 0, 0, 0}, full16(0)}))}
		id, _ := ecs.RowsOf(g).Chunk(0)
		rows := ecs.EntitiesIn(w, id)
		unpin := ecs.RowsOf(g).Pin()
		for range 3000 {
			s := byte(len(es))
			es = append(es, ok(g.Spawn(duo{b4{s, s, s, s}, full16(s)})))
		}
		check := func(what string) {
			t.Helper()
			ok(0, w.SafePoint())
			ok(0, w.Check())
			if g.Len() != len(es) {
				t.Fatalf("%s: %d members, want %d", what, g.Len(), len(es))
			}
			for i, e := range es {
				if s := byte(i); *a.Get(e) != (b4{s, s, s, s}) || *b.Get(e) != full16(s) {
					t.Fatalf("%s: entity %d is %v %v", what, i, *a.Get(e), *b.Get(e))
				}
			}
		}
		check("pinned")
		// An entity that lacks one component, and one that gets it: the row would be the group's.
		other := ok(w.Spawn())
		ok(0, a.Add(other, b4{6, 6, 6, 6}))
		ok(0, b.Add(other, full16(6)))
		ok(0, w.Destroy(other))
		check("another one came and went")
		last := es[len(es)-1]
		ok(0, w.Destroy(last))
		es = es[:len(es)-1]
		check("one row less")
		if rows[0] != es[0] {
			t.Errorf("row 0 of the pinned chunk is of %v where it was, want %v", rows[0], es[0])
		}
		unpin()
		for range 500 {
			s := byte(len(es))
			es = append(es, ok(g.Spawn(duo{b4{s, s, s, s}, full16(s)})))
		}
		check("unpinned")
		if n := ok(w.DestroyAll(ecs.Handles(es))); n != len(es) {
			t.Errorf("%d of %d destroyed", n, len(es))
		}
		es = nil
		check("emptied")
	}
}

// Batches are destroyed alike where components are beyond the first 64: blocks at the end of
// a group, entities of a mixed kind, and some that come twice or are dead. Who takes their
// index has none of their components.
func TestDestroyBatchBeyond64Components(t *testing.T) {
	for _, fillers := range []int{0, 60, 63, 64, 70, 130} {
		w := world(t, ecs.Options{})
		first := ecs.Register[b1](w, "first")
		for i := range fillers {
			ecs.Register[[2]byte](w, fmt.Sprint("filler", i))
		}
		a, b, c := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b"), ecs.Register[b24](w, "c")
		g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
		r := rand.New(rand.NewPCG(uint64(fillers), 1))
		alive := map[ecs.Entity]byte{}
		var dead []ecs.Entity
		for round := range 12 {
			es := make([]ecs.Entity, 40)
			s := byte(round)
			ok(0, g.SpawnN(es, []duo{{b4{s, s, s, s}, full16(s)}}))
			for _, e := range es {
				if first.Has(e) || c.Has(e) {
					t.Fatalf("%d fillers: %v was born with the components of another", fillers, e)
				}
				alive[e] = s
			}
			for _, i := range r.Perm(len(es))[:5] {
				switch i % 3 {
				case 0:
					ok(0, c.Add(es[i], b24{}))
				case 1:
					ok(0, first.Add(es[i], b1{}))
				case 2:
					ok(0, c.Add(es[i], b24{}))
					ok(0, b.Remove(es[i]))
				}
			}
			rows := g.Members(nil)
			batch := rows[len(rows)-min(len(rows), 10+r.IntN(15)):]
			if round%3 == 1 {
				batch = nil
				for range 20 {
					batch = append(batch, es[r.IntN(len(es))]) // some twice
				}
			}
			if len(dead) > 0 && round%2 == 1 {
				batch = append(batch, dead[r.IntN(len(dead))], 0)
			}
			want := 0
			for _, e := range batch {
				if _, is := alive[e]; is {
					want++
					delete(alive, e)
					dead = append(dead, e)
				}
			}
			if n := ok(w.DestroyAll(ecs.Handles(batch))); n != want {
				t.Fatalf("%d fillers, round %d: %d destroyed, want %d", fillers, round, n, want)
			}
			ok(0, w.Check())
			if w.Len() != len(alive) || a.Len() != len(alive) {
				t.Fatalf("%d fillers, round %d: %d entities, %d with a, want %d", fillers, round, w.Len(), a.Len(), len(alive))
			}
			for e, s := range alive {
				if v := a.Get(e); v == nil || *v != (b4{s, s, s, s}) || b.Has(e) && *b.Get(e) != full16(s) {
					t.Fatalf("%d fillers, round %d: %v is %v, want %d", fillers, round, e, v, s)
				}
			}
			for _, e := range dead {
				if w.Alive(e) || a.Has(e) || b.Has(e) || c.Has(e) || first.Has(e) {
					t.Fatalf("%d fillers, round %d: %v was destroyed, and has something", fillers, round, e)
				}
			}
		}
	}
}

// Spawning while a query iterates is a panic that names Commands, also where it would take a
// free index and a row that is there; nothing has changed then.
func TestSpawnWhileIterating(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
	es := make([]ecs.Entity, 5)
	ok(0, g.SpawnN(es, []duo{{}}))
	ok(0, w.Destroy(es[4])) // its index is free, and its row is there for the next
	q := ecs.QueryOf[struct{ A []b4 }](w)
	for range q.All() {
		panics(t, "Commands", func() { g.Spawn(duo{}) })
		panics(t, "Commands", func() { g.SpawnN(make([]ecs.Entity, 1), []duo{{}}) })
		panics(t, "DestroyAll while a query", func() { w.DestroyAll(ecs.Handles(es[:2])) })
	}
	if w.Len() != 4 || g.Len() != 4 {
		t.Errorf("%d entities, %d members, want 4", w.Len(), g.Len())
	}
	if e := ok(g.Spawn(duo{})); e.Index() != es[4].Index() || w.Len() != 5 {
		t.Errorf("the next one is %v after %v, of %d", e, es[4], w.Len())
	}
}
