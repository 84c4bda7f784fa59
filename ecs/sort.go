package ecs

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Rows change their order by code alone: Sort at once, SortAs in steps. SortAs lets
// rows follow those of their readers:
//
//	readers  │ C  A  x  B │ …       x has no row among the sorted ones
//	            ↓  ↓     ↓
//	sorted   │ C  A  B │ rest …     rest: rows that no reader has
//	                 ↑ cursor: the reader's row that is looked at next, and the row
//	                   that its entity belongs in
//
// At the end of each frame the cursor goes on from where it stopped, at most to the last
// reader; then the next frame begins with the first. Where a reader's entity is not in
// the row it belongs in, the two rows are swapped. What is before the cursor is in order
// if nothing came or went meanwhile; so order is reached at the latest by one whole round
// without changes.
//
// Where the cursor stops is counted in rows, whatever chunks they lie in and however
// long it takes. Rows that have not changed since they were found in order count as
// looked at, and are not: stamps tell, and no result depends on it.

// rows are a group's.
type rows struct{ group *group }

func (r rows) world() *World { return r.group.w }

func (r rows) String() string { return "group " + r.group.name }

func (r rows) seq() *memmgr.Sequence { return r.group.seq }

// sorter is one SortAs.
type sorter struct {
	rows, as rows
	most     int // swaps in a frame
	mover    mover
	at, to   int // the cursor: a row of the readers', and the row its entity belongs in
	marks    []sortMark
	tick     uint64 // of the step
	changed  uint64 // when sorted rows had last changed by then
	stats    SortStats
}

// sortMark notes a walk over a chunk of readers.
type sortMark struct {
	tick uint64 // when it began; 0: nothing is noted
	from int    // row that its first entity belongs in
	rows int    // of readers that were looked at
	have int    // those whose entities have rows here
}

// looksPerSwap is how many of the readers' rows are looked at for each row that may be
// swapped: what a swap costs, about, where rows do not fit into the caches (docs/views.md
// has the figures).
const looksPerSwap = 16

func (g *group) Sort(compare func(a, b Entity) int) { rows{g}.sort(compare) }
func (g *group) SortAs(readers AnyGroup, n int)     { rows{g}.sortAs(readers, n) }
func (g *group) Unsort()                            { rows{g}.unsort() }

// SortStats is what a SortAs has done so far.
type SortStats struct {
	Rows, As string
	Looked   uint64 // rows of readers that were looked up
	Skipped  uint64 // those that could not have changed
	Swapped  uint64 // rows that were put where they belong
	Rounds   uint64 // how often the last of the readers was reached
}

// SortStats returns what each SortAs has done, in the order of the calls.
func (w *World) SortStats() (list []SortStats) {
	for _, s := range w.made("SortStats").sorters {
		st := s.stats
		st.Rows, st.As = s.rows.String(), s.as.String()
		list = append(list, st)
	}
	return list
}

func (r rows) sort(compare func(a, b Entity) int) {
	r.world().mustIdle("Sort")
	if compare == nil {
		panic(fmt.Sprintf("ecs: Sort of %v with a nil function: it is asked which of two entities comes first", r))
	}
	if m := r.mover(); m.seq != nil {
		m.arrange(r.sorted(compare), 0, math.MaxInt)
	}
}

// sorted returns the members in stable order.
func (r rows) sorted(compare func(a, b Entity) int) []Entity {
	w := r.world()
	defer w.end(w.begin("Sort of " + r.String()))
	type member struct {
		e  Entity
		at int
	}
	members := make([]member, 0, r.seq().Len())
	for id, n := range r.seq().Chunks() {
		for _, e := range r.world().s.Entities(id, n) {
			members = append(members, member{e, len(members)})
		}
	}
	slices.SortFunc(members, func(a, b member) int {
		if c := compare(a.e, b.e); c != 0 {
			return c
		}
		return cmp.Compare(a.at, b.at)
	})
	es := make([]Entity, len(members))
	for i, m := range members {
		es[i] = m.e
	}
	return es
}

func (r rows) sortAs(readers AnyGroup, n int) {
	w := r.world()
	w.mustIdle("SortAs")
	if n <= 0 {
		panic(fmt.Sprintf("ecs: SortAs of %v with %d rows a frame: it takes at least 1, and Unsort ends it", r, n))
	}
	as := rows{}
	if readers != nil {
		as.group = readers.asGroup()
	}
	if as == (rows{}) {
		panic(fmt.Sprintf("ecs: SortAs of %v as readers that are nil or the zero value: readers are a *Group from GroupOf", r))
	}
	if as.world() != w {
		panic(fmt.Sprintf("ecs: SortAs of %v as %v of another world: take readers of the same world", r, as))
	}
	for next := as; ; {
		if next == r {
			panic(fmt.Sprintf("ecs: SortAs of %v as %v, which are sorted as these rows: leave one of both as it is, Unsort ends its SortAs", r, as))
		}
		i := w.sorterOf(next)
		if i < 0 {
			break
		}
		next = w.sorters[i].as
	}
	if i := w.sorterOf(r); i >= 0 && w.sorters[i].as == as {
		w.sorters[i].most = n
		return
	}
	r.unsort()
	w.sorters = append(w.sorters, &sorter{rows: r, as: as, most: n})
}

func (r rows) unsort() {
	w := r.world()
	w.mustIdle("Unsort")
	if i := w.sorterOf(r); i >= 0 {
		w.sorters = slices.Delete(w.sorters, i, i+1)
	}
}

func (w *World) sorterOf(r rows) int {
	return slices.IndexFunc(w.sorters, func(s *sorter) bool { return s.rows == r })
}

// sortRows does a frame's steps.
func (w *World) sortRows() {
	for _, s := range w.sorters {
		s.step()
	}
}

// step does a frame's share. It begins a tick, so that what changes afterwards can be
// told from what it found.
func (s *sorter) step() {
	if s.mover.seq == nil {
		s.mover = s.rows.mover()
	}
	readers := s.as.seq()
	if s.mover.seq == nil || readers == nil {
		return
	}
	s.changed, s.tick = s.lastChange(), s.rows.world().m.Advance()
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
func (s *sorter) walk(readers *memmgr.Sequence, looks, swaps int) (looked, swapped int) {
	capacity := int(readers.Layout().Capacity())
	c, r := s.at/capacity, s.at%capacity
	id, n := readers.Chunk(c)
	for len(s.marks) <= c {
		s.marks = append(s.marks, sortMark{})
	}
	mark, w := &s.marks[c], s.rows.world()
	looks = min(looks, n-r)
	if mark.rows == n && w.s.IDs.Cell(id).Stamp < mark.tick {
		if have, ok := s.same(mark, r, looks); ok {
			s.at += looks
			s.to += have
			s.stats.Skipped += uint64(looks)
			return looks, 0
		}
	}
	if r == 0 {
		*mark = sortMark{tick: s.tick, from: s.to}
	}
	looked, have, swapped := s.mover.arrange(w.s.Entities(id, n)[r:r+looks], s.to, swaps)
	s.stats.Looked += uint64(looked)
	s.stats.Swapped += uint64(swapped)
	if mark.rows == r && mark.from+mark.have == s.to {
		mark.rows += looked
		mark.have += have
	} else {
		mark.tick = 0 // it has begun in another round
	}
	s.at += looked
	s.to += have
	if looked < looks && swapped < swaps {
		s.at, s.to = 0, 0 // rows have gone, and with them where this one belongs
	}
	return looked, swapped
}

// same tells whether a look at n rows from row r of a chunk that has not changed itself
// would find what was noted, and how many entities that have rows here.
func (s *sorter) same(mark *sortMark, r, n int) (have int, ok bool) {
	end := mark.from + mark.have
	if mark.have == mark.rows {
		return n, s.to == mark.from+r && s.unchanged(s.to, s.to+n, mark.tick)
	}
	// Which of them have rows is not noted: all or nothing, and nobody may have come.
	ok = r == 0 && n == mark.rows && s.to == mark.from && s.changed < mark.tick && s.unchanged(s.to, end, mark.tick)
	return mark.have, ok
}

// lastChange is the last tick in which one of the sorted rows' chunks got another row
// somewhere.
func (s *sorter) lastChange() (tick uint64) {
	for id := range s.mover.seq.Chunks() {
		tick = max(tick, s.rows.world().s.IDs.Cell(id).Stamp)
	}
	return tick
}

// unchanged tells whether rows have been what they are since before a tick.
func (s *sorter) unchanged(from, end int, tick uint64) bool {
	seq, ids := s.mover.seq, &s.rows.world().s.IDs
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

// mover puts rows of a group into another order.
type mover struct {
	w     *World
	seq   *memmgr.Sequence
	owner *store.Owner
}

func (r rows) mover() mover { return mover{r.group.w, r.group.seq, r.group.owner} }

// arrange brings entities, as far as they have rows here, into the rows from the k-th
// on. It ends with the last swap that it may make, or at an entity for which no row is
// left. It returns how many entities it has done with, how many of these have rows
// here, and how many swaps that took. An entity that is in its row costs a load of its
// word; a swap costs what a swap of each column costs.
func (m *mover) arrange(es []Entity, k, most int) (done, have, swaps int) {
	last := m.seq.Layout().Capacity() - 1
	left := m.seq.Len() - k
	var at memmgr.Loc // row k+have; 0: not known
	for i, e := range es {
		word := m.owner.Home(e)
		if at == 0 && have < left {
			at = m.seq.At(k + have)
		}
		if word != store.Word(e, at) {
			l := store.LocOf(word)
			if !store.Names(word, e) || m.w.m.Sequence(l.Chunk()) != m.seq {
				continue
			}
			if have >= left {
				return i, have, swaps
			}
			m.owner.Main.Swap(at, l)
			swaps++
		}
		have++
		if at.Row() < last {
			at = at.Plus(1)
		} else {
			at = 0
		}
		if have >= left {
			at = 0
		}
		if swaps == most {
			return i + 1, have, swaps
		}
	}
	return len(es), have, swaps
}
