package memmgr

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// blocks are the slots that are cut into blocks of one class. New chunks go to the
// lowest slot that has room, so that the others may empty.
type blocks struct {
	class int
	open  []cut // slots that have free blocks, ascending: in all others none is free
}

// cut is a slot and its free blocks, a bit each.
type cut struct {
	slot arena.Slot
	free uint64
}

// all is the mask of a slot without a block in use.
func (b *blocks) all() uint64 { return 1<<chunk.Blocks(b.class) - 1 }

// find returns where a slot is among the open ones, or where it would be.
func (b *blocks) find(slot arena.Slot) (i int, ok bool) {
	return slices.BinarySearchFunc(b.open, slot, func(c cut, slot arena.Slot) int { return cmp.Compare(c.slot, slot) })
}

// add takes a slot over, of which some blocks are free.
func (b *blocks) add(slot arena.Slot, free uint64) {
	i, _ := b.find(slot)
	b.open = slices.Insert(b.open, i, cut{slot, free})
}

// take takes a block, in a new slot if need be. Errors are the arena's.
func (b *blocks) take(a *arena.Arena) (arena.Slot, uint8, error) {
	if len(b.open) == 0 {
		slot, err := a.Alloc(arena.Normal)
		if err != nil {
			return arena.NoSlot, 0, err
		}
		b.add(slot, b.all())
	}
	first := &b.open[0]
	slot, n := first.slot, bits.TrailingZeros64(first.free)
	if first.free &= first.free - 1; first.free == 0 {
		b.open = slices.Delete(b.open, 0, 1)
	}
	return slot, uint8(n), nil
}

// free gives a block back, and its slot when that was the last one in use.
func (b *blocks) free(a *arena.Arena, slot arena.Slot, block uint8) {
	i, open := b.find(slot)
	if !open {
		b.open = slices.Insert(b.open, i, cut{slot: slot})
	}
	if b.open[i].free |= 1 << block; b.open[i].free == b.all() {
		b.open = slices.Delete(b.open, i, i+1)
		a.Free(slot)
	}
}

// cede gives a slot up, which stays in use, if its first block is the only one in use.
func (b *blocks) cede(slot arena.Slot) bool {
	i, open := b.find(slot)
	if !open || b.open[i].free != b.all()&^1 {
		return false
	}
	b.open = slices.Delete(b.open, i, i+1)
	return true
}
