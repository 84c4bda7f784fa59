package spot

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// A claim says in words who has a spot, for messages. Two claims of one spot, a spot that the book
// knows otherwise, and a spot that nobody claims are errors. The last is found by the totals.

// Checker proves the invariants of the package comment. All that has a spot claims it; then Check
// compares the claims with the book. Use Book.Checker.
type Checker struct {
	b *Book
	// owner describes the owner of a spot.
	owner map[At]string
	// slots is how a slot is used: usedWhole, usedStriped, or the class of its blocks.
	slots map[arena.Slot]int
	// blocks are the blocks of a slot that have an owner, a bit each.
	blocks map[arena.Slot]uint64
	// bytes is of spots in which chunks have settled, by the first slot of a region.
	bytes map[arena.Slot]uint64
	// Quarantined is the bytes of slots and positions in quarantine.
	Quarantined uint64
}

const (
	usedWhole   = -1
	usedStriped = -2
)

// Checker returns a checker to which the spots in quarantine have been claimed.
func (b *Book) Checker() (*Checker, error) {
	c := &Checker{b: b, owner: make(map[At]string), slots: make(map[arena.Slot]int), blocks: make(map[arena.Slot]uint64), bytes: make(map[arena.Slot]uint64)}
	for _, r := range b.retired {
		if err := c.Claim("a spot in quarantine", r.shape, r.at); err != nil {
			return nil, err
		}
		if !r.at.Form.InBlock() {
			c.Quarantined += arena.SlotBytes
		}
	}
	return c, nil
}

// Claim notes that something uses a spot. A second claim of the same spot is an error.
func (c *Checker) Claim(what string, s *Shape, at At) error {
	if other := c.owner[at]; other != "" {
		return fmt.Errorf("%s and %s share slot %d", other, what, at.Slot)
	}
	c.owner[at] = what
	use := usedWhole
	switch {
	case at.Form == Striped:
		use = usedStriped
	case at.Form.InBlock():
		use = s.Blocks[at.Form-1].Class
		if at.Block >= uint8(chunk.Blocks(use)) || c.blocks[at.Slot]>>at.Block&1 != 0 {
			return fmt.Errorf("%s lies in block %d of slot %d, which is another one's, or none", what, at.Block, at.Slot)
		}
		c.blocks[at.Slot] |= 1 << at.Block
	}
	if other, taken := c.slots[at.Slot]; taken && (other != use || use < 0) {
		return fmt.Errorf("%s lies in slot %d, which is used in another way", what, at.Slot)
	}
	c.slots[at.Slot] = use
	return nil
}

// Settled is Claim for a chunk.
func (c *Checker) Settled(id chunk.ID, s *Shape, at At) error {
	if err := c.Claim(fmt.Sprintf("chunk %d", id), s, at); err != nil || at.Form == Striped {
		return err
	}
	c.bytes[first(at.Slot)] += s.Bytes(at.Form)
	p, i := c.b.plain(at.Slot), at.Slot%arena.SlotsPerRegion
	noted := p.ids[i]
	if cut := p.cuts[i]; cut != nil {
		noted = cut.ids[at.Block]
	}
	if noted != id {
		return fmt.Errorf("chunk %d lies in slot %d, where chunk %d is noted", id, at.Slot, noted)
	}
	return nil
}

// Bytes is the memory of all slots and positions that were claimed.
func (c *Checker) Bytes() uint64 { return uint64(len(c.slots)) * arena.SlotBytes }

// Check compares all claims with the book.
func (c *Checker) Check() error {
	for at, p := range c.b.plains {
		if p.bytes != c.bytes[at] {
			return fmt.Errorf("chunks have %d bytes of the region from slot %d on, and %d are noted", c.bytes[at], at, p.bytes)
		}
	}
	for class := range c.b.blocks {
		if err := c.checkOpen(class); err != nil {
			return err
		}
	}
	for slot, used := range c.blocks {
		if cut := c.b.cutAt(slot); cut == nil || cut.slot != slot || cut.class != c.slots[slot] || cut.free != all(cut.class)&^used {
			return fmt.Errorf("slot %d of blocks of class %d: %b are in use, %v is noted", slot, c.slots[slot], used, cut)
		}
	}
	return c.checkStriped()
}

// checkOpen looks at the list of slots that have free blocks of a class.
func (c *Checker) checkOpen(class int) error {
	b, free := &c.b.blocks[class], 0
	for i, o := range b.open {
		if o.free == 0 || o.free == all(class) || c.blocks[o.slot] == 0 || i > 0 && o.slot <= b.open[i-1].slot {
			return fmt.Errorf("slot %d of blocks of class %d is listed, of which %b are free", o.slot, class, o.free)
		}
		free += chunk.Blocks(class) - bits.OnesCount64(c.blocks[o.slot])
	}
	if free != b.free {
		return fmt.Errorf("%d blocks of class %d are free, and %d are noted", free, class, b.free)
	}
	return nil
}

// checkStriped looks at the striped regions and their homes.
func (c *Checker) checkStriped() error {
	used := make(map[arena.Slot]int)
	for at := range c.owner {
		if at.Form == Striped {
			used[first(at.Slot)]++
		}
	}
	for at, r := range c.b.striped {
		switch {
		case r.first != at || r.used != used[at] || r.used == 0 || !slices.Contains(r.shape.regions, r):
			return fmt.Errorf("the striped region from slot %d on says that %d positions are used; %d are", at, r.used, used[at])
		case r.home != nil && r.home.regions[r.number] != r:
			return fmt.Errorf("the striped region from slot %d on is none of its home", at)
		}
	}
	if len(used) != len(c.b.striped) {
		return fmt.Errorf("%d regions are striped, and chunks lie in %d", len(c.b.striped), len(used))
	}
	return nil
}

// CheckHome looks at the striped regions of a sequence.
func (c *Checker) CheckHome(name string, h *Home) error {
	for n, r := range h.regions {
		if r.home != h || r.number != n || c.b.striped[r.first] != r {
			return fmt.Errorf("region %d of %q is another one's", n, name)
		}
	}
	return nil
}
