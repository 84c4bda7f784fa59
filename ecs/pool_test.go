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
	heap := memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}
	for name, c := range map[string]struct {
		memory memmgr.Options
		before int  // components registered before
		own    bool // by a group, from the beginning
		late   bool // by a group, in the end
		open   bool
		stays  bool // with an owner, too
	}{
		"loose":                  {open: true},
		"the last of a plane":    {before: 63, open: true},
		"the owner has two":      {before: 63, late: true, open: true},
		"owned, two planes":      {before: 63, own: true},
		"a plane further":        {before: 64},
		"owned, a plane further": {before: 64, own: true},
		"owned":                  {own: true, open: true, stays: true},
		"owned in the end":       {late: true, open: true, stays: true},
		"slots that move":        {memory: heap, open: true},
		"owned, slots that move": {memory: heap, own: true, open: true, stays: true},
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
			// member has an entity with p enter and leave the group, by both components.
			member := func(e Entity, v byte) {
				for _, err := range []error{q.Add(e, value{v + 1}), p.Remove(e), p.Add(e, value{v}), q.Remove(e), q.Add(e, value{v + 2}), p.Remove(e), p.Add(e, value{v})} {
					if err != nil {
						t.Fatal(err)
					}
				}
				if a, b := p.Get(e), q.Get(e); a == nil || b == nil || a[0] != v || b[0] != v+2 {
					t.Fatalf("%v has %v, %v", e, a, b)
				}
				if err := w.Check(); err != nil {
					t.Fatal(err)
				}
				if v%2 == 0 { // a member that stays: the next one to leave is not the last
					e, err := w.Spawn()
					if err == nil {
						err = errors.Join(q.Add(e, value{v}), p.Add(e, value{v}))
					}
					if err != nil {
						t.Fatal(err)
					}
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
				if open := p.near > e.Index(); open != c.open {
					t.Fatalf("open below %d after Add to %v", p.near, e)
				}
				if err := p.Add(e, value{9}); !errors.Is(err, ErrPresent) {
					t.Errorf("second Add: %v", err)
				}
			}
			if c.late {
				own()
			}
			if c.late && !c.stays && p.near != 0 {
				t.Errorf("open below %d with an owner in two planes", p.near)
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
				if c.own || c.late {
					member(e, byte(i))
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

// An entity that leaves a group or enters it while a chunk is refused stays as it
// was, also if some of its values had found room already. A region holds 32 chunks:
// by how many there are before, another column is the first to ask for a new one.
func TestMembersWithoutRoom(t *testing.T) {
	type value [8000]byte // too wide for blocks
	type six struct {
		A value `ashlar:"p0"`
		B value `ashlar:"p1"`
		C value `ashlar:"p2"`
		D value `ashlar:"p3"`
		E value `ashlar:"p4"`
		F value `ashlar:"p5"`
	}
	const columns, mid = 6, 3
	refused := map[string]int{}
	for before := range 40 {
		refuse := false
		w, err := New(Options{MaxEntities: 1 << 16, Memory: memmgr.Options{NoHugePages: true, Arena: arena.Options{Reserve: 1 << 30, Fault: func(c arena.Call) error {
			if refuse && c.Op == arena.OpCommit {
				return errors.New("refused")
			}
			return nil
		}}}})
		if err != nil {
			t.Fatal(err)
		}
		var typed []*Pool[value]
		for i := range columns + before + 1 {
			p, err := Register[value](w, fmt.Sprint("p", i))
			if err != nil {
				t.Fatal(err)
			}
			typed = append(typed, p)
		}
		g, err := GroupOf[six](w, "six")
		if err != nil {
			t.Fatal(err)
		}
		e, err := g.Spawn(six{value{0}, value{1}, value{2}, value{3}, value{4}, value{5}})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range typed[columns : columns+before] {
			if err := p.Add(e, value{}); err != nil {
				t.Fatal(err)
			}
		}
		more := typed[columns+before]
		typed = typed[:columns]
		for _, step := range []struct {
			what string
			has  bool
			do   func() error
		}{
			{"leaving", false, func() error { return typed[mid].Remove(e) }},
			{"entering", true, func() error { return typed[mid].Add(e, value{mid}) }},
		} {
			for _, refuse = range []bool{true, false} {
				err := step.do()
				if err != nil {
					refused[step.what]++
				}
				for i, p := range typed {
					v := p.Get(e)
					if got, want := v != nil, i != mid || step.has == (err == nil); got != want || got && *v != (value{byte(i)}) {
						t.Fatalf("%d chunks before, %s with error %v: component %d is %v", before, step.what, err, i, v)
					}
				}
				if err := w.Check(); err != nil {
					t.Fatalf("%d chunks before, %s: %v", before, step.what, err)
				}
				if err == nil {
					break
				}
				if !refuse {
					t.Fatalf("%d chunks before, %s with nothing refused: %v", before, step.what, err)
				}
			}
			refuse = false
			if _, err := w.m.Reclaim(^uint64(0)); err != nil { // the group's chunk goes
				t.Fatal(err)
			}
			if err := more.Add(e, value{}); err != nil && !errors.Is(err, ErrPresent) { // and another one comes
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if w.m.Arena().Backend() != arena.OS {
			t.Skip("nothing is asked of the operating system here: it refuses nothing")
		}
	}
	if refused["leaving"] < 2 || refused["entering"] == 0 {
		t.Errorf("too little was refused: %v", refused)
	}
}

// Slots that have grown, and so moved, are known to their group although the set's next
// plane was refused: a member that goes then leaves nothing behind.
func TestSlotsMoveWhereTheSetIsRefused(t *testing.T) {
	type value [3]byte
	type pair struct{ A, B value }
	w, err := New(Options{Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 64 { // the group's components have their bits in the second plane
		if _, err := Register[value](w, fmt.Sprint("before", i)); err != nil {
			t.Fatal(err)
		}
	}
	p, err1 := Register[value](w, "p")
	q, err2 := Register[value](w, "q")
	g, err3 := GroupOf[pair](w, "pair", p, q)
	es := make([]Entity, 100)
	if err := errors.Join(err1, err2, err3, g.SpawnN(es, pair{B: value{7}})); err != nil {
		t.Fatal(err)
	}
	var far Entity
	for far.Index() < 600 { // beyond the first 512 slots
		if far, err = w.Spawn(); err != nil {
			t.Fatal(err)
		}
	}
	slots := p.slots.Len()
	w.m.Arena().SetLimit(w.m.Arena().Stats().Committed + 8*arena.PageLen)
	if err := p.Add(far, value{}); !errors.Is(err, arena.ErrLimit) || p.slots.Len() == slots {
		t.Fatalf("%v, %d slots: the test is about slots that have grown and a plane that has not", err, p.slots.Len())
	}
	if err := errors.Join(w.Destroy(es[3]), w.Check()); err != nil || p.Has(es[3]) || g.Len() != 99 {
		t.Fatalf("%v, %d members", err, g.Len())
	}
	w.m.Arena().SetLimit(0)
	if err := errors.Join(p.Add(far, value{1}), q.Add(far, value{2}), w.Check()); err != nil || g.Len() != 100 {
		t.Fatalf("%v, %d members", err, g.Len())
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
