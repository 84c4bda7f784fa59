package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// Programs without systems have the store weigh their loops, too: where half of the rows have a component, and a few gain or
// lose it in each frame, it stays a column or its rows come to lie together if queries by hand ask for it often. It becomes
// optional if nothing does. Where there is a system, queries by hand are those of a tool, and change nothing.
func TestQueriesByHandCount(t *testing.T) {
	const column, together, alone = "by default", "removed often, rows that have it lie together", "removed often"
	for _, x := range []struct {
		name   string
		loops  int
		fresh  bool // each frame makes its query anew
		system bool
		want   string
	}{
		{"loops", 40, false, false, column},
		{"a query of each frame", 20, true, false, together},
		{"nothing", 0, false, false, alone},
		{"a tool", 40, false, true, alone},
	} {
		t.Run(x.name, func(t *testing.T) {
			w := world(t, ecs.Options{})
			ecs.Register[b16](w, "at")
			gone := ecs.Register[b4](w, "gone")
			es := make([]ecs.Entity, 4000)
			ok(0, ecs.SpawnerOf[struct {
				At   b16
				Gone b4
			}](w).SpawnN(es, []struct {
				At   b16
				Gone b4
			}{{}}))
			if x.system {
				ecs.Register[b24](w, "other")
				ecs.System(w, "idle", func(*struct{ Other []b24 }) {})
			}
			for i := 0; i < len(es); i += 2 {
				ok(0, gone.Remove(es[i]))
			}
			type rows struct{ Gone []b4 }
			q := ecs.QueryOf[rows](w)
			for frame := range 5 * frames.Many {
				if x.fresh {
					q = ecs.QueryOf[rows](w)
				}
				for range x.loops {
					for range q.All() {
					}
				}
				for i := range 20 {
					if e := es[(20*frame+7*i)*7919%len(es)]; gone.Has(e) {
						ok(0, gone.Remove(e))
					} else {
						ok(0, gone.Add(e, b4{}))
					}
				}
				ok(0, w.Run(t.Context()))
			}
			if got := w.Stats().Components[1]; got.Reason != x.want {
				t.Errorf("it is %v: %s, want %s", got.Storage, got.Reason, x.want)
			}
		})
	}
}
