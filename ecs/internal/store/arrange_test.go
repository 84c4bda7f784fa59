package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The test goes by values that say whose they are, so a row that is torn is found.

// ordered is a table of rows with a fixed number, and optional components that say it again.
type ordered struct {
	*Store
	num    *Component
	opts   []*Component
	es     []Entity
	has    map[Entity]int // bits of opts
	random *rand.Rand
}

func newOrdered(t testing.TB, rows, opts, budget int) *ordered {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := &ordered{has: make(map[Entity]int), Store: New(m, Options{MaxEntities: 1 << 16, Policy: policy.Options{Off: true, Work: int64(budget-1) * policy.SwapCost(16, 0)}}), random: rand.New(rand.NewPCG(1, 2))}
	t.Cleanup(func() {
		if err := x.Check(); err != nil {
			t.Error(err)
		}
		m.Close()
	})
	register := func(way Way) *Component {
		c := new(Component)
		x.Register(c, fmt.Sprint("c", c.ID, len(x.opts), way), chunk.Spec{Size: 8, Align: 8}, way, true)
		return c
	}
	x.num = register(Fixed)
	for range opts {
		x.opts = append(x.opts, register(Optional))
	}
	for range rows {
		e, err := x.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		x.add(t, x.num, e)
		x.es = append(x.es, e)
	}
	return x
}

// frame is a frame without systems.
func (x *ordered) frame() {
	x.EndFrame()
	x.BeginFrame()
}

// add gives an entity a value that says whose it is.
func (x *ordered) add(t testing.TB, c *Component, e Entity) {
	v := uint64(e) ^ uint64(c.ID)
	if err := x.Add(c, e, raw.Of(&v)); err != nil {
		t.Fatal(err)
	}
}

// flip gives entities components, or takes them.
func (x *ordered) flip(t testing.TB, n int) {
	for range n {
		e, k := x.es[x.random.IntN(len(x.es))], x.random.IntN(len(x.opts))
		if x.has[e] ^= 1 << k; x.has[e]>>k&1 == 1 {
			x.add(t, x.opts[k], e)
		} else if err := x.Remove(x.opts[k], e); err != nil {
			t.Fatal(err)
		}
	}
}

// borders is how often neighbouring rows differ in the components, and that all values are right.
func (x *ordered) borders(t *testing.T) (n int) {
	t.Helper()
	last := -1
	for id, rows := range x.Commons.tables[len(x.Commons.tables)-1].Seq.Chunks() {
		for _, e := range x.Entities(id, rows) {
			if x.has[e] != last {
				n++
			}
			last = x.has[e]
		}
	}
	for _, e := range x.es {
		for k, c := range append(x.opts, x.num) {
			if has := k == len(x.opts) || x.has[e]>>k&1 == 1; c.Has(e) != has || has && value(c, e) != uint64(e)^uint64(c.ID) {
				t.Fatalf("%v has %s: %v, want %v with its own value", e, c.Name, c.Has(e), has)
			}
		}
	}
	return n - 1
}

func value(c *Component, e Entity) uint64 { return *raw.As[uint64](c.Reach(e, false)) }

// Rows with the same bits lie together as a frame begins: no more areas than there are sets.
func TestOrderBy(t *testing.T) {
	for opts := 1; opts <= policy.OrderMost; opts++ {
		x := newOrdered(t, 3000, opts, 1<<20)
		x.OrderBy(x.opts...)
		for range 20 {
			x.flip(t, x.random.IntN(2000))
			if len(x.es) > 2000 {
				i := x.random.IntN(len(x.es))
				x.Destroy(x.es[i])
				x.es = slices.Delete(x.es, i, i+1)
			}
			x.frame()
			if n := x.borders(t); n > 1<<opts-1 {
				t.Fatalf("%d borders of %d components, want %d", n, opts, 1<<opts-1)
			}
		}
	}
}

// A frame makes no more swaps than its budget, and frames go on until rows are in order. Once they
// are, a frame writes nothing.
func TestOrderByBudget(t *testing.T) {
	x := newOrdered(t, 2000, 1, 100)
	x.flip(t, 700)
	for range 30 { // until all rows are in one table
		x.frame()
	}
	was := x.borders(t)
	x.OrderBy(x.opts...)
	for frames := 1; ; frames++ {
		x.frame()
		n := x.borders(t)
		if n < was-400 {
			t.Fatalf("%d borders became %d by 100 swaps", was, n)
		}
		if was = n; n == 1 {
			break
		}
		if frames == 10 {
			t.Fatal("700 rows are not in order after 10 frames of 100 swaps")
		}
	}
	table := x.Commons.tables[len(x.Commons.tables)-1]
	x.manager.Advance()
	tick := x.manager.Tick()
	x.frame()
	for id := range table.Seq.Chunks() {
		if x.IDs.Cell(id).Stamp >= tick {
			t.Fatal("rows in order were written")
		}
	}
}

// To leave an order moves nothing, and neither does an order in a table that code has sorted.
func TestOrderByLeaves(t *testing.T) {
	for _, leave := range []func(x *ordered){
		func(x *ordered) { x.OrderBy() },
		func(x *ordered) {
			for _, t := range x.Commons.tables {
				t.KeepOrder()
			}
		},
	} {
		x := newOrdered(t, 2000, 2, 1<<20)
		x.flip(t, 1000)
		x.OrderBy(x.opts...)
		x.frame()
		x.frame()
		leave(x)
		x.flip(t, 1000)
		was := x.borders(t)
		x.frame()
		if n := x.borders(t); n != was || n < 500 {
			t.Fatalf("%d borders became %d", was, n)
		}
	}
}

// A frame of 100 changes among 16,384 rows, by the components that order them.
func BenchmarkArrange(b *testing.B) {
	for opts := 1; opts <= policy.OrderMost; opts++ {
		b.Run(fmt.Sprint(opts), func(b *testing.B) {
			x := newOrdered(b, 1<<14, opts, 1<<20)
			x.flip(b, 1<<14)
			x.OrderBy(x.opts...)
			x.frame()
			x.frame()
			for b.Loop() {
				x.flip(b, 100)
				x.frame()
			}
		})
	}
}
