package spot

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// blocksMost is the most blocks of a slot.
const blocksMost = 60

var _ [blocksMost]struct{} = [chunk.Bytes / (17 * chunk.Line)]struct{}{} // of class 0

// Slots are cut for chunks of few rows, each into blocks of one class. The slots that have free
// blocks are listed by class, in order of address:
//
//	class 0   open: slot 3 (2 free)  slot 9 (31 free)      full: slots 1, 4, 5, in no list
//
// A new chunk goes to slot 3. So the slots behind may empty, and are the arena's again then.

// cut is a slot that is cut into blocks of one class. It is made with all blocks free and lives
// until they are so again, or until the only chunk in it widens.
type cut struct {
	slot  arena.Slot
	class int
	// free has a bit for each block that is free.
	free uint64
	// ids are the chunks in the other blocks; 0 where a block is taken and no chunk has settled.
	ids [blocksMost]chunk.ID
}

// all is the mask of a slot with no block in use.
func all(class int) uint64 { return 1<<chunk.Blocks(class) - 1 }

// blocks are the slots that are cut into blocks of one class.
type blocks struct {
	// open has the slots with free blocks, in ascending order. All of a slot's blocks are free for the
	// moment of a call alone.
	open []*cut
	// free is how many blocks are free in all of them.
	free int
}

func (b *blocks) find(slot arena.Slot) (i int, ok bool) {
	return slices.BinarySearchFunc(b.open, slot, func(c *cut, slot arena.Slot) int { return cmp.Compare(c.slot, slot) })
}

// mark changes which blocks of a slot are free, and lists the slot if some are.
func (b *blocks) mark(c *cut, free uint64) {
	b.free += bits.OnesCount64(free) - bits.OnesCount64(c.free)
	if (c.free != 0) != (free != 0) {
		if i, open := b.find(c.slot); open {
			b.open = slices.Delete(b.open, i, i+1)
		} else {
			b.open = slices.Insert(b.open, i, c)
		}
	}
	c.free = free
}

// takeBlock takes the first free block of a slot.
func (b *Book) takeBlock(c *cut, f Form) At {
	n := bits.TrailingZeros64(c.free)
	b.blocks[c.class].mark(c, c.free&(c.free-1))
	return At{c.slot, uint8(n), f}
}

// cut cuts a slot that was taken.
func (b *Book) cut(slot arena.Slot, class int) *cut {
	c := &cut{slot: slot, class: class}
	b.blocks[class].mark(c, all(class))
	b.plain(slot).cuts[slot%arena.SlotsPerRegion] = c
	return c
}

// uncut forgets that a slot is cut. The slot stays taken.
func (b *Book) uncut(c *cut) {
	b.blocks[c.class].mark(c, 0)
	b.plain(c.slot).cuts[c.slot%arena.SlotsPerRegion] = nil
}

// cutAt returns the cut slot of a spot.
func (b *Book) cutAt(slot arena.Slot) *cut { return b.plain(slot).cuts[slot%arena.SlotsPerRegion] }

// freeBlock gives a block back, and its slot with the last one.
func (b *Book) freeBlock(at At) {
	c := b.cutAt(at.Slot)
	b.blocks[c.class].mark(c, c.free|1<<at.Block)
	if c.free == all(c.class) {
		b.uncut(c)
		b.arena.Free(at.Slot)
	}
}

// A chunk that grows alone in its slot keeps its address range: it widens where it is, and touches no
// page twice. Where a slot has room for it beside others it moves there: else chunks that grow one after the other would have a
// slot each.

// Widen makes the first block of a slot another form, if it is the only one in use, and no other slot has a free block of that
// form. It returns false, and has changed nothing, for others. The chunk must settle anew.
func (b *Book) Widen(s *Shape, at At, to Form) bool {
	c := b.cutAt(at.Slot)
	if c.free != all(c.class)&^1 || to.InBlock() && b.opened(s, to) != nil {
		return false
	}
	b.Unsettle(s, at)
	b.uncut(c)
	if to.InBlock() {
		b.takeBlock(b.cut(at.Slot, s.Blocks[to-1].Class), to)
	}
	return true
}
