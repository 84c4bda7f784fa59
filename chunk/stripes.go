package chunk

import "iter"

// RegionChunks is how many chunks a region has, regionBytes its size.
const (
	RegionChunks = 32
	regionBytes  = RegionChunks * Bytes
)

// Stripes say where the columns of 32 chunks are that share a region. Each column is one run
// over all of them, so a reader that goes chunk by chunk goes on where the chunk before it
// ended.
//
//	| column 0 of chunks 0 1 2 … 31 | column 1 of chunks 0 1 2 … 31 | …
//
// The zero value is not useful; see newStripes.
type Stripes struct {
	full    *Layout
	offsets []uint32 // of position 0, from the start of the region
}

// newStripes lays out the columns of a full layout over a region; nil if they do not
// fit. That happens if rows fill their chunks to the last byte, or if a column's alignment
// does not divide the bytes of a chunk's rows.
func newStripes(full *Layout) *Stripes {
	for _, c := range full.specs {
		if full.capacity*c.Size%c.Align != 0 { // of other positions than the first
			return nil
		}
	}
	for _, align := range [...]uint32{Line, 16, 1} {
		l, fits := pack(full.specs, make([]uint32, len(full.specs)), RegionChunks*full.capacity, regionBytes, align)
		if !fits {
			continue
		}
		return &Stripes{full, l.offsets}
	}
	return nil
}

// Offset is the position of row 0 of column i for the chunk at a position, counted from the
// start of the region.
func (s *Stripes) Offset(i int, position uint32) uint32 { return s.offsets[i] + position*s.step(i) }

// step is the bytes of a column from one position to the next.
func (s *Stripes) step(i int) uint32 { return s.full.capacity * s.full.specs[i].Size }

// Runs yields, for each column that has bytes, the start of its stripe in the region and the bytes
// of it that each position has.
func (s *Stripes) Runs() iter.Seq2[uint32, uint32] {
	return func(yield func(offset, step uint32) bool) {
		for i, c := range s.full.specs {
			if c.Size != 0 && !yield(s.offsets[i], s.step(i)) {
				return
			}
		}
	}
}
