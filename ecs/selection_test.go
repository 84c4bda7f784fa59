package ecs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A selection writes the pools of Write, nests, and marks them as changed; its columns are the
// values themselves or come back to them.
func TestSelectionWrites(t *testing.T) {
	w := world(t, ecs.Options{})
	p, q := ecs.Register[hp](w, "hp"), ecs.Register[name16](w, "name")
	far := ecs.Register[frozen](w, "far", ecs.Volatile)
	for i := range 300 {
		e := ok(w.Spawn())
		ok(0, p.Add(e, hp{int32(i)}))
		ok(0, q.Add(e, name16{byte(i)}))
		if i%2 == 0 {
			ok(0, far.Add(e, frozen{}))
		}
	}
	s := w.Select(ecs.Match{Write: []ecs.AnyPool{w.Pool("hp")}, With: []ecs.AnyPool{q, p, q}, Without: []ecs.AnyPool{far}})
	rows, inner := 0, 0
	for b := range s.All() {
		hps, names := b.Column(p).([]hp), b.Column(q).([]name16)
		for i, e := range b.Entities {
			if byte(hps[i].V) != names[i][0] || far.Has(e) {
				t.Fatalf("%v: %v, %v", e, hps[i], names[i])
			}
			hps[i].V += 1000
			rows++
		}
	}
	for b := range w.Select(ecs.Match{With: []ecs.AnyPool{p}}).All() {
		for range w.Select(ecs.Match{With: []ecs.AnyPool{q}}).All() {
			inner++
		}
		for i, e := range b.Entities {
			if (b.Column(p).([]hp)[i].V >= 1000) == far.Has(e) {
				t.Fatalf("%v is %v", e, *p.Get(e))
			}
		}
	}
	if rows != 150 || inner == 0 || s.Len() != 150 {
		t.Errorf("%d rows, %d counted, %d within", rows, s.Len(), inner)
	}
	nested := 0
	s = w.Select(ecs.Match{With: []ecs.AnyPool{p}, Without: []ecs.AnyPool{far}})
	for b := range s.All() { // the same one within itself
		first := b.Entities[0]
		for c := range s.All() {
			nested += len(c.Entities)
		}
		if b.Entities[0] != first {
			t.Fatal("the outer batch changed")
		}
		break
	}
	if nested != 150 {
		t.Errorf("%d rows within", nested)
	}
}

// Lists that can't be meant are refused.
func TestSelectRefused(t *testing.T) {
	w, v := world(t, ecs.Options{}), world(t, ecs.Options{})
	p, q, foreign := ecs.Register[hp](w, "hp"), ecs.Register[frozen](w, "frozen"), ecs.Register[hp](v, "hp")
	var none *ecs.Pool[hp]
	list := func(p ...ecs.AnyPool) []ecs.AnyPool { return p }
	for want, m := range map[string]ecs.Match{
		"requires no component":                      {},
		"it requires no component: name at least":    {Without: list(p)},
		"pool 1 of With: it is nil":                  {With: list(p, nil)},
		"pool 0 of Write: it is nil":                 {Write: list(none)},
		"pool 0 of Or: it is nil":                    {Or: list(new(ecs.Pool[hp]))},
		"pool 0 of Without: component \"hp\" is of":  {With: list(p), Without: list(foreign)},
		"\"hp\" is both required and in Without":     {With: list(p), Without: list(p)},
		"\"frozen\" is both required and in Without": {Write: list(q), Without: list(p, q)},
	} {
		w.Select(m)
		if err := w.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	e := ok(w.Spawn())
	ok(0, p.Add(e, hp{}))
	for b := range w.Select(ecs.Match{Or: list(p)}).All() {
		panics(t, "Column of component \"hp\", which the selection does not name", func() { b.Column(p) })
		panics(t, "Column of a Pool that is nil", func() { b.Column(none) })
	}
	if w.Pool("none") != nil || w.Pool("hp") != ecs.AnyPool(p) || w.Pool("hp").Name() != "hp" {
		t.Error("pools are not found by name")
	}
	c := ecs.New(ecs.Options{})
	cp := ecs.Register[hp](c, "hp")
	ok(0, c.Close())
	c.Select(ecs.Match{With: list(cp)})
	if err := c.Err(); !errors.Is(err, ecs.ErrClosed) {
		t.Errorf("of a closed world: %v", err)
	}
}
