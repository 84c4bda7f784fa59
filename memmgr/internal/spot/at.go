package spot

import (
	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// At is the spot of a chunk. Rows, numbers and capacities are the same in all forms, but a block
// has room for fewer rows.
type At struct {
	Slot  arena.Slot
	Block uint8 // of the slot, where it is cut
	Form  Form
}

// Form is Whole, Striped, or 1 + the index of a block's layout in the shape.
type Form uint8

const (
	// Whole is a slot of its own.
	Whole Form = 0
	// Striped is a position of a striped region.
	Striped Form = 255
)

// InBlock reports whether other chunks may share the slot.
func (f Form) InBlock() bool { return f != Whole && f != Striped }

// Shape is the geometry of sequences with the same columns, and the striped regions that they have.
type Shape struct {
	*chunk.Shape
	// Few is how many chunks a sequence has before it is striped.
	Few int
	// runs is how the arena is told of Stripes.
	runs []arena.Run
	// regions are the striped regions of all sequences of the shape, in the order in which they were
	// opened.
	regions []*Region
}

// A program has few shapes and many sequences, so shapes are found by a key of their columns.

// ShapeOf returns the shape of columns, one for all that have such. Errors come from chunk.NewShape.
func (b *Book) ShapeOf(specs []chunk.Spec) (*Shape, error) {
	b.key = chunk.AppendKey(b.key[:0], specs)
	if s := b.shapes[string(b.key)]; s != nil {
		return s, nil
	}
	of, err := chunk.NewShape(specs)
	if err != nil {
		return nil, err
	}
	s := &Shape{Shape: of, Few: b.few(len(specs))}
	if of.Stripes != nil {
		for offset, step := range of.Stripes.Runs() {
			s.runs = append(s.runs, arena.Run{Offset: offset, Step: step})
		}
	}
	if len(s.runs) == 0 {
		of.Stripes = nil // nothing to lay side by side
	}
	b.shapes[string(b.key)] = s
	return s, nil
}

// Capacity is how many rows have room.
func (s *Shape) Capacity(f Form) uint32 {
	if f.InBlock() {
		return s.Blocks[f-1].Capacity()
	}
	return s.Full.Capacity()
}

// Bytes is the memory that a chunk takes: a slot, its share of a region, or a block.
func (s *Shape) Bytes(f Form) uint64 {
	if f.InBlock() {
		return uint64(chunk.BlockBytes(s.Blocks[f-1].Class))
	}
	return chunk.Bytes
}

// FormFor is the form of an only chunk with so many rows: the smallest block that holds them, or a
// slot.
func (s *Shape) FormFor(rows uint32) Form {
	if i, ok := s.BlockFor(rows); ok {
		return Form(i + 1)
	}
	return Whole
}

// Offset is where column i of a chunk begins in its slot. The chunk is not striped.
func (s *Shape) Offset(at At, i int) uint32 {
	if at.Form == Whole {
		return s.Full.Offset(i, uint32(at.Slot))
	}
	b := &s.Blocks[at.Form-1]
	return uint32(at.Block)*chunk.BlockBytes(b.Class) + b.Offset(i, 0)
}
