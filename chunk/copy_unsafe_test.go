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
