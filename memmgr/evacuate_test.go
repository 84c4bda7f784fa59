package memmgr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// region is described by its slots in use, and a letter: s of stripes, f for chunks that can't be
// moved, d for one that was given back.
func regionsLike(text string) (list []arena.RegionInfo, fixed map[uint32]bool) {
	fixed = make(map[uint32]bool)
	for i, word := range strings.Fields(text) {
		n := 0
		fmt.Sscan(strings.TrimRight(word, "sfd"), &n)
		r := arena.RegionInfo{Number: uint32(i), First: arena.Slot(i * 32), Committed: ^uint32(0), Free: ^uint32(0) << n}
		if n == 32 {
			r.Free = 0
		}
		r.Striped = strings.HasSuffix(word, "s")
		if strings.HasSuffix(word, "d") {
			r.Committed = 0
		}
		fixed[r.Number] = strings.HasSuffix(word, "f")
		list = append(list, r)
	}
	return list, fixed
}

func TestToEmpty(t *testing.T) {
	for _, c := range []struct {
		name, regions string
		victim        int // -1: none
	}{
		{"no region", "", -1},
		{"one region", "5", -1},
		{"the emptier one", "20 5", 1},
		{"the emptier one is the first", "5 20", 0},
		{"of several the last", "20 5 5", 2},
		{"all fits exactly", "16 16", 1},
		{"a slot too much", "16 17", -1},
		{"into the fullest that has room", "9 32 31 4", 3},
		{"one that can't be moved", "20 5f 6", 2},
		{"none can be moved", "20f 5f 6f", -1},
		{"stripes are neither emptied nor filled", "20 5s 3s", -1},
		{"stripes beside", "20 5 3s", 1},
		{"stripes are not filled, however full", "20 31s 3", 2},
		{"what was given back is no room", "5 0d 0d", -1},
		{"what is empty is no room", "5 0", -1},
		{"room of a sixteenth is no waste", strings.Repeat("32 ", 15) + "16 16", -1},
		{"a little more is", strings.Repeat("32 ", 14) + "31 16 16", 16},
		{"only so many are looked into", "1f 1f 1f 1f 1f 1f 1f 1f 2", -1},
		{"the last of them", "1f 1f 1f 1f 1f 1f 1f 2", 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			regions, fixed := regionsLike(c.regions)
			bytes := func(r arena.RegionInfo) uint64 { return uint64(inUse(r)) * arena.SlotBytes }
			victim, ok := toEmpty(regions, bytes, func(r arena.RegionInfo, slots int) bool { return !fixed[r.Number] && slots >= inUse(r) })
			if ok != (c.victim >= 0) || ok && int(victim.Number) != c.victim {
				t.Errorf("region %d, %v; want %d", victim.Number, ok, c.victim)
			}
		})
	}
}

// sparse makes a manager with one chunk of "stays" in each of n regions.
func sparse(t testing.TB, o Options, n int) (*Manager, *Sequence) {
	t.Helper()
	m := open(t, o)
	s := sequence(t, m, "stays", 8, 8000) // too wide for blocks
	var serial uint64
	var fillers []*Sequence
	fill := func(s *Sequence, chunks int) {
		want := (s.ChunkCount() + chunks) * int(s.Capacity())
		for s.Len() < want {
			l, err := s.Append()
			if err != nil {
				t.Fatal(err)
			}
			serial++
			put(s, l, serial)
		}
	}
	for range n {
		fill(s, 1)
		for left := arena.SlotsPerRegion - 1; left > 0; left -= min(left, stripeFrom) {
			filler := sequence(t, m, fmt.Sprintf("goes %d", m.sequenceCount()), 8, 8000)
			fill(filler, min(left, stripeFrom))
			fillers = append(fillers, filler)
		}
	}
	for _, filler := range fillers {
		filler.Truncate(0)
	}
	if _, err := m.Reclaim(0); err != nil { // the spare too
		t.Fatal(err)
	}
	return m, s
}

// hurry has regions emptied as soon as may be, and gives the memory back at once.
func hurry(o AdaptOptions) AdaptOptions {
	o.Every, o.Decay = 1, -1
	if o.Clock == nil {
		o.Clock = ticking(time.Microsecond).tick
	}
	return o
}

// untilHeld goes on until a region is being emptied.
func untilHeld(t testing.TB, m *Manager) *evacuation {
	t.Helper()
	for range 100 {
		if m.adapter.on {
			return &m.adapter.evacuation
		}
		if err := m.CloseFrame(); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("no region is emptied")
	return nil
}

// regionOfChunk is the first slot of the region in which a chunk lies.
func regionOfChunk(m *Manager, id chunk.ID) arena.Slot {
	slot := slotOf(m, id)
	return slot - slot%arena.SlotsPerRegion
}

// Chunks that lie in a region each come together in one, side by side in their order, and
// memory falls to that.
func TestEvacuates(t *testing.T) {
	for _, backend := range []arena.Backend{arena.OS, arena.Heap} {
		t.Run(backend.String(), func(t *testing.T) {
			m, s := sparse(t, Options{Arena: arena.Options{Backend: backend}}, 6)
			rows := rowsOf(s)
			m.adapter.begin(hurry(AdaptOptions{}))
			for range 60 {
				frame(t, m)
			}
			if st := adapting(t, m); st.Emptied != 5 || st.Moves != 5 || st.Waiting != 0 || st.GivenUp != 0 || st.Refused != 0 ||
				st.Bytes != 5*uint64(s.Capacity())*8008 || st.Time == 0 || st.Longest == 0 || st.Purged < 5*arena.RegionBytes {
				t.Errorf("%+v", st)
			}
			want := uint64(6 * arena.SlotBytes)
			if backend == arena.Heap || m.Arena().Backend() == arena.Heap {
				want = arena.RegionBytes // a slab as a whole
			}
			if got := m.Arena().Stats().Committed; got != want {
				t.Errorf("%d bytes are committed for 6 chunks", got)
			}
			if !slices.Equal(rowsOf(s), rows) {
				t.Error("rows differ")
			}
			moved := m.counts.moved
			for range 100 {
				frame(t, m)
			}
			if st := adapting(t, m); m.counts.moved != moved || m.adapter.on || st.Emptied != 5 {
				t.Errorf("it goes on: %+v", st)
			}
		})
	}
}

// Chunks in blocks come together, too: a region with cut slots alone, and a block in use in
// each, is emptied into the blocks that others have free. Their number, order and rows stay.
func TestEvacuatesBlocks(t *testing.T) {
	for _, backend := range []arena.Backend{arena.OS, arena.Heap} {
		t.Run(backend.String(), func(t *testing.T) {
			m := open(t, Options{Arena: arena.Options{Backend: backend}})
			var all []*Sequence
			for i := range 4000 {
				s := sequence(t, m, fmt.Sprint("s", i), 8, 24)
				fillRows(t, s, 2+i%200) // blocks of several classes
				all = append(all, s)
			}
			before := m.Arena().Stats().Committed
			var stay []*Sequence
			for i, s := range all {
				if i*7919%97 < 8 {
					stay = append(stay, s)
				} else {
					s.Drop()
				}
			}
			safePoints(t, m, 3)
			ids := make([]chunk.ID, len(stay))
			for i, s := range stay {
				ids[i] = chunksOf(s)[0]
			}
			m.adapter.begin(hurry(AdaptOptions{}))
			for range 400 {
				frame(t, m)
			}
			for i, s := range stay {
				if chunksOf(s)[0] != ids[i] || !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
					t.Fatalf("%q differs", s.Name())
				}
			}
			st := adapting(t, m)
			if got := m.Arena().Stats().Committed; st.Emptied == 0 || st.GivenUp != 0 || got > before/6 {
				t.Errorf("%d of %d bytes are committed for %d of %d chunks: %+v", got, before, len(stay), len(all), st)
			}
			moved := m.counts.moved
			for range 100 {
				frame(t, m)
			}
			if m.counts.moved != moved {
				t.Error("it goes on")
			}
		})
	}
}

// A chunk goes behind the one before it where the region of that is half full, and else into
// the fullest one.
func TestLodging(t *testing.T) {
	for _, c := range []struct {
		name   string
		others int // chunks beside the first one
		beside bool
	}{{"half full", 15, true}, {"less", 14, false}} {
		t.Run(c.name, func(t *testing.T) {
			m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
			s := sequence(t, m, "s", 8, 8000)
			fillRows(t, s, s.Capacity()) // region 0, slot 0
			gap := sequence(t, m, "gap", 8, 8000)
			fillRows(t, gap, gap.Capacity()) // slot 1
			fill := func(name string, chunks int) (seqs []*Sequence) {
				for i := 0; chunks > 0; i++ {
					f := sequence(t, m, fmt.Sprint(name, i), 8, 8000)
					fillRows(t, f, min(chunks, stripeFrom)*f.Capacity())
					seqs, chunks = append(seqs, f), chunks-min(chunks, stripeFrom)
				}
				return seqs
			}
			beside := fill("beside ", c.others)
			rest := fill("rest ", 30-c.others)
			fuller := fill("fuller ", 20) // region 1
			last := fill("last ", 12)
			fillRows(t, s, s.Capacity()) // region 2
			for _, f := range slices.Concat(rest, last, []*Sequence{gap}) {
				f.Truncate(0)
			}
			safePoints(t, m, 3)
			first := slotOf(m, chunksOf(s)[0])
			m.adapter.begin(hurry(AdaptOptions{}))
			if v := untilHeld(t, m); v.region.First != regionOfChunk(m, chunksOf(s)[1]) || v.left != 1 {
				t.Fatalf("region %d is emptied", v.region.First)
			}
			safePoints(t, m, 1)
			at := slotOf(m, chunksOf(s)[1])
			if (at == first+1) != c.beside {
				t.Errorf("it lies in slot %d, and the one before it in slot %d", at, first)
			}
			if !c.beside && regionOfChunk(m, chunksOf(s)[1]) != regionOfChunk(m, chunksOf(fuller[0])[0]) {
				t.Errorf("it lies in slot %d, not in the fullest region", at)
			}
			_ = beside
		})
	}
}

// Several chunks of a sequence are in order after they have left a region.
func TestLodgingKeepsOrder(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Backend: arena.Heap}})
	full := make([]*Sequence, 6)
	for i := range full {
		full[i] = sequence(t, m, fmt.Sprint("full", i), 8, 8000)
		fillRows(t, full[i], stripeFrom*full[i].Capacity())
	} // regions 0 and half of 1
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 6*s.Capacity())
	full[3].Truncate(0)
	safePoints(t, m, 2)
	m.adapter.begin(hurry(AdaptOptions{}))
	for range 20 {
		frame(t, m)
	}
	if m.Arena().Stats().Committed != 2*arena.RegionBytes { // 46 chunks
		t.Fatalf("%d bytes are committed: nothing is to be emptied", m.Arena().Stats().Committed)
	}
	full[0].Truncate(0)
	for range 40 {
		frame(t, m)
	}
	if st := adapting(t, m); st.Emptied != 0 { // 38 chunks need two regions
		t.Fatalf("%+v", st)
	}
	full[1].Truncate(0)
	for range 40 {
		frame(t, m)
	}
	if st := adapting(t, m); st.Emptied != 1 {
		t.Fatalf("%+v", st)
	}
	inOrder := 0
	for i, id := range chunksOf(s)[1:] {
		if slotOf(m, id) == slotOf(m, chunksOf(s)[i])+1 {
			inOrder++
		}
	}
	if inOrder < 3 {
		t.Errorf("%d of 5 chunks lie behind the one before them", inOrder)
	}
	if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
		t.Error("rows differ")
	}
}

// A region in which a chunk is pinned, or one of a sequence that is to stay, is left alone.
func TestNotEmptied(t *testing.T) {
	for _, c := range []struct {
		name string
		keep func(t *testing.T, s *Sequence, o *AdaptOptions)
	}{
		{"pinned chunks", func(t *testing.T, s *Sequence, o *AdaptOptions) {
			t.Cleanup(s.Pin())
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, s := sparse(t, Options{}, 3)
			var o AdaptOptions
			c.keep(t, s, &o)
			m.adapter.begin(hurry(o))
			for range 30 {
				frame(t, m)
			}
			if st := adapting(t, m); st.Moves != 0 || st.Emptied != 0 || st.GivenUp != 0 {
				t.Errorf("%+v", st)
			}
		})
	}
}

// M6: A chunk that is pinned while its region is emptied stays; the region is held no more
// after a while, and is emptied once the chunk is pinned no more.
func TestPinnedMeanwhile(t *testing.T) {
	m, s := sparse(t, Options{}, 2)
	m.adapter.begin(hurry(AdaptOptions{}))
	v := untilHeld(t, m)
	id := chunksOf(s)[1]
	if v.region.First != regionOfChunk(m, id) {
		t.Fatal("the other region is emptied")
	}
	base := s.directory(0).Addr(id)
	unpin := s.Pin()
	for n := range patience {
		frame(t, m)
		if !m.Arena().Held(v.region.Range, v.region.Number) {
			t.Fatalf("held no more after %d frames", n+1)
		}
	}
	region := v.region
	frame(t, m)
	if st := adapting(t, m); st.GivenUp != 1 || st.Moves != 0 || m.Arena().Held(region.Range, region.Number) || s.directory(0).Addr(id) != base {
		t.Errorf("%+v", st)
	}
	unpin()
	for range 20 {
		frame(t, m)
	}
	if st := adapting(t, m); st.Emptied != 1 || st.Moves != 1 || st.Waiting != 0 {
		t.Errorf("%+v", st)
	}
}

// A region that others fill again while it is emptied is given up. (On the Go heap a limit counts
// regions, so it keeps others from opening one.)
func TestFilledMeanwhile(t *testing.T) {
	m, s := sparse(t, Options{Arena: arena.Options{Backend: arena.Heap}}, 2)
	m.adapter.begin(hurry(AdaptOptions{}))
	v := untilHeld(t, m)
	region := v.region
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	intruder, others := ^arena.Slot(0), []arena.Slot(nil)
	for intruder == ^arena.Slot(0) {
		slot, err := m.Arena().Alloc(region.Range)
		if err != nil {
			t.Fatal(err)
		}
		if others = append(others, slot); slot >= region.First && slot < region.First+arena.SlotsPerRegion {
			intruder = slot
		}
	}
	for _, slot := range others[:len(others)-1] {
		m.Arena().Free(slot)
	}
	for n := 0; m.adapter.on && n < 20; n++ {
		if err := errors.Join(m.SafePoint(), m.CloseFrame()); err != nil {
			t.Fatal(err)
		}
	}
	if st := adapting(t, m); st.GivenUp != 1 || st.Emptied != 0 || st.Moves != 1 || m.Arena().Held(region.Range, region.Number) || m.adapter.on {
		t.Errorf("%+v", st)
	}
	m.Arena().Free(intruder)
	if regionOfChunk(m, chunksOf(s)[1]) == region.First {
		t.Error("the chunk is still there")
	}
	frame(t, m)
}

// When others take the room that a region's chunks were to go to, they stay.
func TestRoomIsTakenMeanwhile(t *testing.T) {
	m, s := sparse(t, Options{}, 2)
	m.adapter.begin(hurry(AdaptOptions{}))
	untilHeld(t, m)
	first := regionOfChunk(m, chunksOf(s)[0])
	for i := range 4 {
		f := sequence(t, m, fmt.Sprint("f", i), 8, 8000)
		fillRows(t, f, min(stripeFrom, 31-i*stripeFrom)*f.Capacity())
		if regionOfChunk(m, chunksOf(f)[0]) != first {
			t.Fatal("new chunks do not avoid the region that is emptied")
		}
	}
	for range patience + 4 {
		frame(t, m)
	}
	if st := adapting(t, m); st.GivenUp != 1 || st.Refused == 0 || st.Moves != 0 || st.Emptied != 0 || m.adapter.on {
		t.Errorf("%+v", st)
	}
}

// Adapting anew, or no more, ends the work that was begun.
func TestOffAndBack(t *testing.T) {
	m, s := sparse(t, Options{}, 3)
	m.adapter.begin(hurry(AdaptOptions{}))
	v := untilHeld(t, m)
	if !m.Arena().Held(v.region.Range, v.region.Number) {
		t.Fatal("the region is not held")
	}
	m.adapter.begin(AdaptOptions{Off: true, Clock: stopped})
	if m.Arena().Held(v.region.Range, v.region.Number) {
		t.Error("the region is still held")
	}
	before := m.counts.moved
	for range 10 {
		frame(t, m)
	}
	if m.counts.moved != before || m.moved().Waiting != 0 {
		t.Error("moves while off")
	}
	s.Drop()
	m.adapter.begin(hurry(AdaptOptions{}))
	frame(t, m)
}

// A region is looked for every so many frames, and at once after one was emptied.
func TestWhenRegionsAreEmptied(t *testing.T) {
	m, _ := sparse(t, Options{}, 4)
	m.adapter.begin(AdaptOptions{Every: 30, Decay: time.Hour, Clock: stopped})
	var begun []uint64
	was := m.adapter.frame
	for range 80 {
		on := m.adapter.on
		frame(t, m)
		if m.adapter.on && (!on || m.adapter.left == 1 && m.adapter.waited == 0 && m.moved().Waiting == 1) {
			begun = append(begun, m.adapter.frame-was)
		}
	}
	if len(begun) != 3 || begun[0] != 30 || begun[2] > 40 {
		t.Errorf("regions are emptied from frames %v on, want 30 and the two next soon", begun)
	}
}

// Looking for regions to empty frees no spare, because that would change the numbers of later
// chunks.
func TestNumbersWhileRegionsAreEmptied(t *testing.T) {
	var numbers [2]chunk.ID
	for i, off := range []bool{false, true} {
		m, _ := sparse(t, Options{}, 2)
		s := sequence(t, m, "spare", 8, 8000)
		fillRows(t, s, 2*s.Capacity()+1)
		s.DropLast()
		o := hurry(AdaptOptions{Off: off})
		m.adapter.begin(o)
		for range 30 {
			frame(t, m)
		}
		if st, _ := m.adapter.sum(); !off && st.Emptied == 0 {
			t.Fatalf("no region was emptied: %+v", st)
		}
		next := sequence(t, m, "next", 8, 8000)
		fillRows(t, next, 1)
		numbers[i] = next.Last().Chunk()
	}
	if numbers[0] != numbers[1] {
		t.Errorf("the next chunk has number %d with adapting, %d without", numbers[0], numbers[1])
	}
}
