package ecs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs"
)

type (
	unseenSerial struct{ N uint32 }
	unseenPlace  struct{ X, Y int32 }
	unseenMark   struct{ N uint64 }
	unseenAgent  struct {
		Serial unseenSerial
		Place  unseenPlace
	}
	unseenColumns struct {
		Serial []unseenSerial
		Place  []unseenPlace
	}
	unseenWalk struct {
		Serial []unseenSerial
		Place  ecs.Write[unseenPlace]
	}
	unseenLook struct {
		E     []ecs.Entity
		Place ecs.Write[unseenPlace]
	}
	unseenHandles struct {
		E []ecs.Entity
		_ ecs.With[unseenMark]
	}
	unseenRow struct {
		e ecs.Entity
		unseenAgent
		mark uint64 // 0: it has none
	}
)

// unseenWorld is a world that spawns many, with or without their handles.
type unseenWorld struct {
	*ecs.World
	serial  *ecs.Pool[unseenSerial]
	place   *ecs.Pool[unseenPlace]
	mark    *ecs.Pool[unseenMark]
	spawn   *ecs.Spawner[unseenAgent]
	columns *ecs.Query[unseenColumns]
	handles *ecs.Query[unseenHandles]
	all     bool // by SpawnAll
	next    uint32
}

func newUnseen(t testing.TB, o ecs.Options, all bool) *unseenWorld {
	w := ecs.New(o)
	t.Cleanup(func() { ok(0, w.Close()) })
	u := &unseenWorld{
		World: w, serial: ecs.Register[unseenSerial](w, "serial"), place: ecs.Register[unseenPlace](w, "place"),
		mark: ecs.Register[unseenMark](w, "mark"), spawn: ecs.SpawnerOf[unseenAgent](w), all: all,
		columns: ecs.QueryOf[unseenColumns](w), handles: ecs.QueryOf[unseenHandles](w),
	}
	ecs.System(w, "walk", func(c *unseenWalk) {
		for i, s := range c.Serial {
			c.Place[i].Y += int32(s.N)
		}
	}, ecs.Parallel())
	ecs.System(w, "look", func(c *unseenLook) {
		for i, e := range c.E {
			c.Place[i].X = int32(e.Index())
		}
	}, ecs.Parallel())
	ok(0, w.Pause("look"))
	return u
}

func (w *unseenWorld) many(n int) error {
	values := make([]unseenAgent, n)
	for i := range values {
		w.next++
		values[i] = unseenAgent{unseenSerial{w.next}, unseenPlace{int32(w.next), -int32(w.next)}}
	}
	if w.all {
		return w.spawn.SpawnAll(values)
	}
	return w.spawn.SpawnN(make([]ecs.Entity, n), values)
}

// sum goes over columns without handles: it depends on the order of rows.
func (w *unseenWorld) sum() (sum uint64) {
	for c := range w.columns.All() {
		for i, s := range c.Serial {
			sum = sum*31 + uint64(s.N) + uint64(uint32(c.Place[i].X))<<32
		}
	}
	return sum
}

// rows are all entities, in the order of rows.
func (w *unseenWorld) rows() (list []unseenRow) {
	for e, s := range w.serial.All() {
		r := unseenRow{e: e, unseenAgent: unseenAgent{Serial: *s}}
		if p := w.place.Get(e); p != nil {
			r.Place = *p
		}
		if m := w.mark.Get(e); m != nil {
			r.mark = m.N
		}
		list = append(list, r)
	}
	return list
}

// A row of an unseen entity has no memory beside its values: at most 2 bytes where batches are large.
func TestUnseenMemory(t *testing.T) {
	const n, batch = 1 << 20, 1 << 17
	var per [2]float64
	for i := range per {
		w := newUnseen(t, ecs.Options{}, i == 1)
		w.many(1)
		before, err := w.Manager().Arena().Resident()
		if err != nil || w.Manager().Arena().Backend() != arena.OS {
			t.Skip("the Go heap is resident as a whole, or the system does not say what is resident; TestSpawnAllIsSpawnN counts unseen rows everywhere: ", err)
		}
		for range n / batch {
			ok(0, w.many(batch))
		}
		if w.Stats().Unseen < n*9/10 == (i == 1) {
			t.Errorf("of %d entities %d are unseen", n, w.Stats().Unseen)
		}
		if text := w.Stats().String(); strings.Contains(text, "without a handle") != (i == 1) {
			t.Errorf("of %d unseen entities Stats says %q", w.Stats().Unseen, text)
		}
		ok(0, w.Run(context.Background()))
		w.sum()
		after := ok(w.Manager().Arena().Resident())
		per[i] = float64(after-before)/n - 12
	}
	w := newUnseen(t, ecs.Options{}, true)
	for _, all := range []bool{true, false} {
		w.all = all
		ok(0, w.many(n))
		huge := 0
		for r := range w.Manager().Arena().Regions() {
			if r.Range == arena.Huge {
				huge++
			}
		}
		if all && huge > 0 || !all && huge == 0 {
			t.Errorf("%d regions of huge pages behind SpawnAll: %v", huge, all)
		}
	}
	t.Logf("%.1f bytes a row beside its values, %.1f unseen", per[0], per[1])
	if per[1] > 2 {
		t.Errorf("a row of an unseen entity takes %.1f bytes beside its values", per[1])
	}
}

// Workers that read by handles which the world has not given out find values, as one does.
func TestUnseenShared(t *testing.T) {
	w := newUnseen(t, ecs.WithPieces(ecs.Options{Workers: 4}, 500), true)
	ok(0, w.many(511))
	ok(0, w.many(512*40))
	ecs.System(w.World, "refer", func(c *struct {
		Serial []unseenSerial
		Place  ecs.Look[unseenPlace]
		Wrong  ecs.Local[int]
	}) {
		for _, s := range c.Serial {
			other := s.N * 7919 % 20_000
			if p := c.Place.Get(ecs.Entity(1<<36 | uint64(other+1))); p == nil || p.Y != -int32(other+1) {
				*c.Wrong.Get()++
			}
		}
		if *c.Wrong.Get() > 0 {
			t.Errorf("%d values are missing or wrong", *c.Wrong.Get())
		}
	}, ecs.Parallel())
	ok(0, w.Pause("walk"))
	ok(0, w.Run(context.Background()))
	ok(0, w.Check())
}

// BenchmarkUnseenSweep is a light loop over rows with handles, and over unseen ones, which lie in small pages.
func BenchmarkUnseenSweep(b *testing.B) {
	for _, n := range []int{1 << 18, 1 << 20, 10 << 20} {
		for _, all := range []bool{false, true} {
			b.Run(fmt.Sprintf("%d/unseen=%v", n, all), func(b *testing.B) {
				w := newUnseen(b, ecs.Options{}, all)
				for range n >> 17 {
					ok(0, w.many(1<<17))
				}
				for b.Loop() {
					for c := range w.columns.All() {
						place := c.Place
						for i, s := range c.Serial {
							place[i].X += int32(s.N)
						}
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
			})
		}
	}
}
