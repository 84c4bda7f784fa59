package adverse

import (
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// An hour of births and deaths at 60 frames a second, by a clock that goes by with the frames,
// and by 60 µs each time that it is read: memory stays as it is, and no safe point takes longer
// than its budget and the work between two looks at the clock.
func TestHour(t *testing.T) {
	const tick, budget = 60 * time.Microsecond, 50 * time.Microsecond
	frames, entities := 60*60*60, 20_000
	if testing.Short() {
		frames = 60 * 60 * 2
	}
	now := epoch
	clock := func() time.Time {
		now = now.Add(tick)
		return now
	}
	s := Hour(entities, ecs.Options{Adapt: memmgr.AdaptOptions{Clock: clock, Decay: 2 * time.Second, Budget: memmgr.Budget{Time: budget}}})
	m := s.World.Manager()
	if m.Arena().Backend() != arena.OS {
		t.Skip("chunks are on the Go heap here, whose pages are not given back")
	}
	type part struct{ resident, heap uint64 } // the most
	var parts [10]part
	took := make([]time.Duration, frames)
	for f := range frames {
		now = now.Add(time.Second / 60)
		s.Prepare()
		begin := time.Now()
		s.Frame()
		took[f] = time.Since(begin)
		p := &parts[f*len(parts)/frames]
		if p.resident = max(p.resident, m.Arena().Stats().Dirty); f%1000 == 999 {
			var heap runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&heap)
			p.heap = max(p.heap, heap.HeapAlloc)
		}
	}
	most := func(list []part) (m part) {
		for _, p := range list {
			m.resident, m.heap = max(m.resident, p.resident), max(m.heap, p.heap)
		}
		return m
	}
	// The waves of groups meet now and then, so tenths differ by a chunk or two.
	first, last := most(parts[1:5]), most(parts[5:])
	if last.resident > first.resident+2*chunk.Bytes || last.heap > first.heap+first.heap/20 {
		t.Errorf("memory grows: %+v", parts)
	}
	st := s.World.Manager().Stats().Adapting
	if st.Longest > budget+2*tick || st.OverBudget == 0 || st.Purged == 0 || st.Moves == 0 {
		t.Errorf("with a budget of %v: %+v", budget, st)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	t.Logf("%+v; %+v", parts, st)
	slices.Sort(took)
	t.Logf("%d frames: p50 %v, p99 %v, p99.9 %v, worst %v", frames, took[frames/2], took[frames*99/100], took[frames*999/1000], took[frames-1])
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
