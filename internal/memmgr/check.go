package memmgr

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// Check proves the invariants of the package comment and of the arena: an error
// names the first that does not hold. It costs a pass over everything but rows.
func (m *Manager) Check() error {
	defer m.use("Check")()
	if m.closed {
		return nil
	}
	if err := m.arena.Check(); err != nil {
		return err
	}
	c := checker{m: m, owner: make(map[spot]string), slots: make(map[arena.Slot]form), blocks: make(map[arena.Slot]uint64)}
	for _, check := range [...]func() error{c.chunks, c.sequences, c.waits, c.blockMasks, c.striped, c.totals} {
		if err := check(); err != nil {
			return fmt.Errorf("memmgr: %w", err)
		}
	}
	return nil
}

// checker notes which chunk or annex uses which place.
type checker struct {
	m       *Manager
	owner   map[spot]string       // what is at a place, in words
	slots   map[arena.Slot]form   // whole: one owner; striped; 1: blocks
	blocks  map[arena.Slot]uint64 // blocks of a slot that have an owner
	retired uint64                // slots and positions in quarantine
	annexes int
}

// claim notes that something uses a place. A second claim of the same place is an error.
func (c *checker) claim(what string, s *shape, at spot) error {
	if other := c.owner[at]; other != "" {
		return fmt.Errorf("%s and %s share slot %d", other, what, at.slot)
	}
	c.owner[at] = what
	kind := at.form
	if at.form.inBlock() {
		class := s.Blocks[at.form-1].Class
		kind = form(1 + class)
		if at.block >= uint8(chunk.Blocks(class)) || c.blocks[at.slot]>>at.block&1 != 0 {
			return fmt.Errorf("%s lies in block %d of slot %d, which is another one's, or none", what, at.block, at.slot)
		}
		c.blocks[at.slot] |= 1 << at.block
	}
	if other, taken := c.slots[at.slot]; taken && (other != kind || !at.form.inBlock()) {
		return fmt.Errorf("%s lies in slot %d, which is used in another way", what, at.slot)
	}
	c.slots[at.slot] = kind
	return nil
}

func (c *checker) chunks() error {
	m, alone := c.m, 0
	for id, e := range m.table.used() {
		if err := c.claim(fmt.Sprintf("chunk %d", id), e.seq.shape, e.spot); err != nil {
			return err
		}
		if e.annex.slots != 0 {
			c.annexes++
		}
		for i := range e.annex.slots {
			if err := c.claim(fmt.Sprintf("the annex of chunk %d", id), nil, spot{slot: e.annex.first + arena.Slot(i)}); err != nil {
				return err
			}
		}
		if e.spot.form == whole && m.whole() {
			if alone++; m.tenants[e.spot.slot] != id {
				return fmt.Errorf("chunk %d lies in slot %d, which is noted as that of chunk %d", id, e.spot.slot, m.tenants[e.spot.slot])
			}
		}
		s := e.seq
		if e.order == spareOrder {
			if s.spare != id {
				return fmt.Errorf("chunk %d says that it is the spare of %q, whose spare is %d", id, s.name, s.spare)
			}
		} else if at := int(e.order - s.first); at >= len(s.chunks) || s.chunks[at] != id {
			return fmt.Errorf("chunk %d is not at place %d of %q", id, at, s.name)
		}
		for i, d := range s.dirs {
			if want := m.address(s.shape, e.spot, i); !d.Has(id) || d.Addr(id) != want || d.Cell(id).Addr != want {
				return fmt.Errorf("column %d of chunk %d of %q has a wrong address", i, id, s.name)
			}
		}
	}
	for _, id := range m.table.free {
		if m.table.in(id) != nil {
			return fmt.Errorf("chunk %d is in use, and its number is free", id)
		}
		if n := m.table.at(id).pins.Load(); n != 0 {
			return fmt.Errorf("chunk %d is pinned %d times, and its number is free", id, n)
		}
	}
	if alone != len(m.tenants) {
		return fmt.Errorf("%d slots hold a chunk alone, and %d are noted", alone, len(m.tenants))
	}
	astray := 0
	for i := range m.table.count {
		if m.table.at(chunk.ID(i)).astray {
			astray++
		}
	}
	if astray != len(m.astray) || slices.ContainsFunc(m.astray, func(id chunk.ID) bool { return !m.table.at(id).astray }) {
		return fmt.Errorf("%d chunks are noted as astray, and %v are listed", astray, m.astray)
	}
	return nil
}

func (c *checker) sequences() error {
	for i, s := range c.m.live() {
		if s.place != i || c.m.names[s.name] != s {
			return fmt.Errorf("%q is not where the list of sequences says", s.name)
		}
		if err := s.check(); err != nil {
			return err
		}
	}
	return nil
}

// check compares a sequence with the table.
func (s *Sequence) check() error {
	for i, id := range s.chunks {
		e := s.m.table.in(id)
		if e == nil || e.seq != s || e.order != s.first+uint32(i) {
			return fmt.Errorf("place %d of %q has chunk %d, which belongs elsewhere", i, s.name, id)
		}
		if e.spot.form.inBlock() && len(s.chunks) > 1 {
			return fmt.Errorf("chunk %d of %q is in a block and not alone", id, s.name)
		}
	}
	switch n := len(s.chunks); {
	case n == 0 && (s.tail != 0 || s.next != 0 || s.end != 0):
		return fmt.Errorf("%q has no chunks and a tail", s.name)
	case n > 0 && (s.tail != MakeLoc(s.chunks[n-1], 0) || s.tailRows() == 0 && n > 1 || s.tailRows() > s.tailCap()):
		return fmt.Errorf("the tail of %q is at %v with %d of %d rows", s.name, s.tail, s.tailRows(), s.tailCap())
	case n > 0 && s.tailCap() != s.shape.capacity(s.m.table.at(s.chunks[n-1]).spot.form):
		return fmt.Errorf("the tail of %q has another capacity than its layout", s.name)
	}
	return nil
}

// waits looks at places in quarantine, and at those that wait for the end of a pin.
func (c *checker) waits() error {
	for _, r := range c.m.retired {
		if err := c.claim("a place in quarantine", r.shape, r.at); err != nil {
			return err
		}
		if !r.at.form.inBlock() {
			c.retired++
		}
	}
	for _, w := range c.m.waiting {
		if err := c.claim(fmt.Sprintf("the place that chunk %d has left", w.id), w.shape, w.at); err != nil {
			return err
		}
	}
	return nil
}

// blockMasks compares the masks of slots that are cut into blocks with the chunks there.
func (c *checker) blockMasks() error {
	for class := range c.m.blocks {
		b := &c.m.blocks[class]
		for i, o := range b.open {
			if c.blocks[o.slot] != b.all()&^o.free || c.slots[o.slot] != form(1+class) || o.free == 0 || o.free == b.all() {
				return fmt.Errorf("slot %d of blocks of class %d: %b are free, %b in use", o.slot, class, o.free, c.blocks[o.slot])
			}
			if i > 0 && o.slot <= b.open[i-1].slot {
				return fmt.Errorf("slots of blocks of class %d are not in order", class)
			}
		}
	}
	for slot, used := range c.blocks {
		class := int(c.slots[slot]) - 1
		b := &c.m.blocks[class]
		if _, open := b.find(slot); !open && used != b.all() {
			return fmt.Errorf("slot %d of blocks of class %d: none is free, %b in use", slot, class, used)
		}
	}
	return nil
}

// striped compares the regions with the chunks in them.
func (c *checker) striped() error {
	used := make(map[arena.Slot]int)
	for at := range c.owner {
		if at.form == striped {
			used[at.slot-at.slot%chunk.RegionChunks]++
		}
	}
	for first, r := range c.m.regions {
		if r.first != first || r.used != used[first] || r.used == 0 || !slices.Contains(r.shape.regions, r) {
			return fmt.Errorf("the striped region from slot %d on says that %d positions are used; %d are", first, r.used, used[first])
		}
	}
	if len(used) != len(c.m.regions) {
		return fmt.Errorf("%d regions are striped, and chunks lie in %d", len(c.m.regions), len(used))
	}
	for _, s := range c.m.live() {
		for n, r := range s.regions {
			if r.home != s || r.number != n || c.m.regions[r.first] != r {
				return fmt.Errorf("region %d of %q is another one's", n, s.name)
			}
		}
	}
	for _, r := range c.m.regions {
		if r.home != nil && r.home.regions[r.number] != r {
			return fmt.Errorf("the striped region from slot %d on is none of %q, its home", r.first, r.home.name)
		}
	}
	return nil
}

func (c *checker) totals() error {
	m, st := c.m, c.m.Stats()
	var arrays uint64 // arrays count as live
	for p := range arena.Purposes {
		if p != arena.PurposeChunks {
			arrays += st.Arena.DirtyBy[p]
		}
	}
	live := st.Arena.Live - arrays
	switch {
	case c.annexes != m.annexes:
		return fmt.Errorf("%d annexes counted, %d in the table", m.annexes, c.annexes)
	case live+st.Arena.Quarantined != uint64(len(c.slots))*arena.SlotBytes:
		return fmt.Errorf("%d bytes of slots are live or in quarantine, and %d slots are used", live+st.Arena.Quarantined, len(c.slots))
	case st.Arena.Quarantined != c.retired*arena.SlotBytes:
		return fmt.Errorf("%d bytes of slots are in quarantine, and %d slots are retired", st.Arena.Quarantined, c.retired)
	case live < st.Payload:
		return fmt.Errorf("payload %d exceeds live %d", st.Payload, live)
	}
	return nil
}
