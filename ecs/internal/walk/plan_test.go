package walk

import (
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"reflect"
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
				s.M.Advance()
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
				e, err := s.S.Spawn()
				if err != nil {
					t.Fatal(err)
				}
				extra := &store.Component{}
				s.S.Register(extra, fmt.Sprint("extra", k), s.comps[0].Spec, store.Fixed, true)
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
		if c.wholes.notes[i].layout == c.base.M.Layout()+1 {
			n++
		}
	}
	return n
}

// Notes of a walk belong to its cursor: another one over the same plan, or one that walks
// within, finds and passes the same, wherever rows have gone in between.
func TestNotesAreTheCursors(t *testing.T) {
	if !wholeTables {
		t.Skip("whole tables alone are noted")
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
		if n := count(a, func() {}); n != want || notedOf(a) > 0 {
			t.Fatalf("%d rows met, want %d; %d sources are noted by the first walk after chunks have moved", n, want, notedOf(a))
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
		s.M.Advance()
		if err := s.M.SafePoint(); err != nil {
			t.Fatal(err)
		}
	}
}
