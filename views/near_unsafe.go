package views

import "unsafe"

// nearCells is up to how many cells a component's values are near: 4 MiB at most,
// mostly found in the second-level cache. There a plain loop, which has no block
// between finding and copying, is faster than the kernels: 3.5 ns a row of 16,384 instead of 5.1
// (BenchmarkGather).
const nearCells = 64

// gatherNear is Gather without places for values that are near. It returns false, and
// everything is still to do, if there is no loop for the size or some row lacks the
// component.
func (s *Source) gatherNear(dst []byte, handles, presence []uint64) bool {
	k := s.kernel()
	if len(s.Cells) == 0 || len(s.Cells) > nearCells || k.count == 0 || s.Resolve != nil {
		return false
	}
	whole := false
	switch s.Size {
	case 4:
		whole = nearAs[[4]byte](dst, handles, &k)
	case 8:
		whole = nearAs[[8]byte](dst, handles, &k)
	case 12:
		whole = nearAs[[12]byte](dst, handles, &k)
	case 16:
		whole = nearAs[[16]byte](dst, handles, &k)
	case 32:
		whole = nearAs[[32]byte](dst, handles, &k)
	case 64:
		whole = nearAs[[64]byte](dst, handles, &k)
	}
	if whole && presence != nil {
		for at := range (len(handles) + 63) / 64 {
			presence[at] = ^uint64(0) >> (64 - min(len(handles)-64*at, 64))
		}
	}
	return whole
}

// gatherNearPlaces is GatherPlaces likewise.
func (s *Source) gatherNearPlaces(dst []byte, places []Place) bool {
	if len(s.Cells) == 0 || len(s.Cells) > nearCells {
		return false
	}
	k := s.kernel()
	switch s.Size {
	case 4:
		nearPlacesAs[[4]byte](dst, places, &k)
	case 8:
		nearPlacesAs[[8]byte](dst, places, &k)
	case 12:
		nearPlacesAs[[12]byte](dst, places, &k)
	case 16:
		nearPlacesAs[[16]byte](dst, places, &k)
	case 32:
		nearPlacesAs[[32]byte](dst, places, &k)
	case 64:
		nearPlacesAs[[64]byte](dst, places, &k)
	default:
		return false
	}
	return true
}

// nearAs returns false at a row that lacks the component.
func nearAs[T any](dst []byte, handles []uint64, k *kernel) bool {
	to := unsafe.Pointer(unsafe.SliceData(dst))
	slots, count, cells, mask, stride := k.slots, k.count, k.cells, k.mask, k.stride
	for i, h := range handles { // mark and offset are read from k: one more in a register, and i would be none
		index := uint64(uint32(h))
		if index >= count {
			return false
		}
		w := *(*uint64)(unsafe.Add(slots, index*8))
		if w == 0 || (w^h)>>versionShift != k.mark {
			return false
		}
		base := *(*unsafe.Pointer)(unsafe.Add(cells, w&mask*cellBytes))
		*(*T)(unsafe.Add(to, uintptr(i)*unsafe.Sizeof(*new(T)))) = *(*T)(unsafe.Add(base, w>>chunkBits&rowMask*stride+k.offset))
	}
	return true
}

func nearPlacesAs[T any](dst []byte, places []Place, k *kernel) {
	to := unsafe.Pointer(unsafe.SliceData(dst))
	cells, stride, offset := k.cells, k.stride, k.offset
	for i, p := range places {
		at := (*T)(unsafe.Add(to, uintptr(i)*unsafe.Sizeof(*new(T))))
		if p == noPlace {
			*at = *new(T)
			continue
		}
		base := *(*unsafe.Pointer)(unsafe.Add(cells, uint64(p>>rowBits)*cellBytes))
		*at = *(*T)(unsafe.Add(base, uint64(p)&rowMask*stride+offset))
	}
}
