package ecs_test

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Entities that get a component are counted in sampled frames, and stand for all frames: whoever adds it, and new ones too.
// Removes are counted in each frame. An observer and a system learn of all meanwhile.
func TestRecordedAdds(t *testing.T) {
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	type born struct{ At b16 }
	ecs.Register[b16](w, "at")
	toggled, idle := ecs.Register[b4](w, "toggled"), ecs.Register[b24](w, "idle")
	spawner := ecs.SpawnerOf[born](w)
	heard := 0
	ecs.Observe(w, "hear", func(s *struct {
		In ecs.Arrived[b4]
	}) {
		heard += s.In.Len()
	})
	es := make([]ecs.Entity, 30)
	ok(0, spawner.SpawnN(es, []born{{}}))
	ok(0, idle.Add(es[0], b24{}))
	ecs.System(w, "toggle", func(s *struct{ Do *ecs.Commands }) {
		for i := range es[:10] {
			toggled.Later(s.Do).Add(es[i], b4{})
		}
	})
	learned := 0
	ecs.System(w, "learn", func(s *struct {
		In ecs.Arrived[b4]
	}) {
		learned += s.In.Len()
	})
	const frames = 300 // one or two are sampled
	for range frames {
		ok(toggled.RemoveAll(ecs.Handles(es[:10])))
		ok(toggled.AddAll(ecs.Handles(es[20:27]), b4{}))
		ok(toggled.RemoveAll(ecs.Handles(es[20:27])))
		es = append(es, ok(spawner.Spawn(born{})), ok(w.Spawn()))
		ok(0, w.Run(t.Context()))
	}
	p := w.Facts()
	if p.Sampled == 0 || p.Frames != frames {
		t.Fatalf("%d of %d frames are sampled", p.Sampled, p.Frames)
	}
	for _, s := range p.Stored {
		adds, removes := uint64(0), uint64(0)
		switch s.Component {
		case "at":
			adds = frames
		case "toggled":
			adds, removes = 17*frames, 17*frames-10
		}
		if sum(s.Adds) != adds || sum(s.Removes) != removes {
			t.Errorf("%s: %d adds and %d removes, want %d and %d", s.Component, s.Adds, s.Removes, adds, removes)
		}
	}
	if heard != 17*frames || learned != 10*frames { // the list has lost it again
		t.Errorf("the observer hears of %d, and the system of %d, want %d and %d", heard, learned, 17*frames, 10*frames)
	}
	checkFacts(t, w, p)
}

func sum(list []uint64) (all uint64) {
	for _, n := range list {
		all += n
	}
	return all
}

// Changes are told by frame: of the first, the second, the next two, four, eight and so on. Of frames without a sampled one
// the average is told. A component that comes late has none before.
func TestRecordedChangesByFrame(t *testing.T) {
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	early := ecs.Register[b4](w, "early")
	var late *ecs.Pool[b16]
	es := make([]ecs.Entity, 40)
	for i := range es {
		es[i] = ok(w.Spawn())
	}
	for frame := 1; frame <= 20; frame++ {
		if frame == 3 {
			late = ecs.Register[b16](w, "late")
		}
		for _, e := range es[:frame] {
			ok(0, early.Add(e, b4{}))
			ok(0, early.Remove(e))
			if frame > 8 {
				ok(0, late.Add(e, b16{}))
				ok(0, late.Remove(e))
			}
		}
		if p := w.Facts(); frame == 1 && len(p.Stored[0].Adds)+len(p.Stored[0].Removes) > 0 {
			t.Errorf("before the first frame: %+v", p.Stored)
		}
		ok(0, w.Run(t.Context()))
		if s := w.Facts().Stored[0]; frame == 16 && (len(s.Removes) != 5 || len(s.Adds) != 5) {
			t.Errorf("behind 16 frames: adds %d, removes %d", s.Adds, s.Removes)
		}
	}
	p := w.Facts()
	checkFacts(t, w, p)
	for i, want := range [][]uint64{{1, 2, 3 + 4, 5 + 6 + 7 + 8, 8*9 + 28, 17 + 18 + 19 + 20}, {0, 0, 0, 0, 8*9 + 28, 17 + 18 + 19 + 20}} {
		if s := p.Stored[i]; !slices.Equal(s.Removes, want) {
			t.Errorf("%s: removes %d, want %d", s.Component, s.Removes, want)
		}
	}
	if s := p.Stored[0]; p.Sampled == 0 || !slices.Equal(s.Adds, []uint64{6, 6, 12, 24, 48, 24}) { // one frame is sampled, with 6
		t.Errorf("adds %d of %d sampled frames", s.Adds, p.Sampled)
	}
}
