package memmgr

import (
	"slices"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

// Long sequences are striped. The chunk of order 32·r + p belongs at position p of the
// sequence's region r, in which the columns of all its chunks are side by side.
//
//	sequence "bodies"     region 0 (2 MiB)
//	chunks 0 … 31 ──────→ | entities 0 … 31 | Position 0 … 31 | Velocity 0 … 31 |
//	chunks 32 … 63 ─────→ region 1
//
// A sequence of few chunks has each of them in a slot of its own. When one more than
// stripeFrom is made, it goes into a region, and so do all later ones. The chunks before it
// follow at safe points. If no region is to be had, a chunk takes a slot and stays there. A
// chunk that was moved away from its position comes back at a safe point. A sequence that has
// shrunk to half of stripeFrom goes back to slots, because on the Go heap a region is given
// back as a whole.
const (
	// stripeFrom is how many chunks a sequence has before it is striped. What is gained
	// begins with columns of some hundred KiB; a region without huge pages costs a page
	// a column more than slots do.
	stripeFrom = 8
	// hugeFrom is how many chunks a sequence has before a new region of it is advised to
	// have huge pages, which are resident as a whole: at most a quarter too much. A region that
	// is resident and idle serves from the second region on: nothing is too much then.
	hugeFrom = 4 * chunk.RegionChunks
)

// region is a striped region.
type region struct {
	shape  *shape
	first  arena.Slot
	used   int       // positions that are not free
	home   *Sequence // whose region it is; nil: it holds chunks that were moved there alone
	number uint32    // among the home's
}

// stripes tells whether the chunk at a place belongs into a region.
func (s *Sequence) stripes(at int) bool {
	return s.shape.Striped && (at >= stripeFrom || len(s.regions) > 0 && len(s.chunks) > stripeFrom/2)
}

// shrunk tells whether the sequence's chunks are too few to stay striped.
func (s *Sequence) shrunk() bool { return len(s.regions) > 0 && len(s.chunks) <= stripeFrom/2 }

// regionOf returns the sequence's region for the chunk of an order, and its position
// there; nil if there is none.
func (s *Sequence) regionOf(order uint32) (r *region, position uint32) {
	return s.regions[order/chunk.RegionChunks], order % chunk.RegionChunks
}

// isHome tells whether a chunk is where its order says.
func (s *Sequence) isHome(e *entry) bool {
	r, p := s.regionOf(e.order)
	return r != nil && e.spot == spot{slot: r.first + arena.Slot(p), form: striped}
}

// enter takes the position of the chunk of an order, and opens its region if need be. ok is
// false if there is no memory for that, or if another chunk is there.
func (m *Manager) enter(s *Sequence, order uint32) (at spot, ok bool) {
	r, p := s.regionOf(order)
	if r == nil {
		return m.open(s, order)
	}
	return m.takePosition(r, p)
}

func (m *Manager) takePosition(r *region, position uint32) (at spot, ok bool) {
	slot := r.first + arena.Slot(position)
	if !m.arena.IsFree(slot) || m.arena.Take(slot) != nil {
		return spot{}, false
	}
	r.used++
	return spot{slot: slot, form: striped}, true
}

// open makes the region for an order and takes the position there; ok is false if there
// is no memory for it.
func (m *Manager) open(s *Sequence, order uint32) (at spot, ok bool) {
	position := order % chunk.RegionChunks
	kind := s.kind()
	if kind == arena.Normal && (len(s.chunks) >= hugeFrom || len(s.chunks) >= chunk.RegionChunks && m.arena.HasIdle(arena.Huge)) {
		kind = arena.Huge
	}
	first, err := m.arena.AllocStriped(kind, s.shape.runs, position)
	if err != nil && kind != arena.Normal {
		first, err = m.arena.AllocStriped(arena.Normal, s.shape.runs, position)
	}
	if err != nil {
		return spot{}, false
	}
	r := &region{shape: s.shape, first: first, used: 1, home: s, number: order / chunk.RegionChunks}
	if m.regions == nil {
		m.regions = make(map[arena.Slot]*region)
	}
	if s.regions == nil {
		s.regions = make(map[uint32]*region)
	}
	m.regions[first], s.regions[r.number] = r, r
	s.shape.regions = append(s.shape.regions, r)
	return spot{slot: first + arena.Slot(position), form: striped}, true
}

// leave frees a position, and forgets the region when it was the last one.
func (m *Manager) leave(slot arena.Slot) {
	r := m.regions[slot-slot%chunk.RegionChunks]
	m.arena.Free(slot)
	if r.used--; r.used > 0 {
		return
	}
	delete(m.regions, r.first)
	i := slices.Index(r.shape.regions, r)
	r.shape.regions = slices.Delete(r.shape.regions, i, i+1)
	if r.home != nil {
		delete(r.home.regions, r.number)
	}
}

// elsewhere finds another spot for a chunk that Move is asked to move: home, if it is not there;
// otherwise the last free position of a region of the same shape; otherwise a slot. Positions
// that sequences grow into are the first ones.
func (m *Manager) elsewhere(e *entry) (spot, error) {
	s := e.seq
	if e.spot.form.inBlock() {
		return m.takeBlock(s, e.spot.form)
	}
	if e.order != spareOrder && !s.isHome(e) && s.stripes(int(e.order-s.first)) {
		if at, ok := m.enter(s, e.order); ok {
			return at, nil
		}
	}
	if e.spot.form == striped {
		if at, ok := m.lastPosition(s.shape); ok {
			return at, nil
		}
	}
	return m.takeSlot(s)
}

// lastPosition takes the last free position of a region of a shape: of the first region that has one
// which counts against limits already, or else of the first one. If that is refused, so is any other.
func (m *Manager) lastPosition(s *shape) (at spot, ok bool) {
	var of *region
	var last arena.Slot
	for _, r := range s.regions {
		if r.used == chunk.RegionChunks {
			continue
		}
		slot, counted := m.arena.LastFree(r.first)
		if of == nil || counted {
			of, last = r, slot
		}
		if counted {
			break
		}
	}
	if of == nil {
		return spot{}, false
	}
	return m.takePosition(of, uint32(last-of.first))
}

// brought is what came of bringing a chunk where it belongs.
type brought uint8

const (
	stays    brought = iota // it is there
	mustWait                // it is pinned, or its place is not free yet
	moved                   // it was moved
	refused                 // there is no memory for it
)

// bring moves a chunk to where it belongs: to its position; to a slot or a block if its
// sequence has shrunk; to the cold range; out of a region that is held.
func (m *Manager) bring(id chunk.ID, e *entry) brought {
	s := e.seq
	home, fits := s.stripes(len(s.chunks)-1), e.spot.form != striped && !s.tooLarge()
	leaves := fits && !home && e.spot.form == whole && m.leaves(e)
	if home && s.isHome(e) || !home && fits && !leaves && m.warmEnough(e) {
		s.watch()
		return stays
	}
	r, p := s.regionOf(e.order)
	if e.pins.Load() != 0 || home && r != nil && !m.arena.IsFree(r.first+arena.Slot(p)) {
		return mustWait // what lies there is in quarantine, or goes home itself
	}
	at, ok := spot{}, false
	switch {
	case home:
		at, ok = m.enter(s, e.order)
	case leaves:
		at, ok = m.lodging(e)
	default:
		var err error
		at, err = m.plainRoom(s, int(withSlack(m.rowsOf(id))), len(s.chunks) == 1)
		ok = err == nil
		if ok && fits && m.rangeOf(at) != s.kind() { // another range serves: nothing is gained
			m.free(s.shape, at)
			ok = false
		}
	}
	if !ok {
		return refused
	}
	m.retire(s.shape, m.moveTo(id, at))
	m.counts.Moved++
	return moved
}

// kind is the range that the sequence's slots are taken from.
func (s *Sequence) kind() arena.Range {
	if s.cold {
		return arena.Cold
	}
	return arena.Normal
}

// warmEnough tells whether a chunk may stay in the range where it is, given the cold
// sequences.
func (m *Manager) warmEnough(e *entry) bool {
	return !e.seq.cold || e.spot.form != whole || m.rangeOf(e.spot) == arena.Cold
}

// rangeOf is the range that a place is in.
func (m *Manager) rangeOf(at spot) arena.Range {
	r, _ := m.arena.PlaceOf(at.slot)
	return r
}

// goAstray has the next safe points bring chunks where they belong.
func (m *Manager) goAstray(ids ...chunk.ID) {
	for _, id := range ids {
		if e := m.table.at(id); !e.astray {
			m.astray, e.astray = append(m.astray, id), true
		}
	}
}

// astrayMost is how many chunks a safe point looks at: all have to wait, at worst.
const astrayMost = 1024

// straighten brings chunks that are astray where they belong, one after the other, until the
// budget of a safe point is spent. One that has to wait is looked at again next time. One that
// no memory can be had for is left where it is, and so are the others of its sequence.
func (m *Manager) straighten() {
	begin, most, bytes := m.Now(), m.left(), m.pacing.budget.Bytes
	var did Moved
	var poor *Sequence
	for range min(len(m.astray), astrayMost) {
		if m.turn >= len(m.astray) {
			m.turn = 0
		}
		id, was := m.astray[m.turn], stays
		e := m.table.at(id)
		s := e.seq
		if s != nil && s != poor && e.order != spareOrder {
			was = m.bring(id, e)
		}
		if was == mustWait {
			m.turn++
			continue
		}
		last := len(m.astray) - 1
		m.astray[m.turn], e.astray = m.astray[last], false
		m.astray = m.astray[:last]
		if was == refused {
			poor = s
			did.Refused++
		}
		if was != moved {
			continue
		}
		size := uint64(m.rowsOf(id)) * uint64(s.shape.Full.RowBytes())
		did.Moves++
		did.Bytes += size
		did.Longest = m.Now().Sub(begin)
		if did.Bytes+size > bytes || did.Longest >= most {
			did.OverBudget = uint64(min(len(m.astray), 1))
			break
		}
	}
	m.pacing.moved(did)
}

// Beside returns how many chunks from the i-th on, at least one, are side by side. Each of
// their columns is one run, from the first one's address on. It looks at each chunk.
func (s *Sequence) Beside(i int) int {
	if uint(i) >= uint(len(s.chunks)) {
		s.noChunk(i)
	}
	e, n := s.m.table.at(s.chunks[i]).spot, 1
	if e.form != striped {
		return 1
	}
	most := min(len(s.chunks)-i, chunk.RegionChunks-int(e.slot%chunk.RegionChunks))
	for n < most && s.m.table.at(s.chunks[i+n]).spot == (spot{slot: e.slot + arena.Slot(n), form: striped}) {
		n++
	}
	return n
}
