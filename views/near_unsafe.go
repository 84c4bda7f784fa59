package views

import "unsafe"

// nearCells is up to how many cells a component's values are near: 4 MiB at most,
// mostly found in the second-level cache. There a plain loop, which has no block
// between finding and copying, is faster than the kernels (docs/views.md).
const nearCells = 64

// gatherNear is Gather for values that are near, if there is a loop for the size.
func (s *Source) gatherNear(dst []byte, handles []uint64, k *kernel) bool {
	if len(s.Cells) == 0 || len(s.Cells) > nearCells || k.count == 0 {
		return false
	}
	switch s.Size {
	case 4:
		nearAs[[4]byte](dst, handles, k)
	case 8:
		nearAs[[8]byte](dst, handles, k)
	case 12:
		nearAs[[12]byte](dst, handles, k)
	case 16:
		nearAs[[16]byte](dst, handles, k)
	case 32:
		nearAs[[32]byte](dst, handles, k)
	case 64:
		nearAs[[64]byte](dst, handles, k)
	default:
		return false
	}
	return true
}

func nearAs[T any](dst []byte, handles []uint64, k *kernel) {
	to := unsafe.Pointer(unsafe.SliceData(dst))
	slots, count, mark := k.slots, k.count, k.mark
	cells, mask, stride, offset := k.cells, k.mask, k.stride, k.offset
	for i, h := range handles {
		at := (*T)(unsafe.Add(to, uintptr(i)*unsafe.Sizeof(*new(T))))
		if index := uint64(uint32(h)); index < count {
			if w := *(*uint64)(unsafe.Add(slots, index*8)); w != 0 && (w^h)>>versionShift == mark {
				base := *(*unsafe.Pointer)(unsafe.Add(cells, w&mask*cellBytes))
				*at = *(*T)(unsafe.Add(base, w>>chunkBits&rowMask*stride+offset))
				continue
			}
		}
		*at = *new(T)
	}
}
