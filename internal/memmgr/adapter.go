package memmgr

import (
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/internal/arena"
)

// adapter is the part of a manager that adapts: at the end of frames it gives idle memory
// back, and empties regions where memory goes back by these alone.
type adapter struct {
	m     *Manager
	o     AdaptOptions
	stats AdaptStats
	spent time.Duration // in this frame

	evacuation
	next   uint64 // frame in which one may begin; never where slots go back one by one
	seen   uint64 // chunks made and freed when that was last looked at
	putOff int    // how often since one was not put off
}

func (a *adapter) endFrame() error {
	err := a.giveBack()
	a.spent = 0
	if a.on || a.m.frame >= a.next {
		a.evacuate()
	}
	return err
}

// frameShare is which part of a frame may go into moves and giving back.
const frameShare = 20

// budget bounds what is spent now: what Budget says, and what is left of the frame's share.
func (a *adapter) budget() Budget {
	b := a.o.Budget
	if a.o.Frame > 0 {
		b.Time = min(b.Time, max(a.o.Frame/frameShare-a.spent, 0))
	}
	return b
}

// giveBack gives back what idle memory is due, a region's worth at a time.
func (a *adapter) giveBack() error {
	idle, _ := a.m.arena.Idle()
	if idle == 0 {
		a.m.decay.idle, a.m.decay.pace = 0, pace{}
		return nil
	}
	over := a.o.SoftLimit != 0 && a.m.arena.DirtyChunks() > a.o.SoftLimit
	if !over && a.m.decay.resting() {
		return nil
	}
	begin := a.o.Clock()
	due := a.m.due(begin, idle, a.o.Decay)
	if over {
		due = idle // whatever its age
	}
	did, err := a.m.giveBack(due, begin, a.budget().Time, a.m.arena.Purge)
	a.did(did)
	return err
}

// giveBack gives back what is due, a region's worth at a time. What the budget leaves is due in
// the next frame.
func (m *Manager) giveBack(due uint64, begin time.Time, budget time.Duration, purge func(uint64) (uint64, error)) (did AdaptStats, err error) {
	for first := true; due > 0; first = false {
		if !first && did.Longest > budget {
			did.OverBudget++
			m.decay.rest = 0
			break
		}
		var freed uint64
		freed, err = purge(min(due, arena.RegionBytes))
		did.Purged += freed
		m.gone(freed)
		did.Longest = m.now().Sub(begin)
		if err != nil || freed == 0 {
			break
		}
		due -= min(due, freed)
	}
	return did, err
}

// did adds what was done at one moment, which took Longest.
func (a *adapter) did(d AdaptStats) {
	st := &a.stats
	st.Moves += d.Moves
	st.Bytes += d.Bytes
	st.Refused += d.Refused
	st.OverBudget += d.OverBudget
	st.Purged += d.Purged
	st.Time += d.Longest
	a.spent += d.Longest
	st.Longest = max(st.Longest, d.Longest)
}

// asked notes what intent says of the sequence.
func (s *Sequence) asked() {
	s.cold, s.stays = false, false
	if a := s.m.adapt; a != nil {
		s.stays = slices.Contains(a.o.Pinned, s.name)
		s.cold = !s.stays && slices.Contains(a.o.Cold, s.name)
	}
}
