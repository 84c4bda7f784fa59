package ecs_test

import (
	"context"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// loops are walks that read no handle. They say how many rows they have passed, and how many rows are unseen behind them.
var loops = map[string]func(w *unseenWorld) (passed int){
	"slices":  func(w *unseenWorld) int { return passed(w, func(c *unseenColumns) int { return len(c.Serial) }) },
	"writing": func(w *unseenWorld) int { return passed(w, func(c *unseenWalk) int { return len(c.Serial) }) },
	"without": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial []unseenSerial
			_      ecs.Without[unseenMark]
		}) int {
			return len(c.Serial)
		})
	},
	"without what few have": func(w *unseenWorld) int {
		few, e := ecs.Register[unseenFew](w.World, "few", ecs.Thin), ecs.Entity(1<<36|1)
		ok(0, few.Add(e, unseenFew{}))
		q := ecs.QueryOf[struct {
			Serial []unseenSerial
			_      ecs.Without[unseenFew]
		}](w.World)
		n := 1 + q.Len() - w.Len()
		for c := range q.All() {
			n += len(c.Serial)
		}
		return n + 1
	},
	"pointers": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial *unseenSerial
			Place  ecs.WriteOne[unseenPlace]
		}) int {
			c.Place.Y = int32(c.Serial.N)
			return 1
		})
	},
	"maybe": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial []unseenSerial
			Mark   ecs.Maybe[unseenMark]
		}) int {
			return len(c.Serial) + len(c.Mark) - len(c.Serial)
		})
	},
	"part": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			X []int32 `ashlar:"place.X"`
		}) int {
			return len(c.X)
		})
	},
	"rows": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Rows   ecs.Rows
			Serial []unseenSerial
		}) int {
			return len(c.Rows)
		})
	},
	"changed": func(w *unseenWorld) int {
		return passed(w, func(c *struct {
			Serial []unseenSerial
			_      ecs.Changed[unseenPlace]
		}) int {
			return len(c.Serial)
		})
	},
	"sum": func(w *unseenWorld) int {
		return int(w.columns.Sum(func(c *unseenColumns, i int) float64 { return 1 }))
	},
	"none to destroy": func(w *unseenWorld) int {
		n := 0
		ok(w.columns.DestroyWhere(func(c *unseenColumns, i int) bool { n++; return false }))
		return n
	},
}

// passed sums what a function says of the structs of a query.
func passed[S any](w *unseenWorld, f func(*S) int) (n int) {
	for c := range ecs.QueryOf[S](w.World).All() {
		n += f(c)
	}
	return n
}

// Loops that read no handle leave rows unseen.
func TestUnseenStays(t *testing.T) {
	for name, loop := range loops {
		w := newUnseen(t, ecs.Options{}, true)
		ok(0, w.many(511))
		ok(0, w.many(512*60))
		n := loop(w)
		if unseen := w.Stats().Unseen; n != w.Len() || unseen != 512*60 {
			t.Errorf("%s: %d rows of %d are passed, and %d unseen", name, n, w.Len(), unseen)
		}
		ok(0, w.Check())
	}
}

// A look at an entity has the rows of its chunk seen, and no others. When all are seen and a frame has ended, entities that come
// are unseen as the first ones were.
func TestUnseenGoes(t *testing.T) {
	w := newUnseen(t, ecs.Options{}, true)
	ok(0, w.many(511))
	for range 2 {
		was := w.Len()
		ok(0, w.many(512*60))
		first, left, chunks := ecs.Entity(1<<36|uint64(was+1)), 512*60, 0
		for i := range ecs.Entity(512 * 60) {
			if !w.Alive(first + i) {
				t.Fatalf("entity %d of %d is not alive", i, w.Len())
			}
			if n := w.Stats().Unseen; n < left {
				left, chunks = n, chunks+1
			} else if n > left {
				t.Fatalf("%d rows are unseen, before %d", n, left)
			}
		}
		if left != 0 || chunks < 5 {
			t.Errorf("%d rows are unseen after looks at all, and fell %d times", left, chunks)
		}
		if w.Alive(first + 512*60) {
			t.Errorf("behind %d entities one more is alive", w.Len())
		}
		ok(0, w.Run(context.Background()))
		ok(0, w.Check())
	}
	ok(0, w.many(512*60))
	w.Reset()
	if w.Stats().Unseen != 0 || w.Len() != 0 || w.Alive(1<<36|900) || w.serial.Get(1<<36|900) != nil {
		t.Errorf("%d entities are left, and %d unseen", w.Len(), w.Stats().Unseen)
	}
	ok(0, w.Check())
}
