package arena

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// pieces are two runs, of sizes that are no multiples of pages.
var pieces = []Run{{64, 20000}, {1 << 20, 30001}}

// piece returns the bytes that a position has of a run.
func piece(a *Arena, s Slot, run Run) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(a.Base(s-s%SlotsPerRegion), run.Offset+uint32(s%SlotsPerRegion)*run.Step)), run.Step)
}

// holds tells whether all bytes that a position has are b.
func holds(a *Arena, s Slot, b byte) bool {
	for _, run := range pieces {
		if strings.Trim(string(piece(a, s, run)), string(rune(b))) != "" {
			return false
		}
	}
	return true
}

func panicsWith(t *testing.T, words string, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if s, ok := recover().(string); !ok || !strings.Contains(s, words) {
			t.Errorf("%q, want a panic with %q", s, words)
		}
	}()
	f()
}

// takeStriped makes a region striped, and takes some positions and marks them.
func takeStriped(t *testing.T, a *Arena, r Range, positions ...Slot) (first Slot) {
	t.Helper()
	first, err := a.AllocStriped(r, pieces, uint32(positions[0]))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range positions {
		if i > 0 {
			if err := a.Take(first + p); err != nil {
				t.Fatal(err)
			}
		}
		a.Fill(first+p, byte(1+p))
	}
	return first
}

// Positions are taken one by one, hold their pieces of each run alone, and are nobody
// else's until all of them are free.
func TestStripedPositions(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		plain, err := a.Alloc(Normal) // a region with a slot in use is not taken
		if err != nil {
			t.Fatal(err)
		}
		first := takeStriped(t, a, Normal, 31, 0, 7)
		if first%SlotsPerRegion != 0 || first/SlotsPerRegion == plain/SlotsPerRegion {
			t.Fatalf("the striped region begins with slot %d; slot %d is in use", first, plain)
		}
		if st := a.Stats(); st.Live != 4*SlotBytes || st.dirtyBy[PurposeChunks] != 4*SlotBytes+bordersOf(pieces) {
			t.Errorf("live %d, dirty %d", st.Live, st.Dirty)
		}
		for p := range Slot(SlotsPerRegion) {
			if free := p != 31 && p != 0 && p != 7; a.IsFree(first+p) != free {
				t.Errorf("position %d is free: %v", p, !free)
			}
		}
		for _, p := range []Slot{0, 7, 31} {
			if !holds(a, first+p, byte(1+p)) {
				t.Errorf("position %d was written over by another", p)
			}
		}
		striped := 0
		for r := range a.Regions() {
			if r.Striped {
				striped++
			}
			if r.Striped != (r.First == first) {
				t.Errorf("region of slot %d: striped is %v", r.First, r.Striped)
			}
		}
		if striped != 1 {
			t.Errorf("%d regions are striped", striped)
		}
		if a.IsFree(plain) || a.IsFree(plain+1) || a.IsFree(noSlot-40) {
			t.Error("a slot of another region is a free position")
		}
		const words = "Take of a position that is not free, or is in no striped region"
		panicsWith(t, words, func() { a.Take(first + 7) })
		panicsWith(t, words, func() { a.Take(plain + 1) })
		panicsWith(t, words, func() { a.Take(noSlot - 40) })

		for range 2 * SlotsPerRegion { // others go elsewhere
			s, err := a.Alloc(Normal)
			if err != nil || s/SlotsPerRegion == first/SlotsPerRegion {
				t.Fatalf("slot %d, %v: the striped region begins with %d", s, err, first)
			}
			defer a.Free(s)
		}
		s, err := a.AllocRun(Normal, 16)
		if err != nil || s/SlotsPerRegion == first/SlotsPerRegion {
			t.Fatalf("slots from %d on, %v", s, err)
		}
		for k := range Slot(16) {
			defer a.Free(s + k)
		}
		r, place := a.PlaceOf(first)
		if _, ok, err := a.AllocAt(r, place+3); ok || err != nil {
			t.Errorf("a position was given out as a slot: %v", err)
		}

		a.Quarantine(first + 7)
		if a.IsFree(first+7) || a.Stats().Quarantined != SlotBytes {
			t.Error("a position in quarantine is free")
		}
		for _, p := range []Slot{0, 7, 31} {
			a.Free(first + p)
			if want := p != 31; a.IsFree(first+p) != want {
				t.Errorf("position %d of a region is free: %v", p, !want)
			}
		}
		if s, ok, err := a.AllocAt(r, place+3); !ok || err != nil || s != first+3 { // all are: it is an ordinary region
			t.Errorf("slot %d, %v, %v", s, ok, err)
		} else {
			a.Free(s)
		}
		a.Free(plain)
		if err := a.Check(); err != nil {
			t.Error(err)
		}
	})
}

// Purge gives back the whole pages that free positions have, and no others.
func TestStripedPurge(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		var all []Slot
		for p := range Slot(SlotsPerRegion) {
			all = append(all, p)
		}
		first := takeStriped(t, a, Normal, all...)
		free := map[Slot]bool{0: true, 3: true, 4: true, 5: true, 17: true, 31: true}
		for p := range free {
			a.Free(first + p)
		}
		if err := a.Check(); err != nil {
			t.Fatal(err)
		}
		freed, err := a.Purge(^uint64(0))
		if err != nil {
			t.Fatal(err)
		}
		if want := uint64(len(free)) * SlotBytes; a.Backend() == OS && freed != want || a.Backend() == Heap && freed != 0 {
			t.Errorf("%d bytes were given back; %d are free", freed, want)
		}
		for p := range Slot(SlotsPerRegion) {
			if !free[p] && !holds(a, first+p, byte(1+p)) {
				t.Errorf("position %d lost its contents", p)
			}
		}
		if a.Backend() == OS {
			for _, run := range pieces { // a run of three positions has more pages than three runs of one
				page := uint32(os.Getpagesize())
				mem := append(append(piece(a, first+3, run), piece(a, first+4, run)...), piece(a, first+5, run)...)
				skip := (page - (run.Offset+3*run.Step)%page) % page
				n := (uint32(len(mem)) - skip) / page * page
				if strings.Trim(string(mem[skip:skip+n]), "\x00") != "" {
					t.Errorf("run %v: pages of free positions were not given back", run)
				}
				if n < 2*page || mem[skip] != 0 {
					t.Errorf("run %v has no pages to look at", run)
				}
			}
			if st := a.Stats(); st.Idle != 0 || st.dirtyBy[PurposeChunks] != uint64(SlotsPerRegion-len(free))*SlotBytes+bordersOf(pieces) {
				t.Errorf("idle %d, dirty %d", st.Idle, st.Dirty)
			}
		}
		if n, err := a.Purge(^uint64(0)); n != 0 || err != nil {
			t.Errorf("a second time %d bytes, %v", n, err)
		}
		for p := range Slot(SlotsPerRegion) {
			if !free[p] {
				a.Free(first + p)
			}
		}
		if _, err := a.Purge(^uint64(0)); err != nil || a.Stats().Committed != 0 {
			t.Errorf("an empty region has %d bytes committed, %v", a.Stats().Committed, err)
		}
		if again := takeStriped(t, a, Normal, 2); again != first || !holds(a, again+2, 3) {
			t.Errorf("a new region begins with slot %d; the one before is free", again)
		}
		a.Free(first + 2)
	})
}

// Refusals change nothing.
func TestStripedRefusals(t *testing.T) {
	t.Run("limit", func(t *testing.T) {
		limit := 3*SlotBytes + bordersOf(pieces)
		a := open(t, Options{SmallPages: true, Limit: limit})
		first := takeStriped(t, a, Normal, 5, 0, 31) // positions count, not the region
		check := func(what string, err error) {
			t.Helper()
			if st := a.Stats(); !errors.Is(err, ErrLimit) || st.Committed != limit || st.Live != 3*SlotBytes || a.Check() != nil {
				t.Errorf("%s: %v; %d committed, %d live, %v", what, err, st.Committed, st.Live, a.Check())
			}
		}
		check("Take", a.Take(first+1))
		_, err := a.AllocStriped(Normal, pieces, 0)
		check("AllocStriped", err)
		_, err = a.Alloc(Normal)
		check("Alloc", err)
		a.Free(first + 31)
		if err := a.Take(first + 31); err != nil { // it was paid for
			t.Error(err)
		}
		a.Free(first + 31)
		if a.Backend() == OS {
			if err := a.Take(first + 1); err != nil || a.Stats().Committed != limit { // in place of idle slots
				t.Errorf("%v, %d committed", err, a.Stats().Committed)
			} else {
				a.Free(first + 1)
			}
		}
		a.Free(first)
		a.Free(first + 5)
	})
	t.Run("full", func(t *testing.T) {
		a := open(t, Options{SmallPages: true, Reserve: 8 * RegionBytes})
		var firsts []Slot
		for {
			first, err := a.AllocStriped(Normal, pieces, 3)
			if err != nil {
				if !errors.Is(err, ErrFull) || len(firsts) == 0 {
					t.Error(err)
				}
				break
			}
			firsts = append(firsts, first+3)
		}
		if _, err := a.Alloc(Normal); !errors.Is(err, ErrFull) {
			t.Error(err)
		}
		if st := a.Stats(); st.Committed != uint64(len(firsts))*(SlotBytes+bordersOf(pieces)) || a.Check() != nil {
			t.Errorf("%d bytes are committed of %d positions, %v", st.Committed, len(firsts), a.Check())
		}
		for _, s := range firsts {
			a.Free(s)
		}
	})
	t.Run("purge", func(t *testing.T) {
		a := open(t, Options{SmallPages: true, fault: failNth(OpPurge, 2)})
		if a.Backend() != OS {
			t.Skip("the heap back end asks for nothing")
		}
		first := takeStriped(t, a, Normal, 0, 1, 2, 3)
		a.Free(first + 1)
		if n, err := a.Purge(^uint64(0)); n != 0 || err == nil || !strings.Contains(err.Error(), "arena: purging slots: injected: 3 2") {
			t.Errorf("%d bytes, %v", n, err)
		}
		if st := a.Stats(); st.Idle != SlotBytes || st.dirtyBy[PurposeChunks] != 4*SlotBytes+bordersOf(pieces) || a.Check() != nil {
			t.Errorf("idle %d, dirty %d, %v", st.Idle, st.Dirty, a.Check())
		}
		if n, err := a.Purge(^uint64(0)); n != SlotBytes || err != nil || !holds(a, first, 1) || !holds(a, first+2, 3) {
			t.Errorf("%d bytes, %v", n, err)
		}
		for _, p := range []Slot{0, 2, 3} {
			a.Free(first + p)
		}
	})
	t.Run("commit", func(t *testing.T) {
		a := open(t, Options{SmallPages: true, fault: failNth(OpCommit, 1)})
		if a.Backend() != OS {
			t.Skip("the heap back end asks for nothing")
		}
		if s, err := a.AllocStriped(Normal, pieces, 0); s != noSlot || err == nil || !strings.Contains(err.Error(), "injected: 1 1") {
			t.Errorf("slot %d, %v", s, err)
		}
		if st := a.Stats(); st.Committed != 0 || st.Live != 0 || a.Check() != nil {
			t.Errorf("%+v", st)
		}
		s, err := a.Alloc(Normal) // the region is an ordinary one
		if err != nil {
			t.Fatal(err)
		}
		a.Free(s)
	})
	t.Run("closed", func(t *testing.T) {
		a := open(t, Options{SmallPages: true})
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if s, err := a.AllocStriped(Normal, pieces, 0); s != noSlot || !errors.Is(err, ErrClosed) {
			t.Errorf("slot %d, %v", s, err)
		}
	})
}

// Regions with huge pages are striped in the huge range, and in the normal one where no
// huge pages were asked for; a part of them is never given back.
func TestStripedHuge(t *testing.T) {
	for _, huge := range []bool{false, true} {
		a := open(t, Options{SmallPages: !huge})
		first := takeStriped(t, a, Huge, 0, 1)
		want := Normal
		if huge {
			want = Huge
		}
		if r, _ := a.PlaceOf(first); r != want {
			t.Errorf("huge pages %v: range %v", huge, r)
		}
		a.Free(first + 1)
		n, err := a.Purge(^uint64(0))
		if err != nil || huge && n != 0 {
			t.Errorf("%d bytes, %v", n, err)
		}
		if !holds(a, first, 1) {
			t.Error("a position lost its contents")
		}
		a.Free(first)
	}
}

// A region that is free, and was used otherwise, counts what its position and its borders
// take once it is striped, though the system did not take it back; and where it is resident
// as a whole, the system is not asked to.
func TestStripedAnew(t *testing.T) {
	for _, r := range []Range{Normal, Huge} {
		both(t, func(t *testing.T, o Options) {
			o.SmallPages, o.fault = false, failFrom(OpDecommit, 1)
			a := open(t, o)
			s, err := a.Alloc(r)
			if err != nil {
				t.Fatal(err)
			}
			for i, runs := range [][]Run{pieces, {{128, 1000}}} {
				a.Free(s)
				if s, err = a.AllocStriped(r, runs, 0); err != nil {
					t.Fatal(err)
				}
				st := a.Stats()
				if want := SlotBytes + bordersOf(runs); i == 0 && r == Normal && st.Committed != want {
					t.Errorf("%d bytes are committed, want %d", st.Committed, want)
				}
				if st.refused[OpDecommit] != 0 && !a.byPieces(r) {
					t.Errorf("%v: the system was asked to take a region back", r)
				}
				if err := a.Check(); err != nil {
					t.Error(err)
				}
			}
			a.Free(s)
			a.fault = nil
		})
	}
}

// Free positions of a striped region are nobody else's slots, though all of it is committed.
func TestPositionsAreNoSlots(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.SmallPages, o.Limit = false, RegionBytes
		a := open(t, o)
		first := takeStriped(t, a, Huge, 0, 1)
		for r := range ranges {
			if s, err := a.Alloc(r); !errors.Is(err, ErrLimit) {
				t.Errorf("%v: slot %d, %v; the striped region has slots from %d on", r, s, err, first)
			}
		}
		a.Free(first)
		a.Free(first + 1)
	})
}

// A region is striped in place of an idle one of another range, where the limit leaves no
// room beside it.
func TestStripedInPlaceOfIdle(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.Limit = RegionBytes
		a := open(t, o)
		s, err := a.Alloc(Cold)
		if err != nil {
			t.Fatal(err)
		}
		a.Free(s)
		first, err := a.AllocStriped(Normal, pieces, 0)
		if err != nil || a.Check() != nil {
			t.Fatal(err, a.Check())
		}
		a.Free(first)
	})
}

// The first region that was in the same stripes before is striped again, and none that was
// touched elsewhere while there is such a one.
func TestStripedWhereItWasBefore(t *testing.T) {
	a := open(t, Options{SmallPages: true})
	if a.Backend() == Heap {
		t.Skip("all regions are alike on the heap")
	}
	var all []Slot
	for place := range uint32(4) {
		s, ok, err := a.AllocAt(Normal, place*SlotsPerRegion)
		if !ok || err != nil {
			t.Fatal(ok, err)
		}
		all = append(all, s)
	}
	for _, s := range all[1:3] { // the second and the third
		a.Free(s)
	}
	for i := range 2 {
		if s, err := a.AllocStriped(Normal, pieces, 0); err != nil || s != all[1+i] {
			t.Fatalf("slot %d, %v; want %d", s, err, all[1+i])
		}
	}
	for _, s := range all {
		a.Free(s)
	}
	decommits := a.Stats().calls[OpDecommit]
	s, err := a.AllocStriped(Normal, pieces, 0)
	if err != nil || s != all[1] || a.Stats().calls[OpDecommit] != decommits {
		t.Errorf("slot %d, %v, %d regions given back; want %d as it was", s, err, a.Stats().calls[OpDecommit]-decommits, all[1])
	}
	a.Free(s)
}

// Regions that are held, or striped already, are left alone.
func TestStripedLeavesOthersAlone(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		a.Hold(Normal, 0, true)
		held := a.slotAt(Normal, 0)
		first, err := a.AllocStriped(Normal, pieces, 1)
		if err != nil || first == held {
			t.Errorf("slot %d, %v: the region of slot %d is held", first, err, held)
		}
		second, err := a.AllocStriped(Normal, pieces, 1)
		if err != nil || second == first || second == held {
			t.Errorf("slots %d and %d, %v", first, second, err)
		}
		a.Hold(Normal, 0, false)
		third, err := a.AllocStriped(Normal, pieces, 1)
		if err != nil || third != held {
			t.Errorf("slot %d, %v", third, err)
		}
		for _, s := range []Slot{first, second, third} {
			a.Free(s + 1)
		}
	})
}

// A region that was striped and is free is purged slot by slot, where less than all of it
// is asked for: its borders are accounted for to the end.
func TestStripedThenPurged(t *testing.T) {
	a := open(t, Options{SmallPages: true})
	if a.Backend() != OS {
		t.Skip("the heap back end gives no slots back")
	}
	all := make([]Slot, SlotsPerRegion)
	for p := range all {
		all[p] = Slot(p)
	}
	first := takeStriped(t, a, Normal, all...)
	for p := range Slot(SlotsPerRegion) {
		a.Free(first + p)
	}
	if _, err := a.purgeSlots(Normal, 0); err != nil || a.Check() != nil {
		t.Errorf("%v, %v", err, a.Check())
	}
	s, err := a.Alloc(Normal)
	if err != nil || a.Check() != nil {
		t.Fatal(err, a.Check())
	}
	a.Free(s)
	if _, err := a.Purge(^uint64(0)); err != nil || a.Stats().Committed != 0 || a.Stats().Dirty != 0 {
		t.Errorf("%d committed, %d dirty, %v", a.Stats().Committed, a.Stats().Dirty, err)
	}
}

// The last free position is one that counts already, where there is one.
func TestLastFree(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		first := takeStriped(t, a, Normal, 3, 5, 6, 20)
		want := func(position Slot, counted bool) {
			t.Helper()
			if s, c := a.LastFree(first); s != first+position || c != counted {
				t.Errorf("position %d, counted: %v; want %d, %v", s-first, c, position, counted)
			}
		}
		want(31, false)
		a.Free(first + 5)
		a.Free(first + 3)
		want(5, true)
		if _, err := a.Purge(1 << 40); err != nil {
			t.Fatal(err)
		}
		if a.Backend() == OS {
			want(31, false)
		} else {
			want(5, true) // nothing is given back
		}
		for p := range Slot(30) {
			if a.IsFree(first + p) {
				if err := a.Take(first + p); err != nil {
					t.Fatal(err)
				}
			}
		}
		committed := a.Stats().Committed
		if err := a.Take(first + 30); err != nil {
			t.Fatal(err)
		}
		want(31, true)                                    // the borders count as one position
		committed = min(committed+SlotBytes, RegionBytes) // pages of 64 KiB make wider borders
		if err := a.Take(first + 31); err != nil || a.Stats().Committed != committed {
			t.Errorf("%v, %d bytes committed, want %d", err, a.Stats().Committed, committed)
		}
	})
}
