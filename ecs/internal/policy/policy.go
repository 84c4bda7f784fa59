package policy

import (
	"slices"

	"github.com/ashlar-go/ashlar/memmgr/frames"
)

const (
	lookEvery  = frames.Few      // frames between two looks
	lookRare   = frames.Many     // the same, at most, where nothing is to be gained and counts stay alike
	each       = 2 * lookEvery   // changes are counted in so many frames
	margin     = 20              // another assignment must save one part in so many (go -C bench run . -sweep)
	most       = 64              // components that are looked at together: a word of bits
	small      = 64              // more tables than this, of fewer rows, have all components looked at (TestSmallTables)
	workFrames = frames.Many / 2 // in which a change-over should end
)

// Tables describe the store at the end of a frame.
type Tables struct {
	Living   int    // tables with rows
	Rows     int    // of all living tables together
	Made     uint64 // tables made so far
	Turnover uint64 // entities that came or went so far
	Busy     bool   // rows still move after an earlier change-over: nothing else changes over meanwhile
}

// component is the policy's knowledge of one.
type component struct {
	removed int64 // since the last look
	total   int64 // removed, ever
	changes int64 // in so many frames: each, half of them of the last look
	way     Way
	reason  Reason
	stated  bool
	changed int64 // frame of the last change-over
}

// Policy decides for all components of one store. It is made by [New] and is not safe for concurrent
// use. Add, State, Release and Removed change components and counts, EndFrame all else: look sets facts and
// lists, and decide the rest.
type Policy struct {
	options    Options
	tell       func(components []int, f *Facts, passed int)
	components []component
	facts      Facts
	list       []int    // of the last look
	before     []int    // of the look before it; then its room is used again
	spare      []System // likewise
	still      bool     // the last decision was that nothing is to be gained, and facts are as they were then
	frame      int64
	looked     int64  // frame of the last look
	wait       int64  // frames to the next, unless counts change
	removed    int64  // of all components since the last look
	expected   int64  // as many a frame at the last look
	made       uint64 // tables at the last look
	making     int64  // tables in so many frames: each
	turned     uint64 // turnover at the last look
	turnover   int64  // the same in so many frames: each
	owed       int64  // by how much the present assignment was dearer than the best
	frameCost  int64  // as predicted
	work       int64  // of the change-over that began last
	began      int64  // frame in which it did
	grace      int64  // frames in which nothing changes over
}

// New returns a policy without components. At a look it calls tell for the facts about some
// components: all but changes, which the policy counts. Counts of systems are sums over so many frames
// that have passed. The slices of Facts are to be used again. Where Rows is as it was, tell leaves all but systems out.
func New(o Options, tell func(components []int, f *Facts, passed int)) *Policy {
	return &Policy{options: o, tell: tell, wait: lookEvery}
}

// Add makes the next component known, fixed by default, and returns its number: components count from
// 0.
func (p *Policy) Add() int {
	if p.components == nil {
		p.components = make([]component, 0, 16) // growing from 1 touches a page for each size
	}
	p.components = append(p.components, component{})
	return len(p.components) - 1
}

// State stores a component the given way and leaves it so. The caller carries out the changes.
func (p *Policy) State(c int, w Way) {
	p.components[c] = component{total: p.components[c].total, way: w, reason: Stated, stated: true, changed: p.frame}
}

// Begin has a component that was never looked at begin another way than fixed. Nothing changes over in the
// first frames, until its changes are counted.
func (p *Policy) Begin(c int, w Way) {
	p.components[c] = component{way: w, reason: Approved}
	p.list = append(p.list, c) // so that there is a look
	p.grace = frames.Many / 2
}

// Release takes State back: the component is fixed, as one that Add has just made known,
// and may change over from now on.
func (p *Policy) Release(c int) {
	p.components[c] = component{total: p.components[c].total, changed: p.frame}
}

// Removed counts n removes of a component by calls on entities that live on. Each stands for a change
// before it, by which the entity got the component. The death of an entity does not count: it costs
// the same whichever way is taken.
func (p *Policy) Removed(c, n int) {
	p.components[c].removed += int64(n)
	p.components[c].total += int64(n)
	p.removed += int64(n)
}

// Way returns how a component is stored, with all decisions carried out.
func (p *Policy) Way(c int) Way { return p.components[c].way }

// EndFrame takes in a frame and returns the components that change over: Way says to what. A frame without a look costs some comparisons.
func (p *Policy) EndFrame(t Tables) []int {
	if p.frame++; !t.Busy {
		p.began = max(p.began, p.frame-workFrames)
	}
	if p.options.Off || p.frame%lookEvery != 0 {
		return nil
	}
	crowded := t.Living > small && int64(t.Rows) < int64(t.Living)*small
	if p.removed == 0 && p.expected == 0 && len(p.list) == 0 && !crowded {
		p.looked, p.owed, p.made, p.making, p.turned = p.frame, 0, t.Made, 0, t.Turnover
		return nil
	}
	passed := p.frame - p.looked
	if passed < p.wait && p.removed <= 2*p.expected*passed && p.removed*2 >= p.expected*passed {
		return nil // as it was
	}
	p.looked = p.frame
	if !t.Busy && p.made > 0 { // change-overs make tables, too
		p.making += each * int64(t.Made-p.made) / passed
	}
	p.turnover = (p.turnover + each*int64(t.Turnover-p.turned)/passed) / 2
	p.made, p.making, p.turned = t.Made, p.making/2, t.Turnover
	same := p.look(passed, crowded)
	if p.still = p.still && same; t.Busy || len(p.facts.Counted) == 0 || p.frame <= p.grace {
		return nil
	}
	if p.still {
		p.keep()
		return nil
	}
	return p.decide(passed)
}

// look takes in the changes of the frames that have passed. It tells whether all facts are those of the last look: then a
// decision would be the same.
func (p *Policy) look(passed int64, crowded bool) (same bool) {
	p.list, p.before = p.before[:0], p.list
	p.expected = (p.removed + passed - 1) / passed
	alive := p.removed
	for i := range p.components {
		s := &p.components[i]
		s.changes = (s.changes + 2*each*s.removed/passed) / 2
		if s.removed = 0; s.changes > 0 && !s.stated {
			alive += s.changes
		}
		if !s.stated && (s.changes > 0 || s.way != Fixed || crowded) && len(p.list) < most {
			p.list = append(p.list, i)
		}
	}
	if p.removed = 0; alive > 0 {
		p.expected = max(p.expected, 1)
	}
	f, old := &p.facts, p.facts
	*f = Facts{Counted: old.Counted[:0], Sets: old.Sets[:0], Systems: p.spare[:0], Rows: old.Rows, making: p.making, turnover: p.turnover}
	if !slices.Equal(p.list, p.before) {
		f.Rows = 0
	}
	p.tell(p.list, f, int(passed))
	p.spare = old.Systems
	if stand := f.Rows != 0 && len(f.Counted) == 0; stand {
		f.Counted, f.Sets, f.Sampled, f.Living = old.Counted, old.Sets, old.Sampled, old.Living
		same = f.making == old.making && f.turnover == old.turnover && slices.Equal(f.Systems, old.Systems)
	}
	for i := range f.Counted {
		s := &p.components[f.Counted[i].Component]
		same = same && f.Counted[i].changes == s.changes && old.now[i] == s.way
		f.Counted[i].changes, f.now[i] = s.changes, s.way
	}
	if same {
		old.Systems = f.Systems
		*f = old
	} else {
		f.complete()
	}
	return same
}

// keep leaves all as it is: nothing is to be gained.
func (p *Policy) keep() { p.owed, p.wait = 0, min(2*p.wait, lookRare) }

// decide weighs the present assignment against the best, and goes over to that once the loss since is
// more than the price.
func (p *Policy) decide(passed int64) (changed []int) {
	f := &p.facts
	now := f.cost(&f.now, f.nowTables)
	best, least := f.choose()
	p.frameCost = now
	if p.still = best == f.now || least > now-now/margin; p.still {
		p.keep()
		return nil
	}
	p.wait = lookEvery
	p.owed += (now - least) * passed
	price := f.price(&best)
	if p.owed < price {
		return nil
	}
	p.owed, p.work, p.began = 0, price, p.frame
	for i := range f.Counted {
		s := &p.components[f.Counted[i].Component]
		if s.way == best[i] {
			continue
		}
		s.way, s.changed = best[i], p.frame
		s.reason = [...]Reason{Fixed: RarelyRemoved, Optional: RemovedOften, Ordered: LoopsTestIt}[s.way]
		if s.way == Optional && s.changes == 0 {
			s.reason = TablesTooSmall
		}
		changed = append(changed, f.Counted[i].Component)
	}
	return changed
}

// Report describes one component, for people. No decision depends on its floating point.
func (p *Policy) Report(c int) Report {
	s := &p.components[c]
	return Report{s.reason, s.changed, float64(s.changes) / (2 * each), uint64(s.total)}
}

// Budget is how much the end of a frame spends on change-overs, in units of cost: as much as a frame costs
// anyhow, and more where that would take too long.
func (p *Policy) Budget() int64 {
	if w := p.options.Work; w > 0 {
		return w
	}
	late := max(p.frame-p.began-workFrames, 0)
	return max(p.frameCost, p.work/workFrames, CostMake) * (1 + late)
}
