package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// agrees compares the bits of all tables' rows with the disabled components of each entity.
func (h *herd) agrees(t *testing.T) {
	t.Helper()
	for _, c := range append(h.comps[:len(h.comps):len(h.comps)], nil) {
		n := 0
		for e := range h.All() {
			if c == nil && !h.Enabled(e) || c != nil && c.Has(e) && !c.Enabled(e) {
				n++
			}
		}
		if n != h.Disabled(c) {
			t.Fatalf("%v: %d are disabled, and %d are counted", c, n, h.Disabled(c))
		}
		for u := range h.Tables() {
			x, count := u.Disabled(c), 0
			if (x == nil) != (n == 0) {
				t.Fatalf("%d are disabled, and rows are %v", n, x)
			}
			for id, n := range u.Seq.Chunks() {
				for row, e := range h.Entities(id, n) {
					want := c == nil && !h.Enabled(e) || c != nil && c.Has(e) && !c.Enabled(e)
					if x == nil {
						continue
					}
					if at, mask := u.bit(h.locAt(id, row)); x.has(at, mask) != want {
						t.Fatalf("table %s, row %d of %v: %v, want %v", u.Seq.Name(), row, e, !want, want)
					}
					if want {
						count++
					}
				}
			}
			if x != nil && x.Count != count {
				t.Fatalf("table %s: %d rows, want %d", u.Seq.Name(), x.Count, count)
			}
			if x != nil {
				u.placedAsFound(t, h.disabledOf(c))
			}
		}
	}
	if err := h.Check(); err != nil {
		t.Fatal(err)
	}
}

// placedAsFound compares the bits of all rows with those that are found by entity.
func (u *Table) placedAsFound(t *testing.T, d *disabled) {
	t.Helper()
	x := u.disabledRows(d)
	found, chunks := slices.Clone(x.Bits), slices.Clone(x.chunks)
	for i := range x.chunks {
		x.chunks[i].stale, x.chunks[i].count = true, 0
	}
	u.placeDisabled(x)
	if !slices.Equal(x.Bits, found) {
		t.Fatalf("table %s: bits %#x by entity, and %#x by row", u.Seq.Name(), x.Bits, found)
	}
	for i := range x.chunks {
		if x.chunks[i].count != chunks[i].count {
			t.Fatalf("table %s: chunk %d has %d by entity, and %d by row", u.Seq.Name(), i, x.chunks[i].count, chunks[i].count)
		}
		x.chunks[i].stale = chunks[i].stale
	}
}

// B2: Bits follow entities wherever rows go: they are added to and removed from, swapped,
// destroyed one by one and in batches, change over, and are brought together in a group.
func TestDisabledRows(t *testing.T) {
	for form := range placed() {
		h := newHerd(t, form, false)
		r := rand.New(rand.NewPCG(1, 2))
		var es []Entity
		for step := range 600 {
			if len(es) < 300 {
				some := make([]Entity, 40)
				if err := h.whole.SpawnBatch(some, raw.Of(&whole{}), 0); err != nil {
					t.Fatal(err)
				}
				es = append(es, some...)
			}
			i := r.IntN(len(es) - 20)
			part, c := es[i:i+1+r.IntN(20)], h.comps[r.IntN(len(h.comps))]
			switch k := r.IntN(10); {
			case k < 3:
				h.switchEach(c, part, r.IntN(3) == 0)
			case k < 4:
				h.switchEach(nil, part, r.IntN(3) == 0)
			case k < 5:
				h.RemoveBatch(c, part)
			case k < 7:
				h.AddBatch(c, part, raw.Of(&whole{}))
			case k < 8:
				for u := range h.Tables() {
					if n := u.Seq.Len(); n > 0 {
						u.Swap(u.Seq.At(r.IntN(n)), u.Seq.At(r.IntN(n)))
					}
				}
			case k < 9:
				h.DestroyBatch(es[len(es)-30:])
				es = es[:len(es)-30]
			default:
				c.stated = false
				h.Change(c, Way(r.IntN(3)))
				h.EndFrame()
			}
			if step == 300 {
				if _, err := h.Declare("both", h.comps[:2], h.comps[5:6]); err != nil {
					t.Fatal(err)
				}
			}
			if step%3 == 0 {
				h.agrees(t)
			}
			if step%100 == 99 {
				h.Shrink()
				h.manager.Advance()
			}
		}
		for _, c := range append(h.comps[:len(h.comps):len(h.comps)], nil) {
			h.switchEach(c, es, true)
		}
		if h.agrees(t); h.guarded.n > 0 || h.Disables() {
			t.Errorf("%s: everything is enabled, and %d are counted", form, h.disabledAll)
		}
		h.Shrink()
		for u := range h.Tables() {
			if len(u.disables) > 0 {
				t.Errorf("%s: table %s keeps bits of %d", form, u.Seq.Name(), len(u.disables))
			}
		}
	}
}

// Rows side by side lose a component as one, up to those that have it disabled.
func TestDisabledAmongRuns(t *testing.T) {
	for i := range 40 {
		h := newHerd(t, "nothing moves", false)
		es := make([]Entity, 40)
		if err := h.both.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
			t.Fatal(err)
		}
		h.SetEnabled(h.r, es[i], false)
		h.agrees(t)
		if n, err := h.RemoveBatch(h.r, es); n != 40 || err != nil {
			t.Fatalf("%d: %d removed, %v", i, n, err)
		}
		h.agrees(t)
		if n, err := h.AddBatch(h.r, es, raw.Of(&both{})); n != 40 || err != nil || !h.r.Enabled(es[i]) {
			t.Fatalf("%d: %d added, %v", i, n, err)
		}
		h.agrees(t)
	}
}

// B5: A component that comes back is enabled, and so is an entity with an index that was used
// before; a refused call changes nothing.
func TestDisabledEnds(t *testing.T) {
	for form := range placed() {
		h := newHerd(t, form, true)
		var v whole
		spawn := func() Entity {
			e, err := h.whole.Spawn(raw.Of(&v))
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		e := spawn()
		for i, c := range h.comps {
			if err := h.SetEnabled(c, e, false); err != nil || c.Enabled(e) || !c.Has(e) || !c.Disables() {
				t.Fatalf("%s: %s: %v, enabled %v", form, c.Name, err, c.Enabled(e))
			}
			if err := h.SetEnabled(c, e, false); err != nil || h.Disabled(c) != 1 {
				t.Fatalf("%v, %d are disabled of one", err, h.Disabled(c))
			}
			if err := h.Remove(c, e); err != nil {
				t.Fatal(err)
			}
			if err := h.SetEnabled(c, e, true); err != ErrAbsent || c.Enabled(e) {
				t.Fatalf("%s: %v", c.Name, err)
			}
			if err := h.Add(c, e, raw.Of(&v)); err != nil || !c.Enabled(e) || h.disabledAll != i || (h.guarded.n > 0) != (i > 0) {
				t.Fatalf("%s: %s: %v, and it is not enabled", form, c.Name, err)
			}
			h.SetEnabled(c, e, false)
		}
		h.SetEnabled(nil, e, false)
		if err := h.Destroy(e); err != nil || h.Disables() || h.guarded.n > 0 || h.Enabled(e) {
			t.Fatalf("%s: %v, %d are disabled", form, err, h.disabledAll)
		}
		f := spawn()
		if f.Index() != e.Index() && form != "first in, first out" || !h.Enabled(f) || h.SetEnabled(nil, e, false) != ErrStale || h.SetEnabled(h.l, e, false) != ErrStale {
			t.Errorf("%s: %v after %v", form, f, e)
		}
		h.SetEnabled(nil, f, false)
		h.SetEnabled(h.thin, f, false)
		if h.Clear(); h.Disables() || h.Disabled(nil) != 0 || h.Disabled(h.thin) != 0 {
			t.Errorf("%s: Clear leaves what is disabled", form)
		}
		if f = spawn(); !h.Enabled(f) || !h.thin.Enabled(f) {
			t.Errorf("%s: %v is new, and disabled", form, f)
		}
		h.agrees(t)
	}
}

// switchEach is SetEnabled for entities, of which some may lack the component.
func (h *herd) switchEach(c *Component, es []Entity, on bool) {
	for _, e := range es {
		_ = h.SetEnabled(c, e, on)
	}
}

// A switched bit is written where a table's bits are good, so that one does not cost a look
// at all rows; and where rows have changed, only their chunk is looked at.
func TestDisabledRowsAreKept(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	es := make([]Entity, 20_000)
	if err := h.both.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
		t.Fatal(err)
	}
	u := h.l.tables[0]
	built := func() (n int) {
		now := h.manager.Tick()
		u.Disabled(h.l)
		for _, k := range u.disables[0].chunks {
			if k.built == clock.Values(now) {
				n++
			}
		}
		h.manager.Advance()
		return n
	}
	h.SetEnabled(h.l, es[7], false)
	if n := built(); n != u.Seq.ChunkCount() || n < 4 {
		t.Fatalf("%d chunks of %d are looked at first", n, u.Seq.ChunkCount())
	}
	h.switchEach(h.l, es[:5000], false)
	if n := built(); n != 0 {
		t.Errorf("%d chunks are looked at after switching", n)
	}
	h.Destroy(es[len(es)-1])
	if n := built(); n != 1 {
		t.Errorf("%d chunks are looked at after one was destroyed at the end", n)
	}
	h.Destroy(es[0])
	if n := built(); n != 2 {
		t.Errorf("%d chunks are looked at after one was destroyed at the beginning", n)
	}
	h.agrees(t)
	h.switchEach(h.l, es[3:5000], true)
	h.Destroy(es[10]) // so few rows of two chunks are found by entity, and those of the others stay
	if n := built(); n != 2 {
		t.Errorf("%d chunks are looked at after another one was destroyed", n)
	}
	h.agrees(t)
}

// Few entities are found one by one, and many by their rows.
func TestFewDisabled(t *testing.T) {
	for _, x := range []struct {
		entities, words, rows int
		want                  bool
	}{
		{1, 1, 64, false}, {1, 1, 128, true}, {150, 3125, 93_000, true}, {150, 3125, 600, false}, {1, 1 << 15, 1 << 14, false},
		{311, 64, 20_000, false}, {310, 64, 20_000, true}, {1, 1, 0, false},
	} {
		if got := fewDisabled(x.entities, x.words, x.rows); got != x.want {
			t.Errorf("%d entities, %d words, %d rows: %v", x.entities, x.words, x.rows, got)
		}
	}
}

// BenchmarkDisabled finds the disabled ones of 65,536 rows, in nanoseconds a row: by row, and by entity, where one in some is
// disabled.
func BenchmarkDisabled(b *testing.B) {
	for _, every := range []int{1024, 64, 24, 8} {
		h := newHerd(b, "nothing moves", false)
		es := make([]Entity, 1<<16)
		if err := h.both.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
			b.Fatal(err)
		}
		u := h.l.tables[0]
		for i := 0; i < len(es); i += every {
			h.SetEnabled(h.l, es[i], false)
		}
		u.Disabled(h.l)
		x := u.disabledRows(h.disabledOf(h.l))
		run := func(way string, f func()) {
			b.Run(fmt.Sprintf("%s/%d", way, every), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(es)), "ns/row")
			})
		}
		run("by row", func() {
			for i := range x.chunks {
				id, n := u.Seq.Chunk(i)
				u.findDisabled(x.Bits[i*u.stride:][:u.stride], x.of, id, n)
			}
		})
		run("by entity", func() {
			for i := range x.chunks {
				x.chunks[i].stale, x.chunks[i].count = true, 0
			}
			u.placeDisabled(x)
		})
	}
}

// B3: Check names a fault of disabled bits.
func TestCheckDisabled(t *testing.T) {
	for _, x := range []struct {
		want string
		harm func(h *herd, e Entity)
	}{
		{"", func(*herd, Entity) {}},
		{"index 1 is disabled", func(h *herd, e Entity) { h.guarded.reset() }},
		{"index 5 is disabled", func(h *herd, e Entity) { h.l.disabled.bits[0] |= 1 << 5 }},
		{"are disabled, component \"l\", and", func(h *herd, e Entity) { h.l.disabled.n++ }},
		{"disabled in all", func(h *herd, e Entity) { h.disabledAll++ }},
		{"disabled rows, and", func(h *herd, e Entity) { h.l.tables[0].disables[0].chunks[0].count++ }},
		{"and bits", func(h *herd, e Entity) { h.l.tables[0].disables[0].Bits[0] ^= 1 << 1 }},
	} {
		h := newHerd(t, "nothing moves", false)
		e, _ := h.both.Spawn(raw.Of(&both{}))
		h.SetEnabled(h.l, e, false)
		h.l.tables[0].Disabled(h.l)
		x.harm(h, e)
		if err := h.Check(); (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %q", err, x.want)
		}
		h.unguard()
		h.l.tables[0].disables = nil
	}
}
