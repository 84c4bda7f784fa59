package walk

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/tune"
	"github.com/ashlar-go/ashlar/memmgr"
)

// sieve is a table of small rows. Some have an optional component.
type sieve struct {
	Base
	t         *testing.T
	all, some store.Component
	seq       *memmgr.Sequence
}

// sifted is the rows that walks of a sieve are passed.
type sifted struct {
	Es   []store.Entity
	All  []uint32
	Some []uint32
}

// newSieve makes n rows. The rows that has names have the optional component.
func newSieve(t *testing.T, o memmgr.Options, n int, has func(i int) bool) *sieve {
	m, err := memmgr.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	s := &sieve{t: t}
	s.Manager, s.Store, s.RunLength = m, store.New(m, store.Options{MaxEntities: 1 << 20, Policy: policy.Options{Off: true}}), RunLength
	spec, err := chunk.SpecOf(reflect.TypeFor[uint32]())
	if err != nil {
		t.Fatal(err)
	}
	s.Store.Register(&s.all, "all", spec, store.Fixed, true)
	s.Store.Register(&s.some, "some", spec, store.Optional, true)
	s.Store.Watch(&s.all)
	var es []store.Entity
	for i := range uint32(n) {
		e, err := s.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
		for _, c := range []*store.Component{&s.some, &s.all} {
			if err := s.Store.Add(c, e, raw.Of(&i)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i, e := range es {
		if has(i) {
			continue
		}
		if err := s.Store.Remove(&s.some, e); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range s.all.Tables() {
		if s.seq = table.Seq; s.seq.Len() == n {
			return s
		}
	}
	t.Fatal("the rows are in several tables")
	return nil
}

// spec asks for both components, and writes the one that all have.
func (s *sieve) spec() Spec {
	return flat{Name: "sieve", Entities: int(offset[sifted]("Es", 0)), Required: []*store.Component{&s.all, &s.some}, Columns: []source.Column{
		{Name: "all", Comp: &s.all, Part: source.Part{Size: 4}, Offset: offset[sifted]("All", 0), Write: true},
		{Name: "some", Comp: &s.some, Part: source.Part{Size: 4}, Offset: offset[sifted]("Some", 0)},
	}}.spec()
}

// value is the value of a row of the sieve, and its number.
func (s *sieve) value(e store.Entity) *uint32 {
	l, _ := s.all.Loc(e)
	return raw.As[uint32](s.all.At(l))
}

// A walk that gathers rows of several chunks at once passes them in their order, with their values,
// and marks the chunks that it has written, and no others.
func TestHeld(t *testing.T) {
	for name, has := range map[string]func(i int) bool{
		"few of each chunk":     func(i int) bool { return i%50 == 7 },
		"hardly any":            func(i int) bool { return i%1000 == 999 },
		"many":                  func(i int) bool { return i%3 == 0 },
		"none of some chunks":   func(i int) bool { return i%50 == 7 && i/3800%3 != 1 },
		"all of some chunks":    func(i int) bool { return i%50 == 7 || i/9000%3 == 1 },
		"one of each chunk":     func(i int) bool { return i%3700 == 0 },
		"the first and the end": func(i int) bool { return i == 0 || i == 2 || i > 199_990 && i%2 == 0 },
	} {
		for k, o := range []memmgr.Options{{}, {Arena: arena.Options{Backend: arena.Heap}}, memmgr.Options{}.WithCaches(8<<10, 0, 0), memmgr.Options{}.WithCaches(128<<10, 0, 0)} { // chunks on the heap lie apart
			if o.Arena.Backend == arena.Heap && name != "none of some chunks" || k > 1 && name != "few of each chunk" {
				continue
			}
			t.Run(fmt.Sprint(name, " ", o.Arena.Backend, k), func(t *testing.T) {
				s := newSieve(t, o, 200_000, has)
				heldRows := tune.Of(s.Manager.Caches()).HeldRows
				var want []uint32
				for i := range uint32(200_000) {
					if has(int(i)) {
						want = append(want, i)
					}
				}
				c := NewCursor(NewPlan(&s.Base, s.spec()))
				for round := range uint32(2) {
					s.Manager.Advance()
					var met []uint32
					calls := 0
					c.Each(raw.Of(&sifted{}), func(p raw.Ptr) bool {
						v := raw.As[sifted](p)
						calls++
						if n := len(v.Es); name == "few of each chunk" && n >= heldRows+s.seq.Capacity()/50+1 {
							t.Errorf("%d rows in a call: their values are more than a cache may have room for", n)
						}
						for i, e := range v.Es {
							if v.All[i] != v.Some[i]+round || *s.value(e) != v.All[i] {
								t.Fatalf("round %d: %d beside %d, which the store has as %d", round, v.All[i], v.Some[i], *s.value(e))
							}
							met = append(met, v.Some[i])
							v.All[i]++
						}
						return true
					})
					if !slices.Equal(met, want) {
						t.Fatalf("round %d: %d rows met, want %d in their order", round, len(met), len(want))
					}
					if name == "few of each chunk" && s.striped() && calls > max(s.seq.ChunkCount()/2, 2*len(want)/heldRows) {
						t.Errorf("%d calls for few rows of %d chunks", calls, s.seq.ChunkCount())
					}
					s.marked(t)
				}
				for i, e := range s.entities() {
					if n := *s.value(e); has(i) && n != uint32(i)+2 || !has(i) && n != uint32(i) {
						t.Fatalf("row %d was written: %d, has the component: %v", i, n, has(i))
					}
				}
			})
		}
	}
}

// striped tells whether many of the chunks lie side by side.
func (s *sieve) striped() bool {
	for i := range s.seq.ChunkCount() {
		if s.seq.Beside(i) > s.seq.ChunkCount()/4 {
			return true
		}
	}
	return false
}

// entities are all, in the order of their rows.
func (s *sieve) entities() (es []store.Entity) {
	for id, n := range s.seq.Chunks() {
		es = append(es, s.Store.Entities(id, n)...)
	}
	return es
}

// marked checks which chunks are marked as written in this tick.
func (s *sieve) marked(t *testing.T) {
	for id, n := range s.seq.Chunks() {
		matches := slices.ContainsFunc(s.Store.Entities(id, n), s.some.Has)
		if marked := s.all.Dir.Cell(id).Stamp == s.Manager.Tick(); marked != matches {
			t.Fatalf("a chunk has rows that match: %v, and is marked: %v", matches, marked)
		}
		if s.some.Dir.Cell(id).Stamp == s.Manager.Tick() {
			t.Fatal("a chunk is marked that is only read")
		}
	}
}

// A walk that its function ends passes nothing more, and writes until then arrive.
func TestHeldEnds(t *testing.T) {
	s := newSieve(t, memmgr.Options{}, 100_000, func(i int) bool { return i%50 == 7 })
	c := NewCursor(NewPlan(&s.Base, s.spec()))
	for range 2 { // a walk is not to have rows of the one before
		calls := 0
		var last []store.Entity
		c.Each(raw.Of(&sifted{}), func(p raw.Ptr) bool {
			v := raw.As[sifted](p)
			for i := range v.All {
				v.All[i]++
			}
			last = slices.Clone(v.Es)
			calls++
			return calls < 3
		})
		if calls != 3 {
			t.Errorf("%d calls, want 3", calls)
		}
		for _, e := range last {
			l, _ := s.some.Loc(e)
			if was := *raw.As[uint32](s.some.At(l)); *s.value(e) == was {
				t.Fatalf("row %d was written, and the store does not have it", was)
			}
		}
	}
}

// A panic of the function leaves nothing for the next walk. Rows that were passed to be written
// have not changed without their chunks.
func TestHeldPanics(t *testing.T) {
	s := newSieve(t, memmgr.Options{}, 100_000, func(i int) bool { return i%50 == 7 })
	s.Store.AskRows(&s.all, false)
	s.Manager.Advance()
	c := NewCursor(NewPlan(&s.Base, s.spec()))
	func() {
		defer func() { _ = recover() }()
		c.Each(raw.Of(&sifted{}), func(raw.Ptr) bool { panic("the function's") })
	}()
	changed := map[chunk.ID]bool{}
	for _, e := range s.entities() {
		if l, _ := s.all.Loc(e); s.all.RowChangedAt(e) == s.Manager.Tick() {
			changed[l.Chunk()] = s.all.ChangedAt(l) == s.Manager.Tick()
		}
	}
	for id, too := range changed {
		if !too {
			t.Errorf("rows of chunk %d have changed, and the chunk has not", id)
		}
	}
	if len(changed) == 0 {
		t.Error("no row has changed")
	}
	met := 0
	c.Each(raw.Of(&sifted{}), func(p raw.Ptr) bool {
		met += len(raw.As[sifted](p).Es)
		return true
	})
	if met != 2000 {
		t.Errorf("%d rows met, want 2000", met)
	}
}

// A write by handle in a later chunk has its rows match in the same walk.
func TestHeldChanges(t *testing.T) {
	s := newSieve(t, memmgr.Options{}, 100_000, func(i int) bool { return i%50 == 7 })
	q := s.spec()
	q.Columns = q.Columns[1:]
	q.Changes = []match.Change{{Comp: &s.all}}
	c := NewCursor(NewPlan(&s.Base, q))
	met := 0
	walk := func(call func(v *sifted)) {
		s.Manager.Advance()
		met = 0
		c.Each(raw.Of(&sifted{}), func(p raw.Ptr) bool {
			v := raw.As[sifted](p)
			met += len(v.Es)
			call(v)
			return true
		})
	}
	walk(func(*sifted) {})
	if met != 2000 {
		t.Fatalf("%d rows met at first, want 2000", met)
	}
	es := s.entities()
	write := func(e store.Entity) {
		l, _ := s.all.Loc(e)
		s.all.Written(e, l)
	}
	s.Manager.Advance()
	write(es[0])
	_, n := s.seq.Chunk(0)
	next, calls := es[n], 0
	walk(func(*sifted) {
		if calls++; calls == 1 {
			write(next)
		}
	})
	if calls != 2 {
		t.Errorf("%d calls, of %d rows: want one for each of two chunks", calls, met)
	}
}
