package chunk

import (
	"bytes"
	"testing"
	"unsafe"
)

// CopyValue copies a value of any size, at any address, and nothing beside it.
func TestCopyValue(t *testing.T) {
	src, before := make([]byte, 200), bytes.Repeat([]byte{0xEE}, 200)
	for i := range src {
		src[i] = byte(i + 1)
	}
	for size := range uint32(130) {
		for _, at := range []int{0, 8, 13} {
			dst, want := bytes.Clone(before), bytes.Clone(before)
			copy(want[at:], src[3:3+size])
			if CopyValue(unsafe.Pointer(&dst[at]), unsafe.Pointer(&src[3]), size); !bytes.Equal(dst, want) {
				t.Fatalf("%d bytes to %d:\n%x, want\n%x", size, at, dst, want)
			}
		}
	}
}

// Source and destination of a copy may overlap, on either side.
func TestCopyBytesOverlaps(t *testing.T) {
	for _, shift := range []int{-5, -1, 0, 1, 5} {
		b := make([]byte, 100)
		for i := range b {
			b[i] = byte(i)
		}
		want := bytes.Clone(b)
		for i := range 80 {
			want[10+shift+i] = byte(10 + i)
		}
		if CopyBytes(unsafe.Pointer(&b[10+shift]), unsafe.Pointer(&b[10]), 80); !bytes.Equal(b, want) {
			t.Errorf("80 bytes by %d:\n%x, want\n%x", shift, b, want)
		}
	}
}

// A slice begins at its offset and has as many values as were asked for.
func TestSlice(t *testing.T) {
	words := [8]uint64{10, 11, 12, 13, 14, 15, 16, 17}
	if s := Slice[uint64](unsafe.Pointer(&words), 16, 3); len(s) != 3 || cap(s) != 3 || &s[0] != &words[2] {
		t.Errorf("%v of %d", s, cap(s))
	}
}
