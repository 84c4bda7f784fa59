//go:build ashlarcheck

package memmgr

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Mistakes that can't be found cheaply are found in checked builds.
func TestMisuseChecked(t *testing.T) {
	m := open(t, Options{})
	s, other := sequence(t, m, "s", 8), sequence(t, m, "other", 8, 8000)
	fillRows(t, s, 3)
	fillRows(t, other, other.Capacity())
	l, foreign := s.Last(), other.Last()
	empty := sequence(t, m, "empty", 8)
	d := s.directory(0)
	words := fmt.Sprintf("chunk %d does not have this column, or is not in use any more: keep numbers of chunks only while their rows stay", foreign.Chunk())
	for what, c := range map[string]struct {
		words string
		f     func()
	}{
		"Addr":       {words, func() { d.Addr(foreign.Chunk()) }},
		"Cell":       {words, func() { d.Cell(foreign.Chunk()) }},
		"CellOf":     {words, func() { d.CellOf(foreign) }},
		"At":         {words, func() { d.At(foreign, 8) }},
		"Written":    {words, func() { s.Written(0, foreign.Chunk()) }},
		"Changed":    {words, func() { s.Changed(0, foreign.Chunk(), 0) }},
		"Last":       {"Last of \"empty\", which has no rows: look at Len first", func() { empty.Last() }},
		"DropAt":     {"whose last row is " + l.String() + ": call SwapRemove", func() { s.DropAt(s.At(0)) }},
		"DropTail":   {"DropTail of 4 rows of \"s\", whose last chunk has 3: call Truncate", func() { s.DropTail(4) }},
		"DropTail 0": {"DropTail of 0 rows of \"s\", whose last chunk has 3: call Truncate", func() { s.DropTail(0) }},
	} {
		t.Run(what, func(t *testing.T) { panics(t, m, c.words, c.f) })
	}
}

// T6: Memory that a chunk has left is overwritten: a slot, a block, and a position of a region.
func TestPoison(t *testing.T) {
	m := open(t, Options{})
	m.pacing.clock = stopped
	few, wide, long := sequence(t, m, "few", 8), sequence(t, m, "wide", 8, 8000), sequence(t, m, "long", 8, 8000)
	fillRows(t, few, 3)
	fillRows(t, wide, wide.Capacity())
	fillRows(t, long, 10*long.Capacity())
	safePoints(t, m, 3)
	const old = uint64(0x0101010101010101 * spot.Poison)
	for _, s := range []*Sequence{few, wide, long} {
		id := s.chunks[0]
		held := Slice[uint64](s, 0, id)
		if _, err := m.Move(id); err != nil {
			t.Fatal(err)
		}
		if held[0] != old || held[len(held)-1] != old {
			t.Errorf("%q: rows of a place that was left are %x … %x", s.name, held[0], held[len(held)-1])
		}
		if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
			t.Errorf("%q: rows differ", s.name)
		}
	}
}
