package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A struct that names a thing in the wrong way is told the right one, and not to register something that is none.
func TestHintsNameTheRightField(t *testing.T) {
	type score struct{ Names map[string]int }
	type hit struct{ By string }
	for want, mistake := range map[string]func(w *ecs.World){
		"write ecs.Res[ecs_test.score] to read it":           func(w *ecs.World) { ecs.System(w, "s", func(*struct{ S *score }) {}) },
		"field P []ecs_test.score: ecs_test.score is a re":   func(w *ecs.World) { ecs.System(w, "s", func(*struct{ P []score }) {}) },
		"write ecs.Events[ecs_test.hit] to read them":        func(w *ecs.World) { ecs.System(w, "s", func(*struct{ H []hit }) {}) },
		"as in []ecs_test.hp, which is a column":             func(w *ecs.World) { ecs.System(w, "s", func(*struct{ H []*hp }) {}) },
		"resource of type ecs_test.score, not *ecs_test":     func(w *ecs.World) { ecs.System(w, "s", func(*struct{ S ecs.Res[*score] }) {}) },
		"make the field of type *ecs.Commands":               func(w *ecs.World) { ecs.System(w, "s", func(*struct{ Do ecs.Commands }) {}) },
		"make the field of type *ecs.Pool[ecs_test.hp]":      func(w *ecs.World) { ecs.System(w, "s", func(*struct{ P ecs.Pool[hp] }) {}) },
		"make the field of type *ecs.Query[struct":           func(w *ecs.World) { ecs.System(w, "s", func(*struct{ Q ecs.Query[struct{ HP []hp }] }) {}) },
		"component itself: pass a struct that has it as a f": func(w *ecs.World) { ecs.SpawnerOf[hp](w) },
		"write *ecs_test.hp to read it, ecs.WriteOne":        func(w *ecs.World) { ecs.SchemaOf[struct{ HP hp }](w) },
		"write ecs.Arrived[ecs.Set[ecs_test.hp]], or":        func(w *ecs.World) { ecs.System(w, "s", func(*struct{ HP ecs.Set[hp] }) {}) },
		"ecs_test.b4 is not registered: call ecs.Register":   func(w *ecs.World) { ecs.System(w, "s", func(*struct{ B []b4 }) {}) },
		"*ecs_test.b4 is not registered: call ecs.Register":  func(w *ecs.World) { ecs.System(w, "s", func(*struct{ B []*b4 }) {}) },
	} {
		w := world(t, ecs.Options{})
		ecs.Register[hp](w, "hp")
		ecs.Provide(w, score{})
		ecs.EventsOf[hit](w)
		mistake(w)
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A system that promises Parallel spawns by commands alone, however few rows it has: with more, handles of World.Spawn would
// depend on workers.
func TestSpawnWithinParallelPanics(t *testing.T) {
	for what, add := range map[string]func(w *ecs.World){
		"a row": func(w *ecs.World) { ecs.System(w, "s", func(*struct{ HP []hp }) { ok(w.Spawn()) }, ecs.Parallel()) },
		"no rows": func(w *ecs.World) {
			ecs.System(w, "s", func(*struct{ *ecs.Commands }) { ok(w.Spawn()) }, ecs.Parallel())
		},
	} {
		w := world(t, ecs.Options{Workers: 1})
		ok(0, ecs.Register[hp](w, "hp").Add(ok(w.Spawn()), hp{}))
		add(w)
		func() {
			defer func() {
				if text := fmt.Sprint(recover()); !strings.Contains(text, "Spawn within s, which several workers may run") || w.Len() != 1 {
					t.Errorf("%s: %d entities: %s", what, w.Len(), text)
				}
			}()
			ok(0, w.Run(t.Context()))
		}()
	}
}

// The conditions of such a system are asked while none runs: they may spawn, as those of any system.
func TestConditionsOfParallelSystemsSpawn(t *testing.T) {
	w := world(t, ecs.Options{})
	ok(0, ecs.Register[hp](w, "hp").Add(ok(w.Spawn()), hp{}))
	when := func() bool { ok(w.Spawn()); return w.Commands().Spawn() != 0 }
	ecs.System(w, "s", func(*struct{ HP []hp }) {}, ecs.Parallel(), ecs.When(when))
	if ok(0, w.Run(t.Context())); w.Len() != 3 {
		t.Errorf("%d entities", w.Len())
	}
}
