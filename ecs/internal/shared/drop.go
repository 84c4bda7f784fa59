package shared

import (
	"maps"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// IdleFrames is for how many frames an unused view is kept.
const IdleFrames = frames.Many

// Drop drops the views that were not used for a while, and gives their pages back. Pages that can't
// be given back are noted as retained, until the view is kept again. It is for the end of each
// frame. Tables that are gone are forgotten.
func (v *Views) Drop() error {
	if v.base.Frame%IdleFrames != 0 {
		return nil
	}
	v.tables = slices.DeleteFunc(v.tables, func(t *table) bool { return t.of.Gone() })
	maps.DeleteFunc(v.byTable, func(of *store.Table, _ *table) bool { return of.Gone() })
	for _, r := range v.readers.All() {
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
		var drop []*view
		used := false // some other view has values
		for _, x := range t.views {
			switch {
			case x.since == 0:
			case idle(x):
				drop = append(drop, x)
			default:
				used = true
			}
		}
		for i, x := range drop {
			if x.drop(); i > 0 && !used {
				continue // the annexes are gone
			}
			if err := v.giveBack(t, x, used); err != nil {
				return err
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

// giveBack gives a dropped view's pages back: whole annexes, if no other view has values there.
func (v *Views) giveBack(t *table, x *view, used bool) error {
	at, end := wholePages(x.offset, x.offset+inPages(t.bytes(x)), v.Page)
	for id := range t.seq.Chunks() {
		var freed, retained uint64
		var err error
		switch {
		case !used:
			freed, retained, err = v.base.Manager.DropAnnex(id)
		case at < end:
			freed, retained, err = v.base.Manager.PurgeAnnex(id, at, end-at)
		}
		if x.stats.Dropped += freed; err != nil {
			return err
		}
		x.stats.Retained += retained
	}
	return nil
}

// wholePages are the pages without a byte outside of a range. There are none if at is not below end.
func wholePages(from, to, page uint32) (at, end uint32) {
	return (from + page - 1) / page * page, to / page * page
}

// drop forgets a view's values.
func (v *view) drop() {
	v.chunks, v.since, v.walk = nil, 0, 0
	v.stats.Retained = 0
}
