package ecs_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	fillA struct{ X, Y, Z, W float32 }
	fillB struct{ X, Y, Z, W float32 }
	fillC struct{ X, Y, Z, W float32 }
	fillD struct{ X, Y, Z, W float32 }
	fillE struct{ X, Y, Z, W float32 }
	fillF struct{ X, Y, Z, W float32 }
)

// spawning returns a function that spawns an entity of T's components into a table, or into a group.
func spawning[T any](t *testing.T, w *ecs.World, group string) func() error {
	t.Helper()
	ecs.Register[T](w, reflect.TypeFor[T]().Name())
	if group == "" {
		s := ecs.SpawnerOf[struct{ V T }](w)
		return func() error { _, err := s.Spawn(struct{ V T }{}); return err }
	}
	g := ecs.GroupOf[struct{ V T }](w, group)
	return func() error { _, err := g.Spawn(struct{ V T }{}); return err }
}

// A world with entities of 16 bytes each, in six tables or six groups in turn, refuses the next one
// when their need is at least nine tenths of its limit: their rows, the handle beside each row, and a
// record.
func TestWorldFillsItsLimit(t *testing.T) {
	const perEntity = 16 + 8 + 8
	for _, grouped := range []bool{false, true} {
		for _, limit := range []uint64{8 << 20, 24 << 20, 96 << 20} {
			if limit > 8<<20 && testing.Short() {
				continue
			}
			t.Run(fmt.Sprintf("groups=%v/limit=%d", grouped, limit>>20), func(t *testing.T) {
				w := ecs.New(ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Limit: limit}}})
				var err error
				defer w.Close()
				if w.Manager().Arena().Backend() != arena.OS {
					t.Skip("the Go heap counts by regions and by slices that double")
				}
				name := func(s string) string {
					if grouped {
						return s
					}
					return ""
				}
				kinds := []func() error{
					spawning[fillA](t, w, name("a")), spawning[fillB](t, w, name("b")), spawning[fillC](t, w, name("c")),
					spawning[fillD](t, w, name("d")), spawning[fillE](t, w, name("e")), spawning[fillF](t, w, name("f")),
				}
				n := uint64(0)
				for err == nil {
					if err = kinds[n%uint64(len(kinds))](); err == nil {
						n++
					}
				}
				share := float64(n*perEntity) / float64(limit)
				t.Logf("%d entities are %.1f %% of the limit", n, 100*share)
				if !errors.Is(err, arena.ErrLimit) || share < 0.9 || share > 1 {
					t.Errorf("%d entities fill %.1f %% of the limit: %v", n, 100*share, err)
				}
				if err := w.Check(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
