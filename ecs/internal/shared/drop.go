package shared

import (
	"cmp"
	"slices"

	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// IdleFrames is for how many frames an unused view is kept.
const IdleFrames = frames.Many

// room is where a view's values lie in a chunk's annex.
type room struct {
	view    *view
	at, end uint32
	used    bool
	idle    bool // it has values that were not used for a while
}

// idleRun is pages in which used views have no values, and idle ones some; and the views that are idle.
type idleRun struct {
	at, end uint32
	views   []*view
}

// Drop drops the views that were not used for a while, and gives their pages back. What can't
// be given back is noted as retained, until the view is kept again. It is for the end of each
// frame.
func (v *Views) Drop() error {
	if v.base.Frame%IdleFrames != 0 {
		return nil
	}
	return v.dropIdle()
}

func (v *Views) dropIdle() error {
	for _, g := range v.groups {
		if slices.ContainsFunc(g.views, func(x *view) bool { return x.idle(v.base.Frame) }) {
			for _, run := range idleRuns(g.rooms(v.base.Frame), v.Page) {
				if err := v.giveBack(g, run); err != nil {
					return err
				}
			}
		}
		g.dropWheres(v.base.Frame) // last: a view goes by the places that it came from
	}
	return nil
}

// idle tells whether the view has values that were not used for a while.
func (v *view) idle(frame uint64) bool { return v.since > 0 && v.frame+IdleFrames <= frame }

// rooms are those of a group's views, in the order in which they lie.
func (g *group) rooms(frame uint64) (rooms []room) {
	for _, v := range g.views {
		idle := v.idle(frame)
		rooms = append(rooms, room{v, v.offset, v.offset + g.bytes(v), v.since > 0 && !idle, idle})
	}
	slices.SortFunc(rooms, func(a, b room) int { return cmp.Compare(a.at, b.at) })
	return rooms
}

// idleRuns are the runs of whole pages that can be dropped.
func idleRuns(rooms []room, page uint32) (runs []idleRun) {
	run := idleRun{}
	for _, r := range append(rooms, room{at: memmgr.AnnexMost, end: memmgr.AnnexMost, used: true}) {
		if r.idle {
			run.views = append(run.views, r.view)
		}
		if !r.used {
			continue
		}
		if run.end = r.at; r.view != nil { // a used one, which may begin within a page
			run.end -= r.at % page
		}
		if len(run.views) > 0 {
			run.end = max(run.at, run.end)
			runs = append(runs, run)
		}
		run = idleRun{at: (r.end + page - 1) / page * page}
	}
	return runs
}

// giveBack drops a run's views.
func (v *Views) giveBack(g *group, run idleRun) error {
	for _, x := range run.views {
		x.drop()
	}
	st := &run.views[0].stats
	for id := range g.seq.Chunks() {
		var freed, retained uint64
		var err error
		switch n := run.end - run.at; {
		case n == 0: // less than a page
		case run.at == 0 && run.end == memmgr.AnnexMost:
			freed, retained, err = v.base.M.DropAnnex(id)
		default:
			freed, retained, err = v.base.M.PurgeAnnex(id, run.at, n)
		}
		if st.Dropped += freed; err != nil {
			return err
		}
		st.Retained += retained
	}
	return nil
}

// drop forgets a view's values.
func (v *view) drop() {
	v.chunks, v.since, v.walk = nil, 0, 0
	v.stats.Retained = 0
}
