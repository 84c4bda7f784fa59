package ecs_test

import (
	"math"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A sum is that of parts of 1,024 rows of each table, wherever batches end: with rows that are
// gathered, numbers of rows, rows one by one, and chunks that lie apart.
func TestSumDoesNotDependOnBatches(t *testing.T) {
	type slicesOf struct {
		N []numbered
		_ ecs.Without[name16]
	}
	type rowsOf struct {
		Rows ecs.Rows
		N    []numbered
		_    ecs.Without[name16]
	}
	type pointersTo struct {
		N *numbered
		_ ecs.Without[name16]
	}
	value := func(n numbered) float64 { return 1 / float64(n.N+1) }
	for _, how := range []ecs.Storage{ecs.Counted, ecs.Volatile, ecs.Thin} {
		want := math.NaN()
		for _, o := range []ecs.Options{{}, {Memory: memmgr.Options{Stress: true}}} {
			w := world(t, o)
			number, name := ecs.Register[numbered](w, "number"), ecs.Register[name16](w, "name", how)
			wide := ecs.Register[[9]uint64](w, "wide")
			for i := range 20_000 {
				e := ok(w.Spawn())
				ok(0, number.Add(e, numbered{int32(i)}))
				if i%3 == 0 {
					ok(0, name.Add(e, name16{}))
				}
				if i > 9_000 {
					ok(0, wide.Add(e, [9]uint64{}))
				}
			}
			got := []float64{
				ecs.QueryOf[slicesOf](w).Sum(func(c *slicesOf, i int) float64 { return value(c.N[i]) }),
				ecs.QueryOf[rowsOf](w).Sum(func(c *rowsOf, i int) float64 { return value(c.N[i]) }),
				ecs.QueryOf[pointersTo](w).Sum(func(c *pointersTo, _ int) float64 { return value(*c.N) }),
			}
			if math.IsNaN(want) {
				want = got[0]
			}
			if slices.ContainsFunc(got, func(x float64) bool { return x != want }) || want < 1 {
				t.Errorf("storage %d, stress %v: %v, want %v", how, o.Memory.Stress, got, want)
			}
		}
	}
	// By hand, of one table.
	w := world(t, ecs.Options{})
	ecs.Register[numbered](w, "numbered")
	s := ecs.SpawnerOf[struct{ numbered }](w)
	total, part := 0.0, 0.0
	for i := range 5000 {
		ok(s.Spawn(struct{ numbered }{numbered{int32(i)}}))
		if part += value(numbered{int32(i)}); i%1024 == 1023 || i == 4999 {
			total, part = total+part, 0
		}
	}
	type all struct{ N []numbered }
	if got := ecs.QueryOf[all](w).Sum(func(c *all, i int) float64 { return value(c.N[i]) }); got != total {
		t.Errorf("%v, want %v", got, total)
	}
}

func TestSumRefuses(t *testing.T) {
	w := world(t, ecs.Options{})
	ecs.Register[numbered](w, "numbered")
	s := ecs.SpawnerOf[struct{ numbered }](w)
	type rows struct{ N []numbered }
	q := ecs.QueryOf[rows](w)
	f := func(c *rows, i int) float64 { return float64(c.N[i].N) }
	if sum := q.Sum(f); sum != 0 {
		t.Errorf("of no rows: %v", sum)
	}
	ok(s.Spawn(struct{ numbered }{}))
	panics(t, "without a function", func() { q.Sum(nil) })
	panics(t, "iterates", func() {
		for range q.All() {
			q.Sum(f)
		}
	})
}
