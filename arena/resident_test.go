package arena

import "testing"

// residentWithin fails where more is resident than is accounted for.
func residentWithin(t *testing.T, a *Arena, what string) {
	t.Helper()
	n, err := a.Resident()
	if err != nil {
		t.Skipf("resident memory can't be measured here; Stats.Dirty, its upper bound, is tested everywhere: %v", err)
	}
	if st := a.Stats(); n > st.Dirty {
		t.Errorf("%s: %d bytes resident, %d dirty, %d committed", what, n, st.Dirty, st.Committed)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
}

// A region that held slots and is striped, or the reverse, is accounted for by the part that
// was touched, wherever that lies.
func TestResidentOfRegionUsedOtherwise(t *testing.T) {
	a := open(t, Options{SmallPages: true})
	runs := []Run{{0, 30000}, {1 << 20, 30000}}
	var slots []Slot
	for range 16 {
		s, err := a.Alloc(Normal)
		if err != nil {
			t.Fatal(err)
		}
		a.Fill(s, 1)
		slots = append(slots, s)
	}
	for _, s := range slots {
		a.Free(s)
	}
	first, err := a.AllocStriped(Normal, runs, 31)
	if err != nil {
		t.Fatal(err)
	}
	a.Fill(first+31, 1)
	residentWithin(t, a, "striped")
	if _, err := a.Purge(^uint64(0)); err != nil {
		t.Fatal(err)
	}
	residentWithin(t, a, "purged")
	for p := range Slot(8) {
		if err := a.Take(first + p); err != nil {
			t.Fatal(err)
		}
		a.Fill(first+p, 1)
	}
	for p := range Slot(8) {
		a.Free(first + p)
	}
	a.Free(first + 31)
	s, err := a.Alloc(Normal)
	if err != nil {
		t.Fatal(err)
	}
	residentWithin(t, a, "plain")
	if _, err := a.Purge(^uint64(0)); err != nil {
		t.Fatal(err)
	}
	residentWithin(t, a, "plain purged")
	a.Free(s)
}

// Pages that positions share go with the last of them, when each is purged apart.
func TestPurgeOfPositionsOneByOne(t *testing.T) {
	a := open(t, Options{SmallPages: true})
	var runs []Run
	for i := range uint32(16) {
		runs = append(runs, Run{i * (128 << 10), 4000})
	}
	first, err := a.AllocStriped(Normal, runs, 31)
	if err != nil {
		t.Fatal(err)
	}
	a.Fill(first+31, 1)
	for p := range Slot(31) {
		if err := a.Take(first + p); err != nil {
			t.Fatal(err)
		}
		a.Fill(first+p, 1)
	}
	residentWithin(t, a, "all")
	for p := range Slot(31) {
		a.Free(first + p)
		if _, err := a.Purge(^uint64(0)); err != nil {
			t.Fatal(err)
		}
	}
	residentWithin(t, a, "one by one")
	a.Free(first + 31)
}

// A region of which all positions were in use holds slots, and is purged, as any other.
func TestSlotsAfterFullStripes(t *testing.T) {
	a := open(t, Options{SmallPages: true})
	first, err := a.AllocStriped(Normal, pieces, 0)
	if err != nil {
		t.Fatal(err)
	}
	for p := range Slot(31) {
		if err := a.Take(first + 1 + p); err != nil {
			t.Fatal(err)
		}
	}
	for p := range Slot(32) {
		a.Free(first + p)
	}
	s, err := a.Alloc(Normal)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Purge(^uint64(0)); err != nil {
		t.Fatal(err)
	}
	residentWithin(t, a, "purged")
	a.Free(s)
}
