package arena

import (
	"errors"
	"os"
	"testing"
)

// A sparse array counts page by page: what is taken, not what lies before it. A refusal changes
// nothing, and pages that are given back count no more.
func TestSparseArray(t *testing.T) {
	page := max(uint64(os.Getpagesize()), pageBytes)
	a := open(t, Options{SmallPages: true, Limit: 3 * page})
	if a.backend == Heap {
		t.Skip("a Go slice counts as a whole")
	}
	r := MakeArray[uint64](a, 1<<20, PurposeSlots)
	r.SetSparse()
	if err := r.Grow(1<<20 - 1); err != nil {
		t.Fatal(err)
	}
	if n := a.Stats().Committed; n != 0 {
		t.Fatalf("%d bytes count before anything is taken", n)
	}
	taken := func(i uint32) bool { return r.Pages()[i/(64*PageLen)]>>(i/PageLen%64)&1 != 0 }
	for _, i := range []uint32{5, 6, 100_000, 1<<20 - 1} {
		if err := r.Take(i); err != nil || !taken(i) {
			t.Fatalf("element %d: %v", i, err)
		}
		*r.Ptr(i) = uint64(i)
	}
	if n := a.Stats().Committed; n != 3*page {
		t.Errorf("%d bytes count for three pages", n)
	}
	if err := r.Take(500_000); !errors.Is(err, ErrLimit) || taken(500_000) || a.Stats().Committed != 3*page {
		t.Errorf("a fourth page: %v", err)
	}
	*r.Ptr(100_000) = 0
	freed, err := r.Purge(func(lo, hi uint32) bool { return lo >= 65536 && hi <= 1<<19 })
	if err != nil || freed == 0 || taken(100_000) || !taken(5) || a.Stats().Committed != 2*page {
		t.Errorf("%d bytes purged, %v; %d count", freed, err, a.Stats().Committed)
	}
	*r.Ptr(1<<20 - 1) = 0
	if _, freed, err := r.Tidy(1<<20-PageLen, 1); err != nil || freed != page || taken(1<<20-1) || a.Stats().Committed != page {
		t.Errorf("%d bytes tidied, %v; %d count", freed, err, a.Stats().Committed)
	}
	if err := a.Check(); err != nil {
		t.Error(err)
	}
	if n, err := a.Resident(); err == nil && n > page {
		t.Errorf("%d bytes are resident", n)
	}
	if err := r.Free(); err != nil || a.Stats().Committed != 0 || len(r.Pages()) != 0 {
		t.Errorf("%v, %d bytes count after Free", err, a.Stats().Committed)
	}
}

// A dense array takes ahead of its elements no more than a share of what its limit has left.
func TestStepsNearTheLimit(t *testing.T) {
	const limit = 16 << 20
	a := open(t, Options{SmallPages: true, Limit: limit})
	if a.backend == Heap {
		t.Skip("a Go slice doubles, and counts as a whole")
	}
	r := MakeArray[uint64](a, 1<<22, PurposeEntities)
	for i := uint32(0); ; i += PageLen {
		was, left := a.Stats().Committed, a.Left()
		if err := r.Grow(i); err != nil {
			if a.Stats().Committed != limit || !errors.Is(err, ErrLimit) {
				t.Errorf("%d bytes of %d count when the array is refused: %v", a.Stats().Committed, limit, err)
			}
			return
		}
		if more := a.Stats().Committed - was; more > left/stepsLeft+arrayStep && was > 0 {
			t.Fatalf("a step of %d bytes, where %d are left", more, left)
		}
	}
}
