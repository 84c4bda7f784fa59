package walk

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// disable disables and enables components of entities, in stretches and here and there.
func (s *stage) disable(r *rand.Rand) {
	if !s.disables {
		return
	}
	for range 12 {
		i := r.IntN(len(s.es))
		es := s.es[i:min(len(s.es), i+[]int{1, 64, 700}[r.IntN(3)])]
		var c *store.Component
		if k := r.IntN(len(s.comps) + 2); k < len(s.comps) {
			c = s.comps[k]
		}
		s.switchEach(c, es, r.IntN(3) == 0)
	}
	if err := s.Store.Check(); err != nil {
		s.t.Fatal(err)
	}
}

// switchEach disables or enables a component of entities that have it; nil: the entities as a whole.
func (s *stage) switchEach(c *store.Component, es []store.Entity, on bool) {
	for _, e := range es {
		_ = s.Store.SetEnabled(c, e, on)
	}
}

// enableAll enables everything.
func (s *stage) enableAll() {
	for _, c := range append(s.comps, nil) {
		s.switchEach(c, s.es, true)
	}
}

// see has a spec ask for disabled rows, too or alone.
func (s *stage) see(r *rand.Rand, q *Spec) {
	for _, c := range append(slices.Clone(q.Required), nil) {
		switch r.IntN(8) {
		case 0:
			q.Disabled = append(q.Disabled, c)
		case 1, 2:
			q.Present = append(q.Present, c)
		}
	}
}

// shown tells whether a component that an entity has is enabled or disabled as a spec asks for
// it; nil: the entity.
func (s *stage) shown(q *Spec, c *store.Component, e store.Entity) bool {
	enabled := c == nil && s.Store.Enabled(e) || c != nil && c.Enabled(e)
	switch {
	case slices.Contains(q.Disabled, c):
		return !enabled
	case slices.Contains(q.Present, c):
		return true
	}
	return enabled
}

// Single look-ups and pointers see the same as walks of slices.
func TestPointersToDisabled(t *testing.T) {
	s := newStage(t, 17, memmgr.Options{}, 32)
	s.disables = true
	r := rand.New(rand.NewPCG(5, 6))
	met := 0
	for range 60 {
		s.disable(r)
		c := NewCursor(NewPlan(&s.Base, s.spec(r, true)))
		want := s.want(&c.Spec)
		var got []store.Entity
		c.Each(raw.Of(&pointer{}), func(p raw.Ptr) bool {
			got = append(got, raw.As[pointer](p).E)
			return true
		})
		slices.Sort(got)
		if !slices.Equal(got, want) || c.Len() != len(want) {
			t.Fatalf("%d entities met, %d counted, want %d, of %+v", len(got), c.Len(), len(want), c.Spec)
		}
		for _, e := range s.es {
			if _, is := slices.BinarySearch(want, e); c.Matches(e) != is {
				t.Fatalf("%v matches: %v", e, !is)
			}
		}
		met += len(got)
	}
	if met < 2000 {
		t.Errorf("%d entities met in all: the specs match too few", met)
	}
}

// Of given rows, the ones with enabled components of their own pass; nothing is gathered.
func TestOverDisabled(t *testing.T) {
	for _, inRows := range []bool{false, true} {
		s := newStage(t, 13, memmgr.Options{}, 1<<20)
		r := rand.New(rand.NewPCG(1, 2))
		one := s.comps[0].Tables()[0]
		for range 10 {
			q := flat{Name: "over", Entities: int(offset[probe]("Es", 0)), Required: s.comps[:1],
				Columns: []source.Column{{Name: "V", Comp: s.comps[0], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0), Write: true}}}.spec()
			if inRows {
				q.InRows, q.Rows = true, offset[probe]("Rows", 0)
			}
			s.see(r, &q)
			p := NewPlan(&s.Base, q)
			p.Over(func() []Given {
				return []Given{{one.Seq, s.comps[:1], s.comps[:1]}, {s.group.Main.Seq, s.comps[6:7], s.comps[6:7]}}
			})
			c := NewCursor(p)
			for k, of := range []*store.Component{s.comps[0], s.comps[6]} {
				s.disables = true
				s.switchEach(of, s.es[k*100:], true)
				s.disable(r)
			}
			var want, met []store.Entity
			for k, seq := range []*memmgr.Sequence{one.Seq, s.group.Main.Seq} {
				of := s.comps[6*k]
				for id, n := range seq.Chunks() {
					for _, e := range s.Store.Entities(id, n) {
						if s.shown(&q, nil, e) && (slices.Contains(q.Present, s.comps[0]) || of.Enabled(e) != slices.Contains(q.Disabled, s.comps[0])) {
							want = append(want, e)
						}
					}
				}
			}
			c.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
				v := raw.As[probe](at)
				for _, i := range v.rows(c) {
					e := v.Es[i]
					of := s.comps[0]
					if !of.Has(e) || slices.Contains(met, e) || s.comps[6].Has(e) && v.Values[0][i] == *s.value(s.comps[6], e) {
						of = s.comps[6]
					}
					if &v.Values[0][i] != s.value(of, e) {
						t.Fatalf("%v: the value is not passed as it lies", e)
					}
					met = append(met, e)
				}
				return true
			})
			if !slices.Equal(met, want) || c.Len() != len(want) {
				t.Fatalf("%d entities met, %d counted, want %d in their order, of %+v", len(met), c.Len(), len(want), q)
			}
		}
	}
}

// B4: A component that was once disabled costs sources that exclude it, and no more: they are
// passed over while nobody has it disabled.
func TestDisabledAndExcluded(t *testing.T) {
	s := newStage(t, 19, memmgr.Options{}, 32)
	q := flat{Name: "without", Entities: int(offset[probe]("Es", 0)), Required: s.comps[1:2], Excluded: s.comps[:1]}.spec()
	c := NewCursor(NewPlan(&s.Base, q))
	before := len(s.want(&q))
	all := slices.DeleteFunc(slices.Clone(s.es), func(e store.Entity) bool { return !s.comps[0].Has(e) || !s.comps[1].Has(e) })
	if len(all) < 100 {
		t.Fatal("too few have both")
	}
	for _, n := range []int{0, 50, len(all), 0} {
		s.switchEach(s.comps[0], all, true)
		s.switchEach(s.comps[0], all[:n], false)
		if met := s.walk(c); len(met) != before+n || c.Len() != before+n {
			t.Errorf("%d are disabled: %d met, %d counted, want %d", n, len(met), c.Len(), before+n)
		}
		for i, e := range all {
			if c.Matches(e) != (i < n) {
				t.Fatalf("%v of which the first %d are disabled matches: %v", i, n, i >= n)
			}
		}
	}
}
