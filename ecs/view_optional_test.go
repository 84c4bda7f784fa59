package ecs

import (
	"errors"
	"github.com/ashlar-go/ashlar/memmgr"
	"testing"

	"github.com/ashlar-go/ashlar/views"
)

// A kept view notices that an optional component was taken from an entity, and given back
// with another value: nothing but a bit and a value has changed.
func TestKeptViewOfAnOptionalComponent(t *testing.T) {
	w := New(Options{Adapt: memmgr.AdaptOptions{Off: true}})
	defer w.Close()
	spots := Register[spot](w, "spot", Volatile)
	icons := Register[icon](w, "icon")
	Apart(GroupOf[struct{ I icon }](w, "icons", icons))
	type draw struct {
		I  Write[icon]
		At []spot
		E  []Entity
	}
	seen := map[Entity]spot{}
	System(w, "draw", func(c *draw) {
		for i, e := range c.E {
			seen[e] = c.At[i]
		}
	})

	if err := w.Err(); err != nil {
		t.Fatal(err)
	}
	var es []Entity
	for i := range 5000 {
		e, err := w.Spawn()
		if err := errors.Join(err, spots.Add(e, spot{Turn: [4]float32{float32(i)}}), icons.Add(e, icon{})); err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	for range 10 { // so that the icons are fewer, and are gone over
		e, err := w.Spawn()
		if err := errors.Join(err, spots.Add(e, spot{})); err != nil {
			t.Fatal(err)
		}
	}
	v := &viewed{t: t, w: w}
	look := func(what string, rows int) {
		t.Helper()
		clear(seen)
		v.run(1, views.Cached)
		if len(seen) != rows {
			t.Fatalf("%s: the system saw %d entities, want %d", what, len(seen), rows)
		}
		for e, got := range seen {
			if want := spots.Get(e); want == nil || *want != got {
				t.Fatalf("%s: the system saw %v for %v, which has %v", what, got, e, want)
			}
		}
	}
	v.run(3, views.Cached)
	look("all have it", len(es))
	if st := SharedOf(w); len(st) != 1 || st[0].Reused == 0 {
		t.Fatalf("no view was kept: %+v", st)
	}
	for i := range 6 {
		e := es[17+800*i]
		if i >= 3 { // all values change, and rows stay where they are
			for _, e := range es {
				spots.Mut(e).Turn[1]++
			}
		}
		if err := spots.Remove(e); err != nil {
			t.Fatal(err)
		}
		look("one lacks it", len(es)-1)
		if err := spots.Add(e, spot{Turn: [4]float32{-1}}); err != nil {
			t.Fatal(err)
		}
		look("it is back", len(es))
	}
}
