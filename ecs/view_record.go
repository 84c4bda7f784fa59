package ecs

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

// walk adds a walk over the group.
func (t *tally) walk(use views.Strategy, rows, chunks, stale int) {
	if rows == 0 {
		return
	}
	t.frames++
	if use == views.Keep {
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
	for s := views.Alias; s <= views.Keep; s++ {
		costs.Set(s.String(), profile.RowCostOf(is.Cost(s)))
	}
	if costs != (profile.Costs{}) { // else intent ended it
		t.costs = costs
	}
}

// chosen is what the loaded profile notes of a column: what its choice was and cost.
func (w *World) chosen(system string, g *group, c *column) (profile.Costs, views.Strategy) {
	name, list := c.shared(), w.recorded[system].Choices
	i := slices.IndexFunc(list, func(h profile.Choice) bool { return h.Group == g.name && h.Component == name })
	if i < 0 {
		return profile.Costs{}, views.Unset
	}
	use, _ := views.StrategyOf(list[i].Use) // what is no strategy is Unset
	return list[i].Costs, use
}

// shared is the name of what the column asks for.
func (c *column) shared() string {
	if c.part.path == "" {
		return c.pool.name
	}
	return c.pool.name + "." + c.part.path
}

// choices is what a system's choices have come to. One that was on trial all the time
// has come to nothing.
func (n *noted) choices() (list []profile.Choice) {
	for _, s := range n.system.served {
		for i := range s.cols {
			c := &s.cols[i]
			f := profile.Choice{
				Group: s.group.name, Component: n.system.columns[c.column].shared(),
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

func (v *view) fact() profile.Shared {
	st := &v.stats
	f := profile.Shared{
		Group: st.Group, Component: st.Component, Readers: v.readers,
		Built: st.Built, Refreshed: st.Refreshed, Reused: st.Reused, Bytes: st.Bytes, Dropped: st.Dropped,
	}
	if st.Field != "" {
		f.Component += "." + st.Field
	}
	return f
}
