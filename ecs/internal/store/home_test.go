package store

import (
	"maps"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// An entity spawned from a bundle has its index beside its like: of its group, or of the
// family in the commons. Bare and thin entities are in blocks of the common home, and stay
// there whatever they get.
func TestHomes(t *testing.T) {
	for _, fifo := range []bool{false, true} {
		h := makeHerd(t, Options{MaxEntities: 1 << 16, FIFO: fifo}, memoryOf(""), true)
		v := raw.Of(&whole{})
		one := func(c *Component) *Bundle { return h.NewBundle([]*Component{c}, []uintptr{0}) }
		bundles := map[string][]*Bundle{
			"group":  {h.both, h.whole, one(h.l), one(h.ownOpt)}, // also with a part of it, or more
			"more":   {one(h.more), h.NewBundle([]*Component{h.thin, h.more, h.opt}, []uintptr{0, 0, 0})},
			"opt":    {one(h.opt)},
			"common": {nil, one(h.thin)},
		}
		names := []string{"group", "more", "opt", "common"}
		blocks := make(map[uint32]string) // by 64 indexes
		spawn := func(name string, i int) {
			b, es := bundles[name][i%len(bundles[name])], make([]Entity, 1+i%7)
			var err error
			switch {
			case b == nil:
				es = es[:1]
				if es[0], err = h.Spawn(); err == nil && i%2 == 0 {
					err = h.Add(h.l, es[0], v)
				}
			case i%3 == 0:
				es = es[:1]
				if es[0], err = b.Take(); err == nil { // and its components come later
					err = b.Fill(es[0], v)
				}
			case len(es) == 1:
				es[0], err = b.Spawn(v)
			default:
				err = b.SpawnBatch(es, v, 0)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range es {
				if was := blocks[e.Index()/64]; was != "" && was != name {
					t.Fatalf("FIFO %v: %v of %q is in a block of %q", fifo, e, name, was)
				}
				blocks[e.Index()/64] = name
			}
			if i%4 == 0 && !fifo { // with FIFO a block of free indexes is nobody's
				if err := h.Destroy(es[0]); err != nil {
					t.Fatal(err)
				}
			}
		}
		for i := range 600 {
			spawn(names[i*7%4], i/4)
		}
		if err := h.Check(); err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			if !slices.Contains(slices.Collect(maps.Values(blocks)), name) {
				t.Errorf("no block is of %q", name)
			}
		}
	}
}

// An index goes back to the home that it is of, and is that home's next one, whoever
// destroys it, and whatever it had by then.
func TestHomesOrder(t *testing.T) {
	h := newHerd(t, "nothing moves", true)
	v := raw.Of(&whole{})
	more := h.NewBundle([]*Component{h.more}, []uintptr{0})
	var es []Entity
	for range 3 {
		for _, b := range []*Bundle{h.both, more} {
			e, err := b.Spawn(v)
			if err != nil {
				t.Fatal(err)
			}
			es = append(es, e)
		}
	}
	if err := h.Add(h.more, es[0], v); err != nil {
		t.Fatal(err)
	}
	if err := h.Remove(h.l, es[0]); err != nil {
		t.Fatal(err)
	}
	if n := h.DestroyBatch([]Entity{es[4], es[1], es[0], es[3]}); n != 4 {
		t.Fatal(n)
	}
	for _, c := range []struct {
		b    *Bundle
		want Entity
	}{{more, es[3]}, {h.both, es[0]}, {more, es[1]}, {h.both, es[4]}} {
		e, err := c.b.Spawn(v)
		if err != nil || e != c.want+1<<VersionShift {
			t.Errorf("then %v, want the index of %v, %v", e, c.want, err)
		}
	}
}

// The home of a family that goes leaves its blocks to the common home; a bundle that comes
// to it again has a new one.
func TestHomeOfFamilyThatGoes(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	b := h.NewBundle([]*Component{h.more}, []uintptr{0})
	es := make([]Entity, 5)
	if err := b.SpawnBatch(es, raw.Of(new(uint64)), 0); err != nil {
		t.Fatal(err)
	}
	for _, e := range es[:4] { // they live on, elsewhere
		if err := h.Remove(h.more, e); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Destroy(es[4]); err != nil {
		t.Fatal(err)
	}
	f := h.Commons.family([]*Component{h.more}, 0)
	for range 3 * deadAfter {
		h.EndFrame()
	}
	if h.Commons.known(f.fixed, 0) != nil {
		t.Fatal("the family is still there: the test tests less than it says")
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	if e, err := h.Spawn(); err != nil || e != es[4]+1<<VersionShift {
		t.Errorf("the common home has %v, want the index of %v, %v", e, es[4], err)
	}
	if e, err := b.Spawn(raw.Of(new(uint64))); err != nil || e.Index()/64 == es[0].Index()/64 {
		t.Errorf("the new family has %v, %v", e, err)
	}
}

// Indexes that a home takes over from a group's, when there are no others, are the others'
// in all respects: each entity has the same rows as anywhere.
func TestHomesShortOfIndexes(t *testing.T) {
	h := makeHerd(t, Options{MaxEntities: 200}, memoryOf(""), true)
	v := raw.Of(&whole{})
	es := make([]Entity, 200)
	if err := h.both.SpawnBatch(es, v, 0); err != nil {
		t.Fatal(err)
	}
	for i := range 90 {
		if err := h.Destroy(es[2*i]); err != nil {
			t.Fatal(err)
		}
	}
	more := h.NewBundle([]*Component{h.more, h.thin}, []uintptr{0, 0})
	for i := range 90 {
		b := []*Bundle{more, h.whole, h.both}[i%3]
		e, err := b.Spawn(v)
		if err == nil && i%2 == 0 && b == more {
			err = h.Add(h.l, e, v)
		}
		if err != nil {
			t.Fatal(err)
		}
		es[2*i] = e
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	if h.Len() != 200 {
		t.Fatalf("%d entities", h.Len())
	}
	if n := h.DestroyBatch(es); n != 200 || len(h.rows(false)) > 0 {
		t.Errorf("%d destroyed, and %d chunks are left", n, len(h.rows(false)))
	}
}

// Entities that go as a run take the rows with them that some have in the group that they were
// spawned into.
func TestTailWithKin(t *testing.T) {
	h := newHerd(t, "nothing moves", true)
	v := raw.Of(&whole{})
	alone := h.NewBundle([]*Component{h.more}, []uintptr{0})
	member := h.NewBundle([]*Component{h.l, h.more}, []uintptr{0, 0})
	for _, bundles := range [][]*Bundle{{alone, alone}, {alone, member}, {member, alone}} {
		es := make([]Entity, 2*runMin)
		for i := range es {
			var err error
			if es[i], err = bundles[i/runMin].Spawn(v); err != nil {
				t.Fatal(err)
			}
		}
		if n := h.DestroyBatch(es); n != len(es) || len(h.rows(false)) > 0 {
			t.Errorf("%d destroyed, and %d chunks are left", n, len(h.rows(false)))
		}
		if err := h.Check(); err != nil {
			t.Error(err)
		}
	}
}
