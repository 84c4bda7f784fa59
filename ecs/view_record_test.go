package ecs_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// recorded makes the world of view_test.go with a profile in code, fills it and runs
// so many frames, and returns what was noted of choices by system and component.
func recorded(t *testing.T, p profile.Profile, o ecs.Options, frames int) (*stage, profile.Profile, map[string]profile.Choice) {
	t.Helper()
	o.Record.On = true
	o.Profile = profile.LoadOptions{Named: true, Code: p, Log: quiet()}
	s := newStage(t, o)
	for i := range 3000 {
		s.es = append(s.es, ok(s.bodies.Spawn(struct{ T transform }{transform{At: vec3{float32(i), 0, 0}}})))
	}
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(len(s.es)) {
		ok(0, s.sp.Add(s.es[i], sprite{}))
		ok(0, s.snd.Add(s.es[i], b16{}))
	}
	for range frames {
		ok(0, s.w.Run(t.Context()))
	}
	facts := s.w.Facts()
	if err := facts.Check(); err != nil {
		t.Fatal(err)
	}
	m := map[string]profile.Choice{}
	for _, sys := range facts.Systems {
		for _, c := range sys.Choices {
			m[sys.Name+" "+c.Component] = c
		}
	}
	return s, facts, m
}

// noting is a profile that notes these choices.
func noting(system, group, component, use string, more ...profile.System) profile.Profile {
	return profile.Profile{Frames: 1, Systems: append(more, profile.System{Name: system, Frames: 1, Choices: []profile.Choice{
		{Group: group, Component: component, Use: use, Frames: 1, Costs: profile.Costs{Cached: 7, Gathered: 9}}}})}
}

// What a run chose and what views gathered is recorded, and the next run begins with
// it: as long as it tries nothing, choices and costs are those that it was given.
func TestChoicesAreRecorded(t *testing.T) {
	s, facts, first := recorded(t, profile.Profile{}, ecs.Options{}, 60)
	for _, name := range []string{"look transform.At", "turn transform.Angle", "turn transform.At", "hear transform"} {
		c, known := first[name]
		if !known || c.Frames != 60 || c.Costs.Of(c.Use) == 0 || c.Costs.Best(c.Use) == "" || c.Chunks == 0 || c.Stale == 0 || c.Stale > c.Chunks {
			t.Errorf("%s: %+v, %v", name, c, known)
		}
	}
	stats := s.w.Stats().Views
	if len(facts.Shared) != len(stats) {
		t.Fatalf("%+v\n%+v", facts.Shared, stats)
	}
	for i, v := range stats {
		name := v.Component
		if v.Field != "" {
			name += "." + v.Field
		}
		if want := (profile.Shared{Group: v.Group, Component: name, Readers: v.Readers, Built: v.Built, Refreshed: v.Refreshed, Reused: v.Reused, Bytes: v.Bytes, Dropped: v.Dropped}); facts.Shared[i] != want || v.Built == 0 {
			t.Errorf("%+v, want %+v", facts.Shared[i], want)
		}
	}
	_, _, second := recorded(t, facts, ecs.Options{}, 50)
	for name, c := range first {
		if d := second[name]; d.Use != c.Use || d.Costs != c.Costs || d.Frames != 50 || d.Use == "gathered" && d.Chunks > 0 || d.Use == "cached" && d.Chunks*60 < c.Chunks*50 {
			t.Errorf("%s: %+v, and then %+v", name, c, d)
		}
	}
}

// A run that ends before a trial has come to something notes no choice.
func TestTrialsAreNotRecorded(t *testing.T) {
	if _, _, m := recorded(t, profile.Profile{}, ecs.Options{}, 3); len(m) > 0 {
		t.Errorf("%+v", m)
	}
}

// What was recorded is used from the first frame on, if it is about what the world
// has and intent asks for nothing else.
func TestRecordedChoices(t *testing.T) {
	intent := func(p profile.Profile, choice string) profile.Profile {
		p.Hints.Views = []profile.View{{System: "hear", Component: "transform", Choice: choice}}
		return p
	}
	for _, tt := range []struct {
		name string
		p    profile.Profile
		o    ecs.Options
		use  string // "" if a trial is under way, or if there is no room and nothing to choose
		kept int    // of 5 frames
	}{
		{"cached", noting("hear", "sounds", "transform", "cached"), ecs.Options{}, "cached", 5},
		{"gathered", noting("hear", "sounds", "transform", "gathered"), ecs.Options{}, "gathered", 0},
		{"hint of gathered", intent(noting("hear", "sounds", "transform", "cached"), "gathered"), ecs.Options{}, "gathered", 0},
		{"intent of keep", intent(noting("hear", "sounds", "transform", "gathered"), "cached"), ecs.Options{}, "cached", 5},
		{"always on", noting("hear", "sounds", "transform", "gathered"), ecs.Options{Views: ecs.ViewsOn}, "cached", 5},
		{"another group", noting("hear", "sprites", "transform", "gathered"), ecs.Options{}, "", 5},
		{"a group that is gone", noting("hear", "gone", "transform", "gathered"), ecs.Options{}, "", 5},
		{"another system", noting("look", "sounds", "transform", "gathered"), ecs.Options{}, "", 5},
		{"another component", noting("hear", "sounds", "transform.At", "gathered"), ecs.Options{}, "", 5},
		{"what does not apply", noting("hear", "sounds", "transform", "direct"), ecs.Options{}, "", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, facts, m := recorded(t, tt.p, tt.o, 5)
			c, settled := m["hear transform"]
			if settled != (tt.use != "") || c.Use != tt.use {
				t.Errorf("%+v, want %q", c, tt.use)
			}
			if settled && c.Costs != (profile.Costs{Cached: 7, Gathered: 9}) {
				t.Errorf("costs %+v: they are those of the trial before", c.Costs)
			}
			chunks := 0
			for _, g := range facts.Groups {
				if g.Name == "sounds" {
					chunks = int(g.Chunks / facts.Frames)
				}
			}
			for _, v := range s.w.Stats().Views {
				if n := v.Built + v.Refreshed + v.Reused; v.Group == "sounds" && n != uint64(tt.kept*chunks) {
					t.Errorf("%d chunks were had from the view, want %d of %d chunks", n, tt.kept, chunks)
				}
			}
		})
	}
}

// A recorded direct is used from the first frame on where rows lie in the readers'
// order, and left where they do not.
func TestRecordedAlias(t *testing.T) {
	for _, shuffled := range []bool{false, true} {
		w := world(t, ecs.Options{Record: ecs.Recording{On: true}, Profile: profile.LoadOptions{Named: true, Log: quiet(), Code: noting("hear", "sounds", "transform", "direct")}})
		tr, snd := ok(ecs.Register[transform](w, "transform")), ok(ecs.Register[b16](w, "sound"))
		bodies := ok(ecs.GroupOf[struct{ T transform }](w, "bodies", tr))
		ok(ecs.GroupOf[struct{ S b16 }](w, "sounds", snd))
		own, rows, at := 0, 0, map[ecs.Entity]*transform{}
		ok(0, ecs.System(w, "hear", func(c *struct {
			Snd []b16
			T   []transform
			All []ecs.Entity
		}) {
			for i, e := range c.All {
				if rows++; &c.T[i] == at[e] {
					own++
				} else if c.T[i] != *tr.Get(e) {
					t.Fatalf("%v: %v", e, c.T[i])
				}
			}
		}))
		es := make([]ecs.Entity, 5000)
		for i := range es {
			es[i] = ok(bodies.Spawn(struct{ T transform }{transform{Scale: float64(i)}}))
		}
		if shuffled {
			rand.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
		}
		for _, e := range es {
			ok(0, snd.Add(e, b16{}))
		}
		for range 4 {
			for e, v := range tr.All() {
				at[e] = v // Get within finds the copy
			}
			ok(0, w.Run(t.Context()))
		}
		if want := 4 * len(es); rows != want || !shuffled && own != want || shuffled && own != 0 {
			t.Errorf("shuffled %v: %d rows, %d of them the owner's own", shuffled, rows, own)
		}
		noted := fmt.Sprint(w.Facts().Systems[0].Choices)
		if shuffled != (noted == "[]") {
			t.Errorf("shuffled %v: %s", shuffled, noted)
		}
	}
}

// Whatever a profile notes, a system gets what Get says.
func TestRecordedNonsense(t *testing.T) {
	for _, use := range []string{views.Direct.String(), views.Cached.String()} {
		p := noting("look", "sprites", "transform.At", use, noting("turn", "sprites", "transform.Angle", use).Systems[0], noting("hear", "sounds", "transform", use).Systems[0])
		s, _, _ := recorded(t, p, ecs.Options{}, 3)
		r := rand.New(rand.NewPCG(3, 3))
		for range 40 {
			s.change(r)
			ok(0, s.w.Run(t.Context()))
		}
		if err := s.w.Check(); err != nil {
			t.Error(err)
		}
	}
}
