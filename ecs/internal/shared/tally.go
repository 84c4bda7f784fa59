package shared

import (
	"slices"

	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

// tally is what a recorded profile will say of the choice for one column.
type tally struct {
	frames  uint64         // in which there were rows
	chunks  uint64         // walked with a kept view
	stale   uint64         // of these, had to be gathered
	settled views.Strategy // after the last trial, or as it was begun with; Unset while there is none
	costs   profile.Costs  // of that trial, in this run or in the one whose choice it began with
}

// settledOf is a choice's strategy if it is one that was chosen, not one on trial.
func settledOf(c views.Choice) views.Strategy {
	if c.Trying() {
		return views.Unset
	}
	return c.Use()
}

// walked adds walks over the group that had rows.
func (t *tally) walked(use views.Strategy, walks, chunks, stale int) {
	t.frames += uint64(walks)
	if use == views.Cached {
		t.chunks += uint64(chunks)
		t.stale += uint64(min(stale, chunks))
	}
}

// settle notes what a trial has come to once it is over. What does not apply any more
// is no choice to begin with.
func (t *tally) settle(was, is views.Choice, applies views.Set) {
	if !applies.Has(t.settled) {
		t.settled = views.Unset
	}
	if !was.Trying() || is.Trying() {
		return
	}
	t.settled = is.Use()
	var costs profile.Costs
	for s := views.Direct; s <= views.Cached; s++ {
		costs.Set(s.String(), profile.RowCostOf(is.Cost(s)))
	}
	if costs != (profile.Costs{}) { // else intent ended it
		t.costs = costs
	}
}

// Choices is what the reader's choices have come to. One that was on trial all the time
// has come to nothing.
func (r *Reader) Choices() (list []profile.Choice) {
	for _, s := range r.served {
		s.count()
		for i := range s.cols {
			c := &s.cols[i]
			f := profile.Choice{
				Group: s.group.owner.Name, Component: r.Columns[c.at].Shared(),
				Use: c.tally.settled.String(), Frames: c.tally.frames, Chunks: c.tally.chunks, Stale: c.tally.stale, Order: int(100*c.order + 0.5), Costs: c.tally.costs,
			}
			twice := slices.ContainsFunc(list, func(h profile.Choice) bool { return h.Group == f.Group && h.Component == f.Component })
			if c.tally.settled != views.Unset && c.tally.frames > 0 && !twice {
				list = append(list, f)
			}
		}
	}
	return list
}
