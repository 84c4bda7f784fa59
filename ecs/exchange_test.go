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
	if n, err := x.All(q, toB{B: name16{8}}); err != nil || a.Len() != 10 {
		t.Errorf("All has changed %d: %v; %d have a", n, err, a.Len())
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
				if s := fmt.Sprint(recover()); !strings.Contains(s, "call it when the loop has ended") {
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
