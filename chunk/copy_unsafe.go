package chunk

import "unsafe"

// CopyValue copies one value of size bytes: the usual sizes by plain moves of
// registers, the rest by a call of memmove.
func CopyValue(dst, src unsafe.Pointer, size uint32) {
	switch size {
	case 0:
	case 4:
		*(*[4]byte)(dst) = *(*[4]byte)(src)
	case 8:
		*(*[8]byte)(dst) = *(*[8]byte)(src)
	case 16:
		*(*[16]byte)(dst) = *(*[16]byte)(src)
	case 24:
		*(*[24]byte)(dst) = *(*[24]byte)(src)
	case 32:
		*(*[32]byte)(dst) = *(*[32]byte)(src)
	default:
		CopyBytes(dst, src, uintptr(size))
	}
}

// CopyBytes copies n bytes; the two may overlap.
func CopyBytes(dst, src unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
}
