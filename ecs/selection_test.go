package ecs_test

import (
	"slices"
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
	s := ecs.Select(w, ecs.Match{Write: []ecs.AnyPool{w.Pool("hp")}, With: []ecs.AnyPool{q, p, q}, Without: []ecs.AnyPool{far}})
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
	for b := range ecs.Select(w, ecs.Match{With: []ecs.AnyPool{p}}).All() {
		for range ecs.Select(w, ecs.Match{With: []ecs.AnyPool{q}}).All() {
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
	s = ecs.Select(w, ecs.Match{With: []ecs.AnyPool{p}, Without: []ecs.AnyPool{far}})
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

// Pools are found by name.
func TestPoolByName(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	if w.Pool("none") != nil || w.Pool("hp") != ecs.AnyPool(p) {
		t.Error("pools are not found by name")
	}
}

// A schema goes over the entities that have all of its components, and over none if it was refused or its world is closed.
func TestSchemaEntities(t *testing.T) {
	w := world(t, ecs.Options{})
	p, q := ecs.Register[hp](w, "hp"), ecs.Register[frozen](w, "frozen", ecs.Thin)
	var want []ecs.Entity
	for i := range 900 {
		e := ok(w.Spawn())
		ok(0, p.Add(e, hp{}))
		if i%3 == 0 {
			ok(0, q.Add(e, frozen{}))
			want = append(want, e)
		}
	}
	s := ecs.SchemaOfPools(w, p, q)
	if got := slices.Collect(s.Entities()); !slices.Equal(got, want) {
		t.Errorf("%d entities, want %d", len(got), len(want))
	}
	for e := range s.Entities() {
		for range s.Entities() { // within itself
			break
		}
		panics(t, "iterates", func() { w.Destroy(e) })
		break
	}
	refused := ecs.SchemaOfPools(w, nil)
	if got := slices.Collect(refused.Entities()); got != nil || w.Err() == nil {
		t.Errorf("%d entities of a schema that was refused", len(got))
	}
	ok(0, w.Close())
	if got := slices.Collect(s.Entities()); got != nil {
		t.Errorf("%d entities of a closed world", len(got))
	}
}
