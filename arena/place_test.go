package arena

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

func TestPlaces(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		for _, r := range []Range{Normal, Huge, Cold} {
			if a.serves(r) != r {
				continue
			}
			for _, place := range []uint32{40, 3, 41, 100} {
				s, ok, err := a.AllocAt(r, place)
				if !ok || err != nil {
					t.Fatalf("place %d of %v: %v, %v", place, r, ok, err)
				}
				if gr, gp := a.PlaceOf(s); gr != r || gp != place || a.slotAt(r, place) != s {
					t.Errorf("place %d of %v is place %d of %v", place, r, gp, gr)
				}
				if _, again, err := a.AllocAt(r, place); again || err != nil {
					t.Errorf("place %d of %v was given twice, %v", place, r, err)
				}
			}
			a.Quarantine(a.slotAt(r, 41))
			if a.InUse(r, 1) != 2 || a.InUse(r, 1<<20) != 0 {
				t.Errorf("region 1 of %v has two slots in use: %d", r, a.InUse(r, 1))
			}
			if s, err := a.Alloc(r); err != nil || s != a.slotAt(r, 0) {
				t.Errorf("Alloc of %v after AllocAt: slot %d, %v; want the first free one", r, s, err)
			}
		}
		if _, ok, err := a.AllocAt(Normal, 1<<30); ok || err != nil {
			t.Errorf("a place behind the reservation: %v, %v", ok, err)
		}
	})
}

func TestAllocAtRefused(t *testing.T) {
	a := open(t, Options{SmallPages: true, Backend: OS, fault: failNth(OpCommit, 1)})
	if a.Backend() != OS {
		t.Skip("the heap back end asks for nothing")
	}
	before := a.Stats()
	if _, ok, err := a.AllocAt(Normal, 70); ok || err == nil {
		t.Errorf("%v, %v; want the refusal", ok, err)
	}
	after := a.Stats()
	if before.calls, before.refused = after.calls, after.refused; before != after {
		t.Errorf("a refusal changed %+v to %+v", before, after)
	}
}

// A held region serves requests for a place in it, and others when nothing
// else is left.
func TestHold(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.Reserve = 4 * RegionBytes // half of it for slots
		a := open(t, o)
		a.Hold(Normal, 0, true)
		if _, ok, err := a.AllocAt(Normal, 5); !ok || err != nil {
			t.Fatal(ok, err)
		}
		for i := range uint32(SlotsPerRegion) {
			if s, err := a.Alloc(Normal); err != nil || s != Slot(SlotsPerRegion+i) {
				t.Fatalf("slot %d, %v; want one of region 1", s, err)
			}
		}
		if s, err := a.Alloc(Normal); err != nil || s >= SlotsPerRegion {
			t.Errorf("slot %d, %v where no region is left; want one of the held region", s, err)
		}
		if !a.Held(Normal, 0) || a.Held(Normal, 1) || a.Held(Cold, 0) {
			t.Errorf("held: %v, %v and %v", a.Held(Normal, 0), a.Held(Normal, 1), a.Held(Cold, 0))
		}
		a.Hold(Normal, 0, false)
		if a.Held(Normal, 0) {
			t.Error("the region is held")
		}
		if s, err := a.Alloc(Normal); err != nil || s >= SlotsPerRegion {
			t.Errorf("slot %d, %v after the hold; want one of region 0", s, err)
		}
	})
}

// Idle are the bytes that Purge gives back, and nothing is given back where it is 0.
func TestIdle(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		r := rand.New(rand.NewPCG(7, 7))
		var live []Slot
		for i := range 4000 {
			switch k := r.IntN(10); {
			case k < 5:
				s, err := a.Alloc(Range(r.IntN(3)))
				if err != nil {
					t.Fatal(err)
				}
				live = append(live, s)
			case k < 9 && len(live) > 0:
				n := r.IntN(len(live))
				a.Free(live[n])
				live[n] = live[len(live)-1]
				live = live[:len(live)-1]
			case r.IntN(20) == 0:
				idle := a.Stats().Idle
				freed, err := a.Purge(1 << 40)
				if err != nil || freed != idle || a.Stats().Idle != 0 {
					t.Fatalf("%d bytes were idle, %d given back, %d idle then, %v", idle, freed, a.Stats().Idle, err)
				}
			}
			if i%50 == 0 {
				if err := a.Check(); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func TestColdLiesInTheMiddle(t *testing.T) {
	a := open(t, Options{Reserve: 16 * RegionBytes})
	seen := map[Slot]bool{}
	for i := range 8 * SlotsPerRegion {
		s, err := a.Alloc(Range(i % 3))
		if err != nil || seen[s] {
			t.Fatalf("slot %d of %d: %d, %v, seen %v", i, 8*SlotsPerRegion, s, err, seen[s])
		}
		seen[s] = true
		if i == 2 && fmt.Sprint(s) != fmt.Sprint(a.slotAt(Cold, 0)) {
			t.Errorf("the first cold slot is %d", s)
		}
	}
	if _, err := a.Alloc(Cold); err == nil {
		t.Error("more slots than there are")
	}
}

// A run of slots lies in a region of the range that serves, which is neither held nor
// striped, behind the slots in use there; a new region is opened only for want of room.
func TestAllocRun(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		o.SmallPages = true
		a := open(t, o)
		held, err := a.Alloc(Normal)
		if err != nil {
			t.Fatal(err)
		}
		a.Hold(Normal, 0, true)
		striped, err := a.AllocStriped(Normal, pieces, 0)
		if err != nil {
			t.Fatal(err)
		}
		used, err := a.Alloc(Normal)
		if err != nil {
			t.Fatal(err)
		}
		next := used + 1
		for _, r := range []Range{Normal, Huge} { // which Normal serves here
			s, err := a.AllocRun(r, 10)
			if err != nil || s != next {
				t.Fatalf("%v: slots from %d on, %v; want %d", r, s, err, next)
			}
			next += 10
		}
		s, err := a.AllocRun(Normal, 20)
		if r, place := a.PlaceOf(s); err != nil || r != Normal || place != 3*SlotsPerRegion {
			t.Errorf("20 slots at place %d of %v, %v; want the fourth region", place, r, err)
		}
		if err := a.Check(); err != nil {
			t.Error(err)
		}
		for i := range Slot(20) {
			a.Free(s + i)
			a.Free(used + 1 + i)
		}
		for _, s := range []Slot{held, striped, used} {
			a.Free(s)
		}
	})
}

// AllocAt takes the slot at a place, held or not. ok is false, and nothing has
// changed, if it is not free or the range can't grow so far. Errors are those of
// Alloc.
func (a *Arena) AllocAt(r Range, place uint32) (s Slot, ok bool, err error) {
	i, bit := int(place/SlotsPerRegion), uint32(1)<<(place%SlotsPerRegion)
	switch {
	case a.closed:
		return noSlot, false, ErrClosed
	case a.serves(r) != r || !a.enter(r, i) || a.tables[r].regions[i].free&bit == 0 || !a.tables[r].regions[i].plain():
		return noSlot, false, nil
	}
	if err := a.ready(r, i); err != nil {
		return noSlot, false, err
	}
	if err := a.admit(r, i, bit); err != nil {
		return noSlot, false, err
	}
	return a.takeBit(r, i, bit), true, nil
}

// A slot is taken behind another one if it is free there, at least half of the region is in use, and
// it is of the memory that is idle, if any is.
func TestAllocNext(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		first, err := a.Alloc(Normal)
		if err != nil {
			t.Fatal(err)
		}
		want := func(what string, before, next Slot) {
			t.Helper()
			was := a.Stats()
			s, ok := a.AllocNext(before)
			if s != next || ok != (next != noSlot) {
				t.Errorf("%s: behind slot %d: %d, %v, want %d", what, before, s, ok, next)
			}
			if !ok && a.Stats() != was {
				t.Errorf("%s: %+v was %+v", what, a.Stats(), was)
			}
			if ok {
				a.Free(s)
				if _, err := a.Purge(^uint64(0)); err != nil {
					t.Fatal(err)
				}
			}
		}
		for n := 1; n < 15; n++ {
			a.Alloc(Normal)
		}
		want("less than half in use", first+14, noSlot)
		a.Alloc(Normal)
		want("half in use", first+15, first+16)
		want("in use", first+3, noSlot)
		a.Hold(Normal, 0, true)
		want("held", first+15, noSlot)
		a.Hold(Normal, 0, false)
		want("another arena's", first+400*SlotsPerRegion, noSlot)
		for n := 16; n < 40; n++ {
			a.Alloc(Normal)
		}
		want("the last of a region", first+31, noSlot)
		if a.Backend() == OS {
			a.Free(first + 20)
			a.Purge(^uint64(0))
			want("no memory is idle", first+19, first+20)
			a.Free(first + 10)
			want("that is idle", first+9, first+10)
			a.Free(first + 12)
			want("other memory is idle", first+19, noSlot)
		}
	})
}

// The fullest region is one that has room, is not held and has no stripes.
func TestAllocFullest(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		a := open(t, o)
		if s, ok := a.AllocFullest(Normal); ok {
			t.Errorf("slot %d of nothing", s)
		}
		for range 4 * SlotsPerRegion {
			if _, err := a.Alloc(Normal); err != nil {
				t.Fatal(err)
			}
		}
		free := func(region, n int) {
			for i := range n {
				a.Free(Slot(region*SlotsPerRegion + i))
			}
		}
		base := a.slotAt(Normal, 0)
		free(int(base)/SlotsPerRegion+1, 5)
		free(int(base)/SlotsPerRegion+2, 3)
		free(int(base)/SlotsPerRegion+3, SlotsPerRegion)
		if _, err := a.AllocStriped(Normal, []Run{{0, 8192}}, 30); err != nil {
			t.Fatal(err)
		}
		for _, want := range []uint32{2, 2, 2, 1} {
			s, ok := a.AllocFullest(Normal)
			if _, place := a.PlaceOf(s); !ok || place/SlotsPerRegion != want {
				t.Errorf("place %d, want region %d", place, want)
			}
		}
		if a.Hold(Normal, 1, true); true {
			if s, ok := a.AllocFullest(Normal); ok {
				t.Errorf("slot %d, though the only region with room is held", s)
			}
		}
	})
}

// A small world has one mapping and one set of page tables for rows and records: its first region ends where
// its first array begins. Slots of a region go up, regions go down.
func TestFirstRegionIsBesideFirstArray(t *testing.T) {
	a := open(t, Options{SmallPages: true, Backend: OS, Reserve: 64 << 20})
	if a.Backend() != OS {
		t.Skip("the Go heap has no order of regions; this is tested where the system reserves address space")
	}
	for s, want := range map[Slot]int64{0: -RegionBytes, 1: SlotBytes - RegionBytes, SlotsPerRegion: -2 * RegionBytes, SlotsPerRegion + 1: SlotBytes - 2*RegionBytes} {
		if got := int64(uintptr(a.at(s)) - uintptr(a.arrayBase(0))); got != want {
			t.Errorf("slot %d is %d bytes from the first array, want %d", s, got, want)
		}
	}
}
