package ecs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// The sizes of long tables are recorded after frames 1, 2, 4 and so on, where they have doubled or halved.
func TestRecordedGrowth(t *testing.T) {
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	ecs.Register[b4](w, "grows")
	ecs.Register[b16](w, "small")
	ecs.Register[b24](w, "steady")
	grows, small, steady := ecs.SpawnerOf[struct{ A b4 }](w), ecs.SpawnerOf[struct{ B b16 }](w), ecs.SpawnerOf[struct{ C b24 }](w)
	for range 5000 {
		ok(steady.Spawn(struct{ C b24 }{}))
	}
	var es []ecs.Entity
	for frame := range 70 {
		for range 100 {
			es = append(es, ok(grows.Spawn(struct{ A b4 }{})))
		}
		ok(small.Spawn(struct{ B b16 }{}))
		if frame == 40 {
			ok(0, w.Destroy(es[0]))
			ok(w.DestroyAll(ecs.Handles(es)))
		}
		ok(0, w.Run(t.Context()))
	}
	want := []profile.Growth{}
	for _, at := range []struct{ frame, rows uint64 }{{1, 100}, {2, 200}, {4, 400}, {8, 800}, {16, 1600}, {32, 3200}} {
		want = append(want, profile.Growth{Group: "table/grows", Frame: at.frame, Rows: at.rows})
	}
	if got := w.Facts().Growth; !slices.Equal(got, want) {
		t.Errorf("\ngot  %v\nwant %v", got, want)
	}
	for range 64 {
		ok(0, w.Run(t.Context()))
	}
	ok(w.DestroyAll(ecs.QueryOf[struct{ _ ecs.With[b4] }](w)))
	for range 128 {
		ok(0, w.Run(t.Context()))
	}
	want = append(want, profile.Growth{Group: "table/grows", Frame: 256, Rows: 0})
	if got := w.Facts().Growth; !slices.Equal(got, want) {
		t.Errorf("\ngot  %v\nwant %v", got, want)
	}
	checkFacts(t, w, w.Facts())
}

// Fields that a system's struct has alone are recorded, whole components are not.
func TestRecordedFields(t *testing.T) {
	type wide struct{ At, Speed, Turn [3]float32 }
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	ecs.Register[wide](w, "wide")
	addSystem(t, w, "move", func(*struct {
		At    ecs.Write[[3]float32] `ashlar:"wide.At"`
		Speed [][3]float32          `ashlar:"wide.Speed"`
		Too   [][3]float32          `ashlar:"wide.Speed"`
	}) {
	})
	addSystem(t, w, "whole", func(*struct{ W []wide }) {})
	ok(0, w.Run(t.Context()))
	want := []profile.Field{{Path: "wide.At", Write: true}, {Path: "wide.Speed"}}
	p := w.Facts()
	if got := p.Systems[0].Fields; !slices.Equal(got, want) || p.Systems[1].Fields != nil {
		t.Errorf("%v and %v, want %v", got, p.Systems[1].Fields, want)
	}
	checkFacts(t, w, p)
}

// Contracts that a system uses count once in a run of it, with each component that they give. Counting changes
// nothing of a contract.
func TestRecordedContracts(t *testing.T) {
	type parts struct {
		A ecs.WriteOne[b4]
		C ecs.MaybeOne[b24]
	}
	play := func(on bool) (w *ecs.World, stats string) {
		w = world(t, ecs.Options{Record: on, TimeEvery: never})
		a := ecs.Register[b4](w, "a", ecs.Stable)
		c := ecs.Register[b24](w, "c")
		schema := ecs.SchemaOf[parts](w)
		field := ecs.FieldOf[b4](schema)
		all := ecs.SchemaOfPools(w)
		list := make([]ecs.Contract[parts], 60)
		for i := range list {
			e := ok(w.Spawn())
			ok(0, a.Add(e, b4{}))
			if i%3 == 0 {
				ok(0, c.Add(e, b24{}))
			}
			list[i] = ok(schema.Bind(e))
		}
		addSystem(t, w, "twice", func(*struct{}) {
			for range 2 {
				for i := range list {
					if v, has := schema.Mut(&list[i]); !has || (v.C != nil) != (i%3 == 0) {
						t.Fatal("a contract does not hold, or gives another entity's values")
					} else {
						v.A[0]++
					}
				}
			}
		})
		addSystem(t, w, "field", func(*struct{}) {
			for i := range list[:10] {
				if !schema.Valid(&list[i]) || field.At(&list[i])[0] == 0 {
					t.Fatal("a contract is not valid, or its field has another value")
				}
			}
		})
		addSystem(t, w, "inspect", func(*struct{}) {
			for i := range list[:5] {
				all.Value(list[i].Entity(), "a").(*b4)[1]++
				all.MutValue(list[i].Entity(), "a").(*b4)[1]++
			}
		})
		for range 20 {
			ok(0, w.Run(t.Context()))
		}
		_, refreshes := schema.Stats()
		return w, fmt.Sprint(refreshes, a.Get(list[7].Entity()), a.Get(list[3].Entity()))
	}
	w, stats := play(true)
	if _, off := play(false); off != stats {
		t.Errorf("with recording %s, without %s", stats, off)
	}
	p := w.Facts()
	want := []profile.Lookup{
		{Component: "a", System: "field", Contracts: 10 * 20}, {Component: "c", System: "field", Contracts: 4 * 20},
		{Component: "a", System: "inspect", Reads: 10 * 20}, {Component: "a", System: "twice", Contracts: 60 * 20}, {Component: "c", System: "twice", Contracts: 20 * 20},
	}
	for _, l := range p.Lookups {
		l.Far = 0
		if !slices.Contains(want, l) {
			t.Errorf("%+v is recorded, want %+v", l, want)
		}
		want = slices.DeleteFunc(want, func(w profile.Lookup) bool { return w == l })
	}
	if len(want) > 0 {
		t.Errorf("nothing is said of %+v", want)
	}
	checkFacts(t, w, p)
}

// The environment has a program recorded that does not record itself: each world writes its facts and its map when
// it is closed, and keeps those of other worlds. A file of another kind stays as it is.
func TestRecordedByEnvironment(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.profile")
	t.Setenv(profile.RecordVariable, path)
	logged := ""
	play := func(name string, frames int) error {
		o := ecs.Options{Name: name}
		o.Memory.Arena.Log = func(text string) { logged += text }
		w := ecs.New(o)
		ecs.Register[b4](w, "a")
		ok(ecs.SpawnerOf[struct{ A b4 }](w).Spawn(struct{ A b4 }{}))
		for range frames {
			ok(0, w.Run(t.Context()))
		}
		return w.Close()
	}
	for _, run := range []struct {
		name   string
		frames int
	}{{"level", 3}, {"menu", 4}, {"level", 5}, {"unused", 0}} {
		ok(0, play(run.name, run.frames))
	}
	p, err := profile.ReadFile(path)
	if runs := p.Runs(); err != nil || len(runs) != 2 || runs[0].World != "level" || runs[0].Frames != 5 || runs[1].Frames != 4 {
		t.Errorf("%v: %+v", err, runs)
	}
	if m, err := profile.ReadMap(path + profile.MapSuffix); err != nil || m.World != "level" || m.Frame != 5 {
		t.Errorf("%v: %+v", err, m)
	}
	ok(0, os.WriteFile(path, []byte("a letter\n"), 0o600))
	if err := play("level", 1); err == nil || !strings.Contains(err.Error(), profile.RecordVariable) || logged != err.Error() {
		t.Errorf("%v, logged %q", err, logged)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "a letter\n" {
		t.Errorf("%v: %q", err, b)
	}
	t.Setenv(profile.RecordVariable, "")
	ok(0, play("level", 1))
}

// Of 200 frames or more, the record has by how much the first 100 took longer than usual ones, with the work of the
// program between them.
func TestRecordedFirstFrames(t *testing.T) {
	for _, between := range []bool{false, true} {
		if between && runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
			continue // times between frames are not known there
		}
		w := newSmallest(t, ecs.Options{Record: true})
		load := func() {
			if w.Frame() <= 50 {
				work(time.Millisecond)
			}
		}
		if !between {
			addSystem(t, w, "load", func(*struct{ Do *ecs.Commands }) { load() })
		}
		for frame := range 240 {
			if between {
				load()
			}
			ok(0, w.Run(t.Context()))
			if early := w.Facts().Early; frame < 199 && early != 0 {
				t.Fatalf("%v after %d frames", early, frame+1)
			}
		}
		if early := w.Facts().Early; early < 30*time.Millisecond || early > time.Second {
			t.Errorf("the program works between frames: %v; %v", between, early)
		}
	}
}
