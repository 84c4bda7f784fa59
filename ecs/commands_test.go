package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Values of every size go through the buffer, those of no size too, wherever in it they
// come: alone, first, last, and where the buffer has just been filled to its end.
func TestCommandsOfEverySize(t *testing.T) {
	w := world(t, ecs.Options{})
	tag := ok(ecs.Register[tag0](w, "tag"))
	one, wide := ok(ecs.Register[b1](w, "one")), ok(ecs.Register[b24](w, "wide"))
	word := ok(ecs.Register[[1]uint64](w, "word"))
	g := ok(ecs.GroupOf[struct{ Tag tag0 }](w, "tags"))
	c := w.Commands()
	var es []ecs.Entity
	for n := range 70 {
		e, k := ok(w.Spawn()), byte(n)
		tag.AddLater(c, e, tag0{})
		es = append(es, e, ok(g.SpawnLater(c, struct{ Tag tag0 }{})))
		if n%9 == 0 { // a tag alone, in a new buffer
			ok(0, w.SafePoint())
		}
		one.AddLater(c, e, b1{k})
		tag.AddLater(c, ok(w.Spawn()), tag0{})
		wide.AddLater(c, e, b24{23: k})
		word.AddLater(c, e, [1]uint64{uint64(n)})
		tag.AddLater(c, ok(w.Spawn()), tag0{})
		ok(0, w.SafePoint())
		if one.Get(e)[0] != k || wide.Get(e)[23] != k || word.Get(e)[0] != uint64(n) {
			t.Fatalf("%d: %v %v %v", n, one.Get(e), wide.Get(e), word.Get(e))
		}
	}
	for _, e := range es {
		if !tag.Has(e) {
			t.Fatalf("%v has no tag", e)
		}
	}
	if tag.Len() != 4*70 || g.Len() != 4*70 || w.Dropped() != 0 {
		t.Errorf("%d tags, %d members, %d dropped", tag.Len(), g.Len(), w.Dropped())
	}
}

// A value of no size may come when the buffer is full to its last word, whatever its
// length: what is kept for it lies in the buffer all the same. Builds that check pointers,
// as race builds do, stop otherwise.
func TestEmptyValueInFullBuffer(t *testing.T) {
	for words := range 40 {
		w := world(t, ecs.Options{MaxEntities: 100})
		tag, word := ok(ecs.Register[tag0](w, "tag")), ok(ecs.Register[[1]uint64](w, "word"))
		tags := ok(ecs.GroupOf[struct{ Tag tag0 }](w, "tags"))
		c := w.Commands()
		for range words {
			word.AddLater(c, ok(w.Spawn()), [1]uint64{1})
		}
		tag.AddLater(c, ok(w.Spawn()), tag0{})
		ok(tags.SpawnLater(c, struct{ Tag tag0 }{}))
		ok(0, w.SafePoint())
		if tag.Len() != 2 || word.Len() != words {
			t.Errorf("%d tags, %d words of %d", tag.Len(), word.Len(), words)
		}
	}
}

// In a world so large that what changes read is loaded ahead, changes are made in order,
// whatever their number, to dead entities and handles that are none too.
func TestCommandsInLargeWorld(t *testing.T) {
	w := world(t, ecs.Options{})
	one := ok(ecs.Register[b1](w, "one"))
	es := make([]ecs.Entity, 70_000)
	for i := range es {
		es[i] = ok(w.Spawn())
		if i%2 == 0 {
			ok(0, one.Add(es[i], b1{1}))
		}
	}
	c, next := w.Commands(), 0
	for n := range 40 {
		dropped := w.Dropped()
		for i := range n {
			e := es[next+i]
			switch i % 4 {
			case 0:
				c.Destroy(e)
			case 1:
				one.RemoveLater(c, e)
			case 2:
				one.AddLater(c, e, b1{2})
			case 3:
				c.Destroy(e)
				one.AddLater(c, e, b1{3}) // too late
			}
		}
		c.Destroy(0)
		c.Destroy(^ecs.Entity(0))
		ok(0, w.SafePoint())
		lost := uint64(2)
		for i := range n {
			e := es[next+i]
			odd := (next+i)%2 == 1
			switch i % 4 {
			case 0:
				if w.Alive(e) {
					t.Fatalf("%d of %d lives", i, n)
				}
			case 1:
				if odd {
					lost++
				}
				if one.Has(e) {
					t.Fatalf("%d of %d has a component", i, n)
				}
			case 2:
				if !odd {
					lost++
				}
				if v := one.Get(e); v[0] != map[bool]byte{true: 2, false: 1}[odd] {
					t.Fatalf("%d of %d has %d", i, n, v[0])
				}
			case 3:
				lost++
				if w.Alive(e) {
					t.Fatalf("%d of %d lives", i, n)
				}
			}
		}
		if got := w.Dropped() - dropped; got != lost {
			t.Fatalf("%d of %d changes were dropped, want %d", got, n, lost)
		}
		next += n
	}
	if n := w.DestroyBatch(es[next : next+1001]); n != 1001 {
		t.Errorf("%d destroyed of 1001", n)
	}
	if w.DestroyBatch(es[next:next+1001]) != 0 {
		t.Error("the dead die again")
	}
	ok(0, w.Check())
}
