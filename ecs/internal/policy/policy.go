package policy

import (
	"slices"

	"github.com/ashlar-go/ashlar/memmgr/frames"
)

const (
	quietEvery = 2 * frames.Few // a quiet component that is not fixed is looked at once in as many frames
	tablesFew  = 16             // as many living tables may be as small as they are (TestOneComponent)
	roundEvery = frames.Few     // frames between two rounds over tables that are too small
	roundRare  = 1024           // the same, at most, where rounds find nothing (TestRoundsThatFindNothing)
	roundMost  = 8              // components that one round takes (TestRoundTakesFew)
)

// Tables describe the store at the end of a frame.
type Tables struct {
	Living int // tables with rows
	Rows   int // of all living tables together
	// Busy says that rows still move after an earlier change-over. Only what is removed
	// often changes over meanwhile.
	Busy bool
}

// Policy decides for all components of one store. It is made by [New] and is not
// safe for concurrent use.
type Policy struct {
	options    Options
	count      func(component int, merges bool) Counts
	components []component
	watched    []int // components with removes of late, or not fixed
	decisions  []Decision
	frame      int64
	round      int64 // frame of the next round over tables that are too small
	pause      int64 // frames to the one after
}

// New returns a policy without components. At a frame's end, it calls count for each
// component that it has to look at; Counts.Merges is needed only where merges is true.
func New(o Options, count func(component int, merges bool) Counts) *Policy {
	return &Policy{options: o.WithDefaults(), count: count, round: roundEvery, pause: roundEvery}
}

// Options returns the options with their defaults.
func (p *Policy) Options() Options { return p.options }

// Add makes the next component known, fixed by default, and returns its number:
// components count from 0. It is the only call that allocates.
func (p *Policy) Add() int {
	p.components = append(p.components, component{seen: -window})
	n := len(p.components)
	p.watched = slices.Grow(p.watched, n-len(p.watched))
	p.decisions = slices.Grow(p.decisions[:0], n)
	return n - 1
}

// State stores a component the given way and leaves it so. The caller carries out
// what this changes.
func (p *Policy) State(c int, w Way) {
	s := &p.components[c]
	s.way, s.reason, s.stated, s.changed = w, Stated, true, p.frame
	s.watched = true // keeps Removed from watching it
}

// Release takes back what State said: the component is fixed, as one that Add has just made known,
// and may change over from now on.
func (p *Policy) Release(c int) {
	p.watched = slices.DeleteFunc(p.watched, func(w int) bool { return w == c })
	p.components[c] = component{seen: -window, changed: p.frame}
}

// Removed counts n removes of a component by calls on entities that live on. The
// death of an entity does not count: it costs the same whichever way is taken.
func (p *Policy) Removed(c, n int) {
	s := &p.components[c]
	if !s.watched {
		p.watch(c)
	}
	s.removes += n
}

func (p *Policy) watch(c int) {
	p.components[c].watched = true
	p.watched = append(p.watched, c)
}

// Way returns how a component is stored, with all decisions carried out.
func (p *Policy) Way(c int) Way { return p.components[c].way }

// EndFrame takes in a frame and returns what changes over, each component at most
// once. The slice is good until the next call of EndFrame or Add. Without
// what count takes, it costs some 30 ns for each component that was removed of late and
// 5 ns for any other that is not fixed. The rest costs nothing unless tables are too
// small.
func (p *Policy) EndFrame(t Tables) []Decision {
	p.frame++
	if len(p.watched) == 0 && !t.small(&p.options) { // as at the end of most frames
		p.pause = roundEvery
		return nil
	}
	return p.decide(t)
}

// decide is EndFrame where something may change over.
func (p *Policy) decide(t Tables) []Decision {
	p.decisions = p.decisions[:0]
	if p.options.Off {
		return nil
	}
	kept := p.watched[:0]
	for _, c := range p.watched {
		s := &p.components[c]
		if s.stated {
			continue
		}
		if s.quiet() && (p.frame+int64(c))%quietEvery != 0 {
			kept = append(kept, c)
			continue
		}
		s.look(&p.options, p.count(c, false), p.frame)
		if w, r := p.next(s, &t); w != s.way {
			p.change(c, w, r)
		}
		if s.watched = s.way != Fixed || !s.quiet(); s.watched {
			kept = append(kept, c)
		}
	}
	p.watched = kept
	if len(p.decisions) == 0 {
		p.merge(t)
	}
	return p.decisions
}

// next returns the way for a component after a look at it, and why.
func (p *Policy) next(s *component, t *Tables) (Way, Reason) {
	o := &p.options
	switch {
	case s.way == Fixed:
		if s.volatile(o) {
			return s.loose(o), RemovedOften
		}
	case t.Busy:
	case s.stable(o) && p.room(t):
		t.Living *= 2
		return Fixed, RarelyRemoved
	case s.way == Optional && s.few >= int64(o.Hold):
		return Thin, FewHaveIt
	case s.way == Thin && s.dense(o) && p.frame-s.changed >= int64(o.Frames):
		return Optional, ManyHaveIt
	}
	return s.way, s.reason
}

// room reports whether tables stay large enough with one more fixed column, which at
// worst splits each in two. So what becomes fixed does not make tables too small.
func (p *Policy) room(t *Tables) bool {
	return !Tables{Living: t.Living * 2, Rows: t.Rows}.small(&p.options)
}

func (p *Policy) change(c int, w Way, r Reason) {
	s := &p.components[c]
	p.decisions = append(p.decisions, Decision{c, s.way, w, r})
	s.way, s.reason, s.changed = w, r, p.frame
	s.history, s.owed, s.calm, s.few = 0, 0, 0, 0
}
