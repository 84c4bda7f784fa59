package memmgr_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// A map lists chunks by group and order, whatever their numbers, and where they are.
func TestMapOfChunks(t *testing.T) {
	m := manager(t, memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}) // stripes begin later
	b, a := newTable(t, m, "b", 8, 8000).s, newTable(t, m, "a", 8, 8000).s
	few := newTable(t, m, "few", 8).s
	n := a.Capacity()
	add(t, few, 3)
	add(t, b, 3*n)
	add(t, a, n)
	b.DropChunks(1) // its number is a's second chunk's
	add(t, a, 1)
	first, _ := a.Chunk(0)
	if _, err := m.Move(first); err != nil {
		t.Fatal(err)
	}
	defer a.Pin()()
	out := m.Map()
	var got []string
	for _, c := range out.Chunks {
		got = append(got, fmt.Sprint(c.Group, " ", c.Order, ": ", c.Rows, " rows, ", c.Bytes, " bytes, ", c.Pins, " pins, ", c.Moves, " moves of ", c.Copied))
	}
	want := []string{
		fmt.Sprintf("a 0: %d rows, %d bytes, 1 pins, 1 moves of %d", n, 8008*n, 8008*n),
		"a 1: 1 rows, 8008 bytes, 1 pins, 0 moves of 0",
		fmt.Sprintf("b 0: %d rows, %d bytes, 0 pins, 0 moves of 0", n, 8008*n),
		fmt.Sprintf("b 1: %d rows, %d bytes, 0 pins, 0 moves of 0", n, 8008*n),
		"few 0: 3 rows, 24 bytes, 0 pins, 0 moves of 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the map has\n%q, want\n%q", got, want)
	}
	at := func(group string, order int) profile.Placed {
		i := slices.IndexFunc(out.Chunks, func(c profile.Placed) bool { return c.Group == group && c.Order == order })
		return out.Chunks[i]
	}
	for p := range m.Placements() {
		c := at(p.Sequence, p.Order)
		kind, place := m.Arena().PlaceOf(p.Slot)
		r := out.Regions[c.Region]
		if r.Range != kind.String() || r.Number != place/32 || uint32(c.Slot) != place%32 {
			t.Errorf("%s %d is in slot %d of %s region %d, want place %d of %v", p.Sequence, p.Order, c.Slot, r.Range, r.Number, place, kind)
		}
		if shared := r.Blocks>>c.Slot&1 == 1; shared != (p.Sequence == "few") {
			t.Errorf("%s %d is in a slot with blocks: %v", p.Sequence, p.Order, shared)
		}
		if r.Free>>c.Slot&1 == 1 {
			t.Errorf("%s %d is in a free slot", p.Sequence, p.Order)
		}
	}
	if err := profile.WriteRun(filepath.Join(t.TempDir(), "run"), profile.Profile{}, out); err != nil || out.Whole != (m.Arena().Backend() == arena.Heap) {
		t.Errorf("whole %v, %v", out.Whole, err)
	}
}
