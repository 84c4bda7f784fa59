package views

import (
	"fmt"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Source says where one field of a component is found, entity by entity. It is
// good until the next safe point or structural change, and used by one goroutine at
// a time; a copy may be used by another.
type Source struct {
	// Words say by index of the entity where its row is: its version above a memmgr.Loc. Chunk 0 is no row.
	Words []uint64
	// Resolve returns the word of the row where an entity has the component, or 0: for a handle and
	// its word among Words, 0 if there is none. It is nil if each row that is named there has the
	// component, and no other has.
	Resolve func(handle, word uint64) uint64
	// Cells are the component's directory; their number is a power of two.
	Cells []memmgr.Cell
	// mark is the difference of the version bits of word and handle where the
	// entity has the component. Tests alone set it, so that no value passes by chance.
	mark uint64
	// Stride is the component's size. Offset and Size say where in it the field is. All are in
	// bytes.
	Stride, Offset, Size uint32

	none [noneBytes / 8]uint64 // read and written in place of values that are not there
}

// noneBytes is the largest size that kernels copy.
const noneBytes = 64

// Place is where a value was found: 19 bits of cell above 13 bits of row. It is
// good as long as neither the rows of that cell's chunk change nor the number of
// cells; moves don't matter to it.
type Place = uint32

const (
	// noPlace is the place of an entity that lacks the component.
	noPlace Place = 1<<32 - 1
	// PlaceCells is how many cells places can tell apart.
	PlaceCells = 1<<19 - 1
)

// Found has the places and presence bits that a gather can note beside the values. Nil slices are left out.
type Found struct {
	// Places are as many as rows.
	Places []Place
	// Presence has a bit a row, set where the entity has the component; bits behind
	// the last row become 0.
	Presence []uint64
}

// Gather copies the field's values of entities side by side into dst, zero where an
// entity lacks the component. Handles that are stale or null lack it.
func (s *Source) Gather(dst []byte, handles []uint64, f Found) {
	size := s.fits(len(dst), len(handles))
	if f.Places != nil && len(s.Cells) > PlaceCells {
		panic("views: more cells than places tell apart: gather without Places, by handle each time")
	}
	s.gather(dst, size, handles, nil, f)
}

// gather copies the values of handles, or of places if there are no handles. The next block is found, and asked
// for, while the one before is copied.
func (s *Source) gather(dst []byte, size int, handles []uint64, places []Place, f Found) {
	var bs [2]block
	s.ready(&bs[0])
	s.ready(&bs[1])
	b, next := &bs[0], &bs[1]
	rows := max(len(handles), len(places))
	n := b.find(s, handles, places, 0)
	for at := 0; at < rows; {
		ahead := next.find(s, handles, places, at+n)
		b.gather(dst[at*size:], n, size)
		b.note(f, at, n)
		at, n, b, next = at+n, ahead, next, b
	}
}

// Locate notes where entities have the component, and which of them do, and copies no value.
func (s *Source) Locate(handles []uint64, f Found) {
	var b block
	s.ready(&b)
	for at := 0; at < len(handles); at += blockRows {
		n := b.locate(s, handles[at:])
		b.note(f, at, n)
	}
}

// Present sets a bit for each place at which an entity has the component. Bits behind the last
// become 0.
func Present(to []uint64, places []Place) {
	for at := 0; at < len(places); at += 64 {
		var bits uint64
		for i, p := range places[at:min(at+64, len(places))] {
			if p != noPlace {
				bits |= 1 << i
			}
		}
		to[at/64] = bits
	}
}

// GatherPlaces is Gather by places that are still good. It saves a look at the words, which
// are as far apart as the values.
func (s *Source) GatherPlaces(dst []byte, places []Place) {
	s.gather(dst, s.fits(len(dst), len(places)), nil, places, Found{})
}

// Scatter copies adjacent values back to where they come from, and stamps the chunks there.
// Values of components that an entity lacks are not written.
func (s *Source) Scatter(src []byte, handles []uint64, tick uint64) {
	size := s.fits(len(src), len(handles))
	var b block
	s.ready(&b)
	for at := 0; at < len(handles); at += blockRows {
		n := b.locate(s, handles[at:])
		b.scatter(src[at*size:], n, size)
		for _, w := range b.found[:n] {
			if w != 0 {
				s.Cells[w&b.k.mask].Stamp = tick
			}
		}
	}
}

// ScatterPlaces is Scatter by places that are still good.
func (s *Source) ScatterPlaces(src []byte, places []Place, tick uint64) {
	size := s.fits(len(src), len(places))
	var b block
	s.ready(&b)
	for at := 0; at < len(places); at += blockRows {
		n := b.locatePlaces(places[at:])
		b.scatter(src[at*size:], n, size)
		for _, p := range places[at : at+n] {
			if p != noPlace {
				s.Cells[p>>rowBits].Stamp = tick
			}
		}
	}
}

// fits checks lengths and returns the size of a value.
func (s *Source) fits(bytes, rows int) int {
	if len(s.Cells)&(len(s.Cells)-1) != 0 {
		panic(fmt.Sprintf("views: %d cells: pass all of a directory's, a power of two", len(s.Cells)))
	}
	if s.Offset+s.Size > s.Stride || bytes < rows*int(s.Size) {
		panic(fmt.Sprintf("views: %d rows of %d bytes at %d of %d do not fit into %d bytes", rows, s.Size, s.Offset, s.Stride, bytes))
	}
	return int(s.Size)
}
