package chunk

import (
	"errors"
	"fmt"
	"strings"
)

const (
	// Bytes is the size of a chunk and of the slot that it lies in.
	Bytes = 64 << 10
	// Page is the granularity of the cache region and of small layouts.
	Page = 4 << 10
	// Line is the cache line for which starts are spread. Machines with lines of
	// 128 B see starts that differ by at least half of theirs.
	Line = 64
	// MaxRows is the largest capacity: a row number fits in 13 bits.
	MaxRows = 1 << 13
	// MaxColumns bounds the columns of one layout.
	MaxColumns = 256

	sets        = 64              // sets of the reference L1: 4 KiB ways of 64 B lines
	fullShifts  = 4               // colours of a full layout: 0 … 3 lines
	smallRows   = 8               // a small layout holds at least this many rows
	smallBytes  = 2 << 10         // the smallest small layout
	smallMax    = 16 << 10        // the largest
	minRow      = Bytes / MaxRows // rows are counted as at least this wide
	lossPercent = 2               // of a full chunk may be lost
)

// ID is the number of a chunk. It names the chunk for as long as it lives,
// wherever its bytes lie. 0 is no chunk.
type ID uint32

// Spec is what one column needs: Size bytes a row, the first row aligned to
// Align, a power of two up to 64. A Spec of Size 0 takes no room.
type Spec struct {
	Size, Align uint32
}

// Layout says where the columns of a chunk lie. It is immutable and may be
// shared. The zero value is not useful; see New.
type Layout struct {
	specs    []Spec
	offsets  []uint32
	capacity uint32
	rowBytes uint32
	span     uint32 // bytes from the first column's start to the last one's end
	cache    uint32 // first byte of the cache region; Bytes if there is none
	colours  uint32
	block    uint32 // bytes of a small layout's block; 0 for a full one
}

// ErrLayout is wrapped by every error of New and Small.
var ErrLayout = errors.New("chunk: no layout")

// New lays out columns over a whole chunk, cacheBytes of which (rounded up to a
// page) are left at its tail for views. Columns start on lines of their own and
// leave room for four colours, if that loses at most 2 % or less than a row; where
// it would lose more, they are packed more densely. It fails, naming the limit, if
// not even one row fits.
func New(specs []Spec, cacheBytes uint32) (Layout, error) {
	cache, err := check(specs, cacheBytes)
	if err != nil {
		return Layout{}, err
	}
	row := rowBytes(specs)
	var best Layout
	for _, try := range [...]struct{ align, colours uint32 }{{Line, fullShifts}, {16, fullShifts}, {16, 1}, {1, 1}} {
		l, ok := densest(specs, cache, cache-(try.colours-1)*Line, try.align)
		if !ok || l.capacity <= best.capacity {
			continue
		}
		l.cache, l.colours = cache, try.colours
		if best = l; l.Lost() <= max(cache*lossPercent/100, row) {
			break
		}
	}
	if best.capacity == 0 {
		return Layout{}, fmt.Errorf("%w: a row of %d bytes does not fit in a chunk: the limit is %d bytes for all columns together; keep large values outside and store an index", ErrLayout, row, cache)
	}
	return best, nil
}

// densest returns the packing of the most rows within room.
func densest(specs []Spec, cache, room, align uint32) (Layout, bool) {
	for rows := min(cache/max(rowBytes(specs), minRow), MaxRows); rows > 0; rows-- {
		if l, ok := pack(specs, rows, room, align); ok {
			return l, true
		}
	}
	return Layout{}, false
}

// Small lays out the same columns in the smallest block of 2, 4, 8 or 16 KiB that
// holds at least 8 rows; ok is false if there is none, and rows start in a full
// layout then. A small layout has as many colours as there are places for its
// block in the part of the slot that the cache region leaves.
func Small(specs []Spec, cacheBytes uint32) (l Layout, ok bool) {
	cache, err := check(specs, cacheBytes)
	if err != nil {
		return Layout{}, false
	}
	row := max(rowBytes(specs), minRow)
	for block := uint32(smallBytes); block <= min(smallMax, cache); block *= 2 {
		for rows := min(block/row, MaxRows); rows >= smallRows; rows-- {
			if l, ok := pack(specs, rows, block, Line); ok {
				l.cache, l.block = cache, block
				l.colours = smallColours(block, cache)
				return l, true
			}
		}
	}
	return Layout{}, false
}

// check validates specs and returns where the cache region starts.
func check(specs []Spec, cacheBytes uint32) (uint32, error) {
	if len(specs) > MaxColumns {
		return 0, fmt.Errorf("%w: %d columns; the limit is %d", ErrLayout, len(specs), MaxColumns)
	}
	for i, s := range specs {
		if s.Size > Bytes {
			return 0, fmt.Errorf("%w: column %d has %d bytes a row; the limit is %d", ErrLayout, i, s.Size, Bytes)
		}
		if s.Align == 0 || s.Align&(s.Align-1) != 0 || s.Align > Line {
			return 0, fmt.Errorf("%w: column %d has alignment %d; it must be a power of two up to %d", ErrLayout, i, s.Align, Line)
		}
	}
	if cacheBytes > Bytes-Page {
		return 0, fmt.Errorf("%w: a cache region of %d bytes; the limit is %d", ErrLayout, cacheBytes, Bytes-Page)
	}
	return Bytes - (cacheBytes+Page-1)/Page*Page, nil
}

func rowBytes(specs []Spec) uint32 {
	var n uint32
	for _, s := range specs {
		n += s.Size
	}
	return n
}

// pack places the columns one after the other, each aligned as asked and in a set
// that no column before it starts in. ok is false if they do not end within room.
func pack(specs []Spec, rows, room, align uint32) (l Layout, ok bool) {
	l = Layout{specs: specs, offsets: make([]uint32, len(specs)), capacity: rows, rowBytes: rowBytes(specs)}
	var taken [sets]bool
	var used int
	var end uint32
	for i, s := range specs {
		if s.Size == 0 {
			continue
		}
		a := max(align, s.Align)
		at := (end + a - 1) &^ (a - 1)
		if rows == 1 { // nothing is walked in lock step: alignment is enough
			at = (end + s.Align - 1) &^ (s.Align - 1)
		} else if used < sets {
			for taken[at/Line%sets] {
				at = (at + Line) &^ (Line - 1)
			}
			taken[at/Line%sets] = true
			used++
		}
		l.offsets[i] = at
		if end = at + rows*s.Size; end > room {
			return Layout{}, false
		}
	}
	l.span = end
	return l, true
}

// smallColours counts the places of a block: in each page-aligned place that is
// large enough, as many line shifts as the block leaves room for (half a page
// for the smallest, none for blocks of whole pages).
func smallColours(block, cache uint32) uint32 {
	place := max(block, Page)
	shifts := uint32(1)
	if block < Page {
		shifts = (Page - block) / Line
	}
	return cache / place * shifts
}

// Capacity is the number of rows that fit.
func (l *Layout) Capacity() uint32 { return l.capacity }

// RowBytes is the sum of the columns' sizes.
func (l *Layout) RowBytes() uint32 { return l.rowBytes }

// Columns is the number of columns.
func (l *Layout) Columns() int { return len(l.specs) }

// Spec returns what column i asked for.
func (l *Layout) Spec(i int) Spec { return l.specs[i] }

// Colours is the number of different places that a chunk of this layout can take
// within its slot: Shift accepts 0 … Colours-1 and folds larger numbers.
func (l *Layout) Colours() uint32 { return l.colours }

// IsSmall tells a small layout from a full one.
func (l *Layout) IsSmall() bool { return l.block != 0 }

// CacheRegion returns the first byte and the size of the cache region.
func (l *Layout) CacheRegion() (offset, size uint32) { return l.cache, Bytes - l.cache }

// Shift is the number of bytes by which a colour moves every column.
func (l *Layout) Shift(colour uint32) uint32 {
	colour %= l.colours
	if l.block == 0 {
		return colour * Line
	}
	place := max(l.block, Page)
	places := l.cache / place
	// Neighbouring colours go to different lines first, then to other pages: the
	// L1 cache is the smaller one.
	shifts := l.colours / places
	return colour%shifts*Line + colour/shifts%places*place
}

// Offset is where row 0 of column i lies in a chunk of the given colour, counted
// from the start of its slot.
func (l *Layout) Offset(i int, colour uint32) uint32 { return l.offsets[i] + l.Shift(colour) }

// Extent is the half-open range of bytes that columns occupy in a chunk of the
// given colour.
func (l *Layout) Extent(colour uint32) (lo, hi uint32) {
	s := l.Shift(colour)
	return s, s + l.span
}

// Lost is the number of bytes of a full chunk that hold neither rows nor the
// cache region.
func (l *Layout) Lost() uint32 { return l.cache - l.capacity*l.rowBytes }

// String draws the layout: capacity, then each column's size and offset.
func (l *Layout) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d rows of %d B, %d lost, %d colours:", l.capacity, l.rowBytes, l.Lost(), l.colours)
	for i, s := range l.specs {
		fmt.Fprintf(&b, " %d@%d", s.Size, l.offsets[i])
	}
	return b.String()
}
