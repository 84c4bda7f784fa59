package ecs_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

// A system may require nothing but one of several components. Rows of one table match by one or by another then, and lie in the
// same chunks: workers must not copy these, or put them back, at the same time.
func TestOrBeside(t *testing.T) {
	type count struct{ V, W uint64 }
	type left struct{ N uint64 }
	type right struct{ N uint64 }
	w := world(t, ecs.WithPieces(ecs.Options{Workers: 4}, 1))
	c := ecs.Register[count](w, "count", ecs.Volatile)
	l, r := ecs.Register[left](w, "left", ecs.Volatile), ecs.Register[right](w, "right", ecs.Volatile)
	var es []ecs.Entity
	for i := range 3000 {
		e := ok(w.Spawn())
		ok(0, c.Add(e, count{}))
		if i%3 != 1 {
			ok(0, l.Add(e, left{}))
		}
		if i%3 != 2 {
			ok(0, r.Add(e, right{}))
		}
		es = append(es, e)
	}
	ecs.System(w, "copies", func(c *struct {
		V    ecs.MaybeWrite[uint64] `ashlar:"count.V"`
		W    ecs.MaybeWrite[uint64] `ashlar:"count.W"`
		_    ecs.Or[left, right]
		Rows ecs.Rows
	}) {
		for _, row := range c.Rows {
			c.V[row]++
			c.W[row] += 2
		}
	}, ecs.Parallel())
	ecs.System(w, "lies", func(c *struct {
		C  []ecs.Entity
		At ecs.MaybeWrite[count]
		_  ecs.Or[left, right]
	}) {
		for i := range c.At {
			c.At[i].V++
		}
	}, ecs.Parallel())
	const frames = 150
	for range frames {
		ok(0, w.Run(context.Background()))
	}
	for _, e := range es {
		if got := *c.Get(e); got != (count{2 * frames, 2 * frames}) {
			t.Fatalf("%v has %v, want %d of both", e, got, 2*frames)
		}
	}
}

// A system that requires nothing but one of several optional components has its pieces on several cores: each of two
// waits for the other one.
func TestOrHasCores(t *testing.T) {
	type count struct{ V uint64 }
	type left struct{ N uint64 }
	type right struct{ N uint64 }
	w := world(t, ecs.WithPieces(ecs.Options{Workers: 2}, 64))
	c := ecs.Register[count](w, "count", ecs.Volatile)
	l, r := ecs.Register[left](w, "left", ecs.Volatile), ecs.Register[right](w, "right", ecs.Volatile)
	for i := range 20_000 {
		e := ok(w.Spawn())
		ok(0, c.Add(e, count{}))
		if i%3 != 1 {
			ok(0, l.Add(e, left{}))
		}
		if i%3 != 2 {
			ok(0, r.Add(e, right{}))
		}
	}
	var calls atomic.Int32
	met := make(chan bool)
	ecs.System(w, "meet", func(c *struct {
		At ecs.MaybeWrite[count]
		_  ecs.Or[left, right]
	}) {
		for i := range c.At {
			c.At[i].V++
		}
		switch calls.Add(1) {
		case 1:
			select {
			case <-met:
			case <-time.After(20 * time.Second):
				t.Error("no other piece begins while one runs")
			}
		case 2:
			close(met)
		}
	}, ecs.Parallel())
	ok(0, w.Run(t.Context()))
	for _, v := range c.All() {
		if v.V != 1 {
			t.Fatalf("a row was passed %d times", v.V)
		}
	}
}
