package shared

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/frames"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// IdleFrames is for how many frames an unused view is kept.
const IdleFrames = frames.Many

// span is where a view's values lie in a chunk's annex.
type span struct {
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
// frame. Tables that are gone are forgotten.
func (v *Views) Drop() error {
	if v.base.Frame%IdleFrames != 0 {
		return nil
	}
	v.tables = slices.DeleteFunc(v.tables, func(t *table) bool { return t.of.Gone() })
	maps.DeleteFunc(v.of, func(of *store.Table, _ *table) bool { return of.Gone() })
	for _, r := range v.readers {
		r.order = slices.DeleteFunc(r.order, func(s *served) bool { return s.table.of.Gone() })
		maps.DeleteFunc(r.served, func(of *store.Table, _ *served) bool { return of.Gone() })
	}
	return v.dropIf(func(x *view) bool { return x.idle(v.base.Frame) })
}

// DropAll drops the views for which idle returns true, whoever uses them. It is for tests.
func (v *Views) DropAll(idle func() bool) error {
	return v.dropIf(func(*view) bool { return idle() })
}

func (v *Views) dropIf(idle func(*view) bool) error {
	for _, t := range v.tables {
		if slices.ContainsFunc(t.views, func(x *view) bool { return x.since > 0 && idle(x) }) {
			for _, run := range idleRuns(t.spans(idle), v.Page) {
				if err := v.giveBack(t, run); err != nil {
					return err
				}
			}
		}
		for _, w := range t.wheres { // last: a view goes by the places that it came from
			if w.frame+IdleFrames <= v.base.Frame {
				w.chunks = nil
			}
		}
	}
	return nil
}

// idle tells whether the view has values that were not used for a while.
func (v *view) idle(frame uint64) bool { return v.since > 0 && v.frame+IdleFrames <= frame }

// spans are those of a table's views, in the order in which they lie.
func (t *table) spans(idle func(*view) bool) (spans []span) {
	for _, v := range t.views {
		if v.room {
			drop := v.since > 0 && idle(v)
			spans = append(spans, span{v, v.offset, v.offset + t.bytes(v), v.since > 0 && !drop, drop})
		}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.at, b.at) })
	return spans
}

// idleRuns are the runs of whole pages that can be dropped.
func idleRuns(spans []span, page uint32) (runs []idleRun) {
	run := idleRun{}
	for _, r := range append(spans, span{at: memmgr.AnnexMost, end: memmgr.AnnexMost, used: true}) {
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
func (v *Views) giveBack(t *table, run idleRun) error {
	for _, x := range run.views {
		x.drop()
	}
	st := &run.views[0].stats
	for id := range t.seq.Chunks() {
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
