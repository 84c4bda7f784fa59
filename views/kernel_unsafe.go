package views

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// blockRows is how many rows are located before they are copied. Their addresses
// and words take 2 KiB, and prefetches for them take at most as many lines
// of the second-level cache.
const blockRows = 128

// kernel is a Source as the kernels read it; the assembly knows its fields by name. Source.kernel fills
// it for one call, and nothing changes it.
type kernel struct {
	slots  unsafe.Pointer // words by index of the entity
	count  uint64         // of them, at least 1
	cells  unsafe.Pointer // of the component's directory
	mask   uint64         // number of cells, a power of two, less 1
	stride uint64         // bytes from value to value
	offset uint64         // of the field in a value
	reach  uint64         // to the field's last byte where it may lie in two lines, else 0
	mark   uint64         // (word ^ handle) >> versionShift where the entity has the component
	none   unsafe.Pointer // the address of rows that lack the component
}

// A word is a version above a memmgr.Loc, as in package ecs.
const (
	chunkBits    = memmgr.LocBits - rowBits
	chunkMask    = 1<<chunkBits - 1
	rowBits      = 13
	rowMask      = 1<<rowBits - 1
	versionShift = memmgr.LocBits
	cellBytes    = 16
)

var _ [cellBytes]byte = [unsafe.Sizeof(memmgr.Cell{})]byte{}

// addrs and words are the addresses and entries of a block's rows.
type (
	addrs [blockRows]unsafe.Pointer
	words [blockRows]uint64
)

// locateGo finds n rows by handle, n from 1 to blockRows: their words, 0 for
// rows without the component, and their addresses, k.none for absent rows. Handles go on
// up to last, so that words can be prefetched beyond the block.
func locateGo(to *addrs, found *words, handles *uint64, n int, last *uint64, k *kernel) {
	for i, h := range unsafe.Slice(handles, n) {
		var w uint64
		if index := uint64(uint32(h)); index < k.count {
			w = *(*uint64)(unsafe.Add(k.slots, index*8))
		}
		if (w^h)>>versionShift != k.mark || w&chunkMask == 0 {
			w = 0
		}
		found[i%blockRows] = w
	}
	addressGo(to, found, n, k)
}

// addressGo turns words into addresses.
func addressGo(to *addrs, found *words, n int, k *kernel) {
	cells, mask, stride, offset := k.cells, k.mask, k.stride, k.offset
	for i, w := range found[:n] {
		at := k.none
		if w != 0 {
			at = unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(cells, w&mask*cellBytes)), w>>chunkBits&rowMask*stride+offset)
		}
		to[i%blockRows] = at
	}
}

// locatePlacesGo finds n rows by place, n from 1 to blockRows.
func locatePlacesGo(to *addrs, places *uint32, n int, k *kernel) {
	cells, mask, stride, offset := k.cells, k.mask, k.stride, k.offset
	for i, p := range unsafe.Slice(places, n) {
		at := k.none
		if p != uint32(noPlace) {
			at = unsafe.Add(*(*unsafe.Pointer)(unsafe.Add(cells, uint64(p>>rowBits)&mask*cellBytes)), uint64(p)&rowMask*stride+offset)
		}
		to[i%blockRows] = at
	}
}

// gather copies n values of size bytes from their addresses to adjacent places.
func gather(dst unsafe.Pointer, from *addrs, n int, size uintptr) {
	switch size {
	case 4:
		gatherAs[[4]byte](dst, from, n)
	case 8:
		gatherAs[[8]byte](dst, from, n)
	case 12:
		gatherAs[[12]byte](dst, from, n)
	case 16:
		gatherAs[[16]byte](dst, from, n)
	default:
		for i, at := range from[:n] {
			move(unsafe.Add(dst, uintptr(i)*size), at, size)
		}
	}
}

func gatherAs[T any](dst unsafe.Pointer, from *addrs, n int) {
	for i, at := range from[:n] {
		*(*T)(unsafe.Add(dst, uintptr(i)*unsafe.Sizeof(*new(T)))) = *(*T)(at)
	}
}

// scatter copies n adjacent values of size bytes to their addresses.
func scatter(src unsafe.Pointer, to *addrs, n int, size uintptr) {
	switch size {
	case 4:
		scatterAs[[4]byte](src, to, n)
	case 8:
		scatterAs[[8]byte](src, to, n)
	case 12:
		scatterAs[[12]byte](src, to, n)
	case 16:
		scatterAs[[16]byte](src, to, n)
	default:
		for i, at := range to[:n] {
			move(at, unsafe.Add(src, uintptr(i)*size), size)
		}
	}
}

func scatterAs[T any](src unsafe.Pointer, to *addrs, n int) {
	for i, at := range to[:n] {
		*(*T)(at) = *(*T)(unsafe.Add(src, uintptr(i)*unsafe.Sizeof(*new(T))))
	}
}

// move copies a value. A copy of 16 bytes is one load and one store, where Go calls a function for
// longer arrays.
func move(to, from unsafe.Pointer, size uintptr) {
	if size%16 != 0 {
		copy(unsafe.Slice((*byte)(to), size), unsafe.Slice((*byte)(from), size))
		return
	}
	for at := uintptr(0); at < size; at += 16 {
		*(*[16]byte)(unsafe.Add(to, at)) = *(*[16]byte)(unsafe.Add(from, at))
	}
}

// Prefetch asks for memory that is about to be read, into the second-level cache: about a line
// per cycle. It changes nothing, and an address that may not be read is no error. Without
// assembly it does nothing.
func Prefetch(from unsafe.Pointer, bytes uintptr) {
	prefetch(from, (bytes+chunk.Line-1)/chunk.Line)
}

// PrefetchRows is Prefetch for single rows of a column with values stride bytes apart: the rows
// that have their bits set. It costs about a cycle a row.
func PrefetchRows(bits []uint64, column unsafe.Pointer, stride uintptr) {
	if len(bits) > 0 {
		prefetchRows(&bits[0], len(bits), column, stride)
	}
}
