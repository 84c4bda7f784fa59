package ecs

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The short way of Add and Remove is open below near. What it does and what the long
// way does is alike, which the model shows; this is about when it is open.
func TestShortWay(t *testing.T) {
	type value [3]byte
	type pair struct{ A, B value }
	paged := memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}
	for name, c := range map[string]struct {
		memory memmgr.Options
		before int  // components registered before
		own    bool // by a group, from the beginning
		late   bool // by a group, in the end
		open   bool
	}{
		"loose":                {open: true},
		"the last of a plane":  {before: 63, open: true},
		"a plane further":      {before: 64},
		"owned":                {own: true},
		"owned in the end":     {late: true},
		"slots that are paged": {memory: paged},
	} {
		t.Run(name, func(t *testing.T) {
			w, err := New(Options{Memory: c.memory})
			if err != nil {
				t.Fatal(err)
			}
			for i := range c.before {
				if _, err := Register[value](w, fmt.Sprint("before", i)); err != nil {
					t.Fatal(err)
				}
			}
			p, err := Register[value](w, "p")
			if err != nil {
				t.Fatal(err)
			}
			q, err := Register[value](w, "q")
			if err != nil {
				t.Fatal(err)
			}
			own := func() {
				if _, err := GroupOf[pair](w, "pair", p, q); err != nil {
					t.Fatal(err)
				}
			}
			if c.own {
				own()
			}
			if p.near != 0 {
				t.Errorf("open below %d before there are rows", p.near)
			}
			var es []Entity
			for range 20_000 { // over the first steps in which slots and records grow
				e, err := w.Spawn()
				if err != nil {
					t.Fatal(err)
				}
				es = append(es, e)
			}
			for i := 0; i < len(es); i += 1999 {
				e := es[i]
				if err := p.Add(e, value{byte(i)}); err != nil {
					t.Fatal(err)
				}
				flat := p.slots.Flat() && w.records.Flat() // not in race builds, nor everywhere
				if open := p.near > e.Index(); open != (flat && (c.open || c.late)) {
					t.Fatalf("open below %d after Add to %v", p.near, e)
				}
				if err := p.Add(e, value{9}); !errors.Is(err, ErrPresent) {
					t.Errorf("second Add: %v", err)
				}
			}
			if c.late {
				own()
			}
			if c.late && p.near != 0 {
				t.Errorf("open below %d for an owned component", p.near)
			}
			for i := 0; i < len(es); i += 1999 {
				e := es[i]
				if v := p.Get(e); v == nil || *v != (value{byte(i)}) {
					t.Fatalf("%v has %v", e, v)
				}
				if err := p.Remove(e); err != nil {
					t.Fatal(err)
				}
				if err := p.Remove(e); !errors.Is(err, ErrAbsent) {
					t.Errorf("second Remove: %v", err)
				}
				if err := p.Add(e, value{byte(i)}); err != nil { // others move, this one is last
					t.Fatal(err)
				}
				if err := w.Destroy(e); err != nil {
					t.Fatal(err)
				}
				if err := p.Add(e, value{1}); !errors.Is(err, ErrStale) {
					t.Errorf("Add to a stale handle: %v", err)
				}
				if err := p.Remove(e); !errors.Is(err, ErrStale) {
					t.Errorf("Remove from a stale handle: %v", err)
				}
				if err := w.Check(); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			if p.near != 0 || !errors.Is(p.Add(es[1], value{}), ErrStale) || !errors.Is(p.Remove(es[1]), ErrStale) {
				t.Errorf("open below %d after Close", p.near)
			}
		})
	}
}
