package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A call that another goroutine makes while one is under way panics, and says which two they are.
func TestTwoCalls(t *testing.T) {
	for name, do := range map[string]func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity){
		"Add":    func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _ = p.Add(e, heat{}) },
		"Remove": func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _ = p.Remove(e) },
		"Put":    func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _ = p.Put(e, heat{}) },
		"Spawn": func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) {
			_, _ = ecs.SpawnerOf[struct{ H heat }](w).Spawn(struct{ H heat }{})
		},
		"Destroy":                    func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _ = w.Destroy(e) },
		"SetEnabled":                 func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _ = p.SetEnabled(e, true) },
		"a change of all that match": func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _, _ = p.RemoveAll(ecs.Handles([]ecs.Entity{e})) },
		"Clear":                      func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _ = p.Clear() },
		"Purge":                      func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _, _ = w.Purge() },
		"a safe point":               func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { _ = w.SafePoint() },
	} {
		w := world(t, ecs.Options{})
		p := ecs.Register[heat](w, "heat")
		e := ok(w.Spawn())
		var said any
		ecs.InAdd(w, func() {
			done := make(chan bool)
			go func() {
				defer close(done)
				defer func() { said = recover() }()
				do(w, p, e)
			}()
			<-done
		})
		if !strings.Contains(fmt.Sprint(said), "Add and "+name+" at once") {
			t.Errorf("%s during Add: %v", name, said)
		}
	}
}

// So does World.Spawn, which may be called while something iterates.
func TestTwoCallsOfSpawn(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[heat](w, "heat")
	e := ok(w.Spawn())
	ok(p.AddFunc(ecs.Handles{e}, func(ecs.Entity) heat {
		ok(w.Spawn())
		return heat{}
	}))
	defer func() {
		if v := fmt.Sprint(recover()); !strings.Contains(v, "Add and Spawn at once") {
			t.Error(v)
		}
	}()
	ecs.InAdd(w, func() { ok(w.Spawn()) })
}

// A panic of the program's own code in a call leaves the world usable.
func TestPanicWithinACall(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[heat](w, "heat")
	e := ok(w.Spawn())
	bad := true
	ecs.Observe(w, "bad", func(c *struct{ In ecs.Arrived[heat] }) {
		if bad {
			panic("bad")
		}
	})
	for _, do := range []func(){
		func() { ok(0, p.Add(e, heat{})) },
		func() {
			ok(p.AddFunc(ecs.Handles([]ecs.Entity{ok(w.Spawn())}), func(ecs.Entity) heat { panic("bad") }))
		},
		func() {
			p.Later(w.Commands()).Put(ok(w.Spawn()), heat{})
			ok(0, w.SafePoint())
		},
	} {
		func() {
			defer func() {
				if v := recover(); v != "bad" {
					t.Error(v)
				}
			}()
			do()
		}()
		ok(0, w.Destroy(ok(w.Spawn())))
	}
	bad = false
	ok(0, w.Run(t.Context()))
	ok(0, w.Check())
}
