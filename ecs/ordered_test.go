package ecs_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// broad makes rows that cost much to move, poisoned comes and goes, and churnRows the columns of systems.
type (
	broad     [512]byte
	poisoned  struct{ N int64 }
	churnRows struct {
		Wide []broad
		P    []poisoned
		Es   []ecs.Entity
	}
)

// readers is how many systems there are.
const readers = 4

// churned is a world of wide rows, of which half are poisoned. In a frame a few gain or lose that.
type churned struct {
	*ecs.World
	wide *ecs.Pool[broad]
	p    *ecs.Pool[poisoned]
	es   []ecs.Entity
	at   uint64
	rows int // that systems were passed in the frame,
	runs int // in so many calls,
	down int // and how often the first byte was less than the row's before
}

func churn(t *testing.T) *churned {
	x := &churned{World: world(t, ecs.Options{}), es: make([]ecs.Entity, 4096)}
	x.wide, x.p = ecs.Register[broad](x.World, "wide"), ecs.Register[poisoned](x.World, "poison")
	for i := range x.es {
		x.es[i] = ok(x.Spawn())
		ok(0, x.wide.Add(x.es[i], broad{byte(i)}))
	}
	for i := range readers {
		ecs.System(x.World, fmt.Sprint("read", i), func(b *churnRows) {
			x.rows, x.runs = x.rows+len(b.P), x.runs+1
			for i := range b.Wide[1:] {
				if b.Wide[i+1][0] < b.Wide[i][0] {
					x.down++
				}
			}
		})
	}
	x.toggle(t, 3000)
	return x
}

// toggle has entities gain or lose poison, which says whose it is.
func (x *churned) toggle(t *testing.T, n int) {
	for range n {
		x.at = x.at*6364136223846793005 + 1442695040888963407
		e := x.es[x.at>>33%uint64(len(x.es))]
		if x.p.Has(e) {
			ok(0, x.p.Remove(e))
		} else {
			ok(0, x.p.Add(e, poisoned{int64(e)}))
		}
	}
}

// frame changes n and runs a frame. It returns how many runs a system is passed.
func (x *churned) frame(t *testing.T, n int) int {
	t.Helper()
	x.toggle(t, n)
	x.rows, x.runs, x.down = 0, 0, 0
	ok(0, x.Run(t.Context()))
	if x.rows != readers*x.p.Len() {
		t.Fatalf("systems passed %d rows of %d", x.rows, x.p.Len())
	}
	return x.runs / readers
}

func (x *churned) reason() string { return x.Stats().Components[1].Reason }

// Rows that have a component come to lie together where few change and systems ask for it: then they
// are passed where they lie. Where many change the order is left, and a table that code sorts is never reordered.
func TestPolicyOrdersRows(t *testing.T) {
	for _, sorted := range []bool{false, true} {
		x := churn(t)
		for frames := 0; !strings.Contains(x.reason(), "together"); frames++ {
			if x.frame(t, 120); frames == 600 {
				t.Fatalf("after %d frames poison is stored as it was: %s", frames, x.reason())
			}
		}
		for range 64 { // the change-over ends
			x.frame(t, 12)
		}
		chunks := 4096/(64<<10/(512+16)) + 2
		if n := x.frame(t, 12); n > chunks {
			t.Errorf("a system is passed %d runs of rows, of some %d chunks", n, chunks)
		}
		if sorted {
			x.wide.Sort(func(a, b *broad) int { return cmp.Compare(a[0], b[0]) })
			for range 20 {
				if x.frame(t, 12); x.down > 0 {
					t.Fatalf("after a sort, rows are out of order %d times", x.down)
				}
			}
			continue
		}
		for i := 0; strings.Contains(x.reason(), "together"); i++ {
			if x.frame(t, 3000); i == 100 {
				t.Fatal("the order is kept while most rows change")
			}
		}
	}
}
