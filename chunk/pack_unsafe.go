package chunk

import "unsafe"

// Pack copies values of the given rows of a column side by side, in order. Rows ascend. The
// values may go over those of earlier rows of the same column: dst is not above the first row.
func Pack(dst, src unsafe.Pointer, rows []uint32, size uint32) {
	switch size {
	case 0:
	case 1:
		packEach[[1]byte](dst, src, rows)
	case 2:
		packEach[[2]byte](dst, src, rows)
	case 4:
		packEach[[4]byte](dst, src, rows)
	case 8:
		packEach[[8]byte](dst, src, rows)
	case 12:
		packEach[[12]byte](dst, src, rows)
	case 16:
		packEach[[16]byte](dst, src, rows)
	case 24:
		packEach[[24]byte](dst, src, rows)
	case 32:
		packEach[[32]byte](dst, src, rows)
	default:
		for i, row := range rows {
			CopyBytes(unsafe.Add(dst, uintptr(i)*uintptr(size)), unsafe.Add(src, uintptr(row)*uintptr(size)), uintptr(size))
		}
	}
}

func packEach[V any](dst, src unsafe.Pointer, rows []uint32) {
	values := unsafe.Slice((*V)(dst), len(rows))
	for i, row := range rows {
		values[i] = *(*V)(unsafe.Add(src, uintptr(row)*unsafe.Sizeof(*new(V))))
	}
}
