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
		"a command":                  func(w *ecs.World, p *ecs.Pool[heat], e ecs.Entity) { p.Later(w.Commands()).Put(e, heat{}) },
	} {
		for during, in := range map[string]func(*ecs.World, func()){"Add": ecs.InAdd, "a command": ecs.InCommand} {
			w := world(t, ecs.Options{})
			p := ecs.Register[heat](w, "heat")
			e := ok(w.Spawn())
			if said := meets(in, w, func() { do(w, p, e) }); !strings.Contains(said, during+" and "+name+" at once") {
				t.Errorf("%s during %s: %v", name, during, said)
			}
			ok(0, w.SafePoint())
			ok(0, w.Check())
		}
	}
}

// meets calls a function by another goroutine while a call is under way, and returns the panic.
func meets(in func(*ecs.World, func()), w *ecs.World, do func()) (said string) {
	in(w, func() {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer func() { said = fmt.Sprint(recover()) }()
			do()
		}()
		<-done
	})
	return said
}

// Commands of all kinds notice a call under way, Destroy behind another Destroy among them. Within functions that a call
// calls, they may be asked for.
func TestTwoCallsOfCommands(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[heat](w, "heat")
	a, b := ok(w.Spawn()), ok(w.Spawn())
	for name, do := range map[string]func(){
		"Destroy": func() { w.Commands().Destroy(b) },
		"Spawn":   func() { p.Later(w.Commands()).Put(w.Commands().Spawn(), heat{}) },
	} {
		w.Commands().Destroy(a)
		for _, in := range []func(*ecs.World, func()){ecs.InAdd, ecs.InCommand} {
			if said := meets(in, w, do); !strings.Contains(said, "and a command at once") {
				t.Errorf("%s: %s", name, said)
			}
		}
		w.Commands().Drop()
	}
	ok(0, p.Add(a, heat{}))
	type hot struct{ H []heat }
	ok(ecs.QueryOf[hot](w).DestroyWhere(func(*hot, int) bool {
		w.Commands().Destroy(b)
		w.Commands().Destroy(a)
		return false
	}))
	ok(0, w.SafePoint())
	if w.Alive(a) || w.Alive(b) {
		t.Error("commands of a function were not made")
	}
	ok(0, w.Check())
}

// So does World.Spawn, which may be called while something iterates.
func TestTwoCallsOfSpawn(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[heat](w, "heat")
	e := ok(w.Spawn())
	ok(0, p.Add(e, heat{}))
	type hot struct{ H []heat }
	ok(ecs.QueryOf[hot](w).DestroyWhere(func(*hot, int) bool {
		ok(w.Spawn())
		return false
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
			type hot struct{ H []heat }
			ok(ecs.QueryOf[hot](w).DestroyWhere(func(*hot, int) bool { panic("bad") }))
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
