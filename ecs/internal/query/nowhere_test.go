package query

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// barren is rows of near, a third of them without bit, and none with far, which one other entity has.
type barren struct {
	Base
	near, far, bit store.Component
	es             []store.Entity
	other          store.Entity
}

func newBarren(t *testing.T, n int) *barren {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	s := &barren{}
	s.M, s.S, s.RunLength = m, store.New(m, store.Options{MaxEntities: 1 << 20, Policy: policy.Options{Off: true}}), RunLength
	spec, err := chunk.SpecOf(reflect.TypeFor[pair]())
	if err != nil {
		t.Fatal(err)
	}
	s.S.Register(&s.near, "near", spec, store.Fixed, true)
	s.S.Register(&s.far, "far", spec, store.Fixed, true)
	s.S.Register(&s.bit, "bit", spec, store.Optional, true)
	spawn := func(comps ...*store.Component) store.Entity {
		e, err := s.S.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range comps {
			if err := s.S.Add(c, e, raw.Of(&pair{uint64(e), 1})); err != nil {
				t.Fatal(err)
			}
		}
		return e
	}
	for i := range n {
		if i%3 == 0 {
			s.es = append(s.es, spawn(&s.near))
		} else {
			s.es = append(s.es, spawn(&s.near, &s.bit))
		}
	}
	s.other = spawn(&s.near, &s.far)
	return s
}

// mislead has the entries of all rows lead to the value that the other entity has, until the
// test ends.
func (s *barren) mislead(t *testing.T) {
	entries := s.far.Home().Flat()
	good := slices.Clone(entries)
	t.Cleanup(func() { copy(entries, good) })
	const loc = 1<<store.VersionShift - 1
	for _, e := range s.es {
		entries[e.Index()] = uint64(e)&^loc | good[s.other.Index()]&loc
		if !s.far.Has(e) {
			t.Fatal("a look-up would not be noticed")
		}
	}
}

// No row is looked up for an optional component that no row of its table can have, because it is a
// fixed one of the same owner: the rows read as zero. All look-ups would find something.
func TestNoLookupWhereNoRowHasIt(t *testing.T) {
	s := newBarren(t, 3000)
	values, counts := offset[probe]("Values", 1), offset[probe]("Counts", 0)
	whole := Column{Name: "V", Comp: &s.far, Part: Part{Size: 16}, Offset: values, Optional: true}
	part := Column{Name: "C", Comp: &s.far, Part: Part{8, 8, "n"}, Offset: counts, Optional: true}
	written := whole
	written.Write = true
	for _, tt := range []struct {
		name   string
		far    []Column
		inRows bool
	}{
		{"read", []Column{whole}, false}, {"written", []Column{written}, false}, {"a part", []Column{part}, false},
		{"twice", []Column{whole, part}, false}, {"rows", []Column{written}, true},
	} {
		for _, tested := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, tested=%v", tt.name, tested), func(t *testing.T) {
				q := Spec{
					Name: "barren", Entities: int(offset[probe]("Es", 0)), InRows: tt.inRows, Rows: offset[probe]("Rows", 0),
					Required: []*store.Component{&s.near}, Presences: []Presence{{offset[probe]("Has", 0), 1}},
					Columns: append([]Column{{Name: "Near", Comp: &s.near, Part: Part{Size: 16}, Offset: offset[probe]("Values", 0)}}, tt.far...),
				}
				want := len(s.es)
				if tested {
					want, q.Excluded = want/3, []*store.Component{&s.bit}
				}
				c := NewCursor(NewPlan(&s.Base, q))
				s.mislead(t)
				for range 2 {
					met := 0
					c.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
						v := raw.As[probe](p)
						for _, i := range v.rows(c) {
							e := v.Es[i]
							if e == s.other {
								continue
							}
							if met++; v.Values[0][i] != (pair{uint64(e), 1}) || v.Has[0][i/64]>>(i%64)&1 != 0 {
								t.Fatalf("%v was looked up, or passed with %v", e, v.Values[0][i])
							}
							for _, x := range tt.far {
								if x.Whole() && v.Values[1][i] != (pair{}) || !x.Whole() && v.Counts[0][i] != 0 {
									t.Fatalf("%v was looked up", e)
								}
								if x.Write {
									v.Values[1][i] = pair{2, 2} // it goes nowhere
								}
							}
						}
						return true
					})
					if met != want {
						t.Fatalf("%d entities met, want %d", met, want)
					}
				}
				if l, _ := s.far.Loc(s.other); *raw.As[pair](s.far.At(l)) != (pair{uint64(s.other), 1}) {
					t.Error("what was written to zeros has arrived")
				}
			})
		}
	}
	if err := s.S.Check(); err != nil {
		t.Error(err)
	}
}

// Nor are rows looked up that are passed one by one.
func TestNoLookupByPointersWhereNoRowHasIt(t *testing.T) {
	s := newBarren(t, 3000)
	for _, tested := range []bool{false, true} {
		t.Run(fmt.Sprintf("tested=%v", tested), func(t *testing.T) {
			q := Spec{Name: "barren", Entities: int(offset[pointer]("E", 0)), Pointers: true, Required: []*store.Component{&s.near}, Columns: []Column{
				{Name: "Near", Comp: &s.near, Part: Part{Size: 16}, Offset: offset[pointer]("Values", 0), Write: true},
				{Name: "V", Comp: &s.far, Part: Part{Size: 16}, Offset: offset[pointer]("Values", 1), Optional: true, Write: true},
				{Name: "C", Comp: &s.far, Part: Part{8, 8, "n"}, Offset: offset[pointer]("Counts", 0), Optional: true},
			}}
			want := len(s.es)
			if tested {
				want, q.Excluded = want/3, []*store.Component{&s.bit}
			}
			c := NewCursor(NewPlan(&s.Base, q))
			s.mislead(t)
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
