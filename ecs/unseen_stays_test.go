package ecs_test

import (
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
