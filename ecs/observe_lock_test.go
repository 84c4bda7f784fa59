package ecs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// An observer is told of entities that are destroyed, and of no others: a lock that it takes is too late, and entities that
// were locked before stay without a word.
func TestObserverHoldsTooLate(t *testing.T) {
	for name, destroy := range map[string]func(w *ecs.World, hs *ecs.Query[struct{ H []here }], es []ecs.Entity) error{
		"Destroy": func(w *ecs.World, _ *ecs.Query[struct{ H []here }], es []ecs.Entity) error {
			var errs []error
			for _, e := range es {
				errs = append(errs, w.Destroy(e))
			}
			return errors.Join(errs...)
		},
		"DestroyAll of a list": func(w *ecs.World, _ *ecs.Query[struct{ H []here }], es []ecs.Entity) error {
			_, err := w.DestroyAll(ecs.Handles(es))
			return err
		},
		"DestroyAll of a query": func(w *ecs.World, hs *ecs.Query[struct{ H []here }], _ []ecs.Entity) error {
			_, err := w.DestroyAll(hs)
			return err
		},
		"DestroyWhere": func(w *ecs.World, hs *ecs.Query[struct{ H []here }], _ []ecs.Entity) error {
			_, err := hs.DestroyWhere(func(c *struct{ H []here }, i int) bool { return true })
			return err
		},
		"Commands": func(w *ecs.World, _ *ecs.Query[struct{ H []here }], es []ecs.Entity) error {
			for _, e := range es {
				w.Commands().Destroy(e)
			}
			return w.SafePoint()
		},
	} {
		w := world(t, ecs.Options{})
		h := ecs.Register[here](w, "here")
		lock, gone := w.NewLock("lock"), 0
		es := make([]ecs.Entity, 5)
		ok(0, ecs.SpawnerOf[struct{ here }](w).SpawnN(es, []struct{ here }{{}}))
		for i, e := range es {
			h.Mut(e).X = uint64(i)
		}
		kept := ok(w.Spawn())
		ecs.Observe(w, "holds", func(c *struct {
			Dead ecs.Left[ecs.Entity]
			Here ecs.Left[here]
			Old  ecs.Left[ecs.Set[here]]
		}) {
			gone += c.Dead.Len()
			for all := range c.Dead.All() {
				for _, e := range all {
					if err := lock.Hold(e, "late"); !errors.Is(err, ecs.ErrStale) {
						t.Errorf("%s: %v of the dead is held: %v", name, e, err)
					}
					ok(0, lock.Hold(kept, e.String()))
				}
			}
			for all := range c.Here.All() {
				for _, e := range all {
					if err := lock.Hold(e, "late"); !errors.Is(err, ecs.ErrStale) {
						t.Errorf("%s: %v is held: %v", name, e, err)
					}
				}
			}
			for all := range c.Old.All() { // told within the call, and before its commands at a safe point
				if err := lock.Hold(all[0], "late"); name != "Commands" && !errors.Is(err, ecs.ErrStale) {
					t.Errorf("%s: %v, which is about to go, is held: %v", name, all[0], err)
				} else if err == nil {
					ok(0, lock.Release(all[0], "late"))
				}
			}
		})
		ok(0, lock.Hold(es[2], "early"))
		hs := ecs.QueryOf[struct{ H []here }](w)
		for range hs.All() {
			ok(0, h.Set(es[0], here{X: 9}))
		}
		err := destroy(w, hs, es)
		alive := ""
		for _, e := range es {
			alive += fmt.Sprint(w.Alive(e), " ")
		}
		if want := "false false true false false "; alive != want || gone != 4 {
			t.Errorf("%s: %s are alive, want %s; %d are told: %v", name, alive, want, gone, err)
		}
		if by := err; by != nil && strings.Contains(by.Error(), "late") {
			t.Errorf("%s: %v", name, by)
		}
		n := 0
		for range w.Locks(kept) {
			n++
		}
		if n != 4 {
			t.Errorf("%s: %d hold the other one", name, n)
		}
		ok(0, lock.Release(es[2], "early"))
		if err := w.Destroy(es[2]); err != nil || gone != 5 {
			t.Errorf("%s: %v, %d are told", name, err, gone)
		}
		for range 5 { // on the same indexes
			e := ok(w.Spawn())
			ok(0, lock.Hold(e, "new"))
			ok(0, lock.Release(e, "new"))
		}
		ok(0, w.Check())
	}
}
