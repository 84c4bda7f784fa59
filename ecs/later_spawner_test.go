package ecs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type spark struct {
	H heat
	A age
}

// A field that spawns says which components entities get: systems that name none of them need no safe point before them.
func TestLaterSpawnerSchedule(t *testing.T) {
	type struckt struct{ Out ecs.LaterSpawner[spark] }
	for _, tt := range []struct {
		name string
		add  func(w *ecs.World)
		want string // in the schedule
	}{
		{"another component", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct{ P ecs.Write[hp] }) {}, ecs.Parallel())
		}, "    a\n      beside b\n"},
		{"a component that they get", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct{ A []age }) {}, ecs.Parallel())
		}, "  safe point: a asks for changes of age, which b would see\n    b\n"},
		{"a component that they get, excluded", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				P []hp
				_ ecs.Without[heat]
			}) {
			}, ecs.Parallel())
		}, "  safe point: a asks for changes of heat, which b would see\n    b\n"},
		{"all entities that come", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct{ In ecs.Arrived[ecs.Entity] }) {}, ecs.Parallel())
		}, "  safe point: a may spawn entities, which b would see\n    b\n"},
		{"all entities that go", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct{ Out ecs.Left[ecs.Entity] }) {}, ecs.Parallel())
		}, "    a\n      beside b\n"},
		{"two that spawn", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Out ecs.LaterSpawner[struct{ P hp }]
			}) {
			}, ecs.Parallel())
		}, "  safe point: a and b may both spawn entities\n    b\n"},
		{"within a query", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct {
					P   []hp
					Out ecs.LaterSpawner[spark]
				}]
			}) {
			}, ecs.Parallel())
		}, "  safe point: a and b may both spawn entities\n    b\n"},
	} {
		w := world(t, ecs.Options{Workers: 2})
		ecs.Register[heat](w, "heat")
		ecs.Register[age](w, "age")
		ecs.Register[hp](w, "hp")
		ecs.System(w, "a", func(*struckt) {}, ecs.Parallel())
		tt.add(w)
		ok(0, w.Err())
		if text := w.Schedule().String(); !strings.Contains(text, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.want, text)
		}
		if d := w.Describe(); !strings.Contains(d, "heat") || !strings.Contains(d, "age") || !strings.Contains(d, "later ") {
			t.Errorf("%v", d)
		}
	}
}

// Wherever the field stands, its entities have their handles at once and their values behind the next safe point, as those of
// Spawner.Later have.
func TestLaterSpawnerPlaces(t *testing.T) {
	var made []ecs.Entity
	shoot := func(out ecs.LaterSpawner[spark], n int) {
		made = append(made, out.Spawn(spark{heat{int32(n)}, age{7}}))
		more := make([]ecs.Entity, 2)
		out.SpawnN(more, []spark{{H: heat{int32(n)}}})
		made = append(made, more...)
		out.Put(made[0], spark{H: heat{int32(n + 1)}})
	}
	for name, add := range map[string]func(w *ecs.World) (run func()){
		"a system": func(w *ecs.World) func() {
			ecs.System(w, "s", func(c *struct{ Out ecs.LaterSpawner[spark] }) { shoot(c.Out, 5) })
			return func() { ok(0, w.Run(t.Context())) }
		},
		"a parallel system": func(w *ecs.World) func() {
			ecs.System(w, "s", func(c *struct{ Out ecs.LaterSpawner[spark] }) { shoot(c.Out, 5) }, ecs.Parallel())
			return func() { ok(0, w.Run(t.Context())) }
		},
		"a query of a system": func(w *ecs.World) func() {
			ecs.System(w, "s", func(c *struct {
				Q *ecs.Query[struct {
					P   []hp
					Out ecs.LaterSpawner[spark]
				}]
			}) {
				for c := range c.Q.All() {
					shoot(c.Out, 5)
				}
			}, ecs.Parallel())
			return func() { ok(0, w.Run(t.Context())) }
		},
		"a query": func(w *ecs.World) func() {
			q := ecs.QueryOf[struct {
				P   []hp
				Out ecs.LaterSpawner[spark]
			}](w)
			return func() {
				for c := range q.All() {
					shoot(c.Out, 5)
				}
				ok(0, w.SafePoint())
			}
		},
		"an observer": func(w *ecs.World) func() {
			ecs.Observe(w, "o", func(c *struct {
				In  ecs.Arrived[hp]
				Out ecs.LaterSpawner[spark]
			}) {
				shoot(c.Out, 5)
			})
			return func() { ok(ecs.SpawnerOf[struct{ P hp }](w).Spawn(struct{ P hp }{})) }
		},
	} {
		w := world(t, ecs.Options{Workers: 2})
		hot, ages := ecs.Register[heat](w, "heat"), ecs.Register[age](w, "age")
		ecs.Register[hp](w, "hp")
		if name != "an observer" {
			ok(ecs.SpawnerOf[struct{ P hp }](w).Spawn(struct{ P hp }{}))
		}
		made = nil
		add(w)()
		if len(made) != 3 || hot.Len() != 3 || ages.Len() != 3 || w.Stats().Dropped != 0 {
			t.Errorf("%s: %v made, %d hot", name, made, hot.Len())
			continue
		}
		if a, b := hot.Get(made[0]).V, hot.Get(made[2]).V; a != 6 || b != 5 {
			t.Errorf("%s: heat %d and %d", name, a, b)
		}
		ok(0, w.Check())
	}
}

// Structs that can't be spawned are refused by the field, with the remedy.
func TestLaterSpawnerRefused(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[heat](w, "heat")
	ecs.Register[age](w, "age")
	for want, err := range map[string]error{
		"is not registered": systemRefusal(w, "none", func(*struct {
			L ecs.LaterSpawner[struct{ P hp }]
		}) {
		}),
		"named twice": systemRefusal(w, "twice", func(*struct {
			L ecs.LaterSpawner[struct{ A, B heat }]
		}) {
		}),
		"they are for groups": systemRefusal(w, "with", func(*struct {
			L ecs.LaterSpawner[struct {
				A heat
				_ ecs.With[age]
			}]
		}) {
		}),
		"make the field of": systemRefusal(w, "pointer", func(*struct{ L *ecs.LaterSpawner[spark] }) {}),
		"put the tag on one of them": systemRefusal(w, "tag", func(*struct {
			L ecs.LaterSpawner[spark] `ashlar:"heat"`
		}) {
		}),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q: %v", want, err)
		}
	}
}

// Sparks are spawned while systems of other components run beside.
func ExampleLaterSpawner() {
	w := ecs.New(ecs.Options{Workers: 2})
	defer w.Close()
	heats := ecs.Register[heat](w, "heat")
	ecs.Register[age](w, "age")
	ecs.Register[hp](w, "hp")
	ecs.System(w, "strike", func(c *struct{ Sparks ecs.LaterSpawner[spark] }) {
		c.Sparks.Spawn(spark{H: heat{900}})
	}, ecs.Parallel())
	ecs.System(w, "heal", func(c *struct{ Points ecs.Write[hp] }) {}, ecs.Parallel())
	fmt.Print(w.Schedule())
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
	fmt.Println(heats.Len(), "spark")
	// Output:
	// EachFrame
	//   safe point: the first
	//     strike
	//       beside heal
	//     heal
	//       beside strike
	// critical path: strike: 1 of 2 systems
	// 1 spark
}
