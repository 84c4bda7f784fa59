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
	"Sort":       func(w *unseenWorld) any { w.serial.Sort(unseenLess); return w.sum() },
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
		return fmt.Sprint(g.Len(), w.Stats().Unseen == was.Unseen)
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
	"handles beside a component that few have": func(w *unseenWorld) any {
		few, sum := ecs.Register[unseenFew](w.World, "few", ecs.Thin), ecs.Entity(0)
		for _, e := range w.others(50) {
			ok(0, few.Add(e, unseenFew{}))
		}
		for c := range ecs.QueryOf[struct {
			E []ecs.Entity
			_ ecs.With[unseenFew]
			_ ecs.With[unseenSerial]
		}](w.World).All() {
			for _, e := range c.E {
				sum = sum*31 + e
			}
		}
		return sum
	},
	"a handle beside pointers": func(w *unseenWorld) any {
		sum := ecs.Entity(0)
		for c := range ecs.QueryOf[struct {
			E      ecs.Entity
			Serial *unseenSerial
		}](w.World).All() {
			sum = sum*31 + c.E ^ ecs.Entity(c.Serial.N)
		}
		return sum
	},
	"rows that were written": func(w *unseenWorld) any {
		sum := uint32(0)
		changed := ecs.QueryOf[struct {
			Serial []unseenSerial
			_      ecs.ChangedRows[unseenPlace]
		}](w.World)
		for range 2 {
			for c := range changed.All() {
				for _, s := range c.Serial {
					sum = sum*31 + s.N
				}
			}
			ok(0, w.Pause("walk"))
			ok(0, w.Run(context.Background()))
			for _, e := range w.others(20) {
				w.place.Mut(e).X++
			}
		}
		return sum
	},
	"rows in memory of others that are looked up": func(w *unseenWorld) any {
		few, sum := ecs.Register[unseenFew](w.World, "few", ecs.Thin), uint32(0)
		ok(few.AddAll(w.columns, unseenFew{}))
		ok(w.place.RemoveAll(w.columns)) // the rows leave, and their handles stay in memory where others come
		for range 4 {
			ok(0, w.SafePoint())
		}
		ok(0, w.many(512*50))
		was := w.Stats().Unseen
		for c := range ecs.QueryOf[struct {
			Serial []unseenSerial
			Place  []unseenPlace
			_      ecs.With[unseenFew]
		}](w.World).All() {
			for _, s := range c.Serial {
				sum = sum*31 + s.N
			}
		}
		return fmt.Sprint(sum, (was == 512*50) == w.all)
	},
	"disabled entities": func(w *unseenWorld) any {
		for i, e := range w.first(2_000) {
			if i%9 == 0 {
				ok(0, w.SetEnabled(e, false))
			}
		}
		sum := w.sum()
		for _, e := range w.first(9_000) {
			ok(0, w.serial.SetEnabled(e, false))
		}
		return fmt.Sprint(sum, w.sum())
	},
}

// byHandle are calls that take a handle which the world has not given out. Each is the first that looks.
var byHandle = map[string]func(w *unseenWorld, e ecs.Entity) any{
	"World.Alive":         func(w *unseenWorld, e ecs.Entity) any { return w.Alive(e) },
	"World.Alive, before": func(w *unseenWorld, e ecs.Entity) any { return w.Alive(e + 1<<36) },
	"World.Alive of none": func(w *unseenWorld, e ecs.Entity) any {
		return fmt.Sprint(w.Alive(0), w.serial.Has(0), w.serial.Get(0), w.Alive(e+512*8))
	},
	"World.Enabled":    func(w *unseenWorld, e ecs.Entity) any { return w.Enabled(e) },
	"World.SetEnabled": func(w *unseenWorld, e ecs.Entity) any { return w.SetEnabled(e, false) },
	"World.Destroy":    func(w *unseenWorld, e ecs.Entity) any { return w.Destroy(e) },
	"World.Locks":      func(w *unseenWorld, e ecs.Entity) any { return len(slices.Collect(w.Locks(e, e+1))) },
	"World.DestroyAll": func(w *unseenWorld, e ecs.Entity) any {
		return fmt.Sprint(w.DestroyAll(ecs.Handles{e, e + 900, e, e + 1<<36}))
	},
	"Pool.Get":            func(w *unseenWorld, e ecs.Entity) any { return *w.serial.Get(e) },
	"Pool.Get of none":    func(w *unseenWorld, e ecs.Entity) any { return w.mark.Get(e) },
	"Pool.Mut":            func(w *unseenWorld, e ecs.Entity) any { w.place.Mut(e).X = 7; return nil },
	"Pool.Has":            func(w *unseenWorld, e ecs.Entity) any { return w.serial.Has(e) },
	"Pool.Has of none":    func(w *unseenWorld, e ecs.Entity) any { return w.mark.Has(e) },
	"Pool.Enabled":        func(w *unseenWorld, e ecs.Entity) any { return w.serial.Enabled(e) },
	"Pool.SetEnabled":     func(w *unseenWorld, e ecs.Entity) any { return w.serial.SetEnabled(e, false) },
	"Pool.Set":            func(w *unseenWorld, e ecs.Entity) any { return w.place.Set(e, unseenPlace{1, 2}) },
	"Pool.Set of none":    func(w *unseenWorld, e ecs.Entity) any { return w.mark.Set(e, unseenMark{1}) },
	"Pool.Add":            func(w *unseenWorld, e ecs.Entity) any { return w.mark.Add(e, unseenMark{1}) },
	"Pool.Add again":      func(w *unseenWorld, e ecs.Entity) any { return w.serial.Add(e, unseenSerial{1}) },
	"Pool.Remove":         func(w *unseenWorld, e ecs.Entity) any { return w.place.Remove(e) },
	"Pool.Remove of none": func(w *unseenWorld, e ecs.Entity) any { return w.mark.Remove(e) },
	"Pool.Put":            func(w *unseenWorld, e ecs.Entity) any { return w.place.Put(e, unseenPlace{1, 2}) },
	"Pool.Put, a new one": func(w *unseenWorld, e ecs.Entity) any { return w.mark.Put(e, unseenMark{1}) },
	"Pool.AddAll": func(w *unseenWorld, e ecs.Entity) any {
		return fmt.Sprint(w.mark.AddAll(ecs.Handles{e, e + 900}, unseenMark{1}))
	},
	"Pool.RemoveAll": func(w *unseenWorld, e ecs.Entity) any { return fmt.Sprint(w.place.RemoveAll(ecs.Handles{e, e + 900})) },
	"Pool.SetAll": func(w *unseenWorld, e ecs.Entity) any {
		return fmt.Sprint(w.place.SetAll(ecs.Handles{e, e + 900}, unseenPlace{1, 2}))
	},
	"Spawner.Put": func(w *unseenWorld, e ecs.Entity) any { return w.spawn.Put(e, unseenAgent{Place: unseenPlace{1, 2}}) },
	"Exchange.Do": func(w *unseenWorld, e ecs.Entity) any {
		return ecs.ExchangeOf[unseenTurn](w.World).Do(e, unseenTurn{unseenMark: unseenMark{1}})
	},
	"Exchange.All": func(w *unseenWorld, e ecs.Entity) any {
		return fmt.Sprint(ecs.ExchangeOf[unseenTurn](w.World).All(ecs.Handles{e, e + 900}, unseenTurn{unseenMark: unseenMark{1}}))
	},
	"Query.Get": func(w *unseenWorld, e ecs.Entity) any {
		s, is := ecs.QueryOf[struct{ Serial *unseenSerial }](w.World).Get(e)
		return fmt.Sprint(*s.Serial, is)
	},
	"Query.Get without": func(w *unseenWorld, e ecs.Entity) any {
		_, is := ecs.QueryOf[struct {
			Serial *unseenSerial
			_      ecs.Without[unseenMark]
		}](w.World).Get(e)
		return is
	},
	"Schema.Bind": func(w *unseenWorld, e ecs.Entity) any {
		schema := ecs.SchemaOf[unseenBound](w.World)
		c := ok(schema.Bind(e))
		v, is := schema.Get(&c)
		return fmt.Sprint(*v.Serial, is)
	},
	"Schema.Lacks": func(w *unseenWorld, e ecs.Entity) any { return fmt.Sprint(ecs.SchemaOf[unseenBound](w.World).Lacks(e)) },
	"Schema.Complete": func(w *unseenWorld, e ecs.Entity) any {
		return ecs.SchemaOf[struct{ Mark *unseenMark }](w.World).Complete(e)
	},
	"Schema.Value": func(w *unseenWorld, e ecs.Entity) any {
		return *ecs.SchemaOf[unseenBound](w.World).Value(e, "serial").(*unseenSerial)
	},
	"Schema.MutValue": func(w *unseenWorld, e ecs.Entity) any {
		ecs.SchemaOf[unseenBound](w.World).MutValue(e, "serial").(*unseenSerial).N = 5
		return nil
	},
	// Lock.Release is behind a Hold, which looks.
	"Lock.Hold": func(w *unseenWorld, e ecs.Entity) any { return w.NewLock("lock", w.serial).Hold(e, "me") },
	"Split.Add": func(w *unseenWorld, e ecs.Entity) any {
		return ecs.RegisterSplit[unseenParts](w.World, "parts").Add(e, unseenParts{1, 2})
	},
	"Split.Load": func(w *unseenWorld, e ecs.Entity) any {
		return fmt.Sprint(ecs.RegisterSplit[unseenParts](w.World, "parts").Load(e))
	},
	"Split.Set": func(w *unseenWorld, e ecs.Entity) any {
		return ecs.RegisterSplit[unseenParts](w.World, "parts").Set(e, unseenParts{1, 2})
	},
	"Split.Remove": func(w *unseenWorld, e ecs.Entity) any {
		return ecs.RegisterSplit[unseenParts](w.World, "parts").Remove(e)
	},
	"Commands.Destroy":    byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) { c.Destroy(e) }),
	"Commands.SetEnabled": byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) { c.SetEnabled(e, false) }),
	"Later.Add":           byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) { w.mark.Later(c).Add(e, unseenMark{1}) }),
	"Later.Set":           byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) { w.place.Later(c).Set(e, unseenPlace{1, 2}) }),
	"Later.Put":           byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) { w.mark.Later(c).Put(e, unseenMark{1}) }),
	"Later.Remove":        byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) { w.place.Later(c).Remove(e) }),
	"Later.SetEnabled":    byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) { w.place.Later(c).SetEnabled(e, false) }),
	"LaterSpawner.Put": byCommands(func(w *unseenWorld, e ecs.Entity, c *ecs.Commands) {
		w.spawn.Later(c).Put(e, unseenAgent{Place: unseenPlace{1, 2}})
	}),
	"Look.Get":     byLook(func(p ecs.Look[unseenPlace], e ecs.Entity) any { return *p.Get(e) }),
	"Look.Has":     byLook(func(p ecs.Look[unseenPlace], e ecs.Entity) any { return p.Has(e) }),
	"Look.Enabled": byLook(func(p ecs.Look[unseenPlace], e ecs.Entity) any { return p.Enabled(e) }),
	"Prior.Get": func(w *unseenWorld, e ecs.Entity) (v any) {
		ecs.System(w.World, "reads", func(c *struct{ Place ecs.Prior[unseenPlace] }) { v = *c.Place.Get(e) })
		return fmt.Sprint(w.Run(context.Background()), v)
	},
	"Prior.Rows": func(w *unseenWorld, e ecs.Entity) (v any) {
		ecs.System(w.World, "rows", func(c *struct {
			Place ecs.Prior[unseenPlace]
			E     []ecs.Entity
			_     ecs.Present[unseenPlace]
		}) {
			v = fmt.Sprint(v, len(c.Place.Rows(c.E)))
		})
		return fmt.Sprint(w.Run(context.Background()), v)
	},
}

type (
	unseenFew  struct{}
	unseenTurn struct {
		unseenMark
		_ ecs.Without[unseenPlace]
	}
	unseenBound struct{ Serial *unseenSerial }
	unseenParts struct{ A, B uint16 }
)

// byCommands is a call that asks for a change at the safe point.
func byCommands(ask func(w *unseenWorld, e ecs.Entity, c *ecs.Commands)) func(w *unseenWorld, e ecs.Entity) any {
	return func(w *unseenWorld, e ecs.Entity) any {
		ask(w, e, w.Commands())
		return fmt.Sprint(w.SafePoint(), w.Stats().Dropped)
	}
}

// byLook is a call by a Look within a system that goes over no rows.
func byLook(look func(p ecs.Look[unseenPlace], e ecs.Entity) any) func(w *unseenWorld, e ecs.Entity) any {
	return func(w *unseenWorld, e ecs.Entity) (v any) {
		ecs.System(w.World, "reads", func(c *struct{ Place ecs.Look[unseenPlace] }) { v = look(c.Place, e) })
		return fmt.Sprint(w.Run(context.Background()), v)
	}
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

// Whoever looks first at unseen rows, and whatever moves them: all is as if they had been seen from the beginning.
func TestUnseenLooks(t *testing.T) {
	for name, look := range looks {
		t.Run(name, func(t *testing.T) { sameUnseen(t, 60, look) })
	}
	for name, call := range byHandle {
		t.Run(name, func(t *testing.T) { sameUnseen(t, 8, func(w *unseenWorld) any { return call(w, w.others(1)[0]) }) })
	}
}

// sameUnseen compares worlds with and without handles, where unseen rows on so many pages are the last ones.
func sameUnseen(t *testing.T, pages int, look func(w *unseenWorld) any) {
	var results [2]any
	var rows [2][]unseenRow
	for i := range results {
		w := newUnseen(t, ecs.Options{}, i == 1)
		ok(0, w.many(511)) // with one index more the next page begins
		ok(0, w.many(512*pages))
		ok(0, w.Run(context.Background()))
		if n := w.Stats().Unseen; n != 512*pages*i {
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
}
