package ecs

import (
	"errors"
	"os"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/shared"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

type (
	spot struct{ At, Turn [4]float32 }
	icon struct{ Depth float64 }
)

// viewed is a world with one system that reads a view: spots for icons.
type viewed struct {
	t     *testing.T
	w     *World
	spots *Group[struct{ S spot }]
	es    []Entity
}

func newViewed(t *testing.T, o Options, rows int) *viewed {
	w := New(o)
	t.Cleanup(func() { w.Close() })
	spots := Register[spot](w, "spot")
	icons := Register[icon](w, "icon")
	v := &viewed{t: t, w: w, es: make([]Entity, rows)}
	v.spots = Apart(GroupOf[struct{ S spot }](w, "spots", spots))
	Apart(GroupOf[struct{ I icon }](w, "icons", icons))
	type draw struct {
		I  Write[icon]
		At [][4]float32 `ashlar:"spot.At"`
		E  []Entity
	}
	System(w, "draw", func(c *draw) {
		for i, e := range c.E {
			if c.At[i] != spots.Get(e).At {
				t.Fatalf("frame %d: %v differs from what Get says", w.base.Frame, e)
			}
			c.I[i].Depth++
		}
	})

	if err := errors.Join(w.Err(), v.spots.SpawnN(v.es, []struct{ S spot }{{spot{At: [4]float32{1, 2}}}})); err != nil {
		t.Fatal(err)
	}
	for i := range v.es {
		if err := icons.Add(v.es[len(v.es)-1-i], icon{}); err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// run runs frames in which the system uses a strategy.
func (v *viewed) run(frames int, use views.Strategy) {
	v.w.views.Reader(0).Intend(func(_, _ string) views.Strategy { return use })
	for range frames {
		if err := v.w.Run(v.t.Context()); err != nil {
			v.t.Fatal(err)
		}
	}
}

// A dropped view leaves nothing resident in normal pages; what stays, on the Go
// heap, is reported. It can be kept again.
func TestDroppedViewsGiveTheirMemoryBack(t *testing.T) {
	if os.Getpagesize() != chunk.Page {
		t.Skip("pages here are larger than what an annex is cut into, so nothing is given back")
	}
	rows := 20_000
	if race.Enabled {
		rows = 2000
	}
	if arena.Checked {
		t.Skip("checked builds write over what was freed, so that it is resident: TestPartsAgainstGet drops views in them, too")
	}
	for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
		v := newViewed(t, Options{Adapt: memmgr.AdaptOptions{Off: true}, Memory: memmgr.Options{Arena: arena.Options{Backend: backend}}}, rows)
		a := v.w.base.Manager.Arena()
		resident := func() uint64 {
			n, err := a.Resident()
			if err != nil {
				t.Skipf("resident memory can't be measured here; what is dropped and reported is tested by TestViewsAgainstGet: %v", err)
			}
			return n
		}
		v.run(1, views.Cached)
		v.run(2*shared.IdleFrames, views.Gathered)                      // other memory of a frame is resident
		if _, err := v.w.base.Manager.Reclaim(^uint64(0)); err != nil { // memory that chunks have left would serve as annexes
			t.Fatal(err)
		}
		before := resident()
		v.run(3, views.Cached)
		with, st := resident(), v.w.views.Stats()[0]
		if !st.Kept || st.Retained != 0 {
			t.Fatalf("%v: kept: %+v", a.Backend(), st)
		}
		v.run(2*shared.IdleFrames, views.Gathered)
		after, st := resident(), v.w.views.Stats()[0]
		annexes := uint64(v.w.names.groups[1].rows().ChunkCount()) * chunk.Bytes
		if a.Backend() == arena.OS {
			if with < before+uint64(len(v.es))*16 || after != before {
				t.Errorf("%d bytes resident before, %d with the view, %d after it was dropped", before, with, after)
			}
			if st.Kept || st.Dropped != 2*annexes || st.Retained != 0 {
				t.Errorf("dropped twice %d bytes: %+v", annexes, st)
			}
		} else if st.Kept || st.Dropped != 0 || st.Retained != annexes {
			t.Errorf("retained %d bytes: %+v", annexes, st)
		}
		v.run(3, views.Cached)
		if st := v.w.views.Stats()[0]; !st.Kept || st.Retained != 0 {
			t.Errorf("kept again: %+v", st)
		}
	}
}
