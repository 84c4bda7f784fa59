package memmgr

import (
	"maps"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
	"github.com/ashlar-go/ashlar/profile"
)

// adapter is the part of a manager that adapts: it makes plans at the end of
// frames and carries them out at safe points, one action after the other.
//
//	EndFrame: idle memory → plan ──→ queue ──→ job: moves, under the budget ←── SafePoint
//	                ↑                             │
//	          Avoid ↑                             ↓ all made, slots free
//	           back-off ←── gain missing ←── judge ──→ gain came: next of the queue
//	                         job: moves back
type adapter struct {
	m     *Manager
	o     AdaptOptions
	stats AdaptStats

	queue []plan.Action
	seqs  []*Sequence // of the placement that the queue was planned for
	job   *job        // queue[0] under way; nil if none

	asked    bool      // intent asks for places
	next     uint64    // frame of the next plan
	rest     time.Time // no plan is made before
	empty    int       // plans without actions, one after the other
	seen     uint64    // chunks made and freed when it was last looked
	changed  uint64    // frame in which that had changed
	planned  uint64    // frame of the last plan
	made     uint64    // chunks made and freed when the pulse was last taken
	calm     bool      // few were since the time before
	waited   int       // how often a plan was put off
	sparse   uint64    // bytes of free slots in regions in use, when that last made a plan due, or less
	refusals map[string]refusal
	moveTime time.Duration // of a move, as it was lately
}

// refusal says since when and for how long an action is not asked for.
type refusal struct {
	failures int
	until    uint64 // frame
}

func newAdapter(m *Manager, o AdaptOptions) *adapter {
	a := &adapter{m: m, o: o, calm: true}
	a.next = m.frame + uint64(o.Every)
	a.asked = slices.ContainsFunc(o.Profile.Intent.Heat, func(h profile.Heat) bool { return h.Cold })
	return a
}

func (a *adapter) endFrame() error {
	if a.atRest() {
		return nil
	}
	m := a.m
	if a.job != nil {
		a.judge()
	}
	err := a.giveBack()
	a.watchWaste()
	if m.frame%pulse == 0 {
		n := m.counts.Made + m.counts.Freed
		a.calm = n-a.made <= (m.counts.Made-m.counts.Freed)/16
		a.made = n
	}
	if m.frame >= a.next && len(a.queue) == 0 && (a.asked || m.spread()) && !a.wait() {
		a.think()
	}
	return err
}

// atRest tells whether there is nothing to do and nothing to plan for: small worlds
// are not to pay for what large ones need.
func (a *adapter) atRest() bool {
	idle, _ := a.m.arena.Idle()
	return idle == 0 && len(a.queue) == 0 && !a.asked && !a.m.spread()
}

// pulse is how many frames are looked at together for whether chunks come and go.
const pulse = 16

// wait puts a plan off while many chunks come and go, which it would be too late for
// once it is made; but not for ever.
func (a *adapter) wait() bool {
	if a.calm || a.waited >= 16 {
		a.waited = 0
		return false
	}
	a.waited++
	a.next = a.m.frame + pulse
	return true
}

// watchWaste has a plan made soon when regions have become sparse, where memory goes
// back by whole ones: they may have been full for long, and plans rare.
func (a *adapter) watchWaste() {
	m := a.m
	if !m.whole() {
		return
	}
	st := m.arena.Stats()
	sparse := st.Dirty - min(st.Dirty, st.Live+st.Idle)
	if sparse > a.sparse+2*arena.RegionBytes {
		a.sparse, a.empty = sparse, 0
		a.next = min(a.next, m.frame+uint64(a.o.Every))
	}
	a.sparse = min(a.sparse, sparse)
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
	due := batch(a.m.decay.due(begin, idle, a.o.Decay), idle)
	if over {
		due = idle // at once, so not by the budget
	}
	now := begin
	for steps := 0; due > 0; steps++ {
		if !over && !mayGo(steps, now.Sub(begin), 0, a.o.Budget.Time, 0, 0, 1) {
			a.stats.OverBudget++
			a.m.decay.rest = 0
			break
		}
		freed, err := a.m.arena.Purge(min(due, arena.RegionBytes))
		a.stats.Purged += freed
		a.m.decay.idle -= min(a.m.decay.idle, freed)
		now = a.o.Clock()
		if err != nil {
			a.spent(now.Sub(begin))
			return err
		}
		if freed == 0 {
			break
		}
		due -= min(due, freed)
	}
	a.spent(now.Sub(begin))
	return nil
}

func (a *adapter) spent(d time.Duration) {
	a.stats.Time += d
	a.stats.Longest = max(a.stats.Longest, d)
}

// think makes a plan, if there may be something to gain.
func (a *adapter) think() {
	m := a.m
	if n := m.counts.Made + m.counts.Freed; n != a.seen {
		a.seen, a.changed = n, m.frame
	}
	settled := a.planned >= a.changed+uint64(a.o.Cooling)
	if settled && m.frame < a.planned+uint64(a.o.Every)<<4 {
		a.next = m.frame + uint64(a.o.Every)
		return
	}
	begin := a.o.Clock()
	if begin.Before(a.rest) {
		a.next = m.frame + uint64(a.o.Every)
		return
	}
	for _, s := range m.spares {
		if s.spare != 0 && m.table.at(s.spare).pins.Load() == 0 {
			s.freeSpare() // they hold regions
		}
	}
	in := m.Placement()
	in.Cooling = uint64(a.o.Cooling)
	in.Avoid, in.Most = a.avoid(), planMost
	a.queue = plan.Plan(a.o.Profile, in)
	a.seqs = slices.Clone(m.live())
	a.stats.Unknown = plan.Unknown(&a.o.Profile, in.Groups)
	end := a.o.Clock()
	took := end.Sub(begin)
	a.rest = end.Add(planRest * took)
	a.stats.Plans++
	a.stats.PlanTime += took
	if a.planned = m.frame; len(a.queue) == 0 {
		a.empty++
	} else {
		a.empty = 0
	}
	every := uint64(a.o.Every)
	if len(a.queue) == planMost {
		every = 1 // there is more to do
	}
	a.next = m.frame + nextPlan(every, a.empty)
	for _, x := range a.queue {
		for _, e := range x.Empties {
			m.arena.Hold(e.Range, e.Number, true)
		}
	}
}

// planRest is how many times as long as a plan took there is none: planning costs half
// a percent of the time.
const planRest = 200

// planMost is how many actions a plan has at most: planning takes a bounded time,
// and what is planned is still true when it is due.
const planMost = 8

// avoid lists what is not to be asked for, and forgets what was long ago.
func (a *adapter) avoid() (keys []string) {
	maps.DeleteFunc(a.refusals, func(_ string, r refusal) bool { return a.m.frame > r.until+backoff(r.failures) })
	for key, r := range a.refusals {
		if a.m.frame < r.until {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// failed has an action asked for less often.
func (a *adapter) failed(key string) {
	if a.refusals == nil {
		a.refusals = make(map[string]refusal)
	}
	r := a.refusals[key]
	r.failures++
	r.until = a.m.frame + backoff(r.failures)
	a.refusals[key] = r
}

// drop forgets the queue, and with it what was held for it.
func (a *adapter) drop() {
	for _, x := range a.queue {
		a.unhold(x)
	}
	a.queue, a.seqs, a.job = nil, nil, nil
}

func (a *adapter) unhold(x plan.Action) {
	for _, e := range x.Empties {
		a.m.arena.Hold(e.Range, e.Number, false)
	}
}

func (a *adapter) report() AdaptStats {
	st := a.stats
	st.Pairs = slices.Clone(st.Pairs)
	st.Waiting = len(a.queue)
	for _, r := range a.refusals {
		if a.m.frame < r.until {
			st.BackedOff++
		}
	}
	return st
}
