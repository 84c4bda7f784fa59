package memmgr

import (
	"errors"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// checkState is a manager with a chunk of each form.
type checkState struct {
	m                  *Manager
	few, wide, long    *Sequence // a block; chunks in slots; striped
	block, slot, piece chunk.ID  // a chunk of each
}

// M11: Check names each invariant that is broken on purpose, one thing at a time.
func TestCheckNames(t *testing.T) {
	for what, c := range map[string]struct {
		words string
		f     func(s *checkState)
	}{
		"a cell's address": {"column 1 of chunk", func(s *checkState) {
			s.few.dirs[1].set(s.block, s.few.key, false, plus(s.few.dirs[1].Addr(s.block), 8))
		}},
		"a cell's other address": {"column 0 of chunk", func(s *checkState) { s.few.dirs[0].Cell(s.block).Addr = nil }},
		"a cell that is gone":    {"column 0 of chunk", func(s *checkState) { s.long.dirs[0].clear(s.piece) }},
		"an order":               {"is not at place 5 of \"wide\"", func(s *checkState) { s.m.table.at(s.slot).order = 5 }},
		"an order within":        {"is not at place 1 of \"wide\"", func(s *checkState) { s.m.table.at(s.slot).order = 1 }},
		"a list of chunks":       {"is not at place", func(s *checkState) { c := s.wide.chunks; c[0], c[1] = c[1], c[0] }},
		"a chunk twice":          {"place 3 of \"wide\" has chunk", func(s *checkState) { s.wide.chunks = append(s.wide.chunks, s.slot) }},
		"another's chunk":        {"which belongs elsewhere", func(s *checkState) { s.wide.chunks = append(s.wide.chunks, s.block) }},
		"no chunk":               {"place 3 of \"wide\" has chunk 0", func(s *checkState) { s.wide.chunks = append(s.wide.chunks, 0) }},
		"a spare":                {"says that it is the spare of \"wide\", whose spare is", func(s *checkState) { s.m.table.at(s.slot).order = spareOrder }},
		"a free number":          {"is in use, and its number is free", func(s *checkState) { s.m.table.free = append(s.m.table.free, s.slot) }},
		"a pin of a free number": {"is pinned 1 times, and its number is free", func(s *checkState) { s.m.table.at(s.m.table.free[0]).pins.Add(1) }},
		"one that is astray":     {"1 chunks are noted as astray, and [] are listed", func(s *checkState) { s.m.table.at(s.slot).astray = true }},
		"one that is not astray": {"0 chunks are noted as astray, and", func(s *checkState) { s.m.astray = append(s.m.astray, s.slot) }},
		"another that is astray": {"1 chunks are noted as astray, and", func(s *checkState) { s.m.goAstray(s.slot); s.m.astray[0] = s.piece }},
		"two in one slot":        {"share slot", func(s *checkState) { s.m.publish(s.slot, s.m.table.at(s.wide.chunks[1]).spot) }},
		"two in one block": {"share slot", func(s *checkState) {
			s.m.book.Retire(s.few.shape, s.m.table.at(s.block).spot)
		}},
		"a block beyond": {"which is another one's, or none", func(s *checkState) { s.m.table.at(s.block).spot.Block = 63 }},
		"one block in two classes": {"which is used in another way", func(s *checkState) {
			s.m.book.Retire(s.few.shape, spot.At{Slot: s.m.table.at(s.block).spot.Slot, Block: 1, Form: 2})
		}},
		"one block in two layouts": {"which is another one's, or none", func(s *checkState) {
			for range 70 { // into a block of class 1, which is the first class of rows of 250 bytes
				s.few.Append()
			}
			other, _ := s.m.book.ShapeOf([]chunk.Spec{{Size: 250, Align: 1}})
			at := s.m.table.at(s.block).spot
			at.Form = 1
			s.m.book.Retire(other, at)
		}},
		"a slot in a slot of blocks": {"which is used in another way", func(s *checkState) {
			s.m.book.Retire(nil, spot.At{Slot: s.m.table.at(s.block).spot.Slot})
		}},
		"a slot and a position": {"which is used in another way", func(s *checkState) {
			s.m.book.Retire(nil, spot.At{Slot: s.m.table.at(s.piece).spot.Slot})
		}},
		"a place that waits": {"the spot that chunk 99 has left", func(s *checkState) {
			s.m.waiting = append(s.m.waiting, waiting{99, s.wide.shape, s.m.table.at(s.slot).spot, false})
		}},
		"a block and more":        {"is in a block and not alone", func(s *checkState) { id, _ := s.few.nextChunk(1); s.few.chunks = append(s.few.chunks, id) }},
		"a tail without chunks":   {"\"none\" has no chunks and a tail", func(s *checkState) { s.m.names["none"].next = 1 }},
		"a tail elsewhere":        {"the tail of \"wide\" is at", func(s *checkState) { s.wide.tail = MakeLoc(s.slot, 0) }},
		"a tail that is too long": {"the tail of \"wide\" is at", func(s *checkState) { s.wide.next = s.wide.end + rowStep }},
		"an empty tail":           {"the tail of \"wide\" is at", func(s *checkState) { s.wide.next = s.wide.tail }},
		"a tail's capacity":       {"the tail of \"few\" has another capacity than its layout", func(s *checkState) { s.few.end += rowStep }},
		"a name":                  {"\"few\" is not where the list of sequences says", func(s *checkState) { delete(s.m.names, "few") }},
		"a place in the list":     {"\"few\" is not where the list of sequences says", func(s *checkState) { s.few.place++ }},
		"an annex":                {"the annex of chunk", func(s *checkState) { s.m.table.at(s.slot).annex.first = s.m.table.at(s.slot).spot.Slot }},
		"a slot that leaks":       {"bytes of slots are live or in quarantine, and", func(s *checkState) { s.m.arena.Alloc(arena.Normal) }},
		"a place of quarantine":   {"bytes of slots are in quarantine, and 0 are retired", func(s *checkState) { s.m.arena.Quarantine(s.m.table.at(s.slot).spot.Slot) }},
	} {
		t.Run(what, func(t *testing.T) {
			m, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			m.pacing.clock = stopped
			m.book.FewLeast = stripeFrom
			s := &checkState{m: m, few: sequence(t, m, "few", 8, 24), wide: sequence(t, m, "wide", 8, 8000), long: sequence(t, m, "long", 8, 9000)}
			sequence(t, m, "none", 8)
			fillRows(t, s.few, 5)
			fillRows(t, s.wide, 2*s.wide.Capacity()+1)
			fillRows(t, s.long, 18*s.long.Capacity()+1)
			for range 5 {
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
			s.block, s.slot, s.piece = s.few.chunks[0], s.wide.chunks[0], s.long.chunks[0]
			if m.table.at(s.piece).spot.Form != spot.Striped || m.table.at(s.slot).spot.Form != spot.Whole || !m.table.at(s.block).spot.Form.InBlock() {
				t.Fatal("chunks have other forms")
			}
			if _, err := m.Annex(s.slot, 1); err != nil {
				t.Fatal(err)
			}
			gone := sequence(t, m, "gone", 8, 8000)
			fillRows(t, gone, 1)
			gone.Drop()
			m.SafePoint()
			m.SafePoint()
			if err := m.Check(); err != nil || len(m.table.free) == 0 {
				t.Fatal(err, len(m.table.free))
			}
			c.f(s)
			if err := m.Check(); err == nil || !strings.HasPrefix(err.Error(), "memmgr: ") || !strings.Contains(err.Error(), c.words) {
				t.Errorf("%v, want %q", err, c.words)
			}
			if err := m.arena.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// Check asks the arena, too, and finds nothing in a manager that is closed.
func TestCheckAsksTheArena(t *testing.T) {
	m, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	fillRows(t, sequence(t, m, "s", 8), 1)
	slot, err := m.arena.Alloc(arena.Normal)
	if err != nil {
		t.Fatal(err)
	}
	m.arena.Free(slot)
	m.arena.Quarantine(m.table.at(1).spot.Slot)
	if err := m.Check(); err == nil {
		t.Error("a slot in quarantine that is in use is nothing to Check")
	}
	m.arena.Free(m.table.at(1).spot.Slot)
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "bytes of slots are live or in quarantine") {
		t.Error(err)
	}
	// An arena that shares a budget and gives back more than it took is no matter of chunks.
	budget := arena.NewBudget(0)
	own, err := New(Options{Arena: arena.Options{SmallPages: true, Backend: arena.Heap, Budget: budget}})
	if err != nil {
		t.Fatal(err)
	}
	other, err := arena.New(arena.Options{SmallPages: true, Backend: arena.Heap, Budget: budget})
	if err != nil {
		t.Fatal(err)
	}
	fillRows(t, sequence(t, own, "s", 8), 1)
	r := arena.MakeArray[uint64](other, 1<<10, arena.PurposeSlots)
	if err := r.Grow(0); err != nil {
		t.Fatal(err)
	}
	again := r
	if err := errors.Join(r.Free(), own.Check(), again.Free()); err != nil {
		t.Fatal(err)
	}
	if err := own.Check(); err == nil || !strings.Contains(err.Error(), "exceeds what is taken of the budget") {
		t.Errorf("%v, want what the arena says", err)
	}
	if err := errors.Join(own.arena.Close(), other.Close()); err != nil {
		t.Fatal(err)
	}
	if err := m.arena.Close(); err != nil {
		t.Fatal(err)
	}
	m.closed = true
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}
