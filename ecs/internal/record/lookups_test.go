package record

import (
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"io"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/profile"
)

// hand counts reads by handle as a test feeds them in.
type hand struct {
	on     bool
	frames int // frames that began with it on, and in which it stayed on
	reads  map[*store.Component]uint64
}

func (h *hand) read(c *store.Component, n uint64) {
	if h.on {
		h.reads[c] += n
	}
}

func (h *hand) counts() Counts {
	h.reads = make(map[*store.Component]uint64)
	return Counts{
		On: func(on bool) { h.on = on },
		Take: func(note func(*store.Component, store.Reads)) {
			for c, n := range h.reads {
				note(c, store.Reads{Values: n, Far: n / 2})
			}
			clear(h.reads)
		},
	}
}

// system adds a system without rows that does something.
func (f *fixture) system(name string, do func()) {
	into := new(struct{})
	c := walk.NewCursor(walk.NewPlan(&f.Base, walk.Spec{Name: name, Fields: source.Fields{Entities: -1}}))
	f.sched.Add(c, raw.Of(into), func(raw.Ptr) { do() }, schedule.Position{})
}

// Reads are counted by system and component in some frames, and told for all.
func TestLookups(t *testing.T) {
	var h hand
	f := newFixture(t, Options{TimeEvery: 1, Counts: h.counts()})
	hp, mana := f.comps[0], f.comps[1]
	f.system("aim", func() { h.read(hp, 100); h.read(mana, 3) })
	f.system("rest", func() {})
	f.system("fire", func() { h.read(hp, 7) })
	told := func() (p profile.Profile) {
		f.rec.Facts(&p, func(int) []profile.Choice { return nil })
		return p
	}
	play := func(n int) {
		for range n {
			h.read(hp, 20) // between frames
			f.frames(1)
			if h.on {
				h.frames++
			}
		}
	}
	if play(sampleFirst); told().Sampled != 0 || told().Lookups != nil || !h.on {
		t.Fatalf("after %d frames: %+v", sampleFirst, told())
	}
	if play(1); told().Sampled != 1 || h.on {
		t.Fatalf("after the first sampled frame: %+v", told().Lookups)
	}
	for _, frames := range []uint64{sampleFirst + 1, 10, sampleEvery + sampleFirst + 1} {
		play(int(frames - f.rec.frames))
		p := told()
		want := []profile.Lookup{{Component: "hp", Reads: 20 * frames, Far: 10 * frames}, {Component: "hp", System: "aim", Reads: 100 * frames, Far: 50 * frames}, {Component: "hp", System: "fire", Reads: 7 * frames, Far: 3 * frames},
			{Component: "mana", System: "aim", Reads: 3 * frames, Far: 1 * frames}}
		if !reflect.DeepEqual(p.Lookups, want) {
			t.Errorf("after %d frames: %+v, want %+v", frames, p.Lookups, want)
		}
		if _, err := p.WriteTo(io.Discard); err != nil {
			t.Error(err)
		}
	}
	p := told()
	if p.Sampled != 2 || h.frames != 2 {
		t.Errorf("%d frames were sampled, and in %d it counted", p.Sampled, h.frames)
	}
	// A sampled run is not timed: it takes another time.
	if s := p.Systems[slices.IndexFunc(p.Systems, func(s profile.System) bool { return s.Name == "aim" })]; s.Timed != s.Frames-2 {
		t.Errorf("%d of %d runs are timed, besides 2 that are sampled", s.Timed, s.Frames)
	}
}

// A system that runs now and then is told by its own runs, and one that panics loses nothing.
func TestLookupsOfSomeRuns(t *testing.T) {
	var h hand
	f := newFixture(t, Options{Counts: h.counts()})
	hp := f.comps[0]
	bad := false
	f.system("late", func() {
		h.read(hp, 10)
		if bad {
			panic("bad")
		}
	})
	f.frames(sampleFirst)
	bad = true
	func() {
		defer func() { recover() }()
		f.frames(1)
	}()
	bad = false
	f.sched.GiveUp()
	h.read(hp, 1)
	f.frames(1)
	var p profile.Profile
	f.rec.Facts(&p, func(int) []profile.Choice { return nil })
	got := make(map[string]uint64)
	for _, l := range p.Lookups {
		got[l.System] = l.Reads
	}
	// 7 runs, 2 of them sampled, with 10 reads each. One of 6 frames has one read.
	if want := map[string]uint64{"": 6, "late": 70}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Without a counter nothing is sampled, and all is timed as before.
func TestNoLookups(t *testing.T) {
	f := newFixture(t, Options{TimeEvery: 1})
	f.frames(2 * sampleEvery)
	var p profile.Profile
	f.rec.Facts(&p, func(int) []profile.Choice { return nil })
	if p.Sampled != 0 || p.Lookups != nil || p.Systems[0].Timed == 0 {
		t.Errorf("%+v", p)
	}
}
