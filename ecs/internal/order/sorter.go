package order

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Sorters are the groups with rows that follow others.
type Sorters struct {
	base *walk.Base
	list []*Sorter
}

// NewSorters returns none.
func NewSorters(b *walk.Base) *Sorters { return &Sorters{base: b} }

// Sorter is one group with rows that follow another's. Sorters.Set makes it; step and walk change the
// cursor, the marks and the counts.
type Sorter struct {
	mover
	readers *store.Owner
	most    int // swaps in a frame
	at, to  int // the cursor: a row of the readers', and the row its entity belongs in
	marks   []mark
	tick    uint64 // of the step
	last    uint64 // tick in which sorted rows had changed by then
	stats   Stats
}

// mark notes a walk over a chunk of readers.
type mark struct {
	tick uint64 // when it began; 0: nothing is noted
	from int    // row that its first entity belongs in
	rows int    // of readers that were looked at
	have int    // readers' rows with entities that have rows here
}

// Stats counts the work of a Sorter so far.
type Stats struct {
	Rows    string `json:"rows"`    // the group that is sorted
	As      string `json:"as"`      // and its readers
	Looked  uint64 `json:"looked"`  // rows of readers that were looked up
	Skipped uint64 `json:"skipped"` // chunks that could not have changed
	Swapped uint64 `json:"swapped"` // rows that were put where they belong
	Rounds  uint64 `json:"rounds"`  // how often the last of the readers was reached
}

// looksPerSwap is how many of the readers' rows are looked at for each row that may be
// swapped. So many looks cost about as much as a swap, if rows do not fit into the caches
// (BenchmarkSortAs; docs/results/views.md has the figures).
const looksPerSwap = 16

// Stats returns the counts of all, in the order in which they were made.
func (ss *Sorters) Stats() (list []Stats) {
	for _, s := range ss.list {
		st := s.stats
		st.Rows, st.As = s.owner.Name, s.readers.Name
		list = append(list, st)
	}
	return list
}

// Set has the rows of a group follow another's, with at most so many swaps a
// frame. It tells whether it may: not if the other follows this one.
func (ss *Sorters) Set(rows, as *store.Owner, most int) bool {
	for next := as; ; {
		if next == rows {
			return false
		}
		i := ss.of(next)
		if i < 0 {
			break
		}
		next = ss.list[i].readers
	}
	if i := ss.of(rows); i >= 0 && ss.list[i].readers == as {
		ss.list[i].most = most
		return true
	}
	ss.Unset(rows)
	ss.list = append(ss.list, &Sorter{mover: mover{ss.base, rows}, readers: as, most: most})
	return true
}

// Unset leaves the rows of a group as they are.
func (ss *Sorters) Unset(rows *store.Owner) {
	if i := ss.of(rows); i >= 0 {
		ss.list = slices.Delete(ss.list, i, i+1)
	}
}

// Leave ends the sorters that go by the rows of an owner that may end.
func (ss *Sorters) Leave(o *store.Owner) {
	ss.list = slices.DeleteFunc(ss.list, func(s *Sorter) bool { return s.owner == o || s.readers == o })
}

// Follows tells whether the rows of an owner follow others, or are followed.
func (ss *Sorters) Follows(o *store.Owner) bool {
	return slices.ContainsFunc(ss.list, func(s *Sorter) bool { return s.owner == o || s.readers == o })
}

func (ss *Sorters) of(rows *store.Owner) int {
	return slices.IndexFunc(ss.list, func(s *Sorter) bool { return s.owner == rows })
}

// EndFrame does a frame's share.
func (ss *Sorters) EndFrame() {
	for _, s := range ss.list {
		s.step()
	}
}

// Forget lets go of all.
func (ss *Sorters) Forget() { ss.list = nil }

// step does a frame's share. It begins a tick, so that later changes have other stamps than the
// rows that it found.
func (s *Sorter) step() {
	readers := s.readers.Main.Seq
	s.last, s.tick = s.lastChange(), s.base.Manager.Advance()
	n := readers.Len()
	looks, swaps := n, s.most
	if s.most < n/looksPerSwap {
		looks = s.most * looksPerSwap
	}
	if s.at >= n {
		s.at, s.to = 0, 0
	}
	for looks > 0 && swaps > 0 && s.at < n {
		looked, swapped := s.walk(readers, looks, swaps)
		looks, swaps = looks-looked, swaps-swapped
	}
	if s.at >= n {
		s.stats.Rounds++
	}
}

// walk goes on within one chunk of the readers.
func (s *Sorter) walk(readers *memmgr.Sequence, looks, swaps int) (looked, swapped int) {
	capacity := int(readers.Layout().Capacity())
	c, r := s.at/capacity, s.at%capacity
	id, n := readers.Chunk(c)
	for len(s.marks) <= c {
		s.marks = append(s.marks, mark{})
	}
	m, st := &s.marks[c], s.base.Store
	looks = min(looks, n-r)
	if m.rows == n && st.IDs.Cell(id).Stamp < m.tick {
		if have, ok := s.same(m, r, looks); ok {
			s.at += looks
			s.to += have
			s.stats.Skipped += uint64(looks)
			return looks, 0
		}
	}
	if r == 0 {
		*m = mark{tick: s.tick, from: s.to}
	}
	looked, have, swapped := s.arrange(st.Entities(id, n)[r:r+looks], s.to, swaps)
	s.stats.Looked += uint64(looked)
	s.stats.Swapped += uint64(swapped)
	if m.rows == r && m.from+m.have == s.to {
		m.rows += looked
		m.have += have
	} else {
		m.tick = 0 // it has begun in another round
	}
	s.at += looked
	s.to += have
	if looked < looks && swapped < swaps {
		s.at, s.to = 0, 0 // rows have gone, and with them where this one belongs
	}
	return looked, swapped
}

// same tells whether a look at n rows from row r of a chunk that has not changed itself
// would find the noted rows, and how many entities have rows here.
func (s *Sorter) same(m *mark, r, n int) (have int, ok bool) {
	end := m.from + m.have
	if m.have == m.rows {
		return n, s.to == m.from+r && s.unchanged(s.to, s.to+n, m.tick)
	}
	// Which of them have rows is not noted: all or nothing, and no entity may have come.
	ok = r == 0 && n == m.rows && s.to == m.from && s.last < m.tick && s.unchanged(s.to, end, m.tick)
	return m.have, ok
}

// lastChange is the last tick in which one of the sorted rows' chunks got another row
// somewhere.
func (s *Sorter) lastChange() (tick uint64) {
	for id := range s.seq().Chunks() {
		tick = max(tick, s.base.Store.IDs.Cell(id).Stamp)
	}
	return tick
}

// unchanged tells whether rows have stayed the same since before a tick.
func (s *Sorter) unchanged(from, end int, tick uint64) bool {
	seq, ids := s.seq(), &s.base.Store.IDs
	if end > seq.Len() {
		return false
	}
	capacity := int(seq.Layout().Capacity())
	for c := from / capacity; c*capacity < end; c++ {
		if id, _ := seq.Chunk(c); ids.Cell(id).Stamp >= tick {
			return false
		}
	}
	return true
}
