package ecs_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	orCount struct{ V, W uint64 }
	orLeft  struct{ N uint64 }
	orRight struct{ N uint64 }
)

// counts makes n entities with a count, and one or both of two other optional components.
func counts(w *ecs.World, n int) (c *ecs.Pool[orCount], es []ecs.Entity) {
	c = ecs.Register[orCount](w, "count", ecs.Volatile)
	l, r := ecs.Register[orLeft](w, "left", ecs.Volatile), ecs.Register[orRight](w, "right", ecs.Volatile)
	for i := range n {
		e := ok(w.Spawn())
		ok(0, c.Add(e, orCount{}))
		if i%3 != 1 {
			ok(0, l.Add(e, orLeft{}))
		}
		if i%3 != 2 {
			ok(0, r.Add(e, orRight{}))
		}
		es = append(es, e)
	}
	return c, es
}

// A system may require nothing but one of several components. Rows of one table match by one or by another then, and lie in the
// same chunks: workers must not copy these, or put them back, at the same time.
func TestOrBeside(t *testing.T) {
	w := world(t, ecs.WithPieces(ecs.Options{Workers: 4}, 1))
	c, es := counts(w, 3000)
	ecs.System(w, "copies", func(c *struct {
		V    ecs.MaybeWrite[uint64] `ashlar:"count.V"`
		W    ecs.MaybeWrite[uint64] `ashlar:"count.W"`
		_    ecs.Or[orLeft, orRight]
		Rows ecs.Rows
	}) {
		for _, row := range c.Rows {
			c.V[row]++
			c.W[row] += 2
		}
	}, ecs.Parallel())
	ecs.System(w, "lies", func(c *struct {
		C  []ecs.Entity
		At ecs.MaybeWrite[orCount]
		_  ecs.Or[orLeft, orRight]
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
		if got := *c.Get(e); got != (orCount{2 * frames, 2 * frames}) {
			t.Fatalf("%v has %v, want %d of both", e, got, 2*frames)
		}
	}
}

// A system that requires nothing but one of several optional components has its pieces on several cores: each of two
// waits for the other one.
func TestOrHasCores(t *testing.T) {
	w := world(t, ecs.WithPieces(ecs.Options{Workers: 2}, 64))
	c, _ := counts(w, 20_000)
	var calls atomic.Int32
	met := make(chan bool)
	ecs.System(w, "meet", func(c *struct {
		At ecs.MaybeWrite[orCount]
		_  ecs.Or[orLeft, orRight]
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
