package ecs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A system has of values that were set the first one overwritten, and the last.
func TestSetInSystems(t *testing.T) {
	w := world(t, ecs.Options{})
	h := ecs.Register[here](w, "here")
	var log []string
	ecs.System(w, "s", func(c *struct {
		Old ecs.Left[ecs.Set[here]]
		New ecs.Arrived[ecs.Set[here]]
	}) {
		for es, vs := range c.Old.All() {
			for i, e := range es {
				log = append(log, fmt.Sprint("-", e.Index(), vs[i].Value.X))
			}
		}
		for es, vs := range c.New.All() {
			for i, e := range es {
				log = append(log, fmt.Sprint("+", e.Index(), vs[i].Value.X))
			}
		}
		log = append(log, fmt.Sprint(c.New.Len()))
	})
	var es []ecs.Entity
	for i := range uint64(4) {
		es = append(es, ok(w.Spawn()))
		ok(0, h.Add(es[i], here{X: i}))
	}
	for i := range uint64(3) {
		ok(0, h.Set(es[2], here{X: 10 + i}))
		ok(0, h.Set(es[1], here{X: 20 + i}))
	}
	ok(0, h.Set(es[3], here{X: 30}))
	ok(0, h.Remove(es[3]))
	ok(0, w.Run(context.Background()))
	ok(0, w.Run(context.Background()))
	if want := "-3 2 -2 1 -4 3 +3 12 +2 22 2 0"; strings.Join(log, " ") != want {
		t.Errorf("%v, want %v", log, want)
	}
}

// A system hears of values that one before it has set by handle in the same frame, also if both promise to run beside
// others.
func TestSetBesideIsHeard(t *testing.T) {
	for _, options := range [][]ecs.SystemOption{nil, {ecs.Parallel()}} {
		w := world(t, ecs.Options{Workers: 2})
		h := ecs.Register[here](w, "here")
		e := ok(w.Spawn())
		ok(0, h.Add(e, here{}))
		heard := uint64(0)
		ecs.System(w, "set", func(c *struct {
			E []ecs.Entity
			H *ecs.Pool[here]
			_ ecs.With[here]
		}) {
			for _, e := range c.E {
				ok(0, c.H.Set(e, here{X: c.H.Get(e).X + 1}))
			}
		}, options...)
		ecs.System(w, "hear", func(c *struct{ New ecs.Arrived[ecs.Set[here]] }) {
			for _, vs := range c.New.All() {
				heard = vs[0].Value.X // no system beside it reads that
			}
		}, options...)
		for i := range uint64(3) {
			ok(0, w.Run(context.Background()))
			if heard != i+1 {
				t.Errorf("frame %d: heard of %d", i, heard)
			}
		}
	}
}
