package ecs_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type toB struct {
	B name16 `ashlar:"b"`
	_ ecs.Without[hp]
}

// exchanges makes a world with entities that have a, some of them b, too.
func exchanges(t *testing.T) (w *ecs.World, a *ecs.Pool[hp], b *ecs.Pool[name16], es []ecs.Entity) {
	w = world(t, ecs.Options{})
	a, b = ecs.Register[hp](w, "a"), ecs.Register[name16](w, "b")
	for i := range 40 {
		e := ok(w.Spawn())
		ok(0, a.Add(e, hp{int32(i)}))
		if i%4 == 3 {
			ok(0, b.Add(e, name16{1}))
		}
		es = append(es, e)
	}
	return w, a, b, es
}

// An exchange that is queued happens at the next safe point; one that can't happen by then is
// dropped, and listed by its entity.
func TestExchangeLater(t *testing.T) {
	w, a, b, es := exchanges(t)
	x := ecs.ExchangeOf[toB](w)
	q := ecs.QueryOf[struct{ A []hp }](w)
	x.Later(w.Commands()).Do(es[0], toB{B: name16{7}})
	x.Later(w.Commands()).Do(es[3], toB{B: name16{7}})
	if b.Has(es[0]) {
		t.Fatal("it happened at once")
	}
	ok(0, w.SafePoint())
	if a.Has(es[0]) || b.Get(es[0])[0] != 7 || !a.Has(es[3]) {
		t.Errorf("then a: %v, b: %v", a.Has(es[0]), b.Get(es[0]))
	}
	if s := w.Stats(); len(s.Drops) != 1 || ecs.DropsIn(s)[0].Entity != es[3] || ecs.DropsIn(s)[0].What != "exchange" || !errors.Is(ecs.DropsIn(s)[0].Err, ecs.ErrPresent) {
		t.Errorf("dropped: %+v", s.Drops)
	}
	x.Later(w.Commands()).All(q, toB{B: name16{8}})
	ok(0, w.SafePoint())
	if a.Len() != 10 || b.Len() != 40 || b.Get(es[1])[0] != 8 || b.Get(es[3])[0] != 1 {
		t.Errorf("%d have a, %d b, of values %v and %v", a.Len(), b.Len(), b.Get(es[1]), b.Get(es[3]))
	}
	ok(0, w.Check())
}

// A lock refuses an exchange that could be made otherwise: an entity that has a component that comes, or lacks one that goes, is passed
// over whether it is held or not.
func TestExchangeLockComesLast(t *testing.T) {
	w, a, _, es := exchanges(t)
	x := ecs.ExchangeOf[toB](w)
	q := ecs.QueryOf[struct{ A []hp }](w)
	both := es[3]
	l := w.NewLock("keep", a)
	ok(0, l.Hold(both, "test"))
	if err := x.Do(both, toB{}); !errors.Is(err, ecs.ErrPresent) {
		t.Errorf("Do of an entity with a and b: %v", err)
	}
	if n, err := x.All(ecs.Handles{both}, toB{}); n != 0 || err != nil {
		t.Errorf("All has changed %d of it: %v", n, err)
	}
	x.Later(w.Commands()).All(q, toB{B: name16{8}})
	ok(0, w.SafePoint())
	if s := w.Stats(); s.Dropped != 0 || a.Len() != 10 {
		t.Errorf("%d have a, and %d commands were dropped: %v", a.Len(), s.Dropped, s.Drops)
	}
	type wide struct{ V [9]uint64 }
	type toC struct {
		E wide
		_ ecs.Without[hp]
		_ ecs.Without[name16] `ashlar:"b"`
	}
	ecs.Register[wide](w, "wide")
	y, one := ecs.ExchangeOf[toC](w), ok(w.Spawn())
	ok(0, a.Add(one, hp{}))
	ok(0, l.Hold(one, "test"))
	if err := y.Do(one, toC{}); !errors.Is(err, ecs.ErrAbsent) {
		t.Errorf("Do of an entity without b: %v", err)
	}
	if err := y.Do(both, toC{}); !errors.Is(err, ecs.ErrLocked) {
		t.Errorf("Do of one that could change: %v", err)
	}
}

// Wrong structs are refused with the remedy, and a call while something iterates panics with it.
func TestExchangeRefused(t *testing.T) {
	w, a, _, es := exchanges(t)
	type none struct {
		B name16 `ashlar:"b"`
	}
	type twice struct {
		A hp
		_ ecs.Without[hp]
	}
	type with struct {
		B name16 `ashlar:"b"`
		_ ecs.With[hp]
	}
	for want, err := range map[string]error{
		"1 components that come and 0 that go: name one of each": refusal(w, ecs.ExchangeOf[none](w)),
		`component "a" is named twice`:                           refusal(w, ecs.ExchangeOf[twice](w)),
		"ecs.With, which say nothing here":                       refusal(w, ecs.ExchangeOf[with](w)),
	} {
		if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(want)) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	x := ecs.ExchangeOf[toB](w)
	for range a.All() {
		func() {
			defer func() {
				if s := fmt.Sprint(recover()); !strings.Contains(s, "Commands") {
					t.Errorf("while something iterates: %s", s)
				}
			}()
			_ = x.Do(es[0], toB{})
		}()
		break
	}
	ok(0, w.Close())
	if err := x.Do(es[0], toB{}); err != ecs.ErrClosed {
		t.Errorf("after Close: %v", err)
	}
}

// AddFunc and SetFunc call their function once for each entity that changes, in order, before
// anything changes; meanwhile nothing may.
func TestValuesByFunction(t *testing.T) {
	w, a, b, es := exchanges(t)
	q := ecs.QueryOf[struct{ A []hp }](w)
	for _, by := range []ecs.AnyQuery{ecs.Handles(append(append([]ecs.Entity{}, es...), es[0], 0)), q} {
		var asked []ecs.Entity
		n, err := b.AddFunc(by, func(e ecs.Entity) name16 {
			asked = append(asked, e)
			if b.Has(e) {
				t.Error("it is asked for one that has a value, or has got it meanwhile")
			}
			return name16{uint8(a.Get(e).V)}
		})
		if n != 30 || err != nil || len(asked) != 30 || b.Len() != 40 {
			t.Fatalf("%d, %v, %d asked, %d have it", n, err, len(asked), b.Len())
		}
		for i, e := range es {
			if want := uint8(i); i%4 != 3 && b.Get(e)[0] != want {
				t.Errorf("entity %d has %v", i, b.Get(e))
			}
		}
		if n, err := b.SetFunc(by, func(e ecs.Entity) name16 { return name16{b.Get(e)[0] + 1} }); n != 40 || err != nil || b.Get(es[5])[0] != 6 {
			t.Fatalf("SetFunc: %d, %v, %v", n, err, b.Get(es[5]))
		}
		ok(b.RemoveAll(ecs.Handles(es)))
		for k, e := range es {
			if k%4 == 3 {
				ok(0, b.Add(e, name16{1}))
			}
		}
	}
	defer func() {
		if s := fmt.Sprint(recover()); !strings.Contains(s, "the function of AddFunc or SetFunc") {
			t.Errorf("a change within the function: %s", s)
		}
		ok(0, w.Check())
	}()
	_, _ = b.AddFunc(q, func(e ecs.Entity) name16 { ok(0, w.Destroy(e)); return name16{} })
}
