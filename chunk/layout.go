package chunk

import (
	"errors"
	"fmt"
)

const (
	// Bytes is the size of a full chunk and of its slot.
	Bytes = 64 << 10
	// Page is the smallest page of the systems that we know.
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
	minRow      = Bytes / MaxRows // rows are counted as at least this wide
	lossPercent = 2               // of a full chunk may be lost
)

// ID is the number of a chunk. It names the chunk as long as the chunk exists, at any address.
// 0 is no chunk.
type ID uint32

// Spec is the need of one column: Size bytes a row, the first row aligned to
// Align, a power of two up to 64. A Spec of Size 0 takes no room.
type Spec struct {
	Size, Align uint32
}

// Layout says where the columns of a chunk are within its slot, or within its block of one. It
// is immutable and may be shared. The zero value is not useful; see layoutOf.
type Layout struct {
	specs    []Spec
	offsets  []uint32
	capacity uint32
	rowBytes uint32
	colours  uint32
}

// ErrLayout is wrapped by every error of layoutOf.
var ErrLayout = errors.New("chunk: no layout")

// layoutOf lays out columns over a whole chunk. Columns start on lines of their own and leave room
// for four colours, if that loses at most 2 % or less than a row. Otherwise they are packed
// more densely. It fails, naming the limit, if not even one row fits.
func layoutOf(specs []Spec) (Layout, error) {
	if err := check(specs); err != nil {
		return Layout{}, err
	}
	row := rowBytes(specs)
	var best Layout
	for _, try := range [...]struct{ align, colours uint32 }{{Line, fullShifts}, {16, fullShifts}, {16, 1}, {1, 1}} {
		l, ok := densest(specs, Bytes, Bytes-(try.colours-1)*Line, try.align)
		if !ok || l.capacity <= best.capacity {
			continue
		}
		l.colours = try.colours
		if best = l; l.lost() <= max(Bytes*lossPercent/100, row) {
			break
		}
	}
	if best.capacity == 0 {
		return Layout{}, fmt.Errorf("%w: a row of %d bytes does not fit in a chunk: the limit is %d bytes for all columns together; keep large values outside and store an index", ErrLayout, row, Bytes)
	}
	return best, nil
}

// densest returns the packing of the most rows within room, of most bytes at best.
func densest(specs []Spec, most, room, align uint32) (Layout, bool) {
	offsets := make([]uint32, len(specs))
	for rows := mostRows(specs, most); rows > 0; rows-- {
		if l, ok := pack(specs, offsets, rows, room, align); ok {
			return l, true
		}
	}
	return Layout{}, false
}

// mostRows is how many rows fit in so many bytes at best.
func mostRows(specs []Spec, bytes uint32) uint32 {
	return min(bytes/max(rowBytes(specs), minRow), MaxRows)
}

// check validates specs.
func check(specs []Spec) error {
	if len(specs) > MaxColumns {
		return fmt.Errorf("%w: %d columns; the limit is %d: put values that are used together into one type, or store rare ones apart, as ecs.Thin does", ErrLayout, len(specs), MaxColumns)
	}
	for i, s := range specs {
		if s.Size > Bytes {
			return fmt.Errorf("%w: column %d has %d bytes a row; the limit is %d", ErrLayout, i, s.Size, Bytes)
		}
		if s.Align == 0 || s.Align&(s.Align-1) != 0 || s.Align > Line {
			return fmt.Errorf("%w: column %d has alignment %d; it must be a power of two up to %d", ErrLayout, i, s.Align, Line)
		}
	}
	return nil
}

func rowBytes(specs []Spec) uint32 {
	var n uint32
	for _, s := range specs {
		n += s.Size
	}
	return n
}

// pack places the columns one after the other, each aligned as asked and in a set
// that no column before it starts in. ok is false if they do not end within room. It writes the
// offsets of columns that take room. The layout keeps both lists.
func pack(specs []Spec, offsets []uint32, rows, room, align uint32) (l Layout, ok bool) {
	l = Layout{specs: specs, offsets: offsets, capacity: rows, colours: 1}
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
	l.rowBytes = rowBytes(specs)
	return l, true
}

// Capacity is the number of rows that fit.
func (l *Layout) Capacity() uint32 { return l.capacity }

// RowBytes is the sum of the columns' sizes.
func (l *Layout) RowBytes() uint32 { return l.rowBytes }

// Columns is the number of columns.
func (l *Layout) Columns() int { return len(l.specs) }

// Spec returns the size and alignment of column i.
func (l *Layout) Spec(i int) Spec { return l.specs[i] }

// Offset is the position of row 0 of column i in a chunk of the given colour, counted from the
// start of its slot, or of its block.
func (l *Layout) Offset(i int, colour uint32) uint32 {
	return l.offsets[i] + colour%l.colours*Line
}

// lost is the number of bytes of a full chunk that are of no row.
func (l *Layout) lost() uint32 { return Bytes - l.capacity*l.rowBytes }
