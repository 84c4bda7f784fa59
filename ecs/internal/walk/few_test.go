package walk

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// barren is rows of near, a third of them without bit, none with far, and few with thin. One other
// entity has both.
type barren struct {
	Base
	near, far, bit, thin store.Component
	es                   []store.Entity
	other                store.Entity
}

func newBarren(t *testing.T, n int) *barren {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	s := &barren{}
	s.Manager, s.Store, s.RunLength = m, store.New(m, store.Options{MaxEntities: 1 << 20, Policy: policy.Options{Off: true}}), RunLength
	spec, err := chunk.SpecOf(reflect.TypeFor[pair]())
	if err != nil {
		t.Fatal(err)
	}
	s.Store.Register(&s.near, "near", spec, store.Fixed, true)
	s.Store.Register(&s.far, "far", spec, store.Fixed, true)
	s.Store.Register(&s.bit, "bit", spec, store.Optional, true)
	s.Store.Register(&s.thin, "thin", spec, store.Thin, true)
	spawn := func(comps ...*store.Component) store.Entity {
		e, err := s.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range comps {
			if err := s.Store.Add(c, e, raw.Of(&pair{uint64(e), 1})); err != nil {
				t.Fatal(err)
			}
		}
		return e
	}
	for i := range n {
		comps := []*store.Component{&s.near}
		if i%3 > 0 {
			comps = append(comps, &s.bit)
		}
		if i%50 == 0 {
			comps = append(comps, &s.thin)
		}
		s.es = append(s.es, spawn(comps...))
	}
	s.other = spawn(&s.near, &s.far, &s.thin)
	return s
}

// mislead has the entries of all rows that lack a component lead to the value that the other entity
// has, until the test ends.
func (s *barren) mislead(t *testing.T, far *store.Component) {
	entries := far.Entries().Flat()
	good := slices.Clone(entries)
	t.Cleanup(func() { copy(entries, good) })
	const loc = 1<<store.VersionShift - 1
	for _, e := range s.es {
		if far.Has(e) {
			continue
		}
		entries[e.Index()] = uint64(e)&^loc | good[s.other.Index()]&loc
		if !far.Has(e) {
			t.Fatal("a look-up would not be noticed")
		}
	}
}

// Rows are not looked up for an optional component if no row of their table can have it, because
// it is a fixed one of the same owner. If few entities have it, no others are looked up. They read as
// zero, although all look-ups would find something.
func TestNoLookupWhereNoRowHasIt(t *testing.T) {
	s := newBarren(t, 3000)
	for _, tt := range []struct {
		name          string
		whole, part   bool
		write, inRows bool
	}{{name: "read", whole: true}, {name: "written", whole: true, write: true}, {name: "part", part: true}, {name: "twice", whole: true, part: true}, {name: "rows", whole: true, write: true, inRows: true}} {
		for _, far := range []*store.Component{&s.far, &s.thin} {
			for _, tested := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, %s, tested=%v", tt.name, far.Name, tested), func(t *testing.T) {
					q := flat{
						Name: "barren", Entities: int(offset[probe]("Es", 0)), InRows: tt.inRows, Rows: offset[probe]("Rows", 0),
						Required: []*store.Component{&s.near}, Presences: []source.Presence{{Offset: offset[probe]("Has", 0), Column: 1}},
						Columns: []source.Column{{Name: "Near", Comp: &s.near, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0)}},
					}.spec()
					if tt.whole {
						q.Columns = append(q.Columns, source.Column{Name: "V", Comp: far, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1), Optional: true, Write: tt.write})
					}
					if tt.part {
						q.Columns = append(q.Columns, source.Column{Name: "C", Comp: far, Part: source.Part{Offset: 8, Size: 8, Path: "n"}, Offset: offset[probe]("Counts", 0), Optional: true})
					}
					want := len(s.es)
					if tested {
						want, q.Excluded = want/3, []*store.Component{&s.bit}
					}
					has := make(map[store.Entity]pair)
					for _, e := range s.es {
						if l, ok := far.Loc(e); ok {
							has[e] = *raw.As[pair](far.At(l))
						}
					}
					c := NewCursor(NewPlan(&s.Base, q))
					s.mislead(t, far)
					for range 2 {
						if met := s.meet(t, c, has); met != want {
							t.Fatalf("%d entities met, want %d", met, want)
						}
					}
					for e, want := range has {
						if l, _ := far.Loc(e); *raw.As[pair](far.At(l)) != want {
							t.Fatalf("%v has %v, want %v", e, *raw.As[pair](far.At(l)), want)
						}
					}
					if l, _ := far.Loc(s.other); *raw.As[pair](far.At(l)) != (pair{uint64(s.other), 1}) {
						t.Error("what was written to zeros has arrived")
					}
				})
			}
		}
	}
	if err := s.Store.Check(); err != nil {
		t.Error(err)
	}
}

// meet walks once, compares passed rows with their values, and writes all that
// may be written. It returns how many rows it met.
func (s *barren) meet(t *testing.T, c *Cursor, has map[store.Entity]pair) (met int) {
	c.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
		v := raw.As[probe](p)
		for _, i := range v.rows(c) {
			e := v.Es[i]
			if e == s.other {
				continue
			}
			met++
			want, is := has[e]
			if v.Values[0][i] != (pair{uint64(e), 1}) || v.Has[0][i/64]>>(i%64)&1 != 0 != is {
				t.Fatalf("%v was looked up, or passed with %v; it has the component: %v", e, v.Values[0][i], is)
			}
			for _, x := range c.Columns[1:] {
				if x.Whole() && v.Values[1][i] != want || !x.Whole() && v.Counts[0][i] != want[1] {
					t.Fatalf("%v was looked up, or has not %v", e, want)
				}
				if x.Write {
					v.Values[1][i][1]++
					if is {
						has[e] = v.Values[1][i]
					}
				}
			}
		}
		return true
	})
	return met
}

// Nor are rows looked up that are passed one by one.
func TestNoLookupByPointersWhereNoRowHasIt(t *testing.T) {
	s := newBarren(t, 3000)
	for _, tested := range []bool{false, true} {
		t.Run(fmt.Sprintf("tested=%v", tested), func(t *testing.T) {
			q := flat{Name: "barren", Entities: int(offset[pointer]("E", 0)), Pointers: true, Required: []*store.Component{&s.near}, Columns: []source.Column{
				{Name: "Near", Comp: &s.near, Part: source.Part{Size: 16}, Offset: offset[pointer]("Values", 0), Write: true},
				{Name: "V", Comp: &s.far, Part: source.Part{Size: 16}, Offset: offset[pointer]("Values", 1), Optional: true, Write: true},
				{Name: "C", Comp: &s.far, Part: source.Part{Offset: 8, Size: 8, Path: "n"}, Offset: offset[pointer]("Counts", 0), Optional: true},
			}}.spec()
			want := len(s.es)
			if tested {
				want, q.Excluded = want/3, []*store.Component{&s.bit}
			}
			c := NewCursor(NewPlan(&s.Base, q))
			s.mislead(t, &s.far)
			met, astray := 0, pair{}
			c.Each(raw.Of(&pointer{}), func(p raw.Ptr) bool {
				v := raw.As[pointer](p)
				if v.E != s.other {
					if met++; v.Values[0][0] != uint64(v.E) || v.Values[1] != nil || v.Counts[0] != nil {
						t.Fatalf("%v was looked up, or passed with %v", v.E, v.Values[0])
					}
				}
				v.Values[1] = &astray // the next row has its own
				return true
			})
			if met != want {
				t.Errorf("%d entities met, want %d", met, want)
			}
		})
	}
}
