package spot

import (
	"math/bits"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// Book knows which spots are taken, and which chunks have settled there. Use New.
//
// A spot is taken by Take, TakeNear, SlotBehind, Enter and LastPosition, and given back by Free. All
// are called by one goroutine at a time: the owner of the chunk table. They, Settle and Unsettle are all that
// changes a Book.
type Book struct {
	arena *arena.Arena
	// shapes is by the key of the columns. A shape is kept for good.
	shapes map[string]*Shape
	// key is scratch of ShapeOf.
	key []byte
	// blocks has the cut slots with free blocks, by class.
	blocks [chunk.Classes]blocks
	// plains has the regions of slots, by their first slot.
	plains map[arena.Slot]*plain
	// striped has the striped regions, likewise. A region may have been the one and be the other
	// now: then its record in plains is empty.
	striped map[arena.Slot]*Region
	// FewLeast is the least of Shape.Few, for shapes that are new.
	FewLeast int
	quarantine

	// recent is the record that was looked for last, of the region at recentAt. Most calls come in
	// pairs, so this saves every second search.
	recent   *plain
	recentAt arena.Slot
}

// plain is who is in the slots of a region that is not striped. It is kept for good: the region's
// next slots use it again.
type plain struct {
	// ids are the chunks that have settled in a slot alone; 0 where none has.
	ids [arena.SlotsPerRegion]chunk.ID
	// cuts are the slots that are cut; nil for others.
	cuts [arena.SlotsPerRegion]*cut
	// bytes is of the spots in which chunks have settled: 64 KiB for a slot, or a block's.
	bytes uint64
}

// New makes a book about an arena that nobody else takes slots of, but for annexes.
func New(a *arena.Arena) *Book {
	few := 1
	if a.Backend() == arena.Heap {
		few = FewMost
	}
	return &Book{arena: a, FewLeast: few, shapes: make(map[string]*Shape), plains: make(map[arena.Slot]*plain), striped: make(map[arena.Slot]*Region)}
}

// first is the first slot of a slot's region.
func first(slot arena.Slot) arena.Slot { return slot - slot%arena.SlotsPerRegion }

// plain returns the record of a slot's region.
func (b *Book) plain(slot arena.Slot) *plain {
	at := first(slot)
	if b.recent != nil && b.recentAt == at {
		return b.recent
	}
	p := b.plains[at]
	if p == nil {
		p = new(plain)
		b.plains[at] = p
	}
	b.recent, b.recentAt = p, at
	return p
}

// Take takes a block, or a slot of a range. Blocks are in the lowest slot that has a free one and is
// in no held region, or in a new slot of the normal range. Errors are the arena's.
func (b *Book) Take(s *Shape, f Form, kind arena.Range) (At, error) {
	if at, ok := b.openBlock(s, f); ok {
		return at, nil
	}
	if f.InBlock() {
		kind = arena.Normal
	}
	slot, err := b.arena.Alloc(kind)
	if err != nil {
		return At{}, err
	}
	return b.begin(s, f, slot), nil
}

// TakeNear is Take that takes no new region into use: a new slot is one of the fullest region. ok is
// false if there is none.
func (b *Book) TakeNear(s *Shape, f Form, kind arena.Range) (at At, ok bool) {
	if at, ok = b.openBlock(s, f); ok {
		return at, true
	}
	slot, ok := b.arena.AllocFullest(kind)
	if !ok {
		return At{}, false
	}
	return b.begin(s, f, slot), true
}

// openBlock takes a block of a slot that is cut already; ok is false if there is none, or if the
// form is of a slot.
func (b *Book) openBlock(s *Shape, f Form) (at At, ok bool) {
	if !f.InBlock() {
		return At{}, false
	}
	c := b.opened(s, f)
	if c == nil {
		return At{}, false
	}
	return b.takeBlock(c, f), true
}

// opened is the first slot that has a free block of a form, and is in no held region; nil: there is none.
func (b *Book) opened(s *Shape, f Form) *cut {
	for _, c := range b.blocks[s.Blocks[f-1].Class].open {
		if !b.Held(c.slot) {
			return c
		}
	}
	return nil
}

// begin makes a slot that was taken a chunk's own, or cuts it and takes the first block.
func (b *Book) begin(s *Shape, f Form, slot arena.Slot) At {
	if !f.InBlock() {
		return At{Slot: slot}
	}
	return b.takeBlock(b.cut(slot, s.Blocks[f-1].Class), f)
}

// SlotBehind takes the slot behind that of another chunk, if it is of the range, and costs no more
// than others there: see arena.Arena.AllocNext.
func (b *Book) SlotBehind(at At, kind arena.Range) (next At, ok bool) {
	if at.Form == Whole && b.Range(at) == kind {
		next.Slot, ok = b.arena.AllocNext(at.Slot)
	}
	return next, ok
}

// Settle notes that a chunk is in a spot that was taken for it.
func (b *Book) Settle(s *Shape, at At, id chunk.ID) {
	if p := b.note(at, id); p != nil {
		p.bytes += s.Bytes(at.Form)
	}
}

// Unsettle notes that a chunk is leaving its spot, which stays taken.
func (b *Book) Unsettle(s *Shape, at At) {
	if p := b.note(at, 0); p != nil {
		p.bytes -= s.Bytes(at.Form)
	}
}

// note enters which chunk is in a slot or block; nil for positions, which need no note.
func (b *Book) note(at At, id chunk.ID) *plain {
	if at.Form == Striped {
		return nil
	}
	p, i := b.plain(at.Slot), at.Slot%arena.SlotsPerRegion
	if c := p.cuts[i]; c != nil {
		c.ids[at.Block] = id
	} else {
		p.ids[i] = id
	}
	return p
}

// Free gives a spot back. No caller may look there any more, and no chunk may be settled there.
func (b *Book) Free(s *Shape, at At) {
	switch {
	case at.Form == Striped:
		b.exit(at.Slot)
	case at.Form == Whole:
		b.arena.Free(at.Slot)
	default:
		b.freeBlock(at)
	}
}

// Range is the range that a spot is in.
func (b *Book) Range(at At) arena.Range {
	r, _ := b.arena.PlaceOf(at.Slot)
	return r
}

// Held reports whether a slot's region is held: see arena.Arena.Hold.
func (b *Book) Held(slot arena.Slot) bool {
	r, place := b.arena.PlaceOf(slot)
	return b.arena.Held(r, place/arena.SlotsPerRegion)
}

// Bytes is how much of a region chunks have, blocks counted one by one.
func (b *Book) Bytes(r arena.RegionInfo) uint64 {
	if p := b.plains[r.First]; p != nil {
		return p.bytes
	}
	return 0
}

// Chunks returns the chunks in a region of slots. ok is false if something else is there, such as
// an annex or a spot in quarantine, or if the other regions do not have room for them. That is
// exact: chunks in slots need a slot each, and blocks of a class fill free blocks of cut slots elsewhere
// before they need another slot:
//
//	here         3 whole     20 blocks of class 1    2 of class 5
//	elsewhere                 9 free                 none free
//	slots        3         + ⌈11 / 33⌉ = 1         + ⌈2 / 5⌉ = 1      at most slots: ok
//
// It costs a look at each slot and block of the region.
func (b *Book) Chunks(r arena.RegionInfo, slots int) (ids []chunk.ID, ok bool) {
	p := b.plains[r.First]
	if p == nil || r.Striped {
		return nil, false
	}
	var used, free [chunk.Classes]int // blocks here
	for left := ^r.Free; left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left)
		c := p.cuts[i]
		if c == nil {
			ids = append(ids, p.ids[i])
			slots--
			continue
		}
		free[c.class] += bits.OnesCount64(c.free)
		for taken := all(c.class) &^ c.free; taken != 0; taken &= taken - 1 {
			ids = append(ids, c.ids[bits.TrailingZeros64(taken)])
			used[c.class]++
		}
	}
	for class, n := range used {
		if n -= b.blocks[class].free - free[class]; n > 0 {
			slots -= (n + chunk.Blocks(class) - 1) / chunk.Blocks(class)
		}
	}
	for _, id := range ids {
		if id == 0 {
			return nil, false
		}
	}
	return ids, slots >= 0
}
