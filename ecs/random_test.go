package ecs_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// A system's numbers depend on the seed, its name, the tick and the entity. Another system, other
// entities and the order of rows change none.
func TestRandomDependsOnNothingElse(t *testing.T) {
	play := func(seed uint64, name string, more bool) map[ecs.Entity][]uint64 {
		w := world(t, ecs.Options{Seed: seed})
		a, b := ecs.Register[hp](w, "a"), ecs.Register[frozen](w, "b")
		ecs.Register[name16](w, "c")
		var es []ecs.Entity
		for range 100 {
			es = append(es, ok(w.Spawn()))
		}
		for i, e := range es {
			if more {
				e = es[len(es)-1-i]
			}
			ok(0, a.Add(e, hp{}))
		}
		if more {
			for i := 0; i < 100; i += 3 {
				ok(0, b.Add(es[i], frozen{}))
			}
			s := ecs.SpawnerOf[struct{ name16 }](w)
			ecs.System(w, "others", func(c *struct{ Rand ecs.Random }) {
				d := c.Rand.At(1)
				for range d.IntN(5) {
					ok(s.Spawn(struct{ name16 }{}))
				}
			})
		}
		got := map[ecs.Entity][]uint64{}
		ecs.System(w, name, func(c *struct {
			Ents []ecs.Entity
			A    []hp
			Rand ecs.Random
		}) {
			for _, e := range c.Ents {
				d := c.Rand.Of(e)
				got[e] = append(got[e], d.Uint64(), d.Uint64())
			}
		})
		for range 5 {
			ok(0, w.Run(context.Background()))
		}
		return got
	}
	plain := play(1, "move", false)
	same := func(a, b map[ecs.Entity][]uint64) bool {
		return maps.EqualFunc(a, b, func(x, y []uint64) bool { return fmt.Sprint(x) == fmt.Sprint(y) })
	}
	if !same(plain, play(1, "move", true)) {
		t.Error("other systems and entities change numbers")
	}
	if same(plain, play(2, "move", false)) || same(plain, play(1, "hunt", false)) {
		t.Error("seed or name change nothing")
	}
	seen := map[uint64]bool{}
	for e, list := range plain {
		for _, v := range list {
			if seen[v] {
				t.Errorf("%v gets %#x, which was there before", e, v)
			}
			seen[v] = true
		}
	}
	if len(seen) != 100*5*2 {
		t.Errorf("%d numbers", len(seen))
	}
}

// The tick of a system in phase Fixed is its step, and others' is the frame.
func TestRandomGoesByTicks(t *testing.T) {
	w := world(t, ecs.Options{FixedStep: 10 * time.Millisecond})
	var fixed, each []uint64
	draw := func(to *[]uint64) func(c *struct{ Rand ecs.Random }) {
		return func(c *struct{ Rand ecs.Random }) {
			d := c.Rand.At(0)
			*to = append(*to, d.Uint64())
		}
	}
	ecs.System(w, "start", draw(new([]uint64)), ecs.InPhase(ecs.Startup))
	ecs.System(w, "fixed", draw(&fixed), ecs.InPhase(ecs.Fixed))
	ecs.System(w, "fixed2", draw(new([]uint64)), ecs.InPhase(ecs.Fixed))
	ecs.System(w, "each", draw(&each))
	want := w.Random("each").At(0)
	for _, ms := range []time.Duration{30, 0, 20, 10, 5, 5} {
		ok(0, w.RunFor(context.Background(), ms*time.Millisecond))
	}
	if len(fixed) != 7 || len(each) != 6 || each[0] != want.Uint64() {
		t.Errorf("%d steps, %d frames", len(fixed), len(each))
	}
	seen := map[uint64]bool{}
	for _, v := range append(fixed, each...) {
		if seen[v] {
			t.Errorf("%#x comes twice", v)
		}
		seen[v] = true
	}
	// The same steps in frames of another length.
	w2 := world(t, ecs.Options{FixedStep: 10 * time.Millisecond})
	var again []uint64
	ecs.System(w2, "fixed", draw(&again), ecs.InPhase(ecs.Fixed))
	for range 7 {
		ok(0, w2.RunFor(context.Background(), 10*time.Millisecond))
	}
	if fmt.Sprint(again) != fmt.Sprint(fixed) {
		t.Errorf("steps in other frames: %x, want %x", again, fixed)
	}
}

// Numbers of entities and of the program's are others, and draws are a source for math/rand.
func TestRandomOfAndAt(t *testing.T) {
	w := world(t, ecs.Options{})
	r := w.Random("set-up")
	e := ok(w.Spawn())
	of, at := r.Of(e), r.At(uint64(e))
	if of.Uint64() == at.Uint64() {
		t.Error("an entity has the numbers of its handle as a number")
	}
	d, same := r.At(3), r.At(3)
	first := rand.New(&d).Uint64()
	if first != same.Uint64() {
		t.Error("a source gives other numbers")
	}
	for range 1000 {
		if f, n := d.Float64(), d.IntN(3); f < 0 || f >= 1 || n < 0 || n > 2 {
			t.Fatalf("%v, %d", f, n)
		}
	}
	panics(t, "below 1", func() { d.IntN(0) })
	type rolls struct {
		A []hp
		R ecs.Random
	}
	v := ecs.New(ecs.Options{})
	ecs.Register[hp](v, "a")
	ecs.QueryMade[rolls](v)
	if err := v.Err(); err == nil || !strings.Contains(err.Error(), "World.Random") {
		t.Errorf("a query with random numbers: %v", err)
	}
	ok(0, v.Close())
}
