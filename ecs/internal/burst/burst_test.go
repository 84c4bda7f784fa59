package burst

import "testing"

// A buffer goes back when it was not needed of late, and steady ones stay.
func TestExcess(t *testing.T) {
	for _, x := range []struct {
		elements, used int
		size           uintptr
		want           bool
	}{
		{0, 0, 8, false},
		{8192, 0, 8, false}, // 64 KiB
		{8193, 0, 8, true},
		{8193, 4095, 8, true},
		{8193, 4096, 8, false},
		{1639, 0, 40, true},
		{1 << 20, 1 << 20, 8, false},
	} {
		b := Buffer{late: x.used}
		if got := b.Excess(x.elements, x.size); got != x.want {
			t.Errorf("%d elements of %d B, %d used: %v", x.elements, x.size, x.used, got)
		}
	}
}

// The most of a frame counts, and it is forgotten step by step.
func TestOfLate(t *testing.T) {
	var b Buffer
	b.Met(1000)
	b.Met(10)
	if b.EndFrame(); b.late != 1000 {
		t.Errorf("%d of late", b.late)
	}
	b.Met(10)
	if b.EndFrame(); b.late != 984 {
		t.Errorf("%d of late, a frame later", b.late)
	}
	for range 500 {
		b.Met(10)
		b.EndFrame()
	}
	if b.late != 10 {
		t.Errorf("%d of late, at last", b.late)
	}
}
