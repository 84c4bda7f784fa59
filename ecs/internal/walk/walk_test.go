package walk

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// pair is a value: its entity, and how often it was written.
type pair [2]uint64

// stage is a store with components of all ways, and a group.
type stage struct {
	Base
	t     *testing.T
	comps []*store.Component
	group *store.Owner
	es    []store.Entity

	disables bool // specs ask for disabled components
}

// changing is the component that may change over.
const changing = 3

func newStage(t *testing.T, seed uint64, o memmgr.Options, runLength int) *stage {
	m, err := memmgr.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	s := &stage{t: t}
	s.Manager, s.Store, s.RunLength = m, store.New(m, store.Options{MaxEntities: 1 << 20, Policy: policy.Options{Off: true, Work: 60 * policy.CostMove}}), runLength
	spec, err := chunk.SpecOf(reflect.TypeFor[pair]())
	if err != nil {
		t.Fatal(err)
	}
	for i, way := range []store.Way{store.Fixed, store.Fixed, store.Fixed, store.Optional, store.Optional, store.Thin, store.Fixed, store.Fixed} {
		c := &store.Component{}
		s.Store.Register(c, fmt.Sprint("c", i), spec, way, i != changing)
		s.comps = append(s.comps, c)
	}
	s.group, err = s.Store.Declare("group", s.comps[6:7], s.comps[7:8])
	if err != nil {
		t.Fatal(err)
	}
	s.change(rand.New(rand.NewPCG(seed, 1)), 3000)
	return s
}

// change makes so many random changes. Long stretches of entities have a component alike, so
// that there are runs.
func (s *stage) change(r *rand.Rand, n int) {
	for range n {
		switch {
		case len(s.es) < 2000 || r.IntN(20) == 0:
			e, err := s.Store.Spawn()
			if err != nil {
				s.t.Fatal(err)
			}
			s.es = append(s.es, e)
			for i, c := range s.comps {
				often := []int{9, 7, 2, 8, 3, 1, 8, 5}[i]
				if len(s.es)/500%2 == 1 && i == 3 {
					often = 10
				}
				if r.IntN(10) < often {
					s.add(c, e)
				}
			}
		case r.IntN(20) == 0:
			i := r.IntN(len(s.es))
			if err := s.Store.Destroy(s.es[i]); err != nil {
				s.t.Fatal(err)
			}
			s.es = slices.Delete(s.es, i, i+1)
		default:
			e, c := s.es[r.IntN(len(s.es))], s.comps[r.IntN(len(s.comps))]
			if c.Has(e) {
				if err := s.Store.Remove(c, e); err != nil {
					s.t.Fatal(err)
				}
			} else {
				s.add(c, e)
			}
		}
	}
}

func (s *stage) add(c *store.Component, e store.Entity) {
	v := pair{uint64(e)*16 + uint64(c.ID), 0}
	if err := s.Store.Add(c, e, raw.Of(&v)); err != nil {
		s.t.Fatal(err)
	}
}

// value is the store's value; nil if the entity lacks it.
func (s *stage) value(c *store.Component, e store.Entity) *pair {
	l, ok := c.Loc(e)
	if !ok {
		return nil
	}
	return raw.As[pair](c.At(l))
}

// probe has a field for whatever a spec may ask for.
type probe struct {
	Es     []store.Entity
	Values [4][]pair
	Counts [2][]uint64 // the second halves
	Has    [2][]uint64
	Rows   []uint16
}

// pointer is the same for one row at a time.
type pointer struct {
	E      store.Entity
	Values [4]*pair
	Counts [2]*uint64
}

func offset[T any](field string, i int) uintptr {
	f, _ := reflect.TypeFor[T]().FieldByName(field)
	if f.Type.Kind() == reflect.Array {
		return f.Offset + uintptr(i)*f.Type.Elem().Size()
	}
	return f.Offset
}

// spec is a random one.
func (s *stage) spec(r *rand.Rand, pointers bool) (q Spec) {
	at := func(field string, i int) uintptr {
		if pointers {
			return offset[pointer](field, i)
		}
		return offset[probe](field, i)
	}
	q = flat{Name: "probe", Entities: int(at("E"+map[bool]string{false: "s"}[pointers], 0)), Pointers: pointers}.spec()
	if !pointers && r.IntN(3) == 0 {
		q.InRows, q.Rows = true, at("Rows", 0)
	}
	order := r.Perm(len(s.comps))
	for i := range 1 + r.IntN(4) {
		x := source.Column{Name: fmt.Sprint("V", i), Comp: s.comps[order[i]], Part: source.Part{Size: 16}, Offset: at("Values", i), Write: r.IntN(2) == 0, Optional: i > 0 && r.IntN(4) == 0}
		if x.Optional && !pointers && len(q.Presences) < 2 {
			q.Presences = append(q.Presences, source.Presence{Offset: at("Has", len(q.Presences)), Column: len(q.Columns)})
		}
		q.Columns = append(q.Columns, x)
		if !x.Optional {
			q.Required = append(q.Required, x.Comp)
		}
	}
	rest := order[len(q.Columns):]
	for i := range r.IntN(3) {
		c := s.comps[rest[i]]
		x := source.Column{Name: fmt.Sprint("C", i), Comp: c, Part: source.Part{Offset: 8, Size: 8, Path: "n"}, Offset: at("Counts", i), Write: r.IntN(2) == 0, Optional: r.IntN(4) == 0}
		q.Columns = append(q.Columns, x)
		if !x.Optional {
			q.Required = append(q.Required, c)
		}
	}
	rest = rest[2:]
	if r.IntN(2) == 0 {
		q.Excluded = append(q.Excluded, s.comps[rest[0]])
	}
	if len(rest) > 1 && r.IntN(3) == 0 {
		q.Required = append(q.Required, s.comps[rest[1]])
	}
	for n := r.IntN(3); n > 0 && r.IntN(2) == 0; n-- {
		order := r.Perm(len(s.comps))[:1+r.IntN(3)]
		var list []*store.Component
		for _, i := range order {
			list = append(list, s.comps[i])
		}
		q.Any = append(q.Any, list)
	}
	if len(q.Any) > 0 && r.IntN(3) == 0 { // nothing else is required
		q.Required = nil
		for j := range q.Columns {
			q.Columns[j].Optional = q.Columns[j].Whole()
		}
		q.Columns = slices.DeleteFunc(q.Columns, func(x source.Column) bool { return !x.Optional })
		q.Presences = nil
	}
	if s.disables {
		s.see(r, &q)
	}
	return q
}

// want is the entities that a spec matches, by look-ups alone, in ascending order.
func (s *stage) want(q *Spec) (es []store.Entity) {
	for _, e := range s.es {
		lacks := func(c *store.Component) bool { return !c.Has(e) || !s.shown(q, c, e) }
		has := func(c *store.Component) bool { return c.Has(e) && c.Enabled(e) }
		if !slices.ContainsFunc(q.Required, lacks) && !slices.ContainsFunc(q.Excluded, has) && s.shown(q, nil, e) &&
			!slices.ContainsFunc(q.Any, func(list []*store.Component) bool { return !slices.ContainsFunc(list, has) }) {
			es = append(es, e)
		}
	}
	slices.Sort(es)
	return es
}

// walk goes over slices and compares each value with the store's. It writes the values that
// may be written. It returns whom it met.
func (s *stage) walk(c *Cursor) (met []store.Entity) {
	v := &probe{}
	marks := map[*uint64]uint64{}
	c.Each(raw.Of(v), func(p raw.Ptr) bool {
		v := raw.As[probe](p)
		rows := v.rows(c)
		for _, i := range rows {
			met = append(met, v.Es[i])
		}
		for j := range c.Columns {
			s.column(c, j, v, rows, marks)
		}
		return true
	})
	for at, n := range marks {
		if *at != n {
			s.t.Fatalf("%v was written, and is %d", n, *at)
		}
	}
	return met
}

// rows are the numbers of the rows that match.
func (v *probe) rows(c *Cursor) []uint16 {
	if c.InRows {
		return v.Rows
	}
	return firstRowsOf(len(v.Es))
}

func firstRowsOf(n int) []uint16 {
	var rows []uint16
	for i := range n {
		rows = append(rows, uint16(i))
	}
	return rows
}

// column compares one column of a batch, and writes it.
func (s *stage) column(c *Cursor, j int, v *probe, rows []uint16, marks map[*uint64]uint64) {
	x := &c.Columns[j]
	has := slices.IndexFunc(c.Presences, func(p source.Presence) bool { return p.Column == j })
	if has >= 0 {
		has = int((c.Presences[has].Offset - offset[probe]("Has", 0)) / raw.Size[[]uint64]())
	}
	for _, i := range rows {
		e := v.Es[i]
		is := s.value(x.Comp, e)
		if is == nil && !x.Optional {
			s.t.Fatalf("%v lacks %s", e, x.Comp.Name)
		}
		if has >= 0 && (v.Has[has][i/64]>>(i%64)&1 != 0) != (is != nil) {
			s.t.Fatalf("%v has %s: %v, presence says otherwise", e, x.Comp.Name, is != nil)
		}
		var got *uint64
		if !x.Whole() {
			got = &raw.As[probe](raw.Of(v)).Counts[(x.Offset-offset[probe]("Counts", 0))/raw.Size[[]uint64]()][i]
		} else {
			p := &v.Values[(x.Offset-offset[probe]("Values", 0))/raw.Size[[]uint64]()][i]
			if want := (pair{}); is != nil && p[0] != is[0] || is == nil && *p != want {
				s.t.Fatalf("%v: %s is %v, want %v", e, x.Comp.Name, *p, is)
			}
			got = &p[1]
		}
		if is == nil {
			if *got != 0 {
				s.t.Fatalf("%v lacks %s, and it is %d", e, x.Comp.Name, *got)
			}
			continue
		}
		if *got != is[1] {
			s.t.Fatalf("%v: %s was written %d times, want %d", e, x.Comp.Name, *got, is[1])
		}
		if x.Write {
			marks[&is[1]] = *got + 1
			*got++
		}
	}
}

// marked checks that a walk has marked the chunks of its writes, and no others.
func (s *stage) marked(c *Cursor, met []store.Entity, tick uint64) {
	for _, e := range met {
		for j := range c.Columns {
			x := &c.Columns[j]
			if l, ok := x.Comp.Loc(e); ok && (x.Comp.Dir.CellOf(l).Stamp == tick) != x.Write {
				s.t.Fatalf("%s of %v is written: %v, and marked: %v", x.Comp.Name, e, x.Write, !x.Write)
			}
		}
	}
}

// A walk meets all that match, each once, with the values that the store has, whatever form
// they are passed in, and writes arrive.
func TestWalks(t *testing.T) {
	for _, o := range []struct {
		name string
		m    memmgr.Options
		run  int
	}{
		{"plain", memmgr.Options{}, 32}, {"runs", memmgr.Options{}, 1}, {"gathered", memmgr.Options{}, 1 << 20},
		{"stress", memmgr.Options{Stress: true}, 8}, {"heap", memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}, 32},
		{"disabled", memmgr.Options{}, 32}, {"disabled, runs", memmgr.Options{Stress: true}, 1}, {"disabled, gathered", memmgr.Options{}, 1 << 20},
	} {
		t.Run(o.name, func(t *testing.T) {
			s := newStage(t, 7, o.m, o.run)
			r := rand.New(rand.NewPCG(3, 4))
			s.disables = strings.HasPrefix(o.name, "disabled")
			var cursors []*Cursor
			for range 60 {
				cursors = append(cursors, NewCursor(NewPlan(&s.Base, s.spec(r, false))))
			}
			total := 0
			for range 4 {
				for _, c := range cursors {
					want := s.want(&c.Spec)
					tick := s.Manager.Advance() + 1
					met := s.walk(c)
					s.marked(c, met, tick)
					slices.Sort(met)
					if !slices.Equal(met, want) {
						t.Fatalf("%d entities met, want %d, of %+v", len(met), len(want), c.Spec)
					}
					if n := c.Len(); n != len(want) {
						t.Fatalf("Len is %d, want %d", n, len(want))
					}
					total += len(met)
					for _, x := range c.Columns {
						if x.Comp.Lent() {
							t.Fatalf("%s is lent after the walk", x.Comp.Name)
						}
					}
				}
				s.change(r, 300)
				s.disable(r)
				if _, err := s.Manager.Reclaim(1 << 20); err != nil {
					t.Fatal(err)
				}
				s.Manager.Advance()
				if err := s.Manager.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
			if total < 20_000 {
				t.Errorf("%d entities met in all: the specs match too few", total)
			}
			if err := s.Store.Check(); err != nil {
				t.Error(err)
			}
			if s.disables {
				s.enableAll()
				for _, c := range cursors {
					if met, want := s.walk(c), s.want(&c.Spec); len(met) != len(want) || c.Len() != len(want) || c.hides() != (len(c.Disabled) > 0) {
						t.Fatalf("everything is enabled: %d met, %d counted, want %d of %+v", len(met), c.Len(), len(want), c.Spec)
					}
				}
			}
		})
	}
}

// A walk of pointers points to the values themselves, row by row, and marks columns that it may
// write.
func TestWalksOfPointers(t *testing.T) {
	s := newStage(t, 9, memmgr.Options{}, 32)
	r := rand.New(rand.NewPCG(5, 6))
	for range 60 {
		c := NewCursor(NewPlan(&s.Base, s.spec(r, true)))
		want := s.want(&c.Spec)
		var met []store.Entity
		tick := s.Manager.Advance() + 1
		check := func(v *pointer) {
			for _, x := range c.Columns {
				is := s.value(x.Comp, v.E)
				if !x.Whole() {
					var part *uint64
					if is != nil {
						part = &is[1]
					}
					if got := v.Counts[(x.Offset-offset[pointer]("Counts", 0))/raw.Size[*pair]()]; got != part {
						t.Fatalf("%v: the part of %s is at %p, want %p", v.E, x.Comp.Name, got, part)
					}
				} else if got := v.Values[(x.Offset-offset[pointer]("Values", 0))/raw.Size[*pair]()]; got != is {
					t.Fatalf("%v: %s is at %p, want %p", v.E, x.Comp.Name, got, is)
				}
				if l, ok := x.Comp.Loc(v.E); ok && x.Write && x.Comp.Dir.CellOf(l).Stamp != tick {
					t.Fatalf("%v: %s may be written, and is not marked", v.E, x.Comp.Name)
				}
			}
		}
		c.Each(raw.Of(&pointer{}), func(p raw.Ptr) bool {
			v := raw.As[pointer](p)
			met = append(met, v.E)
			check(v)
			return true
		})
		slices.Sort(met)
		if !slices.Equal(met, want) {
			t.Fatalf("%d entities met, want %d, of %+v", len(met), len(want), c.Spec)
		}
		for _, e := range s.es[:100] {
			_, is := slices.BinarySearch(want, e)
			if c.Matches(e) != is {
				t.Fatalf("%v matches: %v", e, !is)
			}
			if is {
				v := &pointer{}
				c.Point(e, raw.Of(v))
				check(v)
			}
		}
	}
}

// Walks within walks are the same, whether of one cursor or of two over one plan; and a walk
// ends when it is told to.
func TestNestedWalks(t *testing.T) {
	s := newStage(t, 11, memmgr.Options{}, 32)
	r := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		q := s.spec(r, false)
		for j := range q.Columns {
			q.Columns[j].Write = false
		}
		p := NewPlan(&s.Base, q)
		a, b := NewCursor(p), NewCursor(p)
		want := len(s.want(&q))
		batches, rows := 0, 0
		count := func(c *Cursor, most int) (n int) {
			batches := 0
			c.Each(raw.Of(&probe{}), func(v raw.Ptr) bool {
				n += len(raw.As[probe](v).rows(c))
				batches++
				return batches != most
			})
			return n
		}
		a.Each(raw.Of(&probe{}), func(v raw.Ptr) bool {
			if rows += len(raw.As[probe](v).rows(a)); batches%3 == 0 {
				if n, m := count(a, 0), count(b, 0); n != want || m != want {
					t.Fatalf("a walk within a walk meets %d and %d entities, want %d", n, m, want)
				}
			}
			batches++
			return true
		})
		if rows != want {
			t.Fatalf("%d entities met around other walks, want %d", rows, want)
		}
		if batches > 1 {
			if n := count(a, 1); n == 0 || n >= want {
				t.Errorf("a walk that ends after a batch meets %d of %d entities", n, want)
			}
		}
		if s.Walks.Busy != "" {
			t.Fatalf("%q iterates still", s.Walks.Busy)
		}
	}
}

// Given rows are met in their order, each column standing for the given component.
func TestOver(t *testing.T) {
	s := newStage(t, 13, memmgr.Options{}, 32)
	one, two := s.comps[0].Tables()[0], s.comps[0].Tables()[1]
	q := flat{Name: "over", Entities: int(offset[probe]("Es", 0)), Required: s.comps[:1],
		Columns:   []source.Column{{Name: "V", Comp: s.comps[0], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0), Optional: true}},
		Presences: []source.Presence{{Offset: offset[probe]("Has", 0), Column: 0}}}.spec()
	p := NewPlan(&s.Base, q)
	p.Over(func() []Given {
		return []Given{{two.Seq, s.comps[:1], s.comps[:1]}, {one.Seq, s.comps[:1], s.comps[:1]}, {s.group.Main.Seq, s.comps[6:7], s.comps[6:7]}}
	})
	if !p.IsOver() || p.CompsIn(s.group.Main.Seq)[0] != s.comps[6] || p.CompsIn(nil)[0] != s.comps[0] {
		t.Error("what a column stands for is not what was given")
	}
	var want, met []store.Entity
	for _, seq := range []*memmgr.Sequence{two.Seq, one.Seq, s.group.Main.Seq} {
		for id, n := range seq.Chunks() {
			want = append(want, s.Store.Entities(id, n)...)
		}
	}
	fourth := two.Seq.Len() + one.Seq.Len()
	NewCursor(p).Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
		v := raw.As[probe](at)
		for i, e := range v.Es {
			c := s.comps[0]
			if len(met) >= fourth {
				c = s.comps[6]
			}
			if v.Values[0][i] != *s.value(c, e) || v.Has[0][i/64]>>(i%64)&1 == 0 {
				t.Fatalf("%v: %v, want %v", e, v.Values[0][i], *s.value(c, e))
			}
		}
		met = append(met, v.Es...)
		return true
	})
	if !slices.Equal(met, want) || len(met) == 0 {
		t.Errorf("%d entities met, want %d in their order", len(met), len(want))
	}
}

// A walk of many chunks, which asks for the next rows early, meets the same rows with the same values.
func TestWalkOfManyChunks(t *testing.T) {
	s := newStage(t, 5, memmgr.Options{}, 1<<20)
	for i := range 240_000 {
		e, err := s.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		s.es = append(s.es, e)
		s.add(s.comps[0], e)
		s.add(s.comps[1], e)
		if i%3 == 0 || i > 235_000 {
			s.add(s.comps[4], e)
		}
		if i%2 == 0 {
			s.add(s.comps[6], e)
		}
	}
	half := source.Column{Name: "half", Comp: s.comps[6], Part: source.Part{Offset: 8, Size: 8, Path: "n"}, Offset: offset[probe]("Counts", 0), Write: true, Optional: true}
	for _, f := range []flat{
		{Required: []*store.Component{s.comps[0], s.comps[4]}, Columns: []source.Column{
			{Name: "a", Comp: s.comps[0], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0), Write: true},
			{Name: "b", Comp: s.comps[4], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1)}, half}},
		{Required: []*store.Component{s.comps[1]}, Excluded: []*store.Component{s.comps[4]}, Columns: []source.Column{
			{Name: "a", Comp: s.comps[1], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0)}, half}},
	} {
		q := f.spec()
		q.Name, q.Entities = "probe", int(offset[probe]("Es", 0))
		chunks := 0
		for _, table := range q.Required[0].Tables() {
			chunks = max(chunks, table.Seq.ChunkCount())
		}
		if chunks < askedChunks {
			t.Fatalf("%d chunks are too few for this test", chunks)
		}
		c := NewCursor(NewPlan(&s.Base, q))
		for range 2 {
			met := s.walk(c)
			slices.Sort(met)
			if !slices.Equal(met, s.want(&q)) {
				t.Fatalf("met %d of %d", len(met), len(s.want(&q)))
			}
		}
	}
}
