package chunk

import "fmt"

// Shape is all layouts of a list of columns: over a whole slot, over blocks of it for few
// rows, and in stripes over a region for many. It is immutable, and sequences of the same
// columns share one.
type Shape struct {
	Full    Layout
	Blocks  []Block // by the rows that they hold
	Stripes Stripes
	Striped bool // Stripes are of use
}

// Block is a layout over a block of a class.
type Block struct {
	Class int
	Layout
}

// NewShape lays out columns in every way. Errors are those of New.
func NewShape(specs []Spec) (*Shape, error) {
	full, err := New(specs)
	if err != nil {
		return nil, err
	}
	s := &Shape{Full: full}
	rows := uint32(0)
	for class := range Classes {
		if l, ok := InBlock(specs, class); ok && l.capacity > rows {
			s.Blocks = append(s.Blocks, Block{class, l})
			rows = l.capacity
		}
	}
	s.Stripes, s.Striped = NewStripes(&full)
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

// Key tells lists of columns apart: those with equal keys have equal shapes.
func Key(specs []Spec) string {
	b := make([]byte, 0, len(specs)*4)
	for _, s := range specs {
		b = fmt.Appendf(b, "%d/%d ", s.Size, s.Align)
	}
	return string(b)
}
