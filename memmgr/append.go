package memmgr

import (
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

// A row that is added costs an addition while the last chunk has room: next goes up to end.
// Otherwise makeRoom gives the tail more, in one of three ways:
//
//	next < end                 ─→ a row
//	in a block that is full    ─→ promote: a larger block or a slot, where it is if it can
//	full                       ─→ the spare, or a new chunk, becomes the tail
//
// A refusal leaves the sequence as it was. The program may be asked before it: see OnRefusal.

// Append adds a row and returns its location. Its values are undefined until written. It
// costs an addition, and every few thousand rows a chunk. After an error, which says that
// memory was refused, nothing has changed.
func (s *Sequence) Append() (l Loc, err error) {
	if l = s.next; l >= s.end {
		return s.appendSlow()
	}
	s.next = l + rowStep
	return l, nil
}

// TryAppend is Append where the last chunk has room; otherwise it does nothing and
// returns the zero Loc. It is small enough to be inlined.
func (s *Sequence) TryAppend() Loc {
	l := s.next
	if l >= s.end {
		return 0
	}
	s.next = l + rowStep
	return l
}

func (s *Sequence) appendSlow() (Loc, error) {
	err := s.makeRoom(1)
	if err != nil && s.manager.relieved(s, err) {
		if l := s.TryAppend(); l != 0 { // the last chunk has lost rows
			return l, nil
		}
		err = s.makeRoom(1)
	}
	if err != nil {
		return 0, err
	}
	s.next += rowStep
	return s.Last(), nil
}

// AppendRun adds up to n rows to the last chunk, or to a new one if it is full. It returns the
// location of the first and how many there was room for. Callers loop. A chunk in a block gets
// more room at once if n does not fit and there is memory for that. An error means that there
// is no memory for a single row.
func (s *Sequence) AppendRun(n int) (Loc, int, error) {
	l, k, err := s.appendRun(n)
	if err != nil && s.manager.relieved(s, err) {
		return s.appendRun(n)
	}
	return l, k, err
}

func (s *Sequence) appendRun(n int) (Loc, int, error) {
	if n <= 0 {
		return 0, 0, nil
	}
	if free := s.tailCap() - s.tailRows(); free == 0 || (s.tailCap() < uint32(s.Capacity()) && uint64(n) > uint64(free)) {
		err := s.makeRoom(n)
		if err != nil && free == 0 && n > 1 {
			err = s.makeRoom(1)
		}
		if err != nil && free == 0 {
			return 0, 0, err
		}
	}
	first := s.next
	k := min(n, int(s.tailCap()-s.tailRows()))
	s.next = first.Plus(uint32(k))
	if first == s.tail {
		s.watch() // a first chunk may have been chosen for these rows
	}
	return first, k, nil
}

// makeRoom gives the tail room for at least one row, n being wanted: it lays a
// chunk in a block out anew, or adds a chunk.
func (s *Sequence) makeRoom(n int) error {
	defer s.manager.use("Append")()
	if s.gone() {
		panic(fmt.Sprintf("memmgr: a row for %q, which was dropped: make a sequence anew", s.name))
	}
	if s.manager.closed {
		return fmt.Errorf("memmgr: a row for %q: %w", s.name, arena.ErrClosed)
	}
	if s.tail != 0 && s.tailCap() < uint32(s.Capacity()) {
		return s.promote(n)
	}
	if s.spare != 0 && s.manager.table.at(s.spare).pins.Load() != 0 {
		s.freeSpare() // a reader may still have addresses in it
	}
	id := s.spare
	if id == 0 {
		more := uint64(chunk.Bytes)
		if len(s.chunks) == 0 {
			more = s.shape.Bytes(s.shape.FormFor(uint32(min(n, chunk.MaxRows))))
		}
		err := s.mayTake(s.bytes() + more)
		if err != nil {
			return err
		}
		if id, err = s.nextChunk(n); err != nil {
			return err
		}
		if s.early {
			s.manager.regret(s)
		}
	}
	s.spare, s.old = 0, false
	e := s.manager.table.at(id)
	e.order = s.first + uint32(len(s.chunks))
	s.chunks = append(s.chunks, id)
	s.setTail(id, 0, s.shape.Capacity(e.spot.Form))
	switch {
	case len(s.chunks) == s.few()+1:
		s.manager.goAstray(s.chunks...)
		s.follow()
	case !s.home.Has(e.order, e.spot) && (e.spot.Form == spot.Striped || s.stripes(len(s.chunks)-1)):
		s.manager.goAstray(id)
	}
	return nil
}

// follow moves an only chunk before the first striped one to its position at once, as promote would.
// At a safe point its slot would be idle, where the next table that grows can use it now.
func (s *Sequence) follow() {
	id := s.chunks[0]
	e := s.manager.table.at(id)
	if len(s.chunks) != 2 || s.home.Len() == 0 || e.pins.Load() != 0 {
		return
	}
	if at, ok := s.manager.enter(s, e.order); ok {
		s.manager.book.Discard(s.shape, s.manager.moveTo(id, at))
	}
}

// nextChunk makes the next chunk, for so many rows. After an error nothing has changed.
func (s *Sequence) nextChunk(rows int) (chunk.ID, error) {
	m := s.manager
	if len(m.waiting) != 0 {
		m.freeUnpinned()
	}
	at, err := m.room(s, s.first+uint32(len(s.chunks)), rows)
	if err != nil {
		return 0, fmt.Errorf("memmgr: a chunk for %q: %w", s.name, err)
	}
	return m.newChunk(s, at)
}

// promote lays the first chunk out with more room: where it is, if it has its slot to itself,
// or in another block or slot. Only values are copied: number, rows and stamps stay. Where the
// chunk is pinned, its old place stays readable until it is unpinned.
func (s *Sequence) promote(n int) error {
	id := s.tail.Chunk()
	e := s.manager.table.at(id)
	rows := s.tailRows()
	least := max(rows+1, uint32(min(uint64(rows)+uint64(n), chunk.MaxRows)))
	want := max(least, 2*rows)
	if s.limit != 0 {
		s.freeSpare() // the limit counts it, and growing comes first
	}
	if s.mayTake(s.shape.Bytes(s.shape.FormFor(want))) != nil {
		want = least
	}
	if err := s.mayTake(s.shape.Bytes(s.shape.FormFor(want))); err != nil {
		return err
	}
	if s.manager.widen(id, s.shape.FormFor(want)) {
		return nil
	}
	at, err := s.manager.plainRoom(s, int(want), true)
	if err != nil {
		return fmt.Errorf("memmgr: more room for chunk %d of %q: %w", id, s.name, err)
	}
	old := s.manager.moveTo(id, at)
	if e.pins.Load() != 0 {
		s.manager.waiting = append(s.manager.waiting, waiting{id, s.shape, old, false})
		return nil
	}
	s.manager.book.Discard(s.shape, old)
	return nil
}

// widen lays a chunk in a block out where it is, in another form of its slot. Then a sequence
// that grows touches no page twice, and none that its rows will not be in. It returns false if
// other chunks share the slot, if the chunk is pinned, or if a slot of the cold range is due. In
// checked builds the old place is to be poisoned, so chunks go elsewhere.
func (m *Manager) widen(id chunk.ID, to spot.Form) bool {
	e := m.table.at(id)
	old, s := e.spot, e.seq
	if arena.Checked || e.pins.Load() != 0 || s.cold {
		return false
	}
	at := spot.At{Slot: old.Slot, Form: to}
	for i := range s.dirs {
		if s.shape.Offset(at, i) < s.shape.Offset(old, i) {
			return false // rows are copied upwards, the last column first
		}
	}
	if !m.book.Widen(s.shape, old, to) {
		return false
	}
	m.arrive(id, at, old)
	return true
}
