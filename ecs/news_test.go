package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// What came waits for a run in which the function is called: not if no row matches, all are tested out, or the system is
// paused. Each call of that run sees all of it.
func TestNewsWaitsForRows(t *testing.T) {
	type fire struct{ N int32 }
	type hit struct{ N int }
	for _, parallel := range []bool{false, true} {
		w := world(t, ecs.Options{Workers: 1})
		hp, fires := ecs.Register[c0](w, "hp"), ecs.Register[fire](w, "fire")
		off := ecs.Register[c1](w, "off", ecs.Volatile)
		hits := ecs.EventsOf[hit](w)
		var options []ecs.SystemOption
		if parallel {
			options = append(options, ecs.Parallel())
		}
		var saw []string
		ecs.System(w, "s", func(c *struct {
			F    []fire
			A    ecs.Arrived[c0]
			L    ecs.Left[c0]
			H    ecs.Events[hit]
			_    ecs.Without[c1]
			Once ecs.Local[int]
		}) {
			saw = append(saw, fmt.Sprint(c.A.Len(), c.L.Len(), c.H.Len()))
		}, options...)
		run := func(want string) {
			t.Helper()
			saw = nil
			if ok(0, w.Run(t.Context())); strings.Join(saw, ", ") != want {
				t.Errorf("parallel %v: it saw %q, want %q", parallel, saw, want)
			}
		}
		e, gone := ok(w.Spawn()), ok(w.Spawn())
		ok(0, hp.Add(gone, c0{}))
		ok(0, fires.Add(e, fire{}))
		run("1 0 0")
		ok(0, off.Add(e, c1{})) // the row is tested out
		ok(0, hp.Add(e, c0{}))
		ok(0, hp.Remove(gone))
		hits.Write(hit{1})
		run("")
		hits.Write(hit{2})
		ok(0, fires.Remove(e)) // there is no row
		run("")
		ok(0, fires.Add(e, fire{}))
		ok(0, off.Remove(e))
		run("1 1 2")
		run("0 0 0")
	}
}

// A query of changes in a system with rows would see each change in one of its calls.
func TestChangesOncePerRun(t *testing.T) {
	type changed struct{ _ ecs.Changed[c0] }
	for _, with := range []bool{true, false} {
		w := ecs.New(ecs.Options{})
		ecs.Register[c0](w, "c0")
		ecs.Register[c1](w, "c1")
		if with {
			ecs.System(w, "s", func(*struct {
				B []c1
				Q *ecs.Query[changed]
			}) {
			})
		} else {
			ecs.System(w, "s", func(*struct{ Q *ecs.Query[changed] }) {})
		}
		if err := w.Err(); with != (err != nil) || with && !strings.Contains(err.Error(), "give the query a system without rows") {
			t.Errorf("with rows %v: %v", with, err)
		}
		ok(0, w.Close())
	}
}

// A whole of split fields that another group keeps is passed where a race build allows its addresses.
func TestSplitOfAnotherGroup(t *testing.T) {
	type pair struct{ X, Y float64 }
	type person struct {
		At, Speed pair
		Mood      float32
	}
	type id struct{ I int32 }
	type pad struct{ A [6]uint32 }
	type body struct {
		person
		c0
		id
		pad
	}
	w := world(t, ecs.Options{})
	ecs.RegisterSplit[person](w, "person")
	ecs.Register[c0](w, "c0")
	ecs.Register[id](w, "id")
	ecs.Register[pad](w, "pad")
	people := ecs.GroupOf[struct{ person }](w, "people")
	others := ecs.GroupOf[struct{ c0 }](w, "others")
	people.SortAs(others, 64)
	all := make([]body, 3000)
	for i := range all {
		all[i].Mood, all[i].I = float32(i), int32(i)
	}
	check(t, ecs.SpawnerOf[body](w).SpawnN(make([]ecs.Entity, len(all)), all))
	ecs.System(w, "walk", func(c *struct {
		P ecs.Write[person]
		I []id
	}) {
		for i := range c.P {
			if c.P[i].Mood != float32(c.I[i].I) {
				t.Fatalf("%v of %v", c.P[i].Mood, c.I[i])
			}
		}
	})
	for range 3 {
		ok(0, w.Run(t.Context()))
	}
}
