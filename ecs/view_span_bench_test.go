package ecs

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/views"
)

// wide is a component of 64 B of which systems read different fields.
type wide struct {
	A, B, C, D, E vec
	F             float32
}

// wideReader reads a field of wide.
func wideReader[F any](sum *float32, of func(*F) []vec) func(*F) {
	return func(c *F) {
		s := *sum
		for _, v := range of(c) {
			s += v.X
		}
		*sum = s
	}
}

// wideWorld is n lamps, in random order to the wides that readers systems look at.
func wideWorld(b *testing.B, n, readers int) *World {
	w, err := New(Options{NoAdapt: true})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	sum := new(float32)
	type (
		readA struct {
			L []lamp
			V []vec `ashlar:"wide.A"`
		}
		readB struct {
			L []lamp
			V []vec `ashlar:"wide.B"`
		}
		readC struct {
			L []lamp
			V []vec `ashlar:"wide.C"`
		}
		readD struct {
			L []lamp
			V []vec `ashlar:"wide.D"`
		}
		readE struct {
			L []lamp
			V []vec `ashlar:"wide.E"`
		}
	)
	Register[wide](w, "wide")
	lamps, _ := Register[lamp](w, "lamp")
	owner, _ := GroupOf[struct{ W wide }](w, "wides")
	GroupOf[struct{ L lamp }](w, "lamps")
	add := []func() error{
		func() error { return System(w, "a", wideReader(sum, func(c *readA) []vec { return c.V })) },
		func() error { return System(w, "b", wideReader(sum, func(c *readB) []vec { return c.V })) },
		func() error { return System(w, "c", wideReader(sum, func(c *readC) []vec { return c.V })) },
		func() error { return System(w, "d", wideReader(sum, func(c *readD) []vec { return c.V })) },
		func() error { return System(w, "e", wideReader(sum, func(c *readE) []vec { return c.V })) },
	}
	for _, system := range add[:readers] {
		if err := system(); err != nil {
			b.Fatal(err)
		}
	}
	es := make([]Entity, n)
	if err := owner.SpawnN(es, struct{ W wide }{}); err != nil {
		b.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, i := range r.Perm(n) {
		lamps.Add(es[i], lamp{})
	}
	return w
}

// forceAll has each column use a strategy; with Unset, what trials come to, of those that
// apply with outer views or, without, as if there were none.
func (w *World) forceAll(use views.Strategy, outer bool) {
	for _, g := range w.groups {
		for _, v := range g.views {
			if !outer {
				v.outer = nil
			}
		}
	}
	for _, x := range w.systems {
		for _, s := range x.served {
			for i := range s.cols {
				s.cols[i].choice = views.Start(use, use, s.cols[i].view.applies())
			}
		}
	}
}

// BenchmarkWhole compares what trials choose, with KeepWhole and without, with each
// strategy, in worlds of systems that read different fields of one component. Figures are
// nanoseconds per row and system, over the frame.
func BenchmarkWhole(b *testing.B) {
	for _, n := range []int{16 << 10, 256 << 10, 1 << 20} {
		for _, readers := range []int{2, 5} {
			for _, changed := range []int{100, 10, 0} {
				b.Run(fmt.Sprintf("rows=%d/readers=%d/changed=%d", n, readers, changed), func(b *testing.B) { benchWhole(b, n, readers, changed) })
			}
		}
	}
}

func benchWhole(b *testing.B, n, readers, changed int) {
	ways := map[string]*World{}
	for _, way := range []string{"auto", "auto-without", "keep", "stream", "whole"} {
		w := wideWorld(b, n, readers)
		ways[way] = w
		wideFrames(b, w, 1, changed)
		use := map[string]views.Strategy{"keep": views.Keep, "stream": views.Stream, "whole": views.KeepWhole}[way]
		w.forceAll(use, way != "auto-without")
		wideFrames(b, w, 60, changed)
	}
	times := map[string][]float64{}
	names := slices.Sorted(maps.Keys(ways))
	frames := max(1, 1<<18/n)
	for b.Loop() {
		for _, way := range names {
			wideFrames(b, ways[way], 1, changed)
			took := wideFrames(b, ways[way], frames, changed)
			times[way] = append(times[way], float64(took.Nanoseconds())/float64(frames*n*readers))
		}
	}
	ratio := func(way, to string) {
		var list []float64
		for i := range times[way] {
			list = append(list, times[way][i]/times[to][i])
		}
		slices.Sort(list)
		b.ReportMetric(list[len(list)/2], way+"/"+to)
	}
	ratio("auto", "auto-without")
	ratio("whole", "keep")
	for _, way := range names {
		slices.Sort(times[way])
		b.ReportMetric(times[way][len(times[way])/2], way+"-ns/row")
	}
	whole := 0
	for _, x := range ways["auto"].systems {
		for _, s := range x.served {
			for i := range s.cols {
				if s.cols[i].choice.Use() == views.KeepWhole {
					whole++
				}
			}
		}
	}
	b.ReportMetric(float64(whole), "auto-whole")
	b.ReportMetric(0, "ns/op")
}

// wideFrames runs frames, before each of which a share of the owner's chunks changes, and
// returns how long those took.
func wideFrames(b *testing.B, w *World, frames, changed int) (took time.Duration) {
	q := w.groups[0].seq
	for range frames {
		w.m.Advance()
		for i := range q.ChunkCount() {
			if i*changed/100 != (i+1)*changed/100 {
				id, _ := q.Chunk(i)
				q.Written(1, id)
			}
		}
		start := time.Now()
		if err := w.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
		took += time.Since(start)
	}
	return took
}
