package memmgr

import (
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/plan"
)

// job is an action under way. Its states:
//
//	moving → settling → done      the gain came, or intent asks for it
//	                 ↘ moving     back: the gain did not come
//
// While it is settling, the slots that were left are in quarantine. A job that moves
// back is not judged.
type job struct {
	action   plan.Action
	moves    []plan.Move
	at       int // next move
	waited   int // safe points at which its place was taken
	backward bool
	state    jobState
	made     []made
	empties  []uint64 // bytes resident in each of action.Empties before
	epoch    uint64   // of the last move
}

type jobState uint8

const (
	moving jobState = iota
	settling
)

// made is a move that was made.
type made struct {
	id       chunk.ID
	move     plan.Move
	fresh    bool   // the place was clean, so that it took memory
	resident uint64 // bytes of it that were resident all the same
	left     int64  // bytes resident at the old place, where slots are given back one by one
}

// waitMax is for how many safe points a move waits for its place: slots that were
// left are free at the second one.
const waitMax = 3

// begin takes the first action of the queue.
func (a *adapter) begin() {
	x := a.queue[0]
	a.job = &job{action: x, moves: x.Moves}
	for _, e := range x.Empties {
		n, err := a.m.arena.ResidentAt(e.Range, e.Number*arena.SlotsPerRegion, arena.SlotsPerRegion)
		if err != nil {
			n = uint64(a.m.arena.InUse(e.Range, e.Number)) * arena.SlotBytes
		}
		a.job.empties = append(a.job.empties, n)
	}
	a.stats.Tried++
}

// work makes moves that are due, within the budget. It is called at safe points.
func (a *adapter) work() {
	if a.job == nil {
		a.begin()
	}
	j := a.job
	if j.state != moving {
		return
	}
	begin := a.o.Clock()
	spent, bytes := time.Duration(0), uint64(0)
	for steps := 0; j.at < len(j.moves); {
		mv := j.moves[j.at]
		size := a.bytesOf(mv)
		if !mayGo(steps, spent, a.moveTime, a.o.Budget.Time, bytes, size, a.o.Budget.Bytes) {
			a.stats.OverBudget++
			break
		}
		did, err := a.step(mv)
		if err != nil {
			a.stats.Refused++
			a.failed(j.action.Key())
			a.abandon()
			break
		}
		if did == waits {
			break
		}
		j.at, j.waited = j.at+1, 0
		if did == skips {
			a.stats.Skipped++
			continue
		}
		total := a.o.Clock().Sub(begin)
		if took := total - spent; a.moveTime == 0 {
			a.moveTime = took
		} else {
			a.moveTime += (took - a.moveTime) / 4
		}
		spent, bytes, steps = total, bytes+size, steps+1
		a.stats.Moves++
		a.stats.Bytes += size
	}
	a.spent(spent)
	if a.job == j && j.at == len(j.moves) {
		j.state, j.epoch = settling, a.m.epoch
	}
}

// bytesOf is how many bytes a move copies.
func (a *adapter) bytesOf(mv plan.Move) uint64 {
	s := a.seqs[mv.Group]
	if mv.Order >= len(s.chunks) {
		return 0
	}
	return uint64(a.m.rowsOf(s.chunks[mv.Order])) * uint64(s.shape.Full.RowBytes())
}

type outcome uint8

const (
	moves outcome = iota
	skips
	waits
)

// step makes one move, if the chunk is still where it was.
func (a *adapter) step(mv plan.Move) (outcome, error) {
	m, s, j := a.m, a.seqs[mv.Group], a.job
	if s.gone || mv.Order >= len(s.chunks) {
		return skips, nil
	}
	id := s.chunks[mv.Order]
	e := m.table.at(id)
	if e.spot.form != whole {
		return skips, nil
	}
	if r, place := m.arena.PlaceOf(e.spot.slot); r != mv.From.Range || place != mv.From.N {
		return skips, nil
	}
	if e.pins.Load() != 0 {
		m.counts.SkippedPinned++
		return skips, nil
	}
	if m.arena.Waits(mv.To.Range, mv.To.N) {
		if j.waited++; j.waited <= waitMax {
			return waits, nil
		}
		return skips, nil
	}
	done := made{id: id, move: mv, left: a.residentAt(mv.From)}
	if _, dirty := m.arena.FreeAt(mv.To.Range, mv.To.N); !dirty {
		done.fresh = true
		done.resident, _ = m.arena.ResidentAt(mv.To.Range, mv.To.N, 1)
	}
	slot, ok, err := m.arena.AllocAt(mv.To.Range, mv.To.N)
	if err == nil && !ok && !j.backward && len(j.action.Empties) > 0 {
		// Somebody took the place. Leaving the old one is what counts.
		before := m.arena.DirtyChunks()
		if slot, err = m.arena.Alloc(mv.To.Range); err == nil {
			r, place := m.arena.PlaceOf(slot)
			done.move.To = plan.Place{Range: r, N: place}
			done.fresh, done.resident = m.arena.DirtyChunks() > before, 0
			ok = true
		}
	}
	if err != nil || !ok {
		return skips, err
	}
	m.retire(s.shape, m.moveTo(id, spot{slot: slot}))
	m.counts.Moved++
	j.made = append(j.made, done)
	return moves, nil
}

// residentAt is how many bytes of a slot are resident, where slots are given back one
// by one; 0 elsewhere, and where the system does not tell.
func (a *adapter) residentAt(at plan.Place) int64 {
	if a.m.whole() || at.Range == arena.Huge {
		return 0
	}
	n, err := a.m.arena.ResidentAt(at.Range, at.N, 1)
	if err != nil {
		return 0
	}
	return int64(n)
}

// judge decides what comes of a job whose moves are made, at the end of a frame.
func (a *adapter) judge() {
	j := a.job
	switch {
	case j.state == moving || j.state == settling && a.m.epoch < j.epoch+2:
		return
	case j.backward:
		a.finish(&a.stats.Reverted)
		return
	case len(j.made) == 0:
		a.finish(&a.stats.Dropped)
		return
	case j.action.Asked:
		a.finish(&a.stats.Applied)
		return
	}
	measured := a.measure(j)
	a.pair(Pair{j.action.Kind, int64(j.action.Gives), measured})
	if came(j.action.Gives, measured) {
		a.finish(&a.stats.Applied)
	} else {
		a.back()
	}
}

// measure is how many bytes a job gave back, or will when they have decayed: what was
// resident in the regions that nobody uses now, and in single slots that it left, less
// what it took elsewhere.
func (a *adapter) measure(j *job) (n int64) {
	for i, e := range j.action.Empties {
		if a.m.arena.InUse(e.Range, e.Number) == 0 {
			n += int64(j.empties[i])
		}
	}
	for _, d := range j.made {
		if !slices.Contains(j.action.Empties, plan.RegionID{Range: d.move.From.Range, Number: d.move.From.Region()}) {
			n += d.left
		}
		if d.fresh {
			is, err := a.m.arena.ResidentAt(d.move.To.Range, d.move.To.N, 1)
			if err != nil {
				is = arena.SlotBytes
			}
			n -= int64(is) - int64(d.resident)
		}
	}
	return n
}

func (a *adapter) pair(p Pair) {
	if len(a.stats.Pairs) >= pairsMax {
		a.stats.Pairs = append(a.stats.Pairs[:0], a.stats.Pairs[1:]...)
	}
	a.stats.Pairs = append(a.stats.Pairs, p)
}

const pairsMax = 256

// back turns a job around: chunks that are still where it put them go back.
func (a *adapter) back() {
	j := a.job
	a.failed(j.action.Key())
	a.unhold(j.action)
	var moves []plan.Move
	for _, d := range slices.Backward(j.made) {
		moves = append(moves, plan.Move{Group: d.move.Group, Order: d.move.Order, From: d.move.To, To: d.move.From})
	}
	j.moves, j.at, j.waited, j.backward, j.state = moves, 0, 0, true, moving
	rest := a.queue[1:]
	for _, x := range rest {
		a.unhold(x)
		a.stats.Dropped++
	}
	a.queue = a.queue[:1]
}

// finish ends a job, and counts how.
func (a *adapter) finish(how *uint64) {
	*how++
	if how == &a.stats.Applied {
		delete(a.refusals, a.job.action.Key())
	}
	a.unhold(a.job.action)
	a.queue, a.job = a.queue[1:], nil
	if len(a.queue) == 0 {
		a.queue, a.seqs = nil, nil
	}
}

// abandon ends a job half-way, and with it the plan.
func (a *adapter) abandon() {
	a.stats.Dropped += uint64(len(a.queue) - 1)
	a.drop()
}
