package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

type vec3 struct{ X, Y, Z float32 }

type spin struct {
	Axis  vec3
	Angle float32
}

// transform is shared by many systems.
type transform struct {
	At vec3
	spin
	Scale float64
	Tag   [3]byte
}

type sprite struct{ Tint, Depth uint32 }

// scene is a world in which two in three entities with a transform have a sprite, in
// another order.
func scene(t *testing.T, n int) (*ecs.World, *ecs.Pool[transform], *ecs.Pool[sprite], []ecs.Entity) {
	t.Helper()
	w := world(t, ecs.Options{})
	tr, sp := ecs.Register[transform](w, "transform"), ecs.Register[sprite](w, "sprite")
	g := ecs.GroupOf[struct{ T transform }](w, "transforms", tr)
	s := ecs.GroupOf[struct{ S sprite }](w, "sprites", sp)
	_ = s
	es := make([]ecs.Entity, n)
	for i := range es {
		f := float32(i)
		es[i] = ok(g.Spawn(struct{ T transform }{transform{vec3{f, f + 1, f + 2}, spin{vec3{-f, 0, 1}, f / 2}, float64(i) * 3, [3]byte{byte(i)}}}))
	}
	for i := range es {
		if e := es[(i*13+3)%n]; i%3 > 0 {
			if err := sp.Add(e, sprite{uint32(e.Index()), 1}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return w, tr, sp, es
}

// A field of a shared component is read and written as a column of its own.
func TestFieldsOfComponents(t *testing.T) {
	for _, n := range []int{1, 7, 5003} {
		w, tr, sp, es := scene(t, n)
		type look struct {
			Spr   []sprite
			At    []vec3             `ashlar:"transform.At"`
			Angle ecs.Write[float32] `ashlar:"transform.Angle"`
			Deep  []float32          `ashlar:"transform.Axis.Z"`
			Tag   [][3]byte          `ashlar:"transform.Tag"`
			All   []ecs.Entity
		}
		seen := 0
		was := make(map[ecs.Entity]transform) // values written by a system: it can't get them by handle
		for e, v := range tr.All() {
			was[e] = *v
		}
		ecs.System(w, "look", func(c *look) {
			for i, e := range c.All {
				v := was[e]
				if c.Spr[i] != *sp.Get(e) || c.At[i] != v.At || c.Angle[i] != v.Angle || c.Deep[i] != v.Axis.Z || c.Tag[i] != v.Tag {
					t.Errorf("%v: %v %v %v, want %v", e, c.At[i], c.Angle[i], c.Tag[i], v)
				}
				c.Angle[i] += 1000
				seen++
			}
		})
		if err := w.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if seen != sp.Len() {
			t.Errorf("%d of %d rows were seen", seen, sp.Len())
		}
		for i, e := range es {
			f := float32(i)
			want := transform{vec3{f, f + 1, f + 2}, spin{vec3{-f, 0, 1}, f / 2}, float64(i) * 3, [3]byte{byte(i)}}
			if sp.Has(e) {
				want.Angle += 1000
			}
			if *tr.Get(e) != want {
				t.Fatalf("%v: %v, want %v", e, *tr.Get(e), want)
			}
		}
		if err := w.Check(); err != nil {
			t.Error(err)
		}
	}
}

// Rows that lack an optional shared component read as zero.
func TestOptionalFields(t *testing.T) {
	w, tr, sp, es := scene(t, 300)
	for _, e := range es[:50] {
		if err := tr.Remove(e); err != nil {
			t.Fatal(err)
		}
	}
	type look struct {
		Spr []sprite
		At  ecs.Maybe[vec3] `ashlar:"transform.At"`
		Has ecs.Has         `ashlar:"transform"`
		All []ecs.Entity
	}
	q, rows := ecs.QueryOf[look](w), 0
	for c := range q.All() {
		for i, e := range c.All {
			want := vec3{}
			if v := tr.Get(e); v != nil {
				want = v.At
			}
			if c.At[i] != want || c.Has.Has(i) != tr.Has(e) {
				t.Errorf("%v: %v, %v", e, c.At[i], c.Has.Has(i))
			}
			rows++
		}
	}
	if rows != sp.Len() {
		t.Errorf("%d of %d rows", rows, sp.Len())
	}
}

// One entity at a time.
func TestFieldPointers(t *testing.T) {
	w, tr, _, es := scene(t, 20)
	type one struct {
		At    *vec3
		Scale *float64
	}
	type named struct {
		At    *vec3                 `ashlar:"transform.At"`
		Scale ecs.WriteOne[float64] `ashlar:"transform.Scale"`
	}
	ecs.QueryMade[one](w)
	if err := w.Err(); err == nil {
		t.Error("a type that no component has was accepted")
	}
	q := ecs.QueryOf[named](w)
	v, is := q.Get(es[3])
	if !is || *v.At != tr.Get(es[3]).At {
		t.Fatalf("%v %v", v, is)
	}
	*v.Scale = 12
	n := 0
	for c := range q.All() {
		*c.Scale++
		n++
	}
	if n != tr.Len() || tr.Get(es[3]).Scale != 13 || tr.Get(es[3]).At != (vec3{3, 4, 5}) {
		t.Errorf("%d rows, %v", n, *tr.Get(es[3]))
	}
}

func TestRefusedFields(t *testing.T) {
	w, _, _, _ := scene(t, 1)
	type unknown struct {
		P []vec3 `ashlar:"transform.Position"`
	}
	type wrong struct {
		P []vec3 `ashlar:"transform.Angle"`
	}
	type deep struct {
		P []float32 `ashlar:"transform.Angle.X"`
	}
	type nobody struct {
		P []vec3 `ashlar:"trans.At"`
	}
	type typo struct {
		P []vec3 `ashlar:"wirte"`
	}
	type twice struct {
		A ecs.Write[vec3] `ashlar:"transform.At"`
		B []float32       `ashlar:"transform.At.X"`
	}
	type apart struct {
		A ecs.Write[vec3]    `ashlar:"transform.At"`
		B ecs.Write[float32] `ashlar:"transform.Angle"`
	}
	for want, err := range map[string]error{
		`no field "Position": it has At ecs_test.vec3, spin ecs_test.spin, Scale float64`: refusal(w, ecs.QueryMade[unknown](w)),
		"field Angle is of type float32, not ecs_test.vec3":                               refusal(w, ecs.QueryMade[wrong](w)),
		`float32 has no fields, and so no "X"`:                                            refusal(w, ecs.QueryMade[deep](w)),
		`no component is called "wirte": register it first`:                               refusal(w, ecs.QueryMade[typo](w)),
		`no component is called "trans.At"`:                                               refusal(w, ecs.QueryMade[nobody](w)),
		"A (transform.At, written) and B (transform.At.X) overlap":                        refusal(w, ecs.QueryMade[twice](w)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	if err := refusal(w, ecs.QueryMade[apart](w)); err != nil {
		t.Errorf("two fields that don't overlap: %v", err)
	}
}
