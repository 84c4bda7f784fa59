package ecs_test

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Sequences are seen at the end of each frame; later ones from then on, and one
// that came to nothing never.
func TestFactsOfGroups(t *testing.T) {
	w := world(t, ecs.Options{Memory: memmgr.Options{Arena: arena.Options{SmallPages: true}}, Record: true})
	a, b := ecs.Register[b4](w, "a"), ecs.Register[b16](w, "b")
	big := ecs.Register[b8K](w, "big")
	run := func() {
		t.Helper()
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	groups := func(want ...profile.Group) {
		t.Helper()
		p := w.Facts()
		checkFacts(t, w, p)
		if got := p.Groups; !reflect.DeepEqual(got, want) { // groups, then tables as they were made
			t.Errorf("\ngot  %+v\nwant %+v", got, want)
		}
	}
	run()
	groups()
	es := make([]ecs.Entity, 5)
	for i := range es {
		es[i] = ok(w.Spawn())
		if err := a.Add(es[i], b4{}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	run()
	groups(profile.Group{Name: "table/a", Owns: []string{"a"}, Rows: 10, Chunks: 2, Peak: 5, Last: 5})

	// A sequence of somebody else's ends in the frame in which a group begins.
	other := ok(w.Manager().MakeSequence("other", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 8, Align: 8}}}))
	run()
	other.Drop()
	g := ecs.Apart(ecs.GroupOf[duo](w, "duo"))
	for _, e := range es[:2] {
		if err := b.Add(e, b16{}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	if err := a.Remove(es[0]); err != nil {
		t.Fatal(err)
	}
	run()
	groups(
		profile.Group{Name: "duo", Owns: []string{"a", "b"}, Rows: 3, Chunks: 2, Peak: 2, Last: 1},
		profile.Group{Name: "table/a", Owns: []string{"a"}, Rows: 15, Chunks: 3, Peak: 5}, // until the group came
		profile.Group{Name: "table/duo/a", Owns: []string{"a"}, Rows: 3 + 3, Chunks: 2, Peak: 3, Last: 3},
		profile.Group{Name: "table/duo/b", Owns: []string{"b"}, Rows: 1, Chunks: 1, Peak: 1, Last: 1},
	)
	if g.Len() != 1 {
		t.Errorf("%d duos", g.Len())
	}

	// A group that finds no room for its members is none.
	if err := big.Add(es[0], b8K{}); err != nil {
		t.Fatal(err)
	}
	run()
	bigs := ecs.GroupOf[struct{ B b8K }](w, "bigs")
	before := w.Facts()
	mem := w.Manager().Arena()
	mem.SetLimit(mem.Stats().Committed)
	filler := ok(w.Manager().MakeSequence("filler", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 40_000, Align: 8}}}))
	for {
		if _, err := filler.Append(); err != nil {
			break
		}
	}
	ecs.Apart(bigs)
	mem.SetLimit(0)
	if err := w.Run(t.Context()); err == nil {
		t.Fatal("a group that was refused is forgotten")
	}
	if w.Err() == nil {
		t.Error("the mistake is not handed over")
	}
	if after := w.Facts(); !reflect.DeepEqual(after, before) {
		t.Errorf("rows that were refused are in the facts:\n%+v\n%+v", before, after)
	}
}

// A group whose members are in rows of tables is in the facts without rows, ahead of the others.
func TestFactsOfSharingGroups(t *testing.T) {
	for _, apart := range []bool{false, true} {
		w := world(t, ecs.Options{Record: true, Layout: layout.Source{Off: true}})
		ecs.Register[b4](w, "a")
		ecs.Register[b16](w, "b")
		duo := ecs.GroupOf[struct {
			A b4
			B b16
		}](w, "duo")
		if apart {
			ecs.Apart(duo)
		}
		if _, err := duo.Spawn(struct {
			A b4
			B b16
		}{}); err != nil {
			t.Fatal(err)
		}
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []profile.Group{{Name: "duo", Owns: []string{"a", "b"}}, {Name: "table/a+b", Owns: []string{"a", "b"}, Rows: 1, Chunks: 1, Peak: 1, Last: 1}}
		if apart {
			want = []profile.Group{{Name: "duo", Owns: []string{"a", "b"}, Rows: 1, Chunks: 1, Peak: 1, Last: 1}}
		}
		if got := w.Facts().Groups; !reflect.DeepEqual(got, want) {
			t.Errorf("apart %v:\n%+v\nwant\n%+v", apart, got, want)
		}
	}
}

// The facts of a world are about its own names, tables aside.
func TestShape(t *testing.T) {
	s := newSmall(t, ecs.Options{})
	addSystem(t, s.w, "one", func(*readAB) {})
	want := layout.Shape{
		Systems:    []string{"one"},
		Groups:     []string{"duo"},
		Components: []string{"a", "b", "c", "t"},
	}
	if got := ecs.ShapeOf(s.w); !reflect.DeepEqual(got, want) {
		t.Errorf("\ngot  %+v\nwant %+v", got, want)
	}
}

// The map can be written, names every chunk, and the heat of a group's chunks together
// is the question of systems to the group.
func TestMapOfARecording(t *testing.T) {
	for _, on := range []bool{false, true} {
		for _, backend := range []arena.Backend{arena.Auto, arena.Heap} {
			o := ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Backend: backend}}}
			o.Record = on
			s, run := newSmall(t, o), filepath.Join(t.TempDir(), "run")
			addSystem(t, s.w, "own", func(*writeA) {})
			addSystem(t, s.w, "gathered", func(*gathered) {})
			addSystem(t, s.w, "without", func(*without) {})
			if err := profile.WriteRun(run, profile.Profile{}, s.w.Map()); err != nil {
				t.Fatalf("before the first frame: %v", err)
			}
			s.frames(t, 4)
			s.w.DestroyAll(ecs.Handles(s.es[4900:])) // the record stays, whoever dies
			m := s.w.Map()
			if err := profile.WriteRun(run, profile.Profile{}, m); err != nil {
				t.Fatal(err)
			}
			if m.Frame != 4 || len(m.Chunks) != s.w.Manager().Stats().Chunks {
				t.Errorf("frame %d, %d chunks", m.Frame, len(m.Chunks))
			}
			asked, heat, rows, chunks := map[string]uint64{}, map[string]uint64{}, uint64(0), map[string]uint64{}
			p := s.w.Facts()
			for _, sys := range p.Systems {
				for _, a := range sys.Access {
					asked[a.Group] += a.Bytes * 1000 / p.Frames
				}
			}
			for _, c := range m.Chunks {
				heat[c.Group] += c.Heat
				chunks[c.Group]++
				rows += c.Rows
			}
			if rows != s.w.Manager().Stats().Rows {
				t.Errorf("%d rows in the map, %d in the world", rows, s.w.Manager().Stats().Rows)
			}
			if on != (len(asked) == 3) { // duo, table/duo/a, table/c+t
				t.Errorf("recording %v: %v asked for", on, asked)
			}
			for group, n := range asked {
				if math.Abs(float64(n)-float64(heat[group])) > float64(chunks[group])+1 {
					t.Errorf("%s: %d bytes per 1,000 frames are asked for, the heat of its chunks is %d", group, n, heat[group])
				}
			}
			for group, n := range heat {
				if n > 0 && asked[group] == 0 {
					t.Errorf("%s has a heat of %d, and nobody asked for it", group, n)
				}
			}
		}
	}
}

// A group is known by its name and components, not by its number: others end, and
// later ones are in the facts all the same. The record of one that has ended stays.
func TestFactsAfterDissolve(t *testing.T) {
	type (
		onlyA struct{ A b4 }
		onlyB struct{ B b16 }
		onlyC struct{ C b24 }
	)
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	ecs.Register[b24](w, "c")
	first, second := ecs.Apart(ecs.GroupOf[onlyA](w, "first")), ecs.Apart(ecs.GroupOf[onlyB](w, "second"))
	ok(first.Spawn(onlyA{}))
	ok(second.Spawn(onlyB{}))
	addSystem(t, w, "read", func(*struct{ B []b16 }) {})
	run := func() {
		t.Helper()
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	run()
	ok(0, first.Dissolve())
	run() // fewer groups than in the frame before
	third := ecs.Apart(ecs.GroupOf[onlyC](w, "third"))
	ok(third.Spawn(onlyC{}))
	run()
	groups := func(want ...profile.Group) {
		t.Helper()
		p := w.Facts()
		if _, err := p.WriteTo(io.Discard); err != nil {
			t.Error(err)
		}
		if got := p.Groups; !reflect.DeepEqual(got, want) {
			t.Errorf("\ngot  %+v\nwant %+v", got, want)
		}
	}
	old := profile.Group{Name: "first", Owns: []string{"a"}, Rows: 1, Chunks: 1, Peak: 1}
	table := profile.Group{Name: "table/a", Owns: []string{"a"}, Rows: 2, Chunks: 2, Peak: 1, Last: 1}
	groups(old,
		profile.Group{Name: "second", Owns: []string{"b"}, Rows: 3, Chunks: 3, Peak: 1, Last: 1},
		profile.Group{Name: "third", Owns: []string{"c"}, Rows: 1, Chunks: 1, Peak: 1, Last: 1},
		table)

	// One of the same components goes on under the name. One of others begins anew.
	ok(0, third.Dissolve())
	ok(0, second.Dissolve())
	third = ecs.Apart(ecs.GroupOf[onlyC](w, "third"))
	ecs.Apart(ecs.GroupOf[onlyB](w, "first"))
	run()
	table.Rows, table.Chunks = 3, 3
	groups(
		profile.Group{Name: "second", Owns: []string{"b"}, Rows: 3, Chunks: 3, Peak: 1},
		profile.Group{Name: "third", Owns: []string{"c"}, Rows: 2, Chunks: 2, Peak: 1, Last: 1},
		profile.Group{Name: "first", Owns: []string{"b"}, Rows: 1, Chunks: 1, Peak: 1, Last: 1},
		table)
	var read []string
	for _, a := range w.Facts().Systems[0].Access {
		read = append(read, fmt.Sprint(a.Group, " ", a.Component, " ", a.Rows))
	}
	if want := []string{"second b 3", "first b 1"}; !reflect.DeepEqual(read, want) {
		t.Errorf("read %q, want %q", read, want)
	}
}

// A system's visits of a group are forgotten when one of other components has its name.
func TestVisitsOfAnotherGroupOfTheName(t *testing.T) {
	type (
		both struct {
			A b4
			B b16
		}
		onlyA struct{ A b4 }
	)
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	ecs.Register[b4](w, "a")
	ecs.Register[b16](w, "b")
	g := ecs.Apart(ecs.GroupOf[both](w, "g"))
	ok(g.Spawn(both{}))
	addSystem(t, w, "read", func(*struct {
		A []b4
		B []b16
	}) {
	})
	ok(0, w.Run(t.Context()))
	ok(0, g.Dissolve())
	ecs.Apart(ecs.GroupOf[onlyA](w, "g"))
	ok(0, w.Run(t.Context()))
	for _, a := range w.Facts().Systems[0].Access {
		if a.Component == "b" && a.Group == "g" {
			t.Errorf("b was read in rows that do not have it: %+v", a)
		}
	}
}
