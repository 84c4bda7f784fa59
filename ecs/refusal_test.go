package ecs_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type b6 struct{ V [3]uint16 }

// G8: overlapping ownership is refused by name, and so is every other impossible group.
func TestRefusedRegistrations(t *testing.T) {
	type leaky struct {
		Name struct{ s string }
	}
	w := ecs.New(ecs.Options{})
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	first := ecs.GroupOf[duo](w, "first")
	ecs.Register[b6](w, "c")
	type without struct {
		A []b4
		_ ecs.Without[b6]
	}
	type with struct {
		A []b4
		_ ecs.With[b6]
	}
	type other struct {
		B b16
		C b6
	}
	type open struct{ X []int32 }
	type unknown struct{ A []hp }
	type clash struct {
		A ecs.Write[b4]
		B []b4
	}
	type mixed struct {
		A []b4
		B *b16
	}
	type contradiction struct {
		A []b4
		_ ecs.Without[b4]
	}
	type nothing struct{ E []ecs.Entity }
	sys := func(err error) error { return err }
	for want, err := range map[string]error{
		`it shares components with group "first", and neither is nested within the other`: refusal(w, ecs.GroupMade[other](w, "second")),
		"leaky.Name.s":                     refusal(w, ecs.Register[leaky](w, "leaky")),
		"the limit is 65528":               refusal(w, ecs.Register[[1 << 17]byte](w, "large")),
		"the name is taken by ecs_test.b4": refusal(w, ecs.Register[hp](w, "a")),
		"the name is empty":                refusal(w, ecs.Register[hp](w, "")),
		`the name has "!"`:                 refusal(w, ecs.Register[hp](w, "hp!")),
		"ecs_test.hp is not registered":    sys(systemRefusal(w, "s1", func(*unknown) {})),
		"A (a, written) and B (a) overlap": sys(systemRefusal(w, "s2", func(*clash) {})),
		"both slices and pointers":         sys(systemRefusal(w, "s3", func(*mixed) {})),
		"excluded by another":              sys(systemRefusal(w, "s4", func(*contradiction) {})),
		"it requires no component":         sys(systemRefusal(w, "s5", func(*nothing) {})),
		"int32 is not registered":          sys(systemRefusal(w, "s6", func(*open) {})),
		"name ecs_test.b4 in its place":    sys(systemRefusal(w, "s9", func(*struct{ A ecs.Write[[]b4] }) {})),
		"[]ecs_test.hp is a slice":         refusal(w, ecs.SpawnerOf[struct{ A []hp }](w)),
		"is not a struct":                  refusal(w, ecs.QueryMade[int](w)),
		"leave Without out":                sys(systemRefusal(w, "s7", func(*without) {}, ecs.OnlyIn(first))),
		"tests nothing":                    sys(systemRefusal(w, "s8", func(*with) {}, ecs.OnlyIn(first))),
		"at most 255 are allowed":          refusal(w, ecs.Register[hp](w, strings.Repeat("x", 256))),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	// Err has handed them over.
	if err := w.Run(context.Background()); err != nil {
		t.Errorf("Run: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := w.Run(context.Background()); !errors.Is(err, ecs.ErrClosed) {
		t.Errorf("Run of a closed world: %v", err)
	}
}

func second[T any](_ T, err error) error { return err }

// refusal is why a constructor, which has just returned, refused its arguments.
func refusal(w *ecs.World, _ any) error { return w.Err() }

// systemRefusal registers a system, and returns why it was refused.
func systemRefusal[S any](w *ecs.World, name string, fn func(*S), options ...ecs.SystemOption) error {
	ecs.System(w, name, fn, options...)
	return w.Err()
}

// A frame that memory is refused for goes on where it stopped, and no command is lost.
func TestRefusedCommands(t *testing.T) {
	w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}})
	big := ecs.Register[[8 << 10]byte](w, "big")
	small := ecs.Register[hp](w, "hp")
	var es []ecs.Entity
	for range 600 {
		e := ok(w.Spawn())
		small.Add(e, hp{})
		es = append(es, e)
	}
	if err := big.Add(es[0], [8 << 10]byte{}); err != nil {
		t.Fatal(err)
	}
	type all struct {
		HP   []hp
		Ents []ecs.Entity
		Cmd  *ecs.Commands
	}
	frames := 0
	ecs.System(w, "fill", func(c *all) {
		frames++
		for _, e := range c.Ents {
			big.Later(c.Cmd).Add(e, [8 << 10]byte{byte(e.Index())})
		}
	})
	a := w.Manager().Arena()
	a.SetLimit(a.Stats().Committed + arena.RegionBytes)
	err := w.Run(t.Context())
	if !errors.Is(err, arena.ErrLimit) {
		t.Fatalf("Run: %v", err)
	}
	if big.Len() >= 600 || w.Commands().Len() == 0 || w.Frame() != 0 {
		t.Fatalf("%d added, %d wait", big.Len(), w.Commands().Len())
	}
	a.SetLimit(0)
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if big.Len() != 600 || frames != 2 || w.Frame() != 1 || w.Stats().Dropped != 1 {
		t.Errorf("%d added, %d calls, frame %d, %d dropped", big.Len(), frames, w.Frame(), w.Stats().Dropped)
	}
	for _, e := range es[1:] {
		if big.Get(e)[0] != byte(e.Index()) {
			t.Fatalf("%v has %d", e, big.Get(e)[0])
		}
	}
}

// Whatever request to the operating system is refused, the call returns an error,
// the world is as it was, and going on works.
func TestFaults(t *testing.T) {
	felt, asked := 0, false // a region to be striped is done without
	for n := 1; n < 30; n++ {
		refused := 0
		fault := func(op arena.Op, nth int, _ uint64) error {
			if op == arena.OpCommit && nth == n {
				refused++
				return errors.New("refused by the test")
			}
			return nil
		}
		w := ecs.New(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true, Reserve: 8 << 30}.WithFault(fault)}, MaxEntities: 1 << 20})
		a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
		big := ecs.Register[b8K](w, "big")
		g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
		failed := 0
		for i := range 400 {
			var e ecs.Entity
			var err error
			if i%2 == 0 {
				e, err = g.Spawn(duo{})
			} else if e, err = w.Spawn(); err == nil {
				err = a.Add(e, b4{})
			}
			if err == nil {
				err = big.Add(e, b8K{})
			}
			if err == nil && i%3 == 0 {
				if err = b.Remove(e); errors.Is(err, ecs.ErrAbsent) {
					err = nil
				}
			}
			if err != nil {
				failed++
			}
			if err := w.Check(); err != nil {
				t.Fatalf("commit %d refused, step %d: %v", n, i, err)
			}
		}
		var es [300]ecs.Entity
		rows := g.Len()
		if err := g.SpawnN(es[:], []duo{{}}); err != nil {
			failed++
			if g.Len() != rows || es[0] != 0 {
				t.Fatalf("commit %d refused: SpawnN left %d rows", n, g.Len()-rows)
			}
		}
		if err := w.Check(); err != nil {
			t.Fatal(err)
		}
		if failed > 0 && refused == 0 {
			t.Fatalf("commit %d: refused %d times, %d calls failed", n, refused, failed)
		}
		felt += min(failed, 1)
		asked = asked || w.Manager().Arena().Backend() == arena.OS
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if felt < 4 && asked { // the heap back end asks for nothing
		t.Errorf("%d of 29 refusals were felt", felt)
	}
}

// A gathered value may be written by handle and by contract meanwhile, and is kept.
func TestWriteOfGathered(t *testing.T) {
	w, tr, _, es := scene(t, 300)
	type look struct {
		Spr []sprite
		At  []vec3 `ashlar:"transform.At"`
	}
	type reach struct {
		T ecs.WriteOne[transform]
	}
	s := ecs.SchemaOf[reach](w)
	c := ok(s.Bind(es[0]))
	write := func() {}
	ecs.System(w, "look", func(*look) { write() })
	for what, f := range map[string]func(v transform){
		"Schema.Mut": func(v transform) {
			r, _ := s.Mut(&c)
			*r.T = v
		},
		"MutValue": func(v transform) { *s.MutValue(es[0], "transform").(*transform) = v },
		"Mut":      func(v transform) { *tr.Mut(es[0]) = v },
		"Set":      func(v transform) { ok(0, tr.Set(es[0], v)) },
	} {
		v := transform{At: vec3{1, 2, float32(len(what))}, Scale: 3}
		write = func() { f(v) }
		if ok(0, w.Run(t.Context())); *tr.Get(es[0]) != v {
			t.Errorf("%s: %v, want %v", what, *tr.Get(es[0]), v)
		}
	}
}

// A world's manager is closed by the world, and by nobody else.
func TestManagerCloseUnderWorld(t *testing.T) {
	w := ecs.New(ecs.Options{})
	e, err := w.Spawn()
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // before and after a Close of the world that fails
		if err := w.Manager().Close(); err == nil || !strings.Contains(err.Error(), "which World.Close closes with it: close that instead") {
			t.Errorf("Close of a world's manager: %v", err)
		}
		s, err := w.Manager().MakeSequence("pinned", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 8, Align: 8}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Append(); err != nil {
			t.Fatal(err)
		}
		unpin := s.Pin()
		if err := w.Close(); !errors.Is(err, memmgr.ErrPinned) || !w.Alive(e) {
			t.Errorf("Close: %v", err)
		}
		unpin()
		s.Drop()
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
