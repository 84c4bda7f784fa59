package chunk

import "unsafe"

// CopyValue copies one value of size bytes. Values of a few words are copied word
// by word: what is copied has often just been written that way, and a load that is
// wider than the stores before it can't be served until they have left the store
// buffer.
func CopyValue(dst, src unsafe.Pointer, size uint32) {
	switch size {
	case 0:
	case 4:
		*(*uint32)(dst) = *(*uint32)(src)
	case 8:
		*(*uint64)(dst) = *(*uint64)(src)
	case 16:
		d, s := (*[2]uint64)(dst), (*[2]uint64)(src)
		a, b := s[0], s[1]
		d[0], d[1] = a, b
	case 24:
		d, s := (*[3]uint64)(dst), (*[3]uint64)(src)
		a, b, c := s[0], s[1], s[2]
		d[0], d[1], d[2] = a, b, c
	case 32:
		d, s := (*[4]uint64)(dst), (*[4]uint64)(src)
		a, b, c, e := s[0], s[1], s[2], s[3]
		d[0], d[1], d[2], d[3] = a, b, c, e
	default:
		CopyBytes(dst, src, uintptr(size))
	}
}

// CopyBytes copies n bytes; the two may overlap.
func CopyBytes(dst, src unsafe.Pointer, n uintptr) {
	copy(unsafe.Slice((*byte)(dst), n), unsafe.Slice((*byte)(src), n))
}

// Clear writes zeros over n bytes.
func Clear(dst unsafe.Pointer, n uintptr) { clear(unsafe.Slice((*byte)(dst), n)) }
