package walk

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// TestByHand: cursors of queries by hand are noted where they walk, with the rows that they have passed since, also those of
// walks within one. Others are not, and no more than there are frames between two looks.
func TestByHand(t *testing.T) {
	s := newStage(t, 17, memmgr.Options{}, 32)
	spec := s.one(s.comps[0], true)
	spec.Columns[0].Optional = true
	spec.Required = []*store.Component{s.comps[1]}
	rows := len(s.want(&spec))
	cursor := func(hand bool) *Cursor {
		c := NewCursor(NewPlan(&s.Base, spec))
		c.Hand = hand
		return c
	}
	all := func(raw.Ptr) bool { return true }
	visited := func() (list []store.Visit) {
		for v := range s.ByHand {
			list = append(list, v)
		}
		return list
	}
	x, idle, tool := cursor(true), cursor(true), cursor(false)
	for range 2 {
		for range 3 {
			x.Each(raw.Of(&probe{}), all)
			tool.Each(raw.Of(&probe{}), all)
		}
		x.Each(raw.Of(&probe{}), func(raw.Ptr) bool {
			x.Each(raw.Of(&probe{}), all)
			return false
		})
		got := visited()
		if len(got) != 2 || got[0].Met < int64(3*rows) || got[0].Met >= int64(4*rows) || got[1].Met != int64(rows) {
			t.Fatalf("%d rows are walked three times, and once within a walk: %+v", rows, got)
		}
		if v := got[0]; v.Pieces != 2 || len(v.Required) != 1 || v.Required[0] != s.comps[1] || len(v.Maybe) != 1 || v.Maybe[0] != s.comps[0] {
			t.Errorf("it asks for %+v", v)
		}
	}
	if got := visited(); len(got) > 0 || idle.Met > 0 {
		t.Errorf("nothing has walked: %+v", got)
	}
	for range frames.Many + 1 {
		cursor(true).Each(raw.Of(&probe{}), all)
	}
	if n := len(visited()); n != frames.Many {
		t.Errorf("%d cursors are noted, want %d", n, frames.Many)
	}
}
