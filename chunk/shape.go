package chunk

import (
	"encoding/binary"
	"slices"
)

// Shape is all layouts of a list of columns: over a whole slot, over blocks of it for few
// rows, and in stripes over a region for many. It is immutable, and sequences of the same
// columns share one.
type Shape struct {
	Full    Layout
	Blocks  []Block  // by the rows that they hold
	Stripes *Stripes // nil if the columns do not fit so
}

// Block is a layout over a block of a class.
type Block struct {
	Class int
	Layout
}

// NewShape lays out columns in every way. Errors are those of layoutOf. The list stays the caller's.
func NewShape(specs []Spec) (*Shape, error) {
	specs = slices.Clone(specs)
	full, err := layoutOf(specs)
	if err != nil {
		return nil, err
	}
	s := &Shape{Full: full, Blocks: make([]Block, 0, Classes)}
	s.Stripes = newStripes(&s.Full)
	rows := uint32(0)
	for class := range Classes {
		if l, ok := inBlock(specs, class); ok && l.capacity > rows {
			s.Blocks = append(s.Blocks, Block{class, l})
			rows = l.capacity
		}
	}
	return s, nil
}

// BlockFor returns the index in Blocks of the smallest one with room for so many rows;
// ok is false where a whole slot is needed.
func (s *Shape) BlockFor(rows uint32) (i int, ok bool) {
	for i := range s.Blocks {
		if s.Blocks[i].capacity >= rows {
			return i, true
		}
	}
	return 0, false
}

// AppendKey appends a key that tells lists of columns apart: lists with equal keys have equal
// shapes.
func AppendKey(dst []byte, specs []Spec) []byte {
	for _, s := range specs {
		dst = binary.AppendUvarint(binary.AppendUvarint(dst, uint64(s.Size)), uint64(s.Align))
	}
	return dst
}
