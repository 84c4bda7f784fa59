package memmgr

import (
	"maps"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// starts gives chunks of groups that a profile knows the places at which they
// would be in the end, so that nothing has to be moved there. Regions with such places
// are held against everybody else until the groups have had time to grow.
type starts struct {
	profile *profile.Profile
	until   uint64    // frame at which regions are no longer held; 0: none are
	last    *Sequence // the newest that a run was looked for
	next    [plan.RangeCount]uint32
	held    [plan.RangeCount]uint32 // regions
	runs    map[*Sequence]plan.Run
}

func newStarts(p *profile.Profile, until uint64) starts {
	st := starts{profile: p}
	if p.Frames > 0 && len(p.Groups) > 0 {
		st.until = until
	}
	return st
}

// look finds runs for sequences that were made since it last did.
func (st *starts) look(m *Manager) {
	if len(m.seqs) == 0 || m.seqs[len(m.seqs)-1] == st.last {
		return
	}
	st.last = m.seqs[len(m.seqs)-1]
	if len(st.runs) > 2*len(m.seqs) { // most were dropped
		maps.DeleteFunc(st.runs, func(s *Sequence, _ plan.Run) bool { return !slices.Contains(m.seqs, s) })
	}
	var groups []plan.Group
	var seqs []*Sequence
	for _, s := range m.seqs {
		if _, ok := st.runs[s]; !ok && len(s.chunks) <= 1 {
			groups, seqs = append(groups, s.group()), append(seqs, s)
		}
	}
	for _, run := range plan.Start(*st.profile, groups, m.arena.Serves(arena.Huge) == arena.Huge, &st.next) {
		if st.runs == nil {
			st.runs = make(map[*Sequence]plan.Run)
		}
		st.runs[seqs[run.Group]] = run
	}
	for r := range st.next {
		for ; st.until != 0 && st.held[r]*arena.SlotsPerRegion < st.next[r]; st.held[r]++ {
			m.arena.Hold(arena.Range(r), st.held[r], true)
		}
	}
}

// end lets everybody use what was held.
func (st *starts) end(a *arena.Arena) {
	for r := range st.held {
		for i := range st.held[r] {
			a.Hold(arena.Range(r), i, false)
		}
	}
	st.until, st.held = 0, [plan.RangeCount]uint32{}
}

// slotFor takes a slot for a chunk of a sequence, by its place in the order: where
// the profile has it, else behind the chunk before it, else anywhere in its range.
func (m *Manager) slotFor(s *Sequence, order int, small bool) (arena.Slot, error) {
	r := s.slotRange(small)
	if m.adapt == nil || small {
		return m.arena.Alloc(r)
	}
	st := &m.adapt.starts
	st.look(m)
	if run, ok := st.runs[s]; ok {
		r = run.First.Range
		switch {
		case order >= 0 && order < run.Len:
			if slot, ok, err := m.arena.AllocAt(r, run.First.N+uint32(order)); ok && err == nil {
				m.adapt.stats.Hinted++
				return slot, nil
			}
		case order == run.Len && run.Tail:
			r = arena.Normal
		}
	}
	if order > 0 && order <= len(s.chunks) {
		at, place := m.arena.PlaceOf(m.table[s.chunks[order-1]].slot)
		next := place + 1
		if at == m.arena.Serves(r) && next%arena.SlotsPerRegion != 0 && !m.arena.Held(at, next/arena.SlotsPerRegion) {
			if slot, ok, err := m.arena.AllocAt(at, next); ok && err == nil {
				return slot, nil
			}
		}
	}
	return m.arena.Alloc(r)
}
