package ecs

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
)

// A view is a field of a component, or the whole of it, gathered for the rows of
// another group into the annexes of that group's chunks:
//
//	chunk of group "sprites"   its annex             owner's chunks
//	┌──────────┬───────┐       ┌─────────────┐
//	│ entities │ Tint… │ ····· │ Pos Pos …   │ ←── transform.Position, row by row
//	└──────────┴───────┘       └─────────────┘
//
// Systems that ask for the same share it. An annex is made when a view is first kept.
// What has no room in it is streamed: gathered into scratch for each call.
type view struct {
	pool    *pool
	part    part
	offset  uint32 // in the annex
	readers int    // systems that ask for it
	chunks  []viewChunk
	seqs    []*memmgr.Sequence // that have the component
	stamps  views.Stamps
	changes views.Changes
	walk    uint64 // that changes are of
	since   uint64 // tick of the last walk
	frame   uint64 // in which it was last kept
	stats   ViewStats

	stretches []stretch // of the systems, when they were so many:
	counted   int
}

// viewChunk is the view's values for one chunk, and what has to hold for them to be good.
type viewChunk struct {
	id     chunk.ID
	gen    uint32
	at     uintptr // where the values are
	mark   views.Mark
	places []views.Place
}

// Views says how systems get components that their groups do not own.
type Views uint8

const (
	// ViewsAuto tries for each system, group and component whether it pays to keep a
	// view, and goes by that.
	ViewsAuto Views = iota
	// ViewsOff keeps none: what a group does not own is gathered for each call.
	ViewsOff
	// ViewsOn keeps a view wherever there is room.
	ViewsOn
)

// ViewStats is what is known of a view.
type ViewStats struct {
	Group, Component, Field string
	Readers                 int    // systems that ask for it
	Built                   uint64 // chunks gathered as a whole
	Refreshed               uint64 // chunks of which the rows that may have changed were gathered
	Reused                  uint64 // chunks that were good as they were
	Bytes                   uint64 // gathered
	Kept                    bool   // some system used it lately
	Dropped                 uint64 // bytes given back; views side by side that are dropped together are counted with the first
	Retained                uint64 // bytes of whole pages that nobody uses any more, and that could not be given back: in huge pages, or on the Go heap
}

// ViewStats returns what is known of the views that systems have asked for.
func (w *World) ViewStats() (list []ViewStats) {
	for _, g := range w.made("ViewStats").groups {
		for _, v := range g.views {
			st := v.stats
			st.Readers, st.Kept = v.readers, v.frame+viewIdle > w.frame && v.since > 0
			list = append(list, st)
		}
	}
	return list
}
