package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// A strided field of the system's own table is where the component is: no copy is made. It has no
// rows but those of the batch.
func TestStridedIsInPlace(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[frame3](w, "frame3")
	es := make([]ecs.Entity, 5000)
	ok(0, ecs.SpawnerOf[struct{ F frame3 }](w).SpawnN(es, []struct{ F frame3 }{{}}))
	met := 0
	ecs.System(w, "see", func(c *struct {
		Heavy ecs.WriteStrided[uint64] `ashlar:"frame3.Heavy"`
		F     ecs.Strided[vec3]        `ashlar:"frame3.At"`
		Ents  []ecs.Entity
	}) {
		if c.Heavy.Len() != len(c.Ents) || c.F.Len() != len(c.Ents) {
			t.Fatalf("%d and %d of %d rows", c.Heavy.Len(), c.F.Len(), len(c.Ents))
		}
		for i, e := range c.Ents {
			if c.Heavy.At(i) != &p.Get(e).Heavy {
				t.Fatalf("row %d is a copy", i)
			}
			*c.Heavy.At(i) = uint64(i)
		}
		met += len(c.Ents)
		for _, i := range []int{-1, len(c.Ents)} {
			panics(t, "a row that the batch does not have", func() { c.Heavy.At(i) })
			panics(t, "a row that the batch does not have", func() { c.F.At(i) })
		}
	})
	ok(0, w.Run(t.Context()))
	if met != len(es) || p.Get(es[9]).Heavy != 9 {
		t.Errorf("%d rows, %v", met, p.Get(es[9]))
	}
}

// A change of a strided field is seen by queries for changes and by the recorder, the last row of
// a batch too. A guarded world does not take it for a silent write of the slice beside it.
func TestStridedIsWritten(t *testing.T) {
	for _, stress := range []bool{false, true} {
		w := world(t, ecs.Options{Record: true, Memory: memmgr.Options{Stress: stress}})
		p := ecs.Register[frame3](w, "frame3")
		es := make([]ecs.Entity, 100)
		ok(0, ecs.SpawnerOf[struct{ F frame3 }](w).SpawnN(es, []struct{ F frame3 }{{}}))
		news := ecs.QueryOf[struct{ _ ecs.Changed[frame3] }](w)
		ecs.System(w, "write", func(c *struct {
			Heavy ecs.WriteStrided[uint64] `ashlar:"frame3.Heavy"`
			At    []vec3                   `ashlar:"frame3.At"`
		}) {
			*c.Heavy.At(99) += 2
		})
		ecs.System(w, "idle", func(c *struct {
			At ecs.WriteStrided[vec3] `ashlar:"frame3.At"`
		}) {
		})
		for range 24 {
			for range news.All() {
			}
			if news.Len() != 0 {
				t.Error("something has changed outside a frame")
			}
			ok(0, w.Run(t.Context()))
			if news.Len() != len(es) {
				t.Errorf("%d rows have changed", news.Len())
			}
		}
		if p.Get(es[99]).Heavy != 48 {
			t.Errorf("%v", *p.Get(es[99]))
		}
		for _, s := range w.Facts().Systems {
			if n := s.Access[0].Unchanged; n > 0 != (s.Name == "idle") {
				t.Errorf("%s has left what it writes as it was in %d frames", s.Name, n)
			}
		}
	}
}

// Values are found in chunks that are passed whole behind ones of which rows are picked, and by workers that begin with
// such chunks.
func TestStridedBehindPickedRows(t *testing.T) {
	type placed struct{ X, Y uint32 }
	for _, way := range []struct {
		name    string
		options []ecs.SystemOption
	}{{"alone", nil}, {"parallel", []ecs.SystemOption{ecs.Parallel()}}} {
		w := ecs.New(ecs.WithPieces(ecs.Options{Workers: 3}, 1))
		defer w.Close()
		pool := ecs.Register[placed](w, "placed", ecs.Volatile)
		ecs.Register[c2](w, "wide")
		type thing struct {
			P placed
			W c2
		}
		es, values := make([]ecs.Entity, 2000), make([]thing, 2000) // in 8 chunks or so
		for i := range values {
			values[i].P = placed{uint32(i), uint32(2 * i)}
		}
		ok(0, ecs.SpawnerOf[thing](w).SpawnN(es, values))
		for i := 0; i < 100; i += 2 { // of the first chunk, and of one behind others
			ok(0, pool.Remove(es[i]))
			ok(0, pool.Remove(es[1000+i]))
		}
		ecs.System(w, "sums", func(c *struct {
			X ecs.WriteStrided[uint32] `ashlar:"placed.X"`
			Y ecs.Strided[uint32]      `ashlar:"placed.Y"`
		}) {
			for i := range c.X.Len() {
				*c.X.At(i) += *c.Y.At(i)
			}
		}, way.options...)
		ok(0, w.Run(t.Context()))
		wrong := 0
		for i, e := range es {
			if p := pool.Get(e); p != nil && *p != (placed{uint32(3 * i), uint32(2 * i)}) {
				wrong++
			}
		}
		if wrong > 0 {
			t.Errorf("%s: %d values are wrong", way.name, wrong)
		}
	}
}
