package memmgr

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// Check looks at everything twice: from the chunk to its sequence, spot and cells, and back. It
// reads no rows. The spots have a checker of their own, to which all that has one claims it.

// Check proves the invariants of the package comment and of the arena: an error
// names the first that is broken. It costs a pass over everything but rows.
func (m *Manager) Check() error {
	defer m.use("Check")()
	if m.closed {
		return nil
	}
	if err := m.arena.Check(); err != nil {
		return err
	}
	spots, err := m.book.Checker()
	c := checker{m, spots, make(map[*Directory]uint32)}
	for _, check := range [...]func() error{c.chunks, c.numbers, c.sequences, c.waits, spots.Check, c.totals} {
		if err == nil {
			err = check()
		}
	}
	if err != nil {
		return fmt.Errorf("memmgr: %w", err)
	}
	return nil
}

// checker claims for chunks and annexes where they are.
type checker struct {
	m     *Manager
	spots *spot.Checker
	// cells is how many chunks have a cell in each directory.
	cells map[*Directory]uint32
}

// chunks looks at the lines of chunks in use.
func (c *checker) chunks() error {
	m := c.m
	for id, e := range m.table.used() {
		s := e.seq
		if err := c.spots.Settled(id, s.shape, e.spot); err != nil {
			return err
		}
		for i := range e.annex.slots {
			if err := c.spots.Claim(fmt.Sprintf("the annex of chunk %d", id), nil, spot.At{Slot: e.annex.first + arena.Slot(i)}); err != nil {
				return err
			}
		}
		if e.order == spareOrder {
			if s.spare != id {
				return fmt.Errorf("chunk %d says that it is the spare of %q, whose spare is %d", id, s.name, s.spare)
			}
		} else if at := int(e.order - s.first); at >= len(s.chunks) || s.chunks[at] != id {
			return fmt.Errorf("chunk %d is not at place %d of %q", id, at, s.name)
		}
		for i, d := range s.dirs {
			if want := m.book.Address(s.shape, e.spot, i); !d.has(id) || d.Addr(id) != want || d.Cell(id).Addr != want {
				return fmt.Errorf("column %d of chunk %d of %q has a wrong address", i, id, s.name)
			}
			if at, stamp := d.Place(uint64(id)), d.Cell(id).Stamp; at.mark == uint64(id)|m.mark && (stamp != m.tick || at.Own() != nil) {
				return fmt.Errorf("column %d of chunk %d of %q is marked in tick %d, and stamped in %d, or partial", i, id, s.name, m.tick, stamp)
			}
			c.cells[d]++
		}
	}
	for d, n := range c.cells {
		if d.used != n {
			return fmt.Errorf("a directory counts %d chunks, and %d have a cell there", d.used, n)
		}
	}
	return nil
}

// numbers looks at free numbers, and at the list of chunks that are astray.
func (c *checker) numbers() error {
	m := c.m
	for _, id := range m.table.free {
		if m.table.in(id) != nil {
			return fmt.Errorf("chunk %d is in use, and its number is free", id)
		}
		if n := m.table.at(id).pins.Load(); n != 0 {
			return fmt.Errorf("chunk %d is pinned %d times, and its number is free", id, n)
		}
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
		if err := cmp.Or(s.check(), c.spots.CheckHome(s.name, &s.home)); err != nil {
			return err
		}
	}
	return nil
}

// check compares a sequence with the table.
func (s *Sequence) check() error {
	for i, id := range s.chunks {
		e := s.manager.table.in(id)
		if e == nil || e.seq != s || e.order != s.first+uint32(i) {
			return fmt.Errorf("place %d of %q has chunk %d, which belongs elsewhere", i, s.name, id)
		}
		if e.spot.Form.InBlock() && len(s.chunks) > 1 {
			return fmt.Errorf("chunk %d of %q is in a block and not alone", id, s.name)
		}
	}
	switch n := len(s.chunks); {
	case n == 0 && (s.tail != 0 || s.next != 0 || s.end != 0):
		return fmt.Errorf("%q has no chunks and a tail", s.name)
	case n > 0 && (s.tail != MakeLoc(s.chunks[n-1], 0) || s.tailRows() == 0 && n > 1 || s.tailRows() > s.tailCap()):
		return fmt.Errorf("the tail of %q is at %v with %d of %d rows", s.name, s.tail, s.tailRows(), s.tailCap())
	case n > 0 && s.tailCap() != s.shape.Capacity(s.manager.table.at(s.chunks[n-1]).spot.Form):
		return fmt.Errorf("the tail of %q has another capacity than its layout", s.name)
	}
	return nil
}

// waits looks at spots that wait for the end of a pin.
func (c *checker) waits() error {
	for _, w := range c.m.waiting {
		if err := c.spots.Claim(fmt.Sprintf("the spot that chunk %d has left", w.id), w.shape, w.at); err != nil {
			return err
		}
	}
	return nil
}

// totals compares the arena's counts with the claims.
func (c *checker) totals() error {
	st := c.m.Stats()
	live := st.Arena.Live - (st.Arena.Dirty - c.m.arena.DirtyBy(arena.PurposeChunks)) // arrays count as live
	switch {
	case live+st.Arena.Quarantined != c.spots.Bytes():
		return fmt.Errorf("%d bytes of slots are live or in quarantine, and %d are used", live+st.Arena.Quarantined, c.spots.Bytes())
	case st.Arena.Quarantined != c.spots.Quarantined:
		return fmt.Errorf("%d bytes of slots are in quarantine, and %d are retired", st.Arena.Quarantined, c.spots.Quarantined)
	case live < st.Payload:
		return fmt.Errorf("payload %d exceeds live %d", st.Payload, live)
	}
	return nil
}
