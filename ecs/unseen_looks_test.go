package ecs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// looks are calls that read the entities of some rows, move rows, or take them away. What they return is compared.
var looks = map[string]func(w *unseenWorld) any{
	"World.All": func(w *unseenWorld) any {
		var es []ecs.Entity
		for e := range w.All() {
			es = append(es, e)
		}
		return fmt.Sprint(es)
	},
	"Destroy, row by row": func(w *unseenWorld) any {
		for _, e := range w.first(1_000) {
			ok(0, w.Destroy(e))
		}
		return w.sum()
	},
	"Destroy by commands": func(w *unseenWorld) any {
		for i, e := range w.first(3_000) {
			if i%3 > 0 {
				w.Commands().Destroy(e)
			}
		}
		ok(0, w.SafePoint())
		return w.sum()
	},
	"DestroyWhere, near the end": func(w *unseenWorld) any {
		return ok(w.columns.DestroyWhere(func(c *unseenColumns, i int) bool { return c.Serial[i].N-w.next+3_000 < 500 }))
	},
	"DestroyWhere, few": func(w *unseenWorld) any {
		return ok(w.columns.DestroyWhere(func(c *unseenColumns, i int) bool { return c.Serial[i].N%4_001 == 0 }))
	},
	"DestroyAll": func(w *unseenWorld) any { return ok(w.World.DestroyAll(w.columns)) },
	"AddAll":     func(w *unseenWorld) any { return ok(w.mark.AddAll(w.columns, unseenMark{3})) },
	"RemoveAll":  func(w *unseenWorld) any { return ok(w.place.RemoveAll(w.columns)) },
	"Clear":      func(w *unseenWorld) any { return w.place.Clear() },
	"AddFunc": func(w *unseenWorld) any {
		return ok(w.mark.AddFunc(w.columns, func(e ecs.Entity) unseenMark { return unseenMark{uint64(e)} }))
	},
	"Sort": func(w *unseenWorld) any { w.serial.Sort(unseenLess); return w.sum() },
	"Sort, by permutation": func(w *unseenWorld) any {
		w.serial.Sort(unseenLess, ecs.SortByPermutation, ecs.First(9_000))
		return w.sum()
	},
	"Sort, in place": func(w *unseenWorld) any { w.serial.Sort(unseenLess, ecs.SortInPlace, ecs.First(900)); return w.sum() },
	"Sort, through entries": func(w *unseenWorld) any {
		w.serial.Sort(unseenLess, ecs.SortThroughEntries, ecs.First(900))
		return w.sum()
	},
	"SortKey": func(w *unseenWorld) any {
		w.serial.SortKey(func(s *unseenSerial) uint64 { return uint64(s.N * 7919 % 1000) })
		return w.sum()
	},
	"InOrder":                func(w *unseenWorld) any { return fmt.Sprint(w.inOrder()) },
	"Respect":                func(w *unseenWorld) any { w.place.Respect(w.mark); return w.sum() },
	"Reset, and others come": func(w *unseenWorld) any { w.Reset(); return errors.Join(w.many(40_000), w.Check()) },
	"a group": func(w *unseenWorld) any {
		ecs.Apart(ecs.GroupOf[unseenAgent](w.World, "agents"))
		return w.Run(context.Background())
	},
	"a group for a short while": func(w *unseenWorld) any { return ecs.Apart(ecs.GroupOf[unseenAgent](w.World, "agents")).Dissolve() },
	"an observer of ends": func(w *unseenWorld) any {
		sum := ecs.Entity(0)
		ecs.Observe(w.World, "ends", func(c *struct{ Gone ecs.Left[ecs.Entity] }) {
			for es := range c.Gone.All() {
				for _, e := range es {
					sum = sum*31 + e
				}
			}
		})
		ok(w.World.DestroyAll(w.columns))
		return sum
	},
	"ways of storing": func(w *unseenWorld) any {
		r := rand.New(rand.NewPCG(1, 1))
		for range 6 {
			ecs.Restore(w.World, r.IntN)
			ok(0, w.Run(context.Background()))
		}
		return w.sum()
	},
	"a system that reads handles": func(w *unseenWorld) any {
		ok(0, w.Resume("look"))
		return w.Run(context.Background())
	},
	"a query by another component": func(w *unseenWorld) any {
		for i, e := range w.first(2_000) {
			if i%7 == 0 {
				ok(0, w.mark.Add(e, unseenMark{1}))
			}
		}
		n := 0
		for c := range w.handles.All() {
			n += len(c.E)
		}
		return n
	},
	"a group counts": func(w *unseenWorld) any {
		g := ecs.GroupOf[unseenAgent](w.World, "agents")
		was := w.Stats()
		return fmt.Sprint(g.Len(), was.Groups, w.Stats().Unseen == was.Unseen)
	},
	"an iterator that waits": func(w *unseenWorld) any {
		all, n := w.All(), 0
		ok(0, w.many(5_120))
		for range all {
			n++
		}
		return n
	},
	"others' handles, read": func(w *unseenWorld) any {
		get := ecs.QueryOf[struct {
			Serial *unseenSerial
			Place  *unseenPlace
		}](w.World)
		schema := ecs.SchemaOf[struct{ Serial *unseenSerial }](w.World)
		lock, s := w.NewLock("lock", w.serial), ""
		for i, e := range w.others(80) {
			switch i % 8 {
			case 0:
				s += fmt.Sprint(w.Alive(e), w.Alive(e+1<<36), w.Alive(e+1<<20))
			case 1:
				s += fmt.Sprint(*w.serial.Get(e), w.mark.Get(e) == nil)
			case 2:
				s += fmt.Sprint(w.serial.Has(e), w.mark.Has(e))
			case 3:
				w.place.Mut(e).X++
			case 4:
				q, is := get.Get(e)
				s += fmt.Sprint(*q.Serial, is)
			case 5:
				c := ok(schema.Bind(e))
				v, valid := schema.Get(&c)
				s += fmt.Sprint(*v.Serial, valid)
			case 6:
				s += fmt.Sprint(w.Enabled(e), w.serial.Enabled(e))
			case 7:
				s += fmt.Sprint(lock.Hold(e, "me"))
			}
		}
		return s
	},
	"others' handles, changed": func(w *unseenWorld) any {
		gone, s := ecs.ExchangeOf[struct {
			unseenMark
			_ ecs.Without[unseenPlace]
		}](w.World), ""
		for i, e := range w.others(90) {
			switch i % 9 {
			case 0:
				s += fmt.Sprint(w.Destroy(e), w.Destroy(e))
			case 1:
				s += fmt.Sprint(w.mark.Add(e, unseenMark{1}), w.serial.Add(e, unseenSerial{1}))
			case 2:
				s += fmt.Sprint(w.place.Remove(e))
			case 3:
				s += fmt.Sprint(w.serial.Set(e, unseenSerial{5}))
			case 4:
				s += fmt.Sprint(w.mark.Put(e, unseenMark{9}), w.place.Put(e, unseenPlace{9, 9}))
			case 5:
				s += fmt.Sprint(w.SetEnabled(e, false), w.Enabled(e))
			case 6:
				s += fmt.Sprint(gone.Do(e, struct {
					unseenMark
					_ ecs.Without[unseenPlace]
				}{}))
			case 7:
				w.Commands().Destroy(e)
				w.mark.Later(w.Commands()).Add(e+512*30, unseenMark{4})
			case 8:
				s += fmt.Sprint(w.serial.SetEnabled(e, false), w.serial.Enabled(e))
			}
		}
		return fmt.Sprint(s, w.SafePoint(), w.Stats().Dropped)
	},
	"others' handles, in one list": func(w *unseenWorld) any {
		for _, e := range w.others(3_000) {
			w.Commands().Destroy(e)
		}
		return fmt.Sprint(w.SafePoint(), w.Stats().Dropped, w.Len())
	},
	"disabled entities": func(w *unseenWorld) any {
		for i, e := range w.first(2_000) {
			if i%9 == 0 {
				ok(0, w.SetEnabled(e, false))
			}
		}
		return fmt.Sprint(w.sum(), ok(w.serial.SetEnabledAll(w.columns, false)), w.sum())
	},
}

// others are handles of entities that the world has not given out, as a twin of it has.
func (w *unseenWorld) others(n int) (es []ecs.Entity) {
	for i := range n {
		es = append(es, ecs.Entity(1<<36|600+uint64(i)*7919%15_000))
	}
	return es
}

func unseenLess(a, b *unseenSerial) int { return int(a.N*7919%1000) - int(b.N*7919%1000) }

// first are the entities of the first rows.
func (w *unseenWorld) first(n int) (es []ecs.Entity) {
	for e := range w.serial.All() {
		if es = append(es, e); len(es) == n {
			break
		}
	}
	return es
}

func (w *unseenWorld) inOrder() (es []ecs.Entity) {
	w.serial.Sort(unseenLess)
	for e := range w.serial.InOrder(unseenLess) {
		es = append(es, e)
	}
	return es
}

// Whoever looks first at unseen rows, and whatever moves them: all is as if they had been seen from the beginning.
func TestUnseenLooks(t *testing.T) {
	for name, look := range looks {
		t.Run(name, func(t *testing.T) {
			var results [2]any
			var rows [2][]unseenRow
			for i := range results {
				w := newUnseen(t, ecs.Options{}, i == 1)
				// Unseen rows are the last ones: after 511 indexes of the first page whole pages are taken.
				ok(0, w.many(511))
				ok(0, w.many(512*60))
				ok(0, w.Run(context.Background()))
				if n := w.Stats().Unseen; n != 512*60*i {
					t.Fatalf("%d rows are unseen", n)
				}
				results[i] = look(w)
				ok(0, w.Check())
				if err := w.many(512 * 8); err != nil {
					t.Fatal(err)
				}
				ok(0, w.Check())
				rows[i] = w.rows()
				ok(0, w.Check())
			}
			if !reflect.DeepEqual(results[0], results[1]) {
				t.Errorf("%.99v with handles, and %.99v without", results[0], results[1])
			}
			if !slices.Equal(rows[0], rows[1]) {
				t.Errorf("%d rows with handles, and %d without: they differ", len(rows[0]), len(rows[1]))
			}
		})
	}
}
