package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Get of a query stamps the values that it gives for writing, whichever way they are stored.
func TestQueryGetStampsWrites(t *testing.T) {
	for _, how := range []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin} {
		w := world(t, ecs.Options{})
		a, b := ecs.Register[gotA](w, "gota"), ecs.Register[gotB](w, "gotb", how)
		e := ok(w.Spawn())
		ok(0, a.Add(e, gotA{}))
		ok(0, b.Add(e, gotB{}))
		all := ecs.QueryOf[struct {
			A *gotA
			B ecs.WriteOne[gotB]
		}](w)
		perhaps := ecs.QueryOf[struct {
			A *gotA
			B ecs.MaybeWriteOne[gotB]
		}](w)
		changed := ecs.QueryOf[struct {
			B *gotB
			_ ecs.Changed[gotB]
		}](w)
		seen := func() (n int) {
			for range changed.All() {
				n++
			}
			return n
		}
		seen()
		for what, get := range map[string]func() bool{
			"required": func() bool { _, has := all.Get(e); return has },
			"optional": func() bool { _, has := perhaps.Get(e); return has },
		} {
			if n := seen(); n != 0 {
				t.Errorf("%v: %d changes before", how, n)
			}
			if !get() || seen() != 1 {
				t.Errorf("%v, %s: no change is seen", how, what)
			}
		}
	}
}
