package ecs

import (
	"context"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/promise"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
)

// Shuffled tests whether a program's Parallel systems keep their promise: it runs the program in the order of its systems,
// and once more in another legal order for each seed. It returns an error that names the first system with other
// results, and the thing that it has written, or the system that panics only then, or the first error of a frame. The
// program makes its world with the shuffle that it is given:
//
//	err := ecs.Shuffled(20, 100, func(shuffle uint64) *ecs.World {
//		return newGame(ecs.Options{Shuffle: shuffle, Workers: 1, Seed: 1})
//	})
//
// Results are values of components and resources that a system's struct writes, its events and its commands. Values behind
// pointers, and in maps, are not looked at. Worlds are closed. It is for tests: each system costs a look at all that it
// writes.
func Shuffled(seeds, frames int, program func(shuffle uint64) *World) error {
	want, err := traced(frames, program(0), 0)
	for seed := uint64(1); err == nil && seed <= uint64(seeds); seed++ {
		var got *promise.Trace
		if got, err = traced(frames, program(seed), seed); err == nil {
			err = want.Compare(got, seed)
		}
	}
	return err
}

// traced runs frames of a world, and closes it. A panic of a system in another order than its own is an error.
func traced(frames int, w *World, seed uint64) (x *promise.Trace, err error) {
	w.made("Shuffled")
	x = promise.NewTrace()
	w.traced = x
	written := make(map[reflect.Type]uint64) // events, so far
	w.systems.Trace(func(s *schedule.System) { w.ended(x, s, written) })
	defer func() {
		if closed := w.Close(); err == nil {
			err = closed
		}
	}()
	for range frames {
		if err = w.tried(seed); err != nil {
			break
		}
		x.Ran("")
		for _, p := range w.names.pools {
			x.Add("", "component "+p.component.Name, p.digest())
		}
	}
	return x, err
}

// tried runs a frame. With a seed, a panic is an error that names the system.
func (w *World) tried(seed uint64) (err error) {
	defer func() {
		if seed == 0 {
			return
		}
		if v := recover(); v != nil {
			err = promise.Panicked(seed, w.Run(context.Background()), v)
		}
	}()
	return w.Run(context.Background())
}

// ended adds the results of a system that has ended. What it writes, no other system beside it uses.
func (w *World) ended(x *promise.Trace, s *schedule.System, written map[reflect.Type]uint64) {
	x.Ran(s.Name)
	n := &w.names
	for _, thing := range s.Declares.Writes {
		if p := n.pool[thing]; p != nil {
			x.Add(s.Name, "component "+thing, p.digest())
		}
		for t, v := range n.resources {
			if thing == field.ResourceThing(t) {
				x.Add(s.Name, thing, promise.Digest(1, reflect.ValueOf(v).Elem()))
			}
		}
		for t, q := range n.events {
			if thing == field.EventsThing(t) {
				hash := uint64(1)
				q.Since(written[t], func(v any) { hash = promise.Digest(hash, reflect.ValueOf(v)) })
				written[t] = q.Written()
				x.Add(s.Name, thing, hash)
			}
		}
	}
}

// digest is that of all values of a component, with their entities.
func (p *pool) digest() uint64 {
	h := uint64(1)
	p.each(func(e Entity, v raw.Ptr) bool {
		h = promise.Digest(promise.Mix(h, uint64(e)), reflect.NewAt(p.typ, v).Elem())
		return true
	})
	return h
}
