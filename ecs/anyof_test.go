package ecs_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type (
	fire   struct{ V int32 }
	poison struct{ V int16 }
	curse  struct{}
)

// Entities match an AnyOf that have one of its components at least, however these are stored
// and whichever own them: as batches, pointers, Rows, single ones and systems.
func TestAnyOf(t *testing.T) {
	type batch struct {
		Ents []ecs.Entity
		HP   []hp
		Fire ecs.Maybe[fire]
		_    ecs.Or[fire, ecs.Or[poison, curse]]
	}
	type inRows struct {
		Ents []ecs.Entity
		Rows ecs.Rows
		HP   []hp
		_    ecs.Or[ecs.Or[fire, poison], curse]
	}
	type pointers struct {
		E  ecs.Entity
		HP *hp
		_  ecs.Or[fire, ecs.Or[curse, poison]]
	}
	type bare struct {
		Ents []ecs.Entity
		_    ecs.Or[fire, ecs.Or[poison, curse]]
	}
	ways := []ecs.Storage{ecs.Stable, ecs.Volatile, ecs.Thin}
	for i := range 54 {
		grouped := i >= 27
		w := world(t, ecs.Options{})
		h := ecs.Register[hp](w, "hp")
		f, p, c := ecs.Register[fire](w, "fire", ways[i%3]), ecs.Register[poison](w, "poison", ways[i/3%3]), ecs.Register[curse](w, "curse", ways[i/9%3])
		if grouped {
			if i%2 == 0 {
				ecs.GroupMade[struct{ HP hp }](w, "hurt")
			} else {
				ecs.GroupMade[struct{ F fire }](w, "burning")
			}
		}
		r := rand.New(rand.NewPCG(uint64(i), 1))
		var want, wantBare []ecs.Entity
		for k := range 1500 {
			e := ok(w.Spawn())
			if k%5 > 0 {
				ok(0, h.Add(e, hp{int32(k)}))
			}
			any := false
			if r.IntN(4) == 0 {
				ok(0, f.Add(e, fire{int32(k)}))
				any = true
			}
			if r.IntN(4) == 0 {
				ok(0, p.Add(e, poison{int16(k)}))
				any = true
			}
			if r.IntN(4) == 0 {
				ok(0, c.Add(e, curse{}))
				any = true
			}
			if any {
				wantBare = append(wantBare, e)
			}
			if any && k%5 > 0 {
				want = append(want, e)
			}
		}
		same := func(what string, got, want []ecs.Entity) {
			t.Helper()
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("ways %d, %s: %d entities, want %d", i, what, len(got), len(want))
			}
		}
		var got []ecs.Entity
		q := ecs.QueryOf[batch](w)
		for b := range q.All() {
			got = append(got, b.Ents...)
			for k, e := range b.Ents {
				if v := f.Get(e); b.HP[k] != *h.Get(e) || v != nil && b.Fire[k] != *v || v == nil && b.Fire[k] != (fire{}) {
					t.Fatalf("ways %d: %v has %v and %v", i, e, b.HP[k], b.Fire[k])
				}
			}
		}
		same("batches", got, want)
		if q.Len() != len(want) {
			t.Errorf("ways %d: %d counted, want %d", i, q.Len(), len(want))
		}
		got = nil
		for b := range ecs.QueryOf[inRows](w).All() {
			for _, k := range b.Rows {
				got = append(got, b.Ents[k])
			}
		}
		same("Rows", got, want)
		got = nil
		one := ecs.QueryOf[pointers](w)
		for x := range one.All() {
			got = append(got, x.E)
		}
		same("pointers", got, want)
		for e := range w.All() {
			if _, is := one.Get(e); is != slices.Contains(want, e) {
				t.Fatalf("ways %d: Get of %v: %v", i, e, is)
			}
		}
		got = nil
		ecs.System(w, "bare", func(b *bare) { got = append(got, b.Ents...) })
		ok(0, w.Run(t.Context()))
		same("a system that requires nothing else", got, wantBare)
		w.DestroyAll(ecs.Handles(wantBare))
		got = nil
		ok(0, w.Run(t.Context()))
		same("none", got, nil)
	}
}

// Names in the tag tell components of one type apart; a tag without a meaning is refused.
func TestAnyOfByName(t *testing.T) {
	w := world(t, ecs.Options{})
	red, blue, far := ecs.Register[hp](w, "red"), ecs.Register[hp](w, "blue"), ecs.Register[frozen](w, "far")
	var es []ecs.Entity
	for _, p := range []*ecs.Pool[hp]{red, blue} {
		e := ok(w.Spawn())
		ok(0, p.Add(e, hp{}))
		es = append(es, e)
	}
	es = append(es, ok(w.Spawn()))
	ok(0, far.Add(es[2], frozen{}))
	list := func(q interface{ Len() int }) (n int) {
		ok(0, w.Err())
		return q.Len()
	}
	if n := list(ecs.QueryOf[struct {
		_ ecs.Or[hp, hp] `ashlar:"red|blue"`
	}](w)); n != 2 {
		t.Errorf("red or blue: %d", n)
	}
	if n := list(ecs.QueryOf[struct {
		_ ecs.Or[hp, frozen] `ashlar:"blue|far"`
	}](w)); n != 2 {
		t.Errorf("blue or far: %d", n)
	}
	if n := list(ecs.QueryOf[struct {
		_ ecs.Or[hp, frozen] `ashlar:"blue|"`
	}](w)); n != 2 {
		t.Errorf("blue or the only one of its type: %d", n)
	}
	for want, err := range map[string]error{
		"names 1 components, \"red\", and the field has 2 types": refusal(w, ecs.QueryMade[struct {
			_ ecs.Or[hp, frozen] `ashlar:"red"`
		}](w)),
		"is registered as": refusal(w, ecs.QueryMade[struct {
			_ ecs.Or[hp, frozen]
		}](w)),
		"\"far\" is of type": refusal(w, ecs.QueryMade[struct {
			_ ecs.Or[hp, frozen] `ashlar:"far|red"`
		}](w)),
		"is not registered": refusal(w, ecs.QueryMade[struct {
			_ ecs.Or[b4, frozen]
		}](w)),
		"the tag says write, which means nothing here: a tag is a name; remove the word": refusal(w, ecs.QueryMade[struct {
			_ ecs.Or[hp, frozen] `ashlar:"red|far,write"`
		}](w)),
		"make the field of type": refusal(w, ecs.QueryMade[struct {
			A []frozen
			_ *ecs.Or[hp, frozen]
		}](w)),
		"ecs.Added or ecs.Or": refusal(w, ecs.QueryMade[struct {
			_ ecs.Without[frozen]
		}](w)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
