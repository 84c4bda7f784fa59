package raw

import "testing"

// Copy and Swap touch all bytes of a value of any size, and none beside it.
func TestCopy(t *testing.T) {
	const most, edge = 70, 8
	fill := func(b []byte, first byte) {
		for i := range b {
			b[i] = first + byte(i)
		}
	}
	for n := range most {
		var a, b, wantA, wantB [edge + most + edge]byte
		fill(a[:], 1)
		fill(b[:], 100)
		wantA, wantB = a, b
		copy(wantA[edge:edge+n], b[edge:])
		Copy(Ptr(&a[edge]), Ptr(&b[edge]), uintptr(n))
		if a != wantA || b != wantB {
			t.Errorf("Copy of %d bytes: %v to %v", n, b, a)
		}
		fill(a[:], 1)
		wantA, wantB = a, b
		copy(wantA[edge:edge+n], b[edge:])
		copy(wantB[edge:edge+n], a[edge:])
		Swap(Ptr(&a[edge]), Ptr(&b[edge]), uintptr(n))
		if a != wantA || b != wantB {
			t.Errorf("Swap of %d bytes: %v and %v", n, a, b)
		}
	}
}
