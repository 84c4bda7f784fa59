package walk

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// sum is of all memory that a plan has: its own bytes, and the memory that its pointers and slices
// lead to, unless that belongs to the store or the manager.
func (p *Plan) sum(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	addTo(&h, reflect.ValueOf(p))
	return h.Sum64()
}

func addTo(h *maphash.Hash, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		fmt.Fprint(h, v.Pointer())
		if v.IsNil() || v.Type() == reflect.TypeFor[*Base]() || strings.Contains(v.Type().Elem().PkgPath(), "/store") || strings.Contains(v.Type().Elem().PkgPath(), "/memmgr") {
			return
		}
		addTo(h, v.Elem())
	case reflect.Slice:
		fmt.Fprint(h, v.Pointer(), v.Len(), v.Cap())
		for i := range v.Len() {
			addTo(h, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			addTo(h, v.Field(i))
		}
	case reflect.Func:
		fmt.Fprint(h, v.Pointer())
	default:
		fmt.Fprint(h, v)
	}
}

// A plan that is up to date is not changed by walks, by their writes, or by how often they
// meet rows. It is changed by a table that comes.
func TestWalksLeavePlansAlone(t *testing.T) {
	for _, guard := range []bool{false, true} {
		s := newStage(t, 7, memmgr.Options{}, 32)
		s.Guard = guard
		r := rand.New(rand.NewPCG(5, 5))
		seed, batches := maphash.MakeSeed(), 0
		for k := range 40 {
			q := s.spec(r, k%4 == 0)
			if k%5 == 0 {
				q = s.one(s.comps[k/5], true)
			}
			c := NewCursor(NewPlan(&s.Base, q))
			c.Tables()
			was := c.Plan.sum(seed)
			for range 3 {
				s.Manager.Advance()
				n := 0
				transcript(c, func() {
					if n++; n < 4 && c.Plan.sum(seed) != was {
						t.Fatalf("the plan is changed in batch %d, of %+v", n, q)
					}
				})
				batches += n
				if c.Len(); c.Plan.sum(seed) != was {
					t.Fatalf("the plan is changed by a walk, of %+v", q)
				}
			}
			if k%5 == 0 { // one that a table has changed is not the same
				e, err := s.Store.Spawn()
				if err != nil {
					t.Fatal(err)
				}
				extra := &store.Component{}
				s.Store.Register(extra, fmt.Sprint("extra", k), s.comps[0].Spec, store.Fixed, true)
				s.add(extra, e)
				s.add(s.comps[0], e)
				s.es = append(s.es, e)
				if c.Tables(); c.Plan.sum(seed) == was {
					t.Fatalf("the plan of %+v is the same after a table was made", q)
				}
			}
		}
		if batches < 300 {
			t.Errorf("%d batches in all", batches)
		}
	}
}

// notedOf is how many sources a cursor has noted as they lie now.
func notedOf(c *Cursor) (n int) {
	for i := range c.wholes.notes {
		if c.wholes.notes[i].valid() {
			n++
		}
	}
	return n
}

// rowsOf is how many rows a walk of one column passes.
func rowsOf(c *Cursor) (n int) {
	c.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
		n += len(raw.As[probe](p).Values[0])
		return true
	})
	return n
}

// A table whose rows all match is not noted, if a row may cease to match without a chunk that moves.
func TestNotesLeaveTestedTables(t *testing.T) {
	s := newStage(t, 23, memmgr.Options{}, 32)
	for _, c := range []*store.Component{s.comps[4], s.comps[5]} { // optional and thin
		for _, e := range s.es {
			if c.Has(e) {
				if err := s.Store.Remove(c, e); err != nil {
					t.Fatal(err)
				}
			}
		}
		q := s.one(s.comps[1], false)
		q.Excluded = []*store.Component{c}
		x := NewCursor(NewPlan(&s.Base, q))
		for range 3 {
			if n, want := rowsOf(x), len(s.want(&q)); n != want {
				t.Fatalf("%s: %d rows met, want %d", c.Name, n, want)
			}
		}
		for i, e := range s.es {
			if i%7 == 0 {
				s.add(c, e)
			}
			if i%300 != 0 {
				continue
			}
			if n, want := rowsOf(x), len(s.want(&q)); n != want {
				t.Fatalf("%s: %d rows met, want %d", c.Name, n, want)
			}
		}
	}
}

// Walks after which nothing was left to ask about ask again, where a component is disabled beside others that were so,
// where calls are told their rows, and where another component has become the rarest.
func TestWalksAskAgain(t *testing.T) {
	s := newStage(t, 31, memmgr.Options{}, 32)
	c := s.comps[0]
	q := s.one(c, false)
	x := NewCursor(NewPlan(&s.Base, q))
	walk := func() {
		t.Helper()
		for range 3 {
			if n, want := rowsOf(x), len(s.want(&q)); n != want {
				t.Fatalf("%d rows met, want %d", n, want)
			}
		}
	}
	var es []store.Entity
	for _, e := range s.es {
		if c.Has(e) {
			es = append(es, e)
		}
	}
	toggle := func(c *store.Component, e store.Entity, on bool) { _ = s.Store.SetEnabled(c, e, on) }
	toggle(c, es[0], false)
	walk()
	toggle(c, es[0], true)
	walk()
	for _, e := range s.es {
		if s.comps[2].Has(e) {
			toggle(s.comps[2], e, false) // which the walk does not ask about
			break
		}
	}
	walk()
	toggle(c, es[1], false)
	walk()
	s.enableAll()
	walk()

	told := 0
	p := &teller{enter: func(*store.Table) {}}
	x.rows(raw.Of(&probe{}), p, func(raw.Ptr) bool {
		p.each(false, func(int, int, int) { told++ })
		return true
	})
	if told != len(es) {
		t.Errorf("%d rows are told, want %d", told, len(es))
	}

	for _, e := range s.es {
		if s.comps[5].Has(e) && !c.Has(e) {
			s.add(c, e) // so that nothing is copied: see Store.Plain
		}
	}
	q.Required, q.Columns[0].Comp = []*store.Component{c, s.comps[5]}, s.comps[5]
	x = NewCursor(NewPlan(&s.Base, q))
	if walk(); x.found.driver != s.comps[5] {
		t.Fatalf("%s drives", x.found.driver.Name)
	}
	for range 2 { // the second time all tables are there, and one walk copies nothing before it has asked
		for _, e := range es[1:] {
			if err := s.Store.Remove(c, e); err != nil {
				t.Fatal(err)
			}
		}
		if rowsOf(x); x.found.driver != c {
			t.Errorf("%s drives, and fewer have %s", x.found.driver.Name, c.Name)
		}
		for _, e := range es[1:] {
			s.add(c, e)
		}
		if walk(); x.found.driver != s.comps[5] {
			t.Errorf("%s drives, and fewer have %s", x.found.driver.Name, s.comps[5].Name)
		}
	}

	q.Required, q.Columns[0].Comp, q.Entities = q.Required[:1], c, int(offset[probe]("Es", 0))
	x = NewCursor(NewPlan(&s.Base, q))
	for range 3 {
		x.Each(raw.Of(&probe{}), func(p raw.Ptr) bool {
			b := raw.As[probe](p)
			for i, e := range b.Es {
				if b.Values[0][i][0]/16 != uint64(e) {
					t.Fatalf("%v has the value of another entity", e)
				}
			}
			return true
		})
	}
}

// A chunk that comes, goes or moves makes notes of its own table stale, and no others. A table that goes leaves
// the notes of others, and so does one that comes.
func TestNotesGoByTables(t *testing.T) {
	if !wholeTables {
		t.Skip("the fast path of whole tables is missing in this build (ashlarplain), and only that notes tables; TestNotesLeaveTestedTables has the results")
	}
	s := newStage(t, 29, memmgr.Options{}, 32)
	q := s.one(s.comps[1], true)
	c := NewCursor(NewPlan(&s.Base, q))
	walk := func() {
		t.Helper()
		s.Manager.Advance()
		if n, want := rowsOf(c), len(s.want(&q)); n != want {
			t.Fatalf("%d rows met, want %d", n, want)
		}
	}
	walk()
	walk()
	noted := notedOf(c)
	if noted < 4 {
		t.Fatalf("%d tables are noted", noted)
	}
	extra := &store.Component{}
	s.Store.Register(extra, "extra", s.comps[0].Spec, store.Fixed, true)
	e := s.es[slices.IndexFunc(s.es, func(e store.Entity) bool { return s.comps[1].Has(e) && !s.comps[6].Has(e) })]
	s.add(extra, e) // a table that comes
	if walk(); notedOf(c) != noted+1 {
		t.Fatalf("%d tables are noted, want one more than %d", notedOf(c), noted)
	}
	stale := 0
	for round := range 40 { // chunks get more room, one or two tables at a time
		was := notedOf(c)
		for range 40 {
			s.change(rand.New(rand.NewPCG(1, uint64(round))), 1)
		}
		if left := notedOf(c); left < was {
			stale++
			if left == 0 {
				t.Fatal("no note is left when a chunk moves")
			}
		}
		walk()
	}
	if stale == 0 {
		t.Error("no chunk has moved")
	}
	made, dropped := c.found.made, c.found.dropped
	if err := s.Store.Remove(extra, e); err != nil {
		t.Fatal(err)
	}
	for range 200 {
		s.Store.EndFrame()
	}
	was := notedOf(c)
	if walk(); made != c.found.made || dropped == c.found.dropped || notedOf(c) < was-len(c.wholes.notes)/2 {
		t.Fatalf("%d tables are noted, %d before; %d tables have gone", notedOf(c), was, c.found.dropped-dropped)
	}
	for i := range c.wholes.notes {
		if c.wholes.notes[i].seq != c.Tables()[i].Seq {
			t.Fatalf("note %d is another table's", i)
		}
	}
}

// Notes of a walk belong to its cursor: another one over the same plan, or one that walks
// within, finds and passes the same, wherever rows have gone in between.
func TestNotesAreTheCursors(t *testing.T) {
	if !wholeTables {
		t.Skip("the fast path of whole tables is missing in this build (ashlarplain), and only that notes tables; TestNotesLeaveTestedTables has the results")
	}
	s := newStage(t, 19, memmgr.Options{Stress: true}, 32)
	r := rand.New(rand.NewPCG(1, 2))
	p := NewPlan(&s.Base, s.one(s.comps[1], true))
	a, b := NewCursor(p), NewCursor(p)
	count := func(c *Cursor, each func()) (n int) {
		c.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
			for _, v := range raw.As[probe](at).Values[0] {
				if v[0]%16 != 1 {
					t.Fatalf("a value of component %d", v[0]%16)
				}
				n++
			}
			each()
			return true
		})
		return n
	}
	for range 20 {
		want := s.comps[1].Len()
		if noted := notedOf(a); noted > 0 {
			t.Fatalf("%d sources are noted after all chunks have moved", noted)
		}
		if n := count(a, func() {}); n != want {
			t.Fatalf("%d rows met, want %d", n, want)
		}
		inner, walked := a, 0
		if n := count(a, func() {
			if walked++; walked == 2 {
				for range 2 {
					if n := count(a, func() { inner = a.within }); n != want {
						t.Fatalf("%d rows met within a walk, want %d", n, want)
					}
				}
			}
		}); n != want || count(b, func() {}) != want || count(b, func() {}) != want || count(a, func() {}) != want {
			t.Fatalf("%d rows met, want %d", n, want)
		}
		if inner == a || inner == nil || inner != a.within || inner.within != nil {
			t.Fatal("a walk within another has no cursor that is kept")
		}
		for _, c := range []*Cursor{a, b, inner} {
			noted := notedOf(c)
			if noted < 2 || &c.wholes.notes[0] == &b.wholes.notes[0] && c != b {
				t.Fatalf("%d of %d sources are noted", noted, len(c.wholes.notes))
			}
		}
		s.change(r, 40)
		s.Manager.Advance()
		if err := s.Manager.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
}
