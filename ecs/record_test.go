package ecs_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// never is a rate at which nothing is timed or counted in a test.
const never = 1 << 30

// small is the hand-made world of these tests:
//
//	sequence     owns  rows
//	duo          a, b  5,000, of which every 50th has c and t
//	table/duo/a  a     30, of which every third has c
//	table/c+t    c, t  100
//	table/c      c     10 + 7
type small struct {
	w    *ecs.World
	a    *ecs.Pool[b4]
	b    *ecs.Pool[b16]
	c    *ecs.Pool[b24]
	t    *ecs.Pool[tag0]
	duos *ecs.Group[duo]
	es   []ecs.Entity // the duos
}

func newSmall(t testing.TB, o ecs.Options) *small {
	t.Helper()
	w := world(t, o)
	s := &small{w: w, a: ecs.Register[b4](w, "a"), b: ecs.Register[b16](w, "b"), c: ecs.Register[b24](w, "c"), t: ecs.Register[tag0](w, "t")}
	s.duos = ecs.Apart(ecs.GroupOf[duo](w, "duo"))
	s.es = make([]ecs.Entity, 5000)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.duos.SpawnN(s.es, []duo{{A: b4{1}}}))
	for i := 0; i < len(s.es); i += 50 {
		must(s.c.Add(s.es[i], b24{2}))
		must(s.t.Add(s.es[i], tag0{}))
	}
	for i := range 30 {
		e := ok(w.Spawn())
		must(s.a.Add(e, b4{3}))
		if i%3 == 0 {
			must(s.c.Add(e, b24{4}))
		}
	}
	for range 7 {
		must(s.c.Add(ok(w.Spawn()), b24{5}))
	}
	return s
}

func (s *small) frames(t testing.TB, n int) {
	t.Helper()
	for range n {
		if err := s.w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// Structs of the systems.
type (
	readAB struct {
		A []b4
		B []b16
	}
	writeA struct {
		A ecs.Write[b4]
		B []b16
	}
	writeC struct {
		C ecs.Write[b24]
	}
	both struct {
		A []b4
		C ecs.Write[b24]
	}
	gathered struct {
		A ecs.Write[b4]
		C []b24 // in fewer entities than a: it is gone over, and a is gathered
		T ecs.With[tag0]
	}
	maybe struct {
		B []b16
		C ecs.MaybeWrite[b24]
		H ecs.Has `ashlar:"c"`
	}
	without struct {
		A ecs.Write[b4]
		_ ecs.Without[tag0]
	}
	pointers struct {
		B ecs.WriteOne[b16]
		A *b4
		E ecs.Entity
	}
	onlyWith struct {
		Ents []ecs.Entity
		_    ecs.With[tag0]
	}
	handles struct {
		C    []b24
		Look *ecs.Pool[b4]
	}
	nobody struct {
		T ecs.With[tag0]
		B ecs.Write[b16]
		_ ecs.Without[b24]
	}
)

// addSystem is ecs.System where nothing is refused.
func addSystem[S any](t testing.TB, w *ecs.World, name string, f func(*S), options ...ecs.SystemOption) {
	t.Helper()
	ecs.System(w, name, f, options...)
}

// The columns that each kind of system touches, to the row: in place where the sequence has the
// column, scattered under the name of the table of most values where it has not.
func TestFactsOfSystems(t *testing.T) {
	access := func(group, component string, write, scattered bool, rows, chunks, size uint64) profile.Access {
		return profile.Access{Group: group, Component: component, Write: write, Scattered: scattered, Rows: rows, Chunks: chunks, Bytes: rows * size}
	}
	const r, w, inPlace, scattered = false, true, false, true
	for _, c := range []struct {
		name string
		add  func(t testing.TB, s *small, name string)
		want []profile.Access // of one frame; duo has 3 chunks

		matched, tested uint64
	}{
		{"a group's own columns", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(*readAB) {})
		}, []profile.Access{access("duo", "a", r, inPlace, 5000, 3, 4), access("duo", "b", r, inPlace, 5000, 3, 16)}, 5000, 0},
		{"one of them written", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *writeA) { c.A[0][1]++ })
		}, []profile.Access{access("duo", "a", w, inPlace, 5000, 3, 4), access("duo", "b", r, inPlace, 5000, 3, 16)}, 5000, 0},
		{"tables", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *writeC) { c.C[0][1]++ })
		}, []profile.Access{access("table/c", "c", w, inPlace, 17, 1, 24), access("table/c+t", "c", w, inPlace, 100, 1, 24)}, 117, 0},
		{"tables, and a component that a group owns", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *both) { c.C[0][1]++ })
		}, []profile.Access{access("duo", "a", r, scattered, 110, 2, 4), access("table/c", "c", w, inPlace, 10, 1, 24), access("table/c+t", "c", w, inPlace, 100, 1, 24)}, 110, 117},
		{"a gathered column is written", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *gathered) { c.A[0][1]++ })
		}, []profile.Access{access("duo", "a", w, scattered, 100, 1, 4), access("table/c+t", "c", r, inPlace, 100, 1, 24)}, 100, 100},
		{"an optional column", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *maybe) {
				for i := range c.C {
					if c.H.Has(i) {
						c.C[i][1]++
					}
				}
			})
		}, []profile.Access{access("duo", "b", r, inPlace, 5000, 3, 16), {Group: "table/c+t", Component: "c", Write: true, Scattered: true, Rows: 5000, Chunks: 3, Bytes: 117 * 24}}, 5000, 0},
		{"what another component excludes", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *without) { c.A[0][1]++ })
		}, []profile.Access{access("duo", "a", w, inPlace, 4900, 3, 4), access("table/duo/a", "a", w, inPlace, 30, 1, 4)}, 4930, 5030},
		{"row by row", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *pointers) { c.B[1]++ })
		}, []profile.Access{access("duo", "b", w, inPlace, 5000, 3, 16), access("duo", "a", r, inPlace, 5000, 3, 4)}, 5000, 0},
		{"no column at all", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *onlyWith) {})
		}, nil, 100, 0},
		{"handles are not seen", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *handles) { c.Look.Get(s.es[0]) })
		}, []profile.Access{access("table/c", "c", r, inPlace, 17, 1, 24), access("table/c+t", "c", r, inPlace, 100, 1, 24)}, 117, 0},
		{"nothing matches", func(t testing.TB, s *small, name string) {
			addSystem(t, s.w, name, func(c *nobody) { t.Error("somebody has t and b and not c") })
		}, nil, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSmall(t, ecs.Options{Record: true, TimeEvery: never})
			if n := ecs.RowsOf(s.duos).ChunkCount(); n != 3 {
				t.Fatalf("the duos are in %d chunks: the figures below are for 3", n)
			}
			name := "the-system"
			c.add(t, s, name)
			const frames = 7
			s.frames(t, frames)
			want := profile.Profile{Frames: frames, Systems: []profile.System{{Name: name, Frames: frames, Matched: frames * c.matched, Tested: frames * c.tested}}}
			for _, a := range c.want {
				a.Rows, a.Chunks, a.Bytes = a.Rows*frames, a.Chunks*frames, a.Bytes*frames
				want.Systems[0].Access = append(want.Systems[0].Access, a)
			}
			got := s.w.Facts()
			checkFacts(t, s.w, got)
			got = canonical(got)
			for i := range got.Systems {
				got.Systems[i].Choices = nil // the views have tests of their own, as lines have
				withoutLines(got.Systems[i].Access)
			}
			if !reflect.DeepEqual(got.Systems, canonical(want).Systems) || got.Frames != frames {
				t.Errorf("\ngot  %+v\nwant %+v", got.Systems, want.Systems)
			}
		})
	}
}

// canonical returns a profile in the order in which it is written.
func canonical(p profile.Profile) profile.Profile {
	p, err := profile.Merge(p, profile.Profile{})
	if err != nil {
		panic(err)
	}
	return p
}

// checkFacts checks conditions that all recorded facts meet: they can be written
// and read back as they were, and are about the program that they were recorded in.
func checkFacts(t *testing.T, w *ecs.World, p profile.Profile) {
	t.Helper()
	if _, err := p.WriteTo(io.Discard); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if _, err := p.WriteTo(&text); err != nil {
		t.Fatal(err)
	}
	back, err := profile.Parse("facts", strings.NewReader(text.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if !reflect.DeepEqual(back, canonical(p)) {
		t.Errorf("written and read back:\n%+v\nthey were\n%+v", back, canonical(p))
	}
}

// A field of a component is copied from the rows that are walked, in their order. It comes from
// rows elsewhere only if these do not have the component.
func TestFactsOfParts(t *testing.T) {
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	type pair struct{ X, Y float32 }
	a, p := ecs.Register[b4](w, "a"), ecs.Register[pair](w, "pair")
	for range 10 {
		e := ok(w.Spawn())
		if err := errors.Join(a.Add(e, b4{}), p.Add(e, pair{})); err != nil {
			t.Fatal(err)
		}
	}
	addSystem(t, w, "part", func(*struct {
		A []b4
		X []float32 `ashlar:"pair.X"`
	}) {
	})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []profile.Access{
		{Group: "table/a+pair", Component: "a", Rows: 10, Chunks: 1, Bytes: 40},
		{Group: "table/a+pair", Component: "pair", Rows: 10, Chunks: 1, Bytes: 40},
	}
	if got := withoutLines(w.Facts().Systems[0].Access); !reflect.DeepEqual(got, want) {
		t.Errorf("\ngot  %+v\nwant %+v", got, want)
	}
}

// Rows that cannot have an optional component are no access of it: nothing is looked up.
func TestFactsOfWhatIsNowhere(t *testing.T) {
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	a, c := ecs.Register[b4](w, "a"), ecs.Register[b24](w, "c")
	for i := range 10 {
		e := ok(w.Spawn())
		ok(0, a.Add(e, b4{}))
		if i < 3 {
			ok(0, c.Add(e, b24{}))
		}
	}
	addSystem(t, w, "perhaps", func(*struct {
		A []b4
		C ecs.Maybe[b24]
	}) {
	})
	ok(0, w.Run(t.Context()))
	want := []profile.Access{
		{Group: "table/a", Component: "a", Rows: 7, Chunks: 1, Bytes: 28},
		{Group: "table/a+c", Component: "a", Rows: 3, Chunks: 1, Bytes: 12},
		{Group: "table/a+c", Component: "c", Rows: 3, Chunks: 1, Bytes: 72},
	}
	if got := withoutLines(canonical(w.Facts()).Systems[0].Access); !reflect.DeepEqual(got, want) {
		t.Errorf("\ngot  %+v\nwant %+v", got, want)
	}
}

// A system over many groups of one shape is noted by group, with each one's own
// component, whether the group's only chunk is found as it was or anew.
func TestFactsOver(t *testing.T) {
	w := world(t, ecs.Options{Record: true, TimeEvery: never})
	type solo struct{ HP hp }
	var groups []ecs.AnyGroup
	var sizes []int
	ecs.Register[hp](w, "hp")
	for i, n := range []int{3, 0, 20_000, 40} {
		g := ecs.Apart(ecs.GroupOf[solo](w, fmt.Sprintf("g%d", i), ecs.Register[hp](w, fmt.Sprintf("hp%d", i))))
		if err := g.SpawnN(make([]ecs.Entity, n), []solo{{}}); err != nil {
			t.Fatal(err)
		}
		groups, sizes = append(groups, g), append(sizes, n)
	}
	type hurt struct {
		HP ecs.Write[hp] `ashlar:"hp"`
	}
	rows := 0
	addSystem(t, w, "hurt", func(c *hurt) { rows += len(c.HP) }, ecs.OnlyIn(groups...))
	const frames = 5
	for range frames {
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var want []profile.Access
	for i, n := range sizes {
		if chunks := ecs.RowsOf(groups[i]).ChunkCount(); n > 0 {
			want = append(want, profile.Access{Group: fmt.Sprint("g", i), Component: fmt.Sprint("hp", i), Write: true,
				Rows: frames * uint64(n), Chunks: frames * uint64(chunks), Bytes: frames * uint64(n) * 4})
		}
	}
	got := w.Facts()
	checkFacts(t, w, got)
	if !reflect.DeepEqual(withoutLines(got.Systems[0].Access), want) || rows != frames*20_043 {
		t.Errorf("%d rows\ngot  %+v\nwant %+v", rows, got.Systems[0].Access, want)
	}
}

// The order of systems and of their visits is the order of the run, and sums go on where
// a sequence comes and goes in a system's walk.
func TestFactsAreInOrder(t *testing.T) {
	s := newSmall(t, ecs.Options{Record: true, TimeEvery: never})
	addSystem(t, s.w, "z", func(*without) {})
	addSystem(t, s.w, "a", func(*readAB) {})
	s.frames(t, 2)
	for i := 0; i < len(s.es); i++ { // all rows of z are in the other table now
		if err := s.b.Remove(s.es[i]); err != nil {
			t.Fatal(err)
		}
	}
	s.frames(t, 2)
	for i := 0; i < 1000; i++ { // and some in the group again
		if err := s.b.Add(s.es[i], b16{}); err != nil {
			t.Fatal(err)
		}
	}
	s.frames(t, 2)
	p := s.w.Facts()
	checkFacts(t, s.w, p)
	if len(p.Systems) != 2 || p.Systems[0].Name != "z" || p.Systems[1].Name != "a" {
		t.Fatalf("systems %+v", p.Systems)
	}
	z := p.Systems[0].Access
	if len(z) != 2 || z[0].Group != "duo" || z[1].Group != "table/duo/a" ||
		z[0].Rows != 2*4900+2*980 || z[1].Rows != 2*30+2*4930+2*(30+3920) {
		t.Errorf("z touched %+v", z)
	}
}
