package memmgr

import (
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/arena"
)

// Invalid lists problems of options, by the names of their fields. The list is empty for
// options that Adapt accepts.
func (o AdaptOptions) Invalid() (problems []string) {
	for _, f := range []struct {
		name string
		bad  bool
		is   any
	}{
		{"Budget.Time", o.Budget.Time < 0, o.Budget.Time},
		{"Every", o.Every < 0, o.Every},
		{"Frame", o.Frame < 0, o.Frame},
	} {
		if f.bad {
			problems = append(problems, fmt.Sprintf("%s is %v: it must not be negative; 0 is the default", f.name, f.is))
		}
	}
	return problems
}

const (
	every      = 60
	decayOver  = 10 * time.Second
	frameShare = 20 // of a frame may go into moves and giving back (TestGivingBackWithinBudget)
)

// begin begins to adapt, or begins anew with other options. Counters start at 0. It may be
// called at any safe point. With Off the manager no longer empties regions and keeps nothing
// cold. It still brings chunks of long and of small sequences to their places, and gives back
// regions without a slot in use as Decay and Clock say. Chunks stay where they are for now.
// Results are the same with any options. Options that are Invalid are taken as defaults.
func (a *adapter) begin(o AdaptOptions) {
	a.manager.setBudget(o.Budget, o.Frame/frameShare, o.Clock)
	a.endEvacuation()
	a.short = pressure{read: o.pressure}
	if o.Clock == nil && o.pressure == nil {
		a.short.read = a.manager.Arena().Pressure
	}
	if o.Every <= 0 {
		o.Every = every
	}
	if o.Decay == 0 {
		o.Decay = decayOver
	}
	if o.Off {
		o.cold, o.SoftLimit = nil, 0
	}
	a.options, a.done, a.decay.pace = o, Adapting{}, pace{}
	a.next = never
	if !o.Off {
		a.next = a.frame + uint64(o.Every)
	}
	a.manager.keep(o.cold, o.expected)
}

// sum returns the counts of adapting; ok is false if the manager does not adapt.
func (a *adapter) sum() (d Adapting, ok bool) {
	if a.options.Off {
		return Adapting{}, false
	}
	d, back := a.manager.moved(), a.done
	d.OverBudget += back.OverBudget
	d.Time += back.Time
	d.Longest = max(d.Longest, back.Longest)
	d.Emptied, d.GivenUp, d.Purged = back.Emptied, back.GivenUp, back.Purged
	d.Pressed = a.short.times
	return d, true
}

// closeFrame gives idle memory back as its age asks, and looks now and then for a region to empty.
func (a *adapter) closeFrame() error {
	left, err := a.manager.nextFrame()
	if err != nil {
		return err
	}
	a.frame++
	err = a.giveBack(left)
	if a.frame >= a.next {
		a.evacuate()
	}
	return err
}

// giveBack gives back idle memory that is due, a region's worth at a time. Memory beyond the budget
// is due in the next frame.
func (a *adapter) giveBack(budget time.Duration) (err error) {
	memory := a.manager.Arena()
	idle, regions := memory.Idle()
	if a.options.Off {
		idle = regions
	}
	if idle == 0 {
		a.decay.forget()
		return nil
	}
	over := a.options.SoftLimit != 0 && memory.DirtyBy(arena.PurposeChunks) > a.options.SoftLimit
	if !over && a.decay.resting() {
		return nil
	}
	begin := a.manager.now()
	due := a.due(begin, idle)
	if over {
		due = idle // whatever its age
	}
	var took time.Duration
	for first := true; due > 0; first = false {
		if !first && took > budget {
			a.done.OverBudget++
			a.decay.rest = 0
			break
		}
		var freed uint64
		if step := min(due, arena.RegionBytes); a.options.Off {
			freed, err = memory.PurgeRegions(step)
		} else {
			freed, err = memory.Purge(step)
		}
		a.gone(freed)
		took = a.manager.now().Sub(begin)
		if err != nil || freed == 0 {
			break
		}
		due -= min(due, freed)
	}
	a.done.Time += took
	a.done.Longest = max(a.done.Longest, took)
	return err
}

// idle gives idle memory back by its age at a time that the caller says.
func (a *adapter) idle(now time.Time) error {
	idle, _ := a.manager.arena.Idle()
	if idle == 0 {
		a.decay.forget()
		return nil
	}
	freed, err := a.manager.arena.Purge(a.due(now, idle))
	a.gone(freed)
	return err
}
