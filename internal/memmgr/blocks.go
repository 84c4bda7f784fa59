package memmgr

import (
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// blocks are the slots that are cut into blocks of one class. New chunks go to the
// lowest slot that has room, so that the others may empty.
type blocks struct {
	class int
	masks map[arena.Slot]uint64 // free blocks of each slot, a bit each
	open  []arena.Slot          // those that have any, ascending
}

// all is the mask of a slot without a block in use.
func (b *blocks) all() uint64 { return 1<<chunk.Blocks(b.class) - 1 }

// take takes a block, in a new slot if need be. Errors are the arena's.
func (b *blocks) take(a *arena.Arena) (arena.Slot, uint8, error) {
	if len(b.open) == 0 {
		slot, err := a.Alloc(arena.Normal)
		if err != nil {
			return arena.NoSlot, 0, err
		}
		if b.masks == nil {
			b.masks = make(map[arena.Slot]uint64)
		}
		b.masks[slot] = b.all()
		b.open = append(b.open, slot)
	}
	slot := b.open[0]
	mask := b.masks[slot]
	n := bits.TrailingZeros64(mask)
	if mask &= mask - 1; mask == 0 {
		b.open = slices.Delete(b.open, 0, 1)
	}
	b.masks[slot] = mask
	return slot, uint8(n), nil
}

// free gives a block back, and its slot when that was the last one in use.
func (b *blocks) free(a *arena.Arena, slot arena.Slot, block uint8) {
	mask := b.masks[slot]
	i, found := slices.BinarySearch(b.open, slot)
	if !found {
		b.open = slices.Insert(b.open, i, slot)
	}
	if mask |= 1 << block; mask == b.all() {
		delete(b.masks, slot)
		b.open = slices.Delete(b.open, i, i+1)
		a.Free(slot)
		return
	}
	b.masks[slot] = mask
}
