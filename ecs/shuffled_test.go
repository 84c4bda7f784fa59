package ecs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

// Shuffled names the system that breaks its promise, whatever that writes, and finds nothing in one where all keep it.
func TestShuffled(t *testing.T) {
	type pair struct {
		A c0
		B c1
	}
	for _, tt := range []struct {
		name string
		add  func(w *ecs.World, captured *uint64)
		want string // "": all keep their promise; # is any number
	}{
		{"all keep it", func(w *ecs.World, captured *uint64) {
			ecs.System(w, "a", func(c *struct{ A ecs.Write[c0] }) {
				for i := range c.A {
					c.A[i].V = c.A[i].V*3 + *captured
				}
			}, ecs.Parallel())
			ecs.System(w, "b", func(c *struct {
				B   ecs.Write[c1]
				E   []ecs.Entity
				Out ecs.WriteEvents[blow]
				Do  *ecs.Commands
				Sum ecs.WriteRes[total]
			}) {
				for i := range c.B {
					c.B[i].V++
					c.Sum.Mut().V = c.Sum.Mut().V*31 + c.B[i].V
					c.Out.Write(blow{c.E[i], c.B[i].V})
					if c.B[i].V%97 == 0 {
						c.Do.Destroy(c.E[i])
					}
				}
			}, ecs.Parallel())
		}, ""},
		{"a captured sum goes to a component", func(w *ecs.World, captured *uint64) {
			ecs.System(w, "fine", func(c *struct{ B ecs.Write[c1] }) {
				for i := range c.B {
					c.B[i].V++
				}
			}, ecs.Parallel())
			ecs.System(w, "breaks", func(c *struct{ A ecs.Write[c0] }) {
				for i := range c.A {
					*captured++
					c.A[i].V += *captured
				}
			}, ecs.Parallel())
		}, `system "breaks" has another result in run #, in component c0, if`},
		{"to events", func(w *ecs.World, captured *uint64) {
			ecs.System(w, "breaks", func(c *struct {
				A   []c0
				Out ecs.WriteEvents[blow]
			}) {
				for i := range c.A {
					*captured++
					c.Out.Write(blow{V: *captured * c.A[i].V})
				}
			}, ecs.Parallel())
			ecs.System(w, "hears", func(c *struct {
				B  ecs.Write[c1]
				In ecs.Events[blow]
			}) {
			}, ecs.Parallel())
		}, `system "breaks" has another result in run #, in events of ecs_test.blow, if`},
		{"to a resource", func(w *ecs.World, captured *uint64) {
			ecs.System(w, "counts", func(c *struct{ A []c0 }) {
				for i := range c.A {
					*captured = *captured*31 + c.A[i].V
				}
			}, ecs.Parallel())
			ecs.System(w, "tells", func(c *struct{ Sum ecs.WriteRes[total] }) { c.Sum.Mut().V = *captured })
		}, `system "tells" has another result in run #, in resource ecs_test.total, if`},
		{"to commands", func(w *ecs.World, captured *uint64) {
			ecs.System(w, "counts", func(c *struct{ A []c0 }) {
				for i := range c.A {
					*captured = *captured*31 + c.A[i].V
				}
			}, ecs.Parallel())
			ecs.System(w, "asks", func(c *struct {
				E   []ecs.Entity
				B   []c1
				Put ecs.Later[c2]
			}) {
				for i, e := range c.E {
					if i == 0 {
						c.Put.Put(e, c2{V: *captured})
					}
				}
			})
		}, `system "asks" has another result in run #, in commands, if`},
		{"to a component that no struct writes", func(w *ecs.World, captured *uint64) {
			var first *c1
			ecs.System(w, "shows", func(c *struct{ B []c1 }) {
				if first == nil {
					first = &c.B[0]
				}
			})
			ecs.System(w, "breaks", func(c *struct{ A []c0 }) {
				for i := range c.A {
					first.V = first.V*31 + c.A[i].V
				}
			}, ecs.Parallel())
		}, `frame 1 ends with other values of component c1 if`},
	} {
		if arena.Checked && strings.HasPrefix(tt.want, "frame") {
			continue // the checked build has found that already: TestPromiseIsWatched
		}
		err := ecs.Shuffled(4, 3, func(shuffle uint64) *ecs.World {
			w := ecs.New(ecs.WithPieces(ecs.Options{Shuffle: shuffle, Workers: 1}, 64))
			ecs.Register[c0](w, "c0")
			ecs.Register[c1](w, "c1")
			ecs.Register[c2](w, "c2")
			ecs.EventsOf[blow](w)
			ecs.Provide(w, total{})
			pairs := ecs.SpawnerOf[pair](w)
			for i := range uint64(5000) {
				ok(pairs.Spawn(pair{c0{i}, c1{i * i}}))
			}
			captured := uint64(1)
			tt.add(w, &captured)
			return w
		})
		said := fmt.Sprint(err)
		if before, after, _ := strings.Cut(tt.want, "#"); (err == nil) != (tt.want == "") || !strings.Contains(said, before) || !strings.Contains(said, after) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

// A world that was refused, and a frame that fails, end the trial with their error.
func TestShuffledFails(t *testing.T) {
	if err := ecs.Shuffled(1, 1, func(uint64) *ecs.World { return ecs.New(ecs.Options{Workers: -1}) }); err == nil || !strings.Contains(err.Error(), "Workers") {
		t.Error(err)
	}
	if err := ecs.Shuffled(1, 1, func(uint64) *ecs.World {
		w := ecs.New(ecs.Options{})
		ecs.System(w, "bad name", func(*struct{}) {})
		return w
	}); err == nil || !strings.Contains(err.Error(), "bad name") {
		t.Error(err)
	}
	// a panic in another order is an error that names the system; one in its own order goes on
	program := func(always bool, worlds *[]*ecs.World) func(uint64) *ecs.World {
		return func(shuffle uint64) *ecs.World {
			w := ecs.New(ecs.WithPieces(ecs.Options{Shuffle: shuffle, Workers: 1}, 64))
			*worlds = append(*worlds, w)
			ecs.Register[c0](w, "c0")
			ok(0, ecs.SpawnerOf[struct{ A c0 }](w).SpawnN(make([]ecs.Entity, 50_000), make([]struct{ A c0 }, 1)))
			next := uint32(0)
			ecs.System(w, "begins", func(*struct{}) { next = 0 })
			ecs.System(w, "counts", func(c *struct {
				A []c0
				E []ecs.Entity
			}) {
				if always || c.E[0].Index() < next {
					panic("out of order")
				}
				next = c.E[0].Index()
			}, ecs.Parallel())
			return w
		}
	}
	var worlds []*ecs.World
	err := ecs.Shuffled(4, 3, program(false, &worlds))
	if !errors.Is(err, ecs.ErrAbandoned) || !strings.Contains(err.Error(), "by Options.Shuffle 1: ") || !strings.Contains(err.Error(), `system "counts" panicked in frame `) || !strings.Contains(err.Error(), "out of order") {
		t.Error(err)
	}
	func() {
		defer func() {
			if v := recover(); !strings.Contains(fmt.Sprint(v), "out of order") {
				t.Error(v)
			}
		}()
		_ = ecs.Shuffled(1, 1, program(true, &worlds))
		t.Error("no panic")
	}()
	for i, w := range worlds {
		if err := w.Run(t.Context()); !errors.Is(err, ecs.ErrClosed) {
			t.Errorf("world %d is open: %v", i, err)
		}
	}
}
