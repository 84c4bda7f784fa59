package memmgr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
)

// Stamps follow rows: rows that come and go mark both chunks, dropped ones the last.
func TestStampsOfRows(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	n := s.Capacity()
	fillRows(t, s, 3*n)
	changed := func(what string, want ...bool) {
		t.Helper()
		since := m.Tick() - 1
		for i := range s.ChunkCount() {
			for c := range 2 {
				if id, _ := s.Chunk(i); s.Changed(c, id, since) != want[i] {
					t.Errorf("%s: column %d of chunk %d changed: %v", what, c, i, !want[i])
				}
			}
		}
		m.Advance()
	}
	changed("made", true, true, true)
	changed("nothing", false, false, false)
	s.SwapRemove(s.At(1))
	changed("SwapRemove", true, false, true)
	s.SwapRemove(s.Last())
	changed("SwapRemove of the last", false, false, true)
	s.Truncate(s.Len() - 1)
	changed("Truncate", false, false, true)
	s.DropChunks(1)
	changed("DropFirst", false, false)
	if got, want := rowsOf(s)[0], uint64(n); got != want {
		t.Errorf("the first row is %d, want %d", got, want)
	}
}

// A directory says how many more cells a chunk would take, and takes no more.
func TestDirectoryGrows(t *testing.T) {
	d := new(Directory)
	for _, c := range []struct {
		id          chunk.ID
		more, cells uint64
	}{{5, 0, 1}, {5, 0, 1}, {4, 1, 2}, {6, 2, 4}, {7, 0, 4}, {7 + 64, 124, 128}, {1 << 20, 0, 128}} {
		if got := d.more(c.id); got != c.more {
			t.Errorf("chunk %d takes %d more cells, want %d", c.id, got, c.more)
		}
		d.set(c.id, 7, false, nil)
		if d.mask+1 != c.cells || !d.has(c.id) {
			t.Errorf("%d cells after chunk %d, want %d", d.mask+1, c.id, c.cells)
		}
	}
	d.Cell(5).Stamp = 9
	d.set(1<<20+5+1<<12, 1<<31, true, nil)
	if d.mask+1 != 1<<13 || d.Cell(5).Stamp != 9 {
		t.Errorf("%d cells, stamp %d", d.mask+1, d.Cell(5).Stamp)
	}
	if d.Place(4).Own() != nil || d.Place(1<<20+5+1<<12).Own() == nil || d.Place(4).Key() != 7 || d.Place(1<<20+5+1<<12).Key() != 1<<31 || !d.Place(4).Is(4) {
		t.Errorf("keys %d, %d", d.Place(4).Key(), d.Place(1<<20+5+1<<12).Key())
	}
	d.clear(6)
	if d.has(6) || !d.has(4) || d.has(0) || d.more(6) != 0 {
		t.Error("clear forgot another one, or none")
	}
	if m := open(t, Options{}); m != nil {
		if _, err := m.MakeSequence("widest", columns(make([]uint32, chunk.MaxColumns)...)); err != nil {
			t.Error(err)
		}
	}
}

// Places have the key of their chunk's sequence, wherever chunks move, and
// it can't be noted too late for that.
func TestKeys(t *testing.T) {
	m := open(t, Options{})
	a, b := sequence(t, m, "a", 8, 7992), sequence(t, m, "b", 8, 7992)
	a.SetKey(1)
	a.SetKey(1<<32 - 1)
	fillRows(t, a, 3*a.Capacity())
	fillRows(t, b, 1)
	for id := range a.Chunks() {
		if _, err := m.Move(id); err != nil {
			t.Fatal(err)
		}
		for i := range 2 {
			if p := a.directory(i).Place(uint64(id)); p.Key() != a.Key() || !p.Is(uint64(id)) {
				t.Errorf("column %d of chunk %d: key %d", i, id, p.Key())
			}
		}
	}
	if id, _ := b.Chunk(0); b.directory(0).Place(uint64(id)).Key() != 0 {
		t.Error("a sequence without a key has one")
	}
	defer func() {
		if got := fmt.Sprint(recover()); !strings.Contains(got, "before the first row") {
			t.Errorf("SetKey of a sequence with chunks: %s", got)
		}
	}()
	a.SetKey(2)
}

// Notes about chunks are known to be old after each change of where they are.
func TestLayoutCounts(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 7992)
	n := s.Capacity()
	fillRows(t, s, 5*n)
	for _, c := range []struct {
		what string
		want bool
		f    func()
	}{
		{"a row", false, func() { s.DropLast(); s.Append() }},
		{"a chunk", true, func() { fillRows(t, s, 1) }},
		{"dropping it", true, func() { s.DropLast() }},
		{"a safe point", false, func() { safePoints(t, m, 1) }},
		{"DropFirst", true, func() { s.DropChunks(1) }},
		{"Move", true, func() { m.Move(s.chunks[0]) }},
		{"Truncate", false, func() { s.Truncate(s.Len() - 1) }},
		{"Pin", false, func() { m.pin(s.chunks[0]); m.unpin(s.chunks[0]) }},
		{"Drop", true, func() { s.Drop() }},
	} {
		before := m.Layout()
		if c.f(); (m.Layout() != before) != c.want {
			t.Errorf("%s: another layout: %v, want %v", c.what, !c.want, c.want)
		}
	}
}
