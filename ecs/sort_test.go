package ecs_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// pair of groups: transforms, and sprites that read them in another order.
type pairOf struct {
	w       *ecs.World
	tr      *ecs.Pool[transform]
	sp      *ecs.Pool[sprite]
	bodies  *ecs.Group[struct{ T transform }]
	sprites *ecs.Group[struct{ S sprite }]
	es      []ecs.Entity
}

func newPair(t testing.TB, o ecs.Options, n int) *pairOf {
	w := world(t, o)
	p := &pairOf{w: w, tr: ecs.Register[transform](w, "transform"), sp: ecs.Register[sprite](w, "sprite")}
	p.bodies = ecs.GroupOf[struct{ T transform }](w, "bodies")
	p.sprites = ecs.GroupOf[struct{ S sprite }](w, "sprites")
	for i := range n {
		p.es = append(p.es, ok(p.bodies.Spawn(struct{ T transform }{transform{Scale: float64(i)}})))
	}
	for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		ok(0, p.sp.Add(p.es[i], sprite{Tint: uint32(i)}))
	}
	return p
}

func TestSort(t *testing.T) {
	for _, n := range []int{0, 1, 5, 5000} {
		p := newPair(t, ecs.Options{}, n)
		before := p.sprites.Members(nil)
		tint := func(a, b ecs.Entity) int { return int(p.sp.Get(a).Tint%10) - int(p.sp.Get(b).Tint%10) }
		p.sprites.Sort(tint)
		got := p.sprites.Members(nil)
		slices.SortStableFunc(before, tint)
		if !slices.Equal(got, before) {
			t.Fatalf("%d members: Sort is not stable order", n)
		}
		for _, e := range got {
			if v := p.sp.Get(e); p.es[v.Tint] != e || p.tr.Get(e).Scale != float64(v.Tint) {
				t.Fatalf("%v has the values of %v", e, p.es[v.Tint])
			}
		}
		ok(0, p.w.Check())
		// Sorted rows stay where they are, and nobody is told that they had moved.
		since := p.w.Manager().Tick()
		p.w.Manager().Advance()
		p.sprites.Sort(tint)
		for id := range ecs.RowsOf(p.sprites).Chunks() {
			if ecs.ChangedIn(p.w, "", id, since) {
				t.Errorf("sorting sorted rows stamped chunk %d", id)
			}
		}
	}
}

func TestSortOne(t *testing.T) {
	w := world(t, ecs.Options{})
	mood := ecs.Register[b16](w, "mood")
	moods := ecs.GroupOf[struct{ M b16 }](w, "moods")
	moods.Sort(func(a, b ecs.Entity) int { panic("nothing to compare") })
	var es []ecs.Entity
	for i := range 3000 {
		e := ok(w.Spawn())
		ok(0, mood.Add(e, full16(byte(i*37))))
		es = append(es, e)
	}
	moods.Sort(func(a, b ecs.Entity) int { return int(mood.Get(a)[0]) - int(mood.Get(b)[0]) })
	last, rows := byte(0), 0
	for e, v := range mood.All() {
		if v[0] < last || *v != full16(byte((e.Index()-es[0].Index())*37)) {
			t.Fatalf("%v: %v after %d", e, v, last)
		}
		last, rows = v[0], rows+1
	}
	if rows != len(es) {
		t.Fatalf("%d rows", rows)
	}
}

// A comparison that changes the world or panics changes nothing.
func TestSortRefuses(t *testing.T) {
	p := newPair(t, ecs.Options{}, 10)
	before := p.bodies.Members(nil)
	panics(t, "Destroy while Sort of group bodies iterates", func() {
		p.bodies.Sort(func(a, b ecs.Entity) int { p.w.Destroy(a); return 0 })
	})
	if !slices.Equal(before, p.bodies.Members(nil)) {
		t.Error("rows have moved")
	}
	ok(0, p.w.Destroy(p.es[0])) // the world is idle again
}

func TestSortAsRefuses(t *testing.T) {
	p, q := newPair(t, ecs.Options{}, 1), newPair(t, ecs.Options{}, 1)
	ecs.Register[b16](p.w, "mood")
	mood := ecs.GroupOf[struct{ M b16 }](p.w, "moods")
	panics(t, "end one of the two by SortAs(nil, 0)", func() { p.bodies.SortAs(p.bodies, 1) })
	panics(t, "another world", func() { p.bodies.SortAs(q.sprites, 1) })
	panics(t, "at least 1", func() { p.bodies.SortAs(p.sprites, -1) })
	p.bodies.SortAs(p.sprites, 1)
	p.sprites.SortAs(mood, 1)
	panics(t, "whose rows are sorted as these", func() { mood.SortAs(p.bodies, 1) })
	p.sprites.SortAs(nil, 0)
	mood.SortAs(p.bodies, 1) // no longer a circle
	ecs.System(p.w, "late", func(c *struct{ T []transform }) {
		panics(t, "SortAs while", func() { p.bodies.SortAs(p.sprites, 2) })
		panics(t, "SortAs while", func() { p.bodies.SortAs(nil, 0) })
	})
	ok(0, p.w.Run(t.Context()))
	if len(ecs.SortWork(p.w)) != 2 {
		t.Errorf("%+v", ecs.SortWork(p.w))
	}
}

// A frame swaps so many rows and no more; the next one goes on, until SortAs(nil, 0).
func TestSortAsSteps(t *testing.T) {
	p := newPair(t, ecs.Options{}, 3000)
	p.bodies.SortAs(p.sprites, 500)
	want := p.sprites.Members(nil)
	for frame := 1; frame <= 2; frame++ {
		ok(0, p.w.Run(t.Context()))
		got := p.bodies.Members(nil)
		if n := int(ecs.SortWork(p.w)[0].Swapped); n != 500*frame || !slices.Equal(got[:n], want[:n]) {
			t.Fatalf("frame %d: %+v", frame, ecs.SortWork(p.w))
		}
	}
	got := p.bodies.Members(nil)
	p.bodies.SortAs(nil, 0)
	p.bodies.SortAs(nil, 0)
	ok(0, p.w.Run(t.Context()))
	if !slices.Equal(got, p.bodies.Members(nil)) || ecs.SortWork(p.w) != nil {
		t.Error("rows move after SortAs(nil, 0)")
	}
	p.bodies.SortAs(p.sprites, math.MaxInt)
	ok(0, p.w.Run(t.Context()))
	if !slices.Equal(want, p.bodies.Members(nil)) {
		t.Error("a frame without a bound leaves rows out of order")
	}
}

// A change between frames is seen, even if nothing else happens, and only one side
// changes.
func TestSortAsOneSide(t *testing.T) {
	p := newPair(t, ecs.Options{}, 4000)
	p.bodies.SortAs(p.sprites, math.MaxInt)
	back := func(a, b ecs.Entity) int { return int(b.Index()) - int(a.Index()) }
	for _, change := range []func(){
		func() {},
		func() { p.bodies.Sort(back) },
		func() { p.sprites.Sort(back) },
		func() { ok(p.sp.RemoveAll(ecs.Handles(p.es[:1]))) },
		func() { ok(p.sp.AddAll(ecs.Handles(p.es[:1]), sprite{})) },
		func() { // whole chunks from the end, and no other is touched
			es := p.bodies.Members(nil)[ecs.RowsOf(p.bodies).Layout().Capacity():]
			slices.Reverse(es)
			ok(p.tr.RemoveAll(ecs.Handles(es)))
		},
		func() { ok(p.tr.AddAll(ecs.Handles(p.es), transform{})) },
	} {
		for idle := range 3 { // after one, two and three frames
			change()
			ok(0, p.w.Run(t.Context()))
			got := p.bodies.Members(nil)
			if want := wantOrder(got, p.sprites.Members(nil)); len(want) < 999 || !slices.Equal(got[:len(want)], want) {
				t.Fatalf("frame %d: out of order", p.w.Frame())
			}
			ok(0, p.w.Check())
			for range idle {
				ok(0, p.w.Run(t.Context()))
			}
		}
	}
}

// O2: As entities come and go everywhere, each frame mends the order that they leave.
func TestSortAsKeeps(t *testing.T) {
	for _, stress := range []bool{false, true} {
		p := newPair(t, ecs.Options{Memory: memmgr.Options{Stress: stress}}, 4000)
		p.bodies.SortAs(p.sprites, 4096)
		ok(0, p.w.Run(t.Context()))
		r := rand.New(rand.NewPCG(3, 4))
		for range 50 {
			for range 40 {
				i := r.IntN(len(p.es))
				ok(0, p.w.Destroy(p.es[i]))
				p.es[i] = ok(p.bodies.Spawn(struct{ T transform }{transform{Scale: float64(i)}}))
				if r.IntN(4) > 0 {
					ok(0, p.sp.Add(p.es[i], sprite{Tint: uint32(i)}))
				}
			}
			before := ecs.SortWork(p.w)[0].Swapped
			ok(0, p.w.Run(t.Context()))
			if got, want := p.bodies.Members(nil), p.sprites.Members(nil); !slices.Equal(got[:len(want)], want) {
				t.Fatalf("frame %d: order was not kept", p.w.Frame())
			}
			if n := ecs.SortWork(p.w)[0].Swapped - before; n > 4*40 {
				t.Errorf("40 changes took %d swaps", n)
			}
		}
		for i, e := range p.es {
			if p.tr.Get(e).Scale != float64(i) {
				t.Fatalf("%v has the values of another entity", e)
			}
		}
		ok(0, p.w.Check())
	}
}

// Frames allocate nothing, whether rows are in order or have to be brought into it.
func TestSortAsAllocations(t *testing.T) {
	p := newPair(t, ecs.Options{Adapt: memmgr.AdaptOptions{Off: true, Clock: standing}}, 20000)
	p.bodies.SortAs(p.sprites, 50)
	at := 0
	frame := func() {
		at = (at + 777) % len(p.es)
		ok(0, p.sp.Remove(p.es[at]))
		ok(0, p.sp.Add(p.es[at], sprite{}))
		ok(0, p.w.Run(t.Context()))
	}
	for range 500 {
		frame() // rounds of the cursor, for the marks
	}
	before := ecs.SortWork(p.w)[0]
	if n := testing.AllocsPerRun(300, frame); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	if after := ecs.SortWork(p.w)[0]; after.Swapped == before.Swapped || after.Looked == before.Looked {
		t.Errorf("nothing was sorted: %+v", after)
	}
}
