package views

import (
	"fmt"
	"unsafe"
)

// Cut copies a part of each of the values that lie side by side in src, stride bytes from
// one to the next, to dst: size bytes at an offset, as many as dst takes. Both are read
// and written in order.
func Cut(dst, src []byte, stride, offset, size int) {
	n := len(dst) / size
	if offset+size > stride || len(src) < n*stride {
		panic(fmt.Sprintf("views: %d parts of %d bytes at %d of %d can't be cut from %d bytes", n, size, offset, stride, len(src)))
	}
	switch size {
	case 4:
		cutAs[[4]byte](dst, src, stride, offset, n)
	case 8:
		cutAs[[8]byte](dst, src, stride, offset, n)
	case 12:
		cutAs[[12]byte](dst, src, stride, offset, n)
	case 16:
		cutAs[[16]byte](dst, src, stride, offset, n)
	case 24:
		cutAs[[24]byte](dst, src, stride, offset, n)
	case 32:
		cutAs[[32]byte](dst, src, stride, offset, n)
	default:
		for i := range n {
			copy(dst[i*size:][:size], src[i*stride+offset:])
		}
	}
}

func cutAs[T any](dst, src []byte, stride, offset, n int) {
	to, from := unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src))
	for i := range n {
		*(*T)(unsafe.Add(to, uintptr(i)*unsafe.Sizeof(*new(T)))) = *(*T)(unsafe.Add(from, i*stride+offset))
	}
}
