package ecs_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A system over groups, one of several chunks, goes over all their rows, also in
// the frame after one in which it panicked half-way.
func TestOverAfterPanic(t *testing.T) {
	w := world(t, ecs.Options{})
	var groups []ecs.AnyGroup
	want := 0
	for i, n := range []int{4, 5000, 3} {
		p := ecs.Register[w16](w, fmt.Sprint("p", i))
		g := ecs.GroupOf[struct{ P w16 }](w, fmt.Sprint("g", i), p)
		for range n {
			ok(g.Spawn(struct{ P w16 }{}))
		}
		groups, want = append(groups, g), want+n
	}
	rows, broken, abandoned := 0, false, false
	ecs.System(w, "count", func(c *struct {
		P ecs.Write[w16] `ashlar:"p0"`
	}) {
		if broken && rows > 0 {
			panic("half-way")
		}
		rows += len(c.P)
	}, ecs.OnlyIn(groups...))
	for frame := range 6 {
		rows, broken = 0, frame == 2
		func() {
			defer func() {
				if r := recover(); (r != nil) != broken {
					t.Fatalf("frame %d: panicked with %v", frame, r)
				}
			}()
			err := w.Run(t.Context())
			if abandoned = errors.Is(err, ecs.ErrAbandoned); abandoned != (frame == 3) || !abandoned && err != nil {
				t.Errorf("frame %d: %v", frame, err)
			}
		}()
		if !broken && !abandoned && rows != want {
			t.Errorf("frame %d: %d rows, want %d", frame, rows, want)
		}
	}
}
