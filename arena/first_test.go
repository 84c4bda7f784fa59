package arena

import "testing"

// A world has an array of records and one of entries. The arena's notes of the first arrays
// is part of it: a new size of object on the Go heap would cost two pages.
func TestFirstArraysAllocateNothing(t *testing.T) {
	a, err := New(Options{SmallPages: true, Backend: OS})
	if err != nil || a.backend != OS {
		t.Skip("no reserved address space here")
	}
	defer a.Close()
	for range a.first {
		if x := MakeArray[uint64](a, 1<<20, PurposeSlots); x.Grow(0) != nil || &a.extents[0] != &a.first[0] {
			t.Fatalf("%d extents lie elsewhere", len(a.extents))
		}
	}
}
