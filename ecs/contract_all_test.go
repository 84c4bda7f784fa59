package ecs_test

import (
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// All gives what Get gives, in the order of the list: of few entities, and of so many that it reads ahead. Some are gone, lack a
// component, have it elsewhere or were never bound, and some change between two turns of the loop.
func TestSchemaAll(t *testing.T) {
	type seen struct {
		At    *b16
		Speed ecs.WriteOne[b24]
		Maybe ecs.MaybeOne[b4]
	}
	for _, n := range []int{0, 1, 15, 16, 17, 500, 20_000} {
		w := world(t, ecs.Options{Memory: memmgr.Options{}.WithCaches(1, 1, 1)})
		at, speed, maybe := ecs.Register[b16](w, "at"), ecs.Register[b24](w, "speed"), ecs.Register[b4](w, "maybe", ecs.Thin)
		s := ecs.SchemaOf[seen](w)
		r := rand.New(rand.NewPCG(uint64(n), 1))
		es, list := make([]ecs.Entity, n), make([]ecs.Contract[seen], n)
		ok(0, ecs.SpawnerOf[struct {
			At    b16
			Speed b24
		}](w).SpawnN(es, []struct {
			At    b16
			Speed b24
		}{{}}))
		r.Shuffle(n, func(i, k int) { es[i], es[k] = es[k], es[i] })
		for i, e := range es {
			at.Mut(e)[0], at.Mut(e)[1] = byte(i), byte(i>>8)
			if i%7 == 3 {
				ok(0, maybe.Add(e, b4{byte(i)}))
			}
			list[i] = ok(s.Bind(e))
			switch i % 11 {
			case 2:
				ok(0, speed.Remove(e))
			case 5:
				ok(0, w.Destroy(e))
			case 8:
				list[i] = ecs.Contract[seen]{}
			}
		}
		next := 0
		for i, v := range s.All(list) {
			for ; next < i; next++ {
				if _, holds := s.Get(&list[next]); holds {
					t.Fatalf("%d of %d: left out", next, n)
				}
			}
			next++
			if want, holds := s.Get(&list[i]); !holds || want != v || v.At[0] != byte(i) || v.At[1] != byte(i>>8) || (v.Maybe != nil) != (i%7 == 3) {
				t.Fatalf("%d of %d: %+v, want %+v, %v", i, n, v, want, holds)
			}
			if k := i + 3; k < n && i%5 == 0 && w.Alive(es[k]) {
				switch i % 3 {
				case 0:
					ok(0, w.Destroy(es[k]))
				case 1:
					if speed.Has(es[k]) {
						ok(0, speed.Remove(es[k]))
					}
				}
			}
		}
		for range s.All(list) {
			next = -1
			break
		}
		if n > 0 && next != -1 {
			t.Errorf("of %d: the loop does not end", n)
		}
	}
}

// Behind Close no contract holds.
func TestClosedSchemaAll(t *testing.T) {
	w := ecs.New(ecs.Options{Memory: memmgr.Options{}.WithCaches(1, 1, 1)})
	ecs.Register[b16](w, "at")
	type seen struct{ At *b16 }
	s := ecs.SchemaOf[seen](w)
	es, list := make([]ecs.Entity, 20_000), make([]ecs.Contract[seen], 20_000)
	ok(0, ecs.SpawnerOf[struct{ At b16 }](w).SpawnN(es, []struct{ At b16 }{{}}))
	for i, e := range es {
		list[i] = ok(s.Bind(e))
	}
	all := s.All(list)
	ok(0, w.Close())
	for range all {
		t.Fatal("a contract of a closed world holds")
	}
	for range s.All(list) {
		t.Fatal("a contract of a closed world holds")
	}
}

// A schema that was refused has no contract that holds.
func TestRefusedSchemaAll(t *testing.T) {
	w := ecs.New(ecs.Options{})
	s := ecs.SchemaOf[struct{ At *b16 }](w)
	for range s.All(make([]ecs.Contract[struct{ At *b16 }], 3)) {
		t.Error("a contract of a refused schema holds")
	}
	if w.Err() == nil {
		t.Error("nothing was refused")
	}
	ok(0, w.Close())
}
