package views

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// block is up to blockRows rows between being located and being copied. It lives on
// the stack, so that the collector never sees an address in it that has outlived
// its memory.
type block struct {
	to    addrs
	found words
	k     kernel
}

// ready makes a block ready for rows of a source.
func (s *Source) ready(b *block) {
	s.none = [noneBytes / 8]uint64{}
	b.k = s.kernel()
}

// kernel is the source as kernels read it.
func (s *Source) kernel() kernel {
	return kernel{
		slots: unsafe.Pointer(unsafe.SliceData(s.Words)), count: uint64(len(s.Words)),
		cells: unsafe.Pointer(unsafe.SliceData(s.Cells)), mask: uint64(len(s.Cells) - 1),
		stride: uint64(s.Stride), offset: uint64(s.Offset), reach: reach(s.Stride, s.Offset, s.Size),
		mark: s.mark, none: unsafe.Pointer(&s.none),
	}
}

// reach is how far to look ahead for a field's second line, if some row's field may cross a
// line; columns start on lines of their own.
func reach(stride, offset, size uint32) uint64 {
	if step := (stride | chunk.Line) & -(stride | chunk.Line); offset%step+size > step {
		return uint64(size - 1)
	}
	return 0
}

// locate finds the first rows of handles, a block at most; it returns how many.
func (b *block) locate(s *Source, handles []uint64) (n int) {
	n = min(len(handles), blockRows)
	switch {
	case n == 0:
	case len(s.Cells) == 0: // nobody has the component
		b.lack(n)
	case s.Resolve != nil:
		b.resolve(s, handles[:n])
	case b.k.count == 0:
		b.lack(n)
	default:
		locate(&b.to, &b.found, &handles[0], n, &handles[len(handles)-1], &b.k)
	}
	return n
}

// resolve is locate where the source says where rows are. Words are read first, all at a time, as
// they are far apart. There are no addresses before the source has spoken: they would be wrong
// ones, and its function may have the stack move.
func (b *block) resolve(s *Source, handles []uint64) {
	for i, h := range handles {
		w := uint64(0)
		if index := uint32(h); index < uint32(len(s.Words)) {
			w = s.Words[index]
		}
		if (w^h)>>versionShift != s.mark || w&chunkMask == 0 {
			w = 0
		}
		b.found[i%blockRows] = w
	}
	for i, h := range handles {
		b.found[i%blockRows] = s.Resolve(h, b.found[i%blockRows])
	}
	addressGo(&b.to, &b.found, len(handles), &b.k)
}

// locatePlaces finds the first rows of places, a block at most.
func (b *block) locatePlaces(places []Place) (n int) {
	n = min(len(places), blockRows)
	switch {
	case n == 0:
	case b.k.cells == nil:
		b.lack(n)
	default:
		locatePlaces(&b.to, &places[0], n, &b.k)
	}
	return n
}

// find is locate, or locatePlaces if there are no handles, from a row on.
func (b *block) find(s *Source, handles []uint64, places []Place, at int) int {
	if handles != nil {
		return b.locate(s, handles[at:])
	}
	return b.locatePlaces(places[at:])
}

// note notes what was found of n rows, from a row on.
func (b *block) note(f Found, at, n int) {
	if f.Places != nil {
		b.places(f.Places[at:][:n])
	}
	if f.Presence != nil {
		b.presence(f.Presence[at/64:], n)
	}
}

// lack is locate where no row has the component.
func (b *block) lack(n int) {
	clear(b.found[:n])
	for i := range n {
		b.to[i] = b.k.none
	}
}

// gather copies n located values to dst.
func (b *block) gather(dst []byte, n, size int) {
	to := unsafe.Pointer(unsafe.SliceData(dst))
	if size <= noneBytes {
		gather(to, &b.to, n, uintptr(size))
		return
	}
	for i, at := range b.to[:n] {
		if to := dst[i*size:][:size]; at == b.k.none {
			clear(to)
		} else {
			copy(to, unsafe.Slice((*byte)(at), size))
		}
	}
}

// scatter copies n values from src to where they were located.
func (b *block) scatter(src []byte, n, size int) {
	from := unsafe.Pointer(unsafe.SliceData(src))
	if size <= noneBytes {
		scatter(from, &b.to, n, uintptr(size))
		return
	}
	for i, at := range b.to[:n] {
		if at != b.k.none {
			copy(unsafe.Slice((*byte)(at), size), src[i*size:])
		}
	}
}

// spread copies the n located values of the given rows to dst.
func (b *block) spread(dst []byte, rows []uint16, size int) {
	switch size {
	case 4:
		spreadAs[[4]byte](dst, rows, &b.to)
	case 8:
		spreadAs[[8]byte](dst, rows, &b.to)
	case 12:
		spreadAs[[12]byte](dst, rows, &b.to)
	case 16:
		spreadAs[[16]byte](dst, rows, &b.to)
	default:
		for i, row := range rows {
			if to := dst[int(row)*size:][:size]; b.to[i] == b.k.none {
				clear(to)
			} else {
				copy(to, unsafe.Slice((*byte)(b.to[i]), size))
			}
		}
	}
}

func spreadAs[T any](dst []byte, rows []uint16, from *addrs) {
	to := unsafe.Pointer(unsafe.SliceData(dst))
	for i, row := range rows {
		*(*T)(unsafe.Add(to, uintptr(row)*unsafe.Sizeof(*new(T)))) = *(*T)(from[i%blockRows])
	}
}

// places notes where the rows of the block were found.
func (b *block) places(to []Place) {
	for i := range to {
		w := b.found[i]
		p := Place(w&b.k.mask)<<rowBits | Place(w>>chunkBits&rowMask)
		if w == 0 {
			p = noPlace
		}
		to[i] = p
	}
}

// presence notes which of n rows were found.
func (b *block) presence(to []uint64, n int) {
	for at := 0; at < n; at += 64 {
		var bits uint64
		for i, w := range b.found[at:min(at+64, n)] {
			if w != 0 {
				bits |= 1 << i
			}
		}
		to[at/64] = bits
	}
}
