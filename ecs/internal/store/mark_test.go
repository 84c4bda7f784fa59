package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Marked finds the rows of entities that have a component, whatever way and owner it has, and
// finds them again when a single change of any kind was made since.
func TestMarked(t *testing.T) {
	rows, kept := 0, 0
	for _, s := range streams(4) {
		if s.spread > 0 {
			continue
		}
		x := s.model(t, "mark", memories[0].o)
		for i := range s.commands {
			x.m.Advance()
			x.step()
			if i%100 > 4 {
				continue
			}
			x.m.Advance() // a change in a tick makes bits found in it bad
			for u := range x.s.Tables() {
				for _, c := range x.comps {
					bits, at := u.Marked(c), 0
					for id, n := range u.Seq.Chunks() {
						for row, e := range x.s.Entities(id, n) {
							is := bits[at+row/64]>>(row%64)&1 != 0
							if is != c.Has(e) {
								x.failf("%v has %s: %v, marked: %v", e, c.Name, c.Has(e), is)
							}
							if is {
								rows++
							}
						}
						at += u.Stride()
					}
					if n := popcount(bits); n > u.Seq.Len() || len(bits) != at {
						x.failf("%d rows of %d are marked, in %d words of %d", n, u.Seq.Len(), len(bits), at)
					}
				}
				for _, y := range u.marks {
					if !y.made.Stale(clock.Values(x.m.Tick())) {
						kept++
					}
				}
			}
		}
		x.close()
	}
	if rows < 10_000 || kept < 10_000 {
		t.Errorf("%d rows were marked, and bits were kept %d times", rows, kept)
	}
}

// While nothing changes, bits are found once, for all that look. Shrink lets go of them.
func TestMarkedIsKept(t *testing.T) {
	h := newHerd(t, "nothing moves", true)
	es := make([]Entity, 3000)
	if err := h.both.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
		t.Fatal(err)
	}
	u, v := h.l.tables[len(h.l.tables)-1], [33]byte{}
	found := func() bool { // anew
		h.manager.Advance()
		u.Marked(h.thin)
		return u.marks[0].made == clock.Values(h.manager.Tick())
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	add := func(e Entity) { check(h.Add(h.thin, e, raw.Of(&v))) }
	add(es[3])
	add(es[2999])
	for _, c := range []struct {
		what   string
		change func()
		bad    bool
	}{
		{"the first time", func() {}, true},
		{"again", func() {}, false},
		{"a value was set", func() { h.SetRows(h.l, u.All(), raw.Of(&v)) }, false},
		{"one more has it", func() { add(es[70]) }, true},
		{"the last one lost it", func() { check(h.Remove(h.thin, es[70])) }, true},
		{"two changed places there", func() { check(h.Remove(h.thin, es[3])); add(es[3]) }, true},
		{"two rows changed places", func() { u.Swap(u.Seq.At(3), u.Seq.At(40)) }, true},
		{"a row has gone", func() { check(h.Destroy(es[1])) }, true},
		{"the last row has gone", func() { check(h.Destroy(u.EntityOf(u.Seq.Len() - 1))) }, true},
		{"nothing has changed", func() {}, false},
	} {
		if c.change(); found() != c.bad {
			t.Errorf("%s: found anew: %v", c.what, !c.bad)
		}
		if err := u.checkMarks(); err != nil || popcount(u.Marked(h.thin)) != h.thin.Len() {
			t.Errorf("%s: %d of %d are marked, %v", c.what, popcount(u.Marked(h.thin)), h.thin.Len(), err)
		}
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
	if u.marks[0].bits[0] ^= 1; h.Check() == nil {
		t.Error("Check has nothing to say about bits that are wrong")
	}
	if _, err := h.Shrink(); err != nil || u.marks != nil {
		t.Errorf("Shrink keeps bits: %v", err)
	}
}
