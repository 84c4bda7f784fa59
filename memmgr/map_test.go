package memmgr

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/profile"
)

// A map lists chunks by group and order, whatever their numbers, and where they are.
func TestMapOfChunks(t *testing.T) {
	m := open(t, Options{})
	b, a := sequence(t, m, "b", 8, 8000), sequence(t, m, "a", 8, 8000)
	few := sequence(t, m, "few", 8)
	n := a.Capacity()
	fillRows(t, few, 3)
	fillRows(t, b, 3*n)
	fillRows(t, a, n)
	b.DropFirst(1) // its number is a's second chunk's
	fillRows(t, a, 1)
	if _, err := m.Move(a.chunks[0]); err != nil {
		t.Fatal(err)
	}
	m.Pin(a.chunks[0])
	defer m.Unpin(a.chunks[0])
	out := m.Map()
	var got []string
	for _, c := range out.Chunks {
		got = append(got, fmt.Sprint(c.Group, " ", c.Order, ": ", c.Rows, " rows, ", c.Bytes, " bytes, ", c.Pins, " pins, ", c.Moves, " moves of ", c.Copied))
	}
	want := []string{
		fmt.Sprintf("a 0: %d rows, %d bytes, 1 pins, 1 moves of %d", n, 8008*n, 8008*n),
		"a 1: 1 rows, 8008 bytes, 0 pins, 0 moves of 0",
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
	for _, s := range []*Sequence{a, b, few} {
		for i := range s.chunks {
			c := at(s.name, i)
			kind, place := m.arena.PlaceOf(m.table.at(s.chunks[i]).spot.slot)
			r := out.Regions[c.Region]
			if r.Range != kind.String() || r.Number != place/32 || uint32(c.Slot) != place%32 {
				t.Errorf("%s %d is in slot %d of %s region %d, want %v", s.name, i, c.Slot, r.Range, r.Number, place)
			}
			if shared := r.Blocks>>c.Slot&1 == 1; shared != (s == few) {
				t.Errorf("%s %d is in a slot with blocks: %v", s.name, i, shared)
			}
			if r.Free>>c.Slot&1 == 1 {
				t.Errorf("%s %d is in a free slot", s.name, i)
			}
		}
	}
}
