package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	hotCells  struct{ H []heat }
	hotOnes   struct{ H *heat }
	warmCells struct{ H ecs.Write[heat] }
)

// A system loops over a query of its own, whether it promises Parallel or not, and finds single entities by it.
func TestQueryField(t *testing.T) {
	for _, options := range [][]ecs.SystemOption{nil, {ecs.Parallel()}} {
		for _, workers := range []int{1, 2} {
			w := world(t, ecs.Options{Workers: workers})
			hot := ecs.Register[heat](w, "heat")
			ages := ecs.Register[age](w, "age")
			es := make([]ecs.Entity, 30_000)
			for i := range es {
				es[i] = ok(w.Spawn())
				ok(0, ages.Add(es[i], age{}))
				if i%2 == 0 {
					ok(0, hot.Add(es[i], heat{1}))
				}
			}
			ecs.System(w, "s", func(c *struct {
				Ages ecs.Write[age]
				E    []ecs.Entity
				Hot  *ecs.Query[hotCells]
				One  *ecs.Query[hotOnes]
			}) {
				sum, twice := 0, 0
				for x := range c.Hot.All() {
					sum += len(x.H)
					for y := range c.Hot.All() { // within itself
						twice += len(y.H)
						break
					}
				}
				if sum != len(es)/2 || twice == 0 || c.Hot.Len() != sum || c.Hot.Sum(func(c *hotCells, i int) float64 { return float64(c.H[i].V) }) != float64(sum) {
					t.Errorf("%d are hot", sum)
				}
				for i, e := range c.E {
					if one, is := c.One.Get(e); is {
						c.Ages[i].Left += int32(one.H.V)
					}
				}
			}, options...)
			ecs.System(w, "beside", func(c *struct{ Hot *ecs.Query[hotCells] }) {
				for range c.Hot.All() {
				}
			}, options...)
			for range 3 {
				ok(0, w.Run(t.Context()))
			}
			for i, e := range es {
				if v := ages.Get(e).Left; v != int32(3*(1-i%2)) {
					t.Fatalf("entity %d has age %d", i, v)
				}
			}
		}
	}
}

// The schedule goes by the query's struct. A system runs alone if the query asks for changes of values that it writes.
func TestQueryFieldDeclares(t *testing.T) {
	const alone = "  safe point: runs alone"
	var ages *ecs.Pool[age]
	for _, tt := range []struct {
		name string
		add  func(w *ecs.World)
		want string
	}{
		{"reads", func(w *ecs.World) { ecs.System(w, "b", func(*struct{ Q *ecs.Query[hotCells] }) {}, ecs.Parallel()) }, "waits for a, which writes heat, and this reads it"},
		{"writes", func(w *ecs.World) { ecs.System(w, "b", func(*struct{ Q *ecs.Query[warmCells] }) {}, ecs.Parallel()) }, "waits for a, which writes heat, too"},
		{"reads and writes", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				H ecs.Write[heat]
				Q *ecs.Query[hotCells]
			}) {
			}, ecs.Parallel())
		}, "waits for a, which writes heat, too"},
		{"writes a field", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct {
					H ecs.Write[int32] `ashlar:"heat.V"`
				}]
			}) {
			}, ecs.Parallel())
		}, "waits for a, which writes heat, too"},
		{"reads a field", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct {
					H []int32 `ashlar:"heat.V"`
				}]
			}) {
			}, ecs.Parallel())
		}, "waits for a, which writes heat, and this reads it"},
		{"of groups", func(w *ecs.World) {
			g := ecs.GroupOf[struct{ A age }](w, "g", ages)
			ecs.System(w, "b", func(*struct {
				A ecs.Write[age]
				Q *ecs.Query[struct{ A []age }]
			}) {
			}, ecs.Parallel(), ecs.OnlyIn(g))
		}, "beside b"},
		{"beside groups", func(w *ecs.World) {
			g := ecs.GroupOf[struct{ A age }](w, "g", ages)
			ecs.System(w, "b", func(*struct {
				A ecs.Write[age]
				Q *ecs.Query[hotCells]
			}) {
			}, ecs.Parallel(), ecs.OnlyIn(g))
		}, "waits for a, which writes heat, and this reads it"},
		{"has a look", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct {
					A []age
					H ecs.Look[heat]
				}]
			}) {
			}, ecs.Parallel())
		}, "waits for a, which writes heat, and this reads it"},
		{"changes", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct {
					A []age
					_ ecs.Changed[age]
				}]
			}) {
			}, ecs.Parallel())
		}, "beside b"},
		{"changes of what it writes by handle", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct{ _ ecs.Changed[age] }]
				A *ecs.Pool[age]
			}) {
			}, ecs.Parallel())
		}, alone},
		{"changes of what a query writes", func(w *ecs.World) {
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct{ _ ecs.AddedRows[age] }]
				A *ecs.Query[struct{ A ecs.WriteOne[age] }]
			}) {
			}, ecs.Parallel())
		}, alone},
		{"sees", func(w *ecs.World) {
			ecs.System(w, "c", func(*struct{ L ecs.Later[age] }) {}, ecs.Parallel())
			ecs.System(w, "b", func(*struct {
				Q *ecs.Query[struct {
					H []heat
					_ ecs.Without[age]
				}]
			}) {
			}, ecs.Parallel())
		}, "c asks for changes of age, which b would see"},
	} {
		w := world(t, ecs.Options{Workers: 2})
		ecs.Register[heat](w, "heat")
		ages = ecs.Register[age](w, "age")
		ecs.System(w, "a", func(*struct{ H ecs.Write[heat] }) {}, ecs.Parallel())
		tt.add(w)
		ok(0, w.Err())
		if text := w.Schedule().String(); !strings.Contains(text, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.name, tt.want, text)
		}
	}
}

// A query of changes within a system sees each change once, whoever runs the system, and also one that comes from outside
// directly behind it.
func TestQueryFieldOfChanges(t *testing.T) {
	for _, workers := range []int{1, 2, 8} {
		w := world(t, ecs.WithPieces(ecs.Options{Workers: workers}, 1))
		ecs.Register[heat](w, "heat")
		ages := ecs.Register[age](w, "age")
		seen := ecs.Provide(w, 0)
		var es []ecs.Entity
		for range 40 {
			e := ok(w.Spawn())
			ok(0, ages.Add(e, age{}))
			es = append(es, e)
		}
		writes := ecs.Provide(w, false)
		ecs.System(w, "write", func(c *struct {
			Ages ecs.Write[age]
			Is   ecs.Res[bool]
		}) {
			c.Ages[0].Left++
		}, ecs.Parallel(), ecs.When(func() bool { return *writes }))
		ecs.System(w, "see", func(c *struct {
			Seen ecs.WriteRes[int]
			News *ecs.Query[struct{ _ ecs.ChangedRows[age] }]
		}) {
			*c.Seen.Mut() = c.News.Len()
			for range c.News.All() {
			}
			if n := c.News.Len(); n != 0 {
				t.Errorf("%d rows are new behind a walk", n)
			}
		}, ecs.Parallel())
		ecs.System(w, "beside", func(*struct{ Is ecs.Res[bool] }) {}, ecs.Parallel())
		frame := func(want int) {
			t.Helper()
			if ok(0, w.Run(t.Context())); *seen != want {
				t.Errorf("%d workers: %d rows are new, want %d", workers, *seen, want)
			}
		}
		frame(40)
		frame(0)
		ages.Mut(es[3]).Left++
		frame(1)
		frame(0)
		*writes = true
		frame(40)
		frame(40)
		*writes = false
		ok(0, ages.Set(es[4], age{}))
		ok(0, ages.Set(es[5], age{}))
		frame(2)
		frame(0)
	}
}

// A field with a query that can't be made is refused with the reason, and a query has no such field.
func TestQueryFieldRefused(t *testing.T) {
	for want, add := range map[string]func(w *ecs.World){
		"not registered": func(w *ecs.World) {
			ecs.System(w, "s", func(*struct{ Q *ecs.Query[struct{ A []age }] }) {})
		},
		"call ecs.QueryOf, and loop over it within": func(w *ecs.World) {
			ecs.QueryMade[struct {
				H []heat
				Q *ecs.Query[hotCells]
			}](w)
		},
	} {
		w := ecs.New(ecs.Options{})
		ecs.Register[heat](w, "heat")
		add(w)
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		ok(0, w.Close())
	}
}
