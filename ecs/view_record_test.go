package ecs_test

import (
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// recorded makes the world of view_test.go, fills it and runs
// so many frames, and returns the recorded choices by system and component.
func recorded(t *testing.T, o ecs.Options, frames int) (*stage, profile.Profile, map[string]profile.Choice) {
	t.Helper()
	o.Record = true
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
	if _, err := facts.WriteTo(io.Discard); err != nil {
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

// How systems get columns that their rows do not have is recorded, and the work of views.
func TestChoicesAreRecorded(t *testing.T) {
	s, facts, choices := recorded(t, ecs.Options{}, 60)
	for _, name := range []string{"look transform.At", "turn transform.Angle", "turn transform.At", "hear transform"} {
		if c, known := choices[name]; !known || c.Frames != 60 || c.Use != "cached" || c.Chunks == 0 || c.Stale > c.Chunks || name == "look transform.At" && c.Stale == 0 {
			t.Errorf("%s: %+v, %v", name, c, known)
		}
	}
	stats := ecs.SharedOf(s.w)
	if len(stats) == 0 || !slices.Equal(facts.Shared, stats) {
		t.Fatalf("%+v\n%+v", facts.Shared, stats)
	}
	for _, v := range stats {
		if v.Built == 0 {
			t.Errorf("%+v", v)
		}
	}
}

// A layout overrules counts from the first frame on.
func TestViewsOfALayout(t *testing.T) {
	for _, tt := range []struct {
		name string
		o    ecs.Options
		use  string
		kept int // of 5 frames
	}{
		{"nothing", ecs.Options{}, "cached", 4},
		{"cached", ecs.Options{Layout: laid("view hear transform cached")}, "cached", 5},
		{"gathered", ecs.Options{Layout: laid("view hear transform gathered")}, "gathered", 0},
		{"none", ecs.Options{Layout: laid("view hear transform none")}, "gathered", 0},
		{"always on", ecs.Options{Layout: laid("view hear transform gathered"), Views: ecs.Views{Always: true}}, "cached", 5},
		{"another system", ecs.Options{Layout: laid("view look transform gathered")}, "cached", 4},
		{"another component", ecs.Options{Layout: laid("view hear transform.At gathered")}, "cached", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, facts, m := recorded(t, tt.o, 5)
			if c := m["hear transform"]; c.Use != tt.use {
				t.Errorf("%+v, want %q", c, tt.use)
			}
			chunks := 0
			for _, g := range facts.Groups {
				if g.Name == "sounds" {
					chunks = int(g.Chunks / facts.Frames)
				}
			}
			for _, v := range ecs.SharedOf(s.w) {
				if n := v.Built + v.Refreshed + v.Reused; v.Group == "sounds" && n != uint64(tt.kept*chunks) {
					t.Errorf("%d chunks were had from the view, want %d of %d chunks", n, tt.kept, chunks)
				}
			}
		})
	}
}

// Where rows lie in the readers' order a system gets the owner's own column, and elsewhere it does
// not, whatever a hint says.
func TestDirectWhereRowsAreInOrder(t *testing.T) {
	direct := laid("view hear transform direct")
	for _, tt := range []struct {
		l        layout.Source
		shuffled bool
	}{{}, {shuffled: true}, {l: direct}, {l: direct, shuffled: true}} {
		w := world(t, ecs.Options{Record: true, Layout: tt.l})
		tr, snd := ecs.Register[transform](w, "transform"), ecs.Register[b16](w, "sound")
		bodies := ecs.Apart(ecs.GroupOf[struct{ T transform }](w, "bodies", tr))
		ecs.Apart(ecs.GroupOf[struct{ S b16 }](w, "sounds", snd))
		own, rows, at := 0, 0, map[ecs.Entity]*transform{}
		ecs.System(w, "hear", func(c *struct {
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
		})
		es := make([]ecs.Entity, 5000)
		for i := range es {
			es[i] = ok(bodies.Spawn(struct{ T transform }{transform{Scale: float64(i)}}))
		}
		if tt.shuffled {
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
		if want := 4 * len(es); rows != want || !tt.shuffled && own != want || tt.shuffled && own != 0 {
			t.Errorf("%+v: %d rows, %d of them the owner's own", tt, rows, own)
		}
		if c := w.Facts().Systems[0].Choices; len(c) != 1 || tt.shuffled != (c[0].Order == 0) {
			t.Errorf("%+v: %+v", tt, c)
		}
	}
}

// A system over a table gets a group's components in the same ways as one over a group.
func TestViewsBesideTables(t *testing.T) {
	digests := map[ecs.Views]float64{}
	for _, mode := range []ecs.Views{{Off: true}, {}, {Always: true}} {
		w := world(t, ecs.Options{Views: mode})
		tr, snd := ecs.Register[transform](w, "transform"), ecs.Register[b16](w, "sound")
		bodies := ecs.Apart(ecs.GroupOf[struct{ T transform }](w, "bodies", tr))
		r := rand.New(rand.NewPCG(2, 3))
		var es []ecs.Entity
		for i := range 4000 {
			es = append(es, ok(bodies.Spawn(struct{ T transform }{transform{Scale: float64(i)}})))
		}
		for _, i := range r.Perm(len(es))[:3000] {
			ok(0, snd.Add(es[i], b16{byte(i)}))
		}
		sum, rows := 0.0, 0
		for _, name := range []string{"hear", "listen"} {
			ecs.System(w, name, func(c *struct {
				Snd   []b16
				Scale []float64 `ashlar:"transform.Scale"`
				All   []ecs.Entity
			}) {
				for i, e := range c.All {
					if c.Scale[i] != tr.Get(e).Scale {
						t.Fatalf("%v: %v", e, c.Scale[i])
					}
					rows++
					sum += c.Scale[i] * float64(rows%7)
				}
			})
		}
		for range 20 {
			for range r.IntN(20) {
				if e := es[r.IntN(len(es))]; snd.Has(e) {
					ok(0, snd.Remove(e))
				} else {
					ok(0, snd.Add(e, b16{}))
				}
				tr.Mut(es[r.IntN(len(es))]).Scale += 0.5
			}
			ok(0, w.Run(t.Context()))
		}
		built, reused := uint64(0), uint64(0)
		for _, v := range ecs.SharedOf(w) {
			if _, table := profile.ParseTable(v.Group); !table || v.Component != "transform.Scale" || v.Readers != 2 {
				t.Errorf("%+v", v)
			}
			built, reused = built+v.Built, reused+v.Reused
		}
		if kept := !mode.Off; (built > 0) != kept || (reused > 0) != kept || rows < 20*2*2900 {
			t.Errorf("mode %+v: %d built, %d reused, %d rows", mode, built, reused, rows)
		}
		digests[mode] = sum
		ok(0, w.Check())
	}
	if digests[ecs.Views{Off: true}] != digests[ecs.Views{}] || digests[ecs.Views{Off: true}] != digests[ecs.Views{Always: true}] {
		t.Errorf("values or their order differ: %v", digests)
	}
}
