package ecs_test

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// All commands of an observer that are dropped count, and the last of them are listed, also if they are more than a list has
// room for.
func TestDroppedOfObservers(t *testing.T) {
	for _, n := range []int{3, 256, 257, 700} {
		for _, before := range []int{0, 5, 300} {
			w := world(t, ecs.Options{})
			p := ecs.Register[here](w, "here")
			ecs.Observe(w, "answers", func(c *struct {
				Out ecs.Left[here]
				Do  *ecs.Commands
			}) {
				for es := range c.Out.All() {
					for _, e := range es {
						p.Later(c.Do).Remove(e) // it has gone by then
					}
				}
			})
			var es []ecs.Entity
			for range before {
				e := ok(w.Spawn())
				p.Later(w.Commands()).Remove(e) // it has none
			}
			if err := w.SafePoint(); err != nil {
				t.Fatal(err)
			}
			for range n {
				e := ok(w.Spawn())
				if err := p.Add(e, here{}); err != nil {
					t.Fatal(err)
				}
				es = append(es, e)
			}
			if got := ok(w.DestroyAll(ecs.Handles(es))); got != n {
				t.Fatal(got)
			}
			s := w.Stats()
			if s.Dropped != uint64(before+n) || len(s.Drops) != min(before+n, 256) {
				t.Errorf("%d before, %d commands: %d were dropped, %d are listed", before, n, s.Dropped, len(s.Drops))
				continue
			}
			for i, d := range ecs.DropsIn(s)[len(s.Drops)-min(n, 256):] {
				if want := es[n-min(n, 256)+i]; d.Entity != want || !errors.Is(d.Err, ecs.ErrStale) {
					t.Fatalf("%d before, %d commands: drop %d is %v, want one of %v", before, n, i, d, want)
				}
			}
		}
	}
}
