package ecs_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Every column slice that a system gets from a chunk lies in the reservation, or
// in the slabs of the heap back end.
func TestSlicesLieInTheReservation(t *testing.T) {
	for _, b := range []arena.Backend{arena.Auto, arena.Heap} {
		w := world(t, ecs.Options{Memory: memmgr.Options{Stress: true, Arena: arena.Options{Backend: b}}})
		ecs.Register[b4](w, "a")
		ecs.Register[b16](w, "b")
		g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
		if err := g.SpawnN(make([]ecs.Entity, 20_000), []duo{{}}); err != nil {
			t.Fatal(err)
		}
		type sys struct {
			A    ecs.Write[b4]
			B    []b16
			Ents []ecs.Entity
		}
		calls := 0
		ecs.System(w, "s", func(c *sys) {
			calls++
			a := w.Manager().Arena()
			n := len(c.A)
			for what, p := range map[string]unsafe.Pointer{
				"first a": unsafe.Pointer(&c.A[0]), "last a": unsafe.Pointer(&c.A[n-1]),
				"first b": unsafe.Pointer(&c.B[0]), "last b": unsafe.Pointer(&c.B[n-1]),
				"first entity": unsafe.Pointer(&c.Ents[0]), "last entity": unsafe.Pointer(&c.Ents[n-1]),
			} {
				inside := false
				for r := range a.Regions() {
					inside = inside || uintptr(p)-uintptr(a.Base(r.First)) < arena.RegionBytes
				}
				if !inside {
					t.Errorf("%v back end: %s at %p lies outside", a.Backend(), what, p)
				}
			}
		})
		for range 3 {
			if err := w.Run(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if calls < 9 {
			t.Errorf("%d calls", calls)
		}
	}
}

// Ten million entities load, run and close within accounted memory, and the
// process's heap objects do not grow with them.
func TestTenMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes most of a GiB; the full test run does it")
	}
	w := world(t, ecs.Options{})
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
	const n, batch = 10_000_000, 100_000
	es := make([]ecs.Entity, batch)
	objects := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapObjects
	}
	before := objects()
	for range n / batch {
		if err := g.SpawnN(es, []duo{{A: b4{1}}}); err != nil {
			t.Fatal(err)
		}
	}
	type sys struct {
		A ecs.Write[b4]
		B []b16
	}
	rows := 0
	ecs.System(w, "s", func(c *sys) {
		rows += len(c.A)
		for i := range c.A {
			c.A[i][0] += c.B[i][0] + 1
		}
	})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	// On the Go heap, pages are objects.
	if after := objects(); w.Manager().Arena().Backend() == arena.OS && after > before+1000 {
		t.Errorf("%d heap objects before, %d after", before, after)
	}
	st := w.Manager().Stats()
	if rows != n || w.Len() != n || st.Rows != n || st.Payload != n*28 {
		t.Errorf("%d rows run, %+v", rows, st)
	}
	if resident, err := w.Manager().Arena().Resident(); err == nil && (resident > st.Arena.Committed || resident < st.Payload) {
		t.Errorf("%d bytes resident, %d committed, %d payload", resident, st.Arena.Committed, st.Payload)
	}
	t.Logf("payload %d MiB, live %d MiB, committed %d MiB", st.Payload>>20, st.Arena.Live>>20, st.Arena.Committed>>20)
}
