package ecs_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Numbers that follow from caches, beside fixed ones. Caches of other sizes are stated, or simulated: values that are four
// times as wide are to a cache as those before are to a quarter of it, and reads of other memory between two bursts
// leave the rest of a cache to them.

type cargo[A any] struct{ V A }

// inChosen is a frame of a system that goes over few rows of each chunk, with so many passes over a call's rows.
func inChosen[A any](w *ecs.World, rows, passes int, sum func(*A) uint64) (frame func(), chosen int) {
	ecs.Register[cargo[A]](w, "wide")
	tag := ecs.Register[struct{}](w, "tag", ecs.Volatile)
	es := make([]ecs.Entity, rows)
	ok(0, ecs.SpawnerOf[struct{ V cargo[A] }](w).SpawnN(es, make([]struct{ V cargo[A] }, 1)))
	for i, e := range es {
		if mixed(uint64(i), 3)%24 == 0 {
			ok(0, tag.Add(e, struct{}{}))
			chosen++
		}
	}
	var total uint64
	ecs.System(w, "sum", func(c *struct {
		V []cargo[A]
		_ ecs.With[struct{}]
	}) {
		v := c.V
		for range passes {
			for i := range v {
				total += sum(&v[i].V)
			}
		}
	})
	return func() { ok(0, w.Run(context.Background())) }, chosen
}

// BenchmarkCachesHeld is rows that are gathered of several chunks for a call: 64, 256 or 1,024 of them.
func BenchmarkCachesHeld(b *testing.B) {
	for _, bytes := range []int{4 << 20, 64 << 20} {
		for _, l1 := range []uint64{8 << 10, 32 << 10, 128 << 10} {
			held := func(name string, make func(w *ecs.World) (func(), int)) {
				b.Run(fmt.Sprintf("MiB=%d/%s/held=%d", bytes>>20, name, l1>>7), func(b *testing.B) {
					w := ecs.New(ecs.Options{Workers: 1, Memory: memmgr.Options{}.WithCaches(l1, 0, 0)})
					frame, chosen := make(w)
					for range 10 {
						frame()
					}
					for b.Loop() {
						frame()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*chosen), "ns/row")
					ok(0, w.Close())
				})
			}
			held("64B", func(w *ecs.World) (func(), int) {
				return inChosen(w, bytes/64, 3, func(v *[8]uint64) uint64 { return v[0] })
			})
			held("256B", func(w *ecs.World) (func(), int) {
				return inChosen(w, bytes/256, 3, func(v *[32]uint64) uint64 { return v[0] + v[8] + v[16] + v[24] })
			})
			held("1KiB", func(w *ecs.World) (func(), int) {
				return inChosen(w, bytes/1024, 3, func(v *[128]uint64) uint64 { return v[0] + v[32] + v[64] + v[96] })
			})
		}
	}
}

// burst is 512 commands in random order, carried out. The time is of carrying out alone. Before, so many KiB of other
// memory are read.
func burst(w *ecs.World, rows, other int, how ecs.Storage) (took func() time.Duration) {
	const n = 512
	ecs.Register[cargo[uint64]](w, "wide")
	o := ecs.Register[cargo[[2]uint64]](w, "comes", how)
	es := make([]ecs.Entity, rows)
	ok(0, ecs.SpawnerOf[struct{ V cargo[uint64] }](w).SpawnN(es, make([]struct{ V cargo[uint64] }, 1)))
	memory, sum, at, do := make([]uint64, other<<10/8), uint64(0), uint64(0), w.Commands()
	half := func() time.Duration {
		for k := range uint64(n) {
			e := es[mixed(at/2*n+k, 11)%uint64(rows)]
			if at%2 == 0 {
				o.Later(do).Put(e, cargo[[2]uint64]{})
			} else {
				o.Later(do).Remove(e)
			}
		}
		at++
		for i := 0; i < len(memory); i += 8 {
			sum += memory[i]
		}
		start := time.Now()
		ok(0, w.SafePoint())
		return time.Since(start)
	}
	return func() time.Duration { return (half() + half()) / (2 * n) }
}

// BenchmarkCachesAhead is commands in worlds with records and entries that a second level of 1 MiB holds or not, read ahead
// or not, with 1 MiB, half a MiB and an eighth of one left to them.
func BenchmarkCachesAhead(b *testing.B) {
	for _, how := range []ecs.Storage{ecs.Volatile, ecs.Thin} {
		for _, other := range []int{0, 512, 896} {
			for _, rows := range []int{1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 20} {
				var worlds [2]*ecs.World
				var bursts [2]func() time.Duration
				for i, l2 := range []uint64{1 << 40, 1} {
					worlds[i] = ecs.New(ecs.Options{Workers: 1, Memory: memmgr.Options{}.WithCaches(1, l2, 1)})
					bursts[i] = burst(worlds[i], rows, other, how)
				}
				b.Run(fmt.Sprintf("%v/other=%dKiB/rows=%d", how, other, rows), func(b *testing.B) {
					for range 300 {
						bursts[0]()
						bursts[1]()
					}
					sideBySide(b, func(i int) time.Duration { return bursts[i]() }, "without-ns", "ahead-ns")
				})
				for _, w := range worlds {
					ok(0, w.Close())
				}
			}
		}
	}
}

// sideBySide takes turns, and reports the medians of two times in nanoseconds, with the median of their ratios.
func sideBySide(b *testing.B, took func(i int) time.Duration, names ...string) {
	var all [2][]float64
	var ratios []float64
	for b.Loop() {
		x, y := float64(took(0)), float64(took(1))
		all[0], all[1], ratios = append(all[0], x), append(all[1], y), append(ratios, y/x)
	}
	median := func(list []float64) float64 {
		slices.Sort(list)
		return list[len(list)/2]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(all[0]), names[0])
	b.ReportMetric(median(all[1]), names[1])
	b.ReportMetric(median(ratios), "ratio")
}

// inShared is a frame of a world where a system of other rows wakes the workers, another one writes a column in one
// core's cache if it spoils them, and the last one is shared. The time is of that one. Before, each worker reads so many KiB
// of other memory.
func inShared(w *ecs.World, rows, workers, other int, spoil bool) (took func() time.Duration) {
	ecs.Register[cargo[uint64]](w, "heat")
	ecs.Register[cargo[[8]uint64]](w, "other")
	ecs.Register[cargo[[4]float32]](w, "at")
	ecs.Register[cargo[[2]float64]](w, "speed")
	ok(0, ecs.SpawnerOf[struct{ H cargo[uint64] }](w).SpawnN(make([]ecs.Entity, 1<<13), make([]struct{ H cargo[uint64] }, 1)))
	if other > 0 {
		ok(0, ecs.SpawnerOf[struct{ O cargo[[8]uint64] }](w).SpawnN(make([]ecs.Entity, workers*other<<10/64), make([]struct{ O cargo[[8]uint64] }, 1)))
		ecs.System(w, "read", func(c *struct {
			O   []cargo[[8]uint64]
			Sum ecs.Local[uint64]
		}) {
			sum := c.Sum.Get()
			for i := range c.O {
				*sum += c.O[i].V[0]
			}
		}, ecs.Parallel())
	}
	type moving struct {
		At    cargo[[4]float32]
		Speed cargo[[2]float64]
	}
	ok(0, ecs.SpawnerOf[moving](w).SpawnN(make([]ecs.Entity, rows), make([]moving, 1)))
	ecs.System(w, "heat", func(c *struct{ H ecs.Write[cargo[uint64]] }) {
		for i := range c.H {
			v := c.H[i].V
			for range 30 {
				v = mixed(v, 1)
			}
			c.H[i].V = v
		}
	}, ecs.Parallel())
	var start time.Time
	var last time.Duration
	ecs.System(w, "before", func(c *struct {
		At ecs.Write[cargo[[4]float32]]
	}) {
		for i := range c.At {
			if spoil {
				c.At[i].V[0]++
			}
		}
		start = time.Now()
	})
	ecs.System(w, "shared", func(c *struct {
		At    ecs.Write[cargo[[4]float32]]
		Speed []cargo[[2]float64]
	}) {
		at, speed := c.At, c.Speed
		for i := range at {
			at[i].V[0] += float32(speed[i].V[0])
			at[i].V[1] += float32(speed[i].V[1])
		}
	}, ecs.Parallel())
	ecs.System(w, "behind", func(c *struct {
		At ecs.Write[cargo[[4]float32]]
	}) {
		last = time.Since(start)
	})
	return func() time.Duration {
		for range 5 {
			ok(0, w.Run(context.Background()))
		}
		return last
	}
}

// BenchmarkCachesShare is one system of some work, shared by two workers or not, with rows that lie in the caches of both,
// or that one core has just written, and with 1 MiB, half a MiB and an eighth of one left to them.
func BenchmarkCachesShare(b *testing.B) {
	for _, other := range []int{0, 512, 896} {
		for _, spoil := range []bool{false, true} {
			for _, rows := range []int{1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15, 1 << 16, 1 << 17, 1 << 19} {
				var worlds [2]*ecs.World
				var frames [2]func() time.Duration
				for i := range worlds {
					worlds[i] = ecs.New(ecs.WithPieces(ecs.Options{Workers: i + 1}, 1024))
					frames[i] = inShared(worlds[i], rows, i+1, other, spoil)
				}
				b.Run(fmt.Sprintf("other=%dKiB/written=%v/KiB=%d", other, spoil, rows*32>>10), func(b *testing.B) {
					for range 20 {
						frames[0]()
						frames[1]()
					}
					sideBySide(b, func(i int) time.Duration { return frames[i]() }, "one-ns", "two-ns")
				})
				for _, w := range worlds {
					ok(0, w.Close())
				}
			}
		}
	}
}
