package raw

import (
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
)

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

// Touch reads the first byte of each line, and nothing behind the last.
func TestTouch(t *testing.T) {
	var memory [4 * chunk.Line]byte
	for i := range memory {
		memory[i] = byte(i / chunk.Line * 10)
		if i%chunk.Line > 0 {
			memory[i] = 100
		}
	}
	for bytes, want := range map[uintptr]byte{0: 0, 1: 0, chunk.Line: 0, chunk.Line + 1: 10, 3 * chunk.Line: 30, 4 * chunk.Line: 60} {
		if got := Touch(Of(&memory), bytes); got != want {
			t.Errorf("%d bytes: %d, want %d", bytes, got, want)
		}
	}
}
