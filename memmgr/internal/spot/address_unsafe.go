package spot

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// Address is the address of column i of a chunk: row 0 of it. It is good while the spot is taken. In
// a striped region it follows from the region and the position, in others from the slot and the
// block. Nothing here reads or writes there but poison.
func (b *Book) Address(s *Shape, at At, i int) unsafe.Pointer {
	if at.Form == Striped {
		position := at.Slot % chunk.RegionChunks
		return unsafe.Add(b.arena.Base(at.Slot-position), s.Stripes.Offset(i, uint32(position)))
	}
	return unsafe.Add(b.arena.Base(at.Slot), s.Offset(at, i))
}

// Poison is the byte that checked builds write over a spot that went out of use.
const Poison = 0xDB

// poison overwrites a spot.
func (b *Book) poison(s *Shape, at At) {
	if !at.Form.InBlock() {
		b.arena.Fill(at.Slot, Poison)
		return
	}
	n := chunk.BlockBytes(s.Blocks[at.Form-1].Class)
	for i := range n {
		*(*byte)(unsafe.Add(b.arena.Base(at.Slot), uint32(at.Block)*n+i)) = Poison
	}
}

// Slots of this package are the arena's.
var _ [arena.SlotBytes]byte = [chunk.Bytes]byte{}
