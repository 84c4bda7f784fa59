package ecs

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/queue"
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
		var got *trace
		if got, err = traced(frames, program(seed), seed); err == nil {
			err = want.compare(got, seed)
		}
	}
	return err
}

// culprit says which systems may be at fault, and how to find the one.
const culprit = "it, or a Parallel system before it or beside it, touches something that its struct does not name; ashlarvet and -tags ashlarcheck find most of these"

func shuffledBy(seed uint64) string {
	return fmt.Sprintf(" if systems and pieces of rows run in another legal order, by Options.Shuffle %d", seed)
}

// trace is the results of systems, in the order in which they ended.
type trace struct {
	w       *World
	order   []result
	hashes  map[result]uint64
	runs    map[string]int          // of systems
	written map[reflect.Type]uint64 // events, so far
}

// result is a thing that a system has written in a run; system "": that a frame has left.
type result struct {
	system string
	run    int
	thing  string
}

// traced runs frames of a world, and closes it. A panic of a system in another order than its own is an error.
func traced(frames int, w *World, seed uint64) (x *trace, err error) {
	w.made("Shuffled")
	x = &trace{w: w, hashes: make(map[result]uint64), runs: make(map[string]int), written: make(map[reflect.Type]uint64)}
	w.traced = x
	w.systems.Trace(x.ended)
	defer func() {
		if closed := w.Close(); err == nil {
			err = closed
		}
	}()
	for range frames {
		if err = w.tried(seed); err != nil {
			break
		}
		x.runs[""]++
		for _, p := range w.names.pools {
			x.add("", "component "+p.c.Name, x.component(p))
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
			abandoned := w.Run(context.Background())
			err = fmt.Errorf("ecs: a system panics%s: %s. %w\n%v", shuffledBy(seed), culprit, abandoned, v)
		}
	}()
	return w.Run(context.Background())
}

func (x *trace) add(system, thing string, hash uint64) {
	r := result{system, x.runs[system], thing}
	for x.hashes[r] != 0 { // written at several safe points
		r.thing += " again"
	}
	x.order = append(x.order, r)
	x.hashes[r] = hash
}

// ended adds the results of a system that has ended. What it writes, no other system beside it uses.
func (x *trace) ended(s *schedule.System) {
	x.runs[s.Name]++
	n := &x.w.names
	for _, thing := range s.Declares.Writes {
		if p := n.pool[thing]; p != nil {
			x.add(s.Name, "component "+thing, x.component(p))
		}
		for t, v := range n.resources {
			if thing == field.ResourceThing(t) {
				x.add(s.Name, thing, digest(1, reflect.ValueOf(v).Elem()))
			}
		}
		for t, q := range n.events {
			if thing == field.EventsThing(t) {
				hash := uint64(1)
				q.Since(x.written[t], func(v any) { hash = digest(hash, reflect.ValueOf(v)) })
				x.written[t] = q.Written()
				x.add(s.Name, thing, hash)
			}
		}
	}
}

// asked adds the commands that wait, by system.
func (x *trace) asked(c *Commands) {
	hashes := make(map[uint32]uint64)
	for i := range c.q.Ops {
		o := &c.q.Ops[i]
		h := hashes[o.Asker] + 1
		if h = mix(h, uint64(o.Op)); o.Op != queue.Mass { // its place depends on other systems
			h = mix(h, uint64(o.Entity))
		}
		switch o.Op {
		case queue.Destroy:
			for _, e := range c.q.Dying(o) {
				h = mix(h, uint64(e))
			}
		case queue.Add, queue.Set, queue.Put:
			h = digest(mix(h, uint64(o.Of)), reflect.NewAt(c.pool(o).typ, c.q.At(o.Value)).Elem())
		case queue.Remove, queue.Enable, queue.Disable, queue.Mass:
			h = mix(h, uint64(o.Of))
		}
		hashes[o.Asker] = h
	}
	for asker, system := range c.q.Askers {
		if h := hashes[uint32(asker)]; h != 0 && system != "" {
			x.add(system, "commands", h)
		}
	}
}

// component hashes all values of a component, with their entities.
func (x *trace) component(p *pool) uint64 {
	h := uint64(1)
	p.each(func(e Entity, v raw.Ptr) bool {
		h = digest(mix(h, uint64(e)), reflect.NewAt(p.typ, v).Elem())
		return true
	})
	return h
}

// compare returns an error for the first result that differs.
func (x *trace) compare(y *trace, seed uint64) error {
	for _, r := range x.order {
		if x.hashes[r] == y.hashes[r] {
			continue
		}
		if r.system == "" {
			return fmt.Errorf("ecs: frame %d ends with other values of %s%s, and systems that may write it had no other results: some system touches something that its struct does not name; ashlarvet and -tags ashlarcheck find most of these", r.run, r.thing, shuffledBy(seed))
		}
		return fmt.Errorf("ecs: system %q has another result in run %d, in %s,%s: %s", r.system, r.run, r.thing, shuffledBy(seed), culprit)
	}
	return nil
}

func mix(h, v uint64) uint64 { return bits.RotateLeft64((h^v)*0x9E3779B97F4A7C15, 29) }

// digest adds a value to a hash. Of pointers, maps and functions it takes whether they are nil, and of maps the length: the
// rest may differ from run to run.
func digest(h uint64, v reflect.Value) uint64 {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return mix(h, 1)
		}
		return mix(h, 2)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return mix(h, uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return mix(h, v.Uint())
	case reflect.Float32, reflect.Float64:
		return mix(h, math.Float64bits(v.Float()))
	case reflect.Complex64, reflect.Complex128:
		c := v.Complex()
		return mix(mix(h, math.Float64bits(real(c))), math.Float64bits(imag(c)))
	case reflect.String:
		for _, b := range []byte(v.String()) {
			h = mix(h, uint64(b))
		}
		return mix(h, uint64(v.Len()))
	case reflect.Array, reflect.Slice:
		for i := range v.Len() {
			h = digest(h, v.Index(i))
		}
		return mix(h, uint64(v.Len()))
	case reflect.Struct:
		for i := range v.NumField() {
			h = digest(h, v.Field(i))
		}
		return h
	case reflect.Interface:
		if !v.IsNil() {
			return digest(h, v.Elem())
		}
	case reflect.Map:
		return mix(h, uint64(v.Len()))
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		if !v.IsNil() {
			return mix(h, 3)
		}
	}
	return mix(h, 4)
}
