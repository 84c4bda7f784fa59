package crew

import "math/rand/v2"

// Shuffle runs the pieces of a job by the caller, in an order by chance. Pieces of a job in turn run in their order. It
// is for a crew of one worker.
func (c *Crew) Shuffle(j *Job, pieces int, r *rand.Rand) *Fault {
	j.prepare(pieces)
	c.busy.Add(1)
	defer c.busy.Add(-1)
	for _, piece := range orderOf(j, pieces, false, r) {
		j.do(0, piece)
	}
	return j.fault
}

// ShuffleFlow is RunFlow by the caller, which goes on with a task by chance for each piece: any that waits no more.
// It is for a crew of one worker.
func (c *Crew) ShuffleFlow(f *Flow, r *rand.Rand) {
	f.begin(c)
	c.busy.Add(1)
	defer c.busy.Add(-1)
	orders := make([][]int, len(f.Tasks))
	for f.left.Load() > 0 {
		i := f.chance(r)
		t := &f.Tasks[i]
		if t.state.Load() == ready {
			if t.state.Store(claimed); f.opens(t) {
				orders[i] = orderOf(&t.Job, t.Pieces, t.Whole, r)
				t.state.Store(open)
			}
			continue
		}
		piece := orders[i][0]
		orders[i] = orders[i][1:]
		f.do(t, 0, piece)
	}
}

// chance is one of the tasks that can go on. There is one, because tasks wait for earlier ones alone.
func (f *Flow) chance(r *rand.Rand) (task int) {
	n := 0
	for i := range f.Tasks {
		if s := f.Tasks[i].state.Load(); s == ready || s == open {
			if n++; r.IntN(n) == 0 {
				task = i
			}
		}
	}
	return task
}

// orderOf is the order in which pieces run.
func orderOf(j *Job, pieces int, whole bool, r *rand.Rand) []int {
	order := r.Perm(pieces)
	if whole || j.InTurn {
		for i := range order {
			order[i] = i
		}
	}
	return order
}
