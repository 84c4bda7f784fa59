package shared

import (
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// change is how much of a component changes between a system's walks. The measure is the same
// for all strategies. The stale share of a cached view would not do: streaming caches nothing,
// so it would look like another workload. Then each end of a trial would be a reason for the
// next.
type change struct {
	share float64 // of the component's chunks, when it was last looked at
	moved float64 // share of chunks with other rows then, of the component or of the reader's group
}

// LookEvery is the number of frames between looks: a group may have few rows of an
// owner with many chunks, and there may be hundreds of such systems.
const LookEvery = frames.Few

// look looks at what has changed since the tick of the walk before.
func (c *change) look(b *walk.Base, of *store.Component, rows *memmgr.Sequence, since uint64) {
	var owner, own tallied
	for _, t := range of.Tables() {
		owner.add(t.Seq, &of.Dir, &b.S.IDs, since)
	}
	own.add(rows, nil, &b.S.IDs, since)
	c.share, c.moved = owner.share(owner.values), max(owner.share(owner.rows), own.share(own.rows))
}

// tallied is how many chunks have changed, of how many.
type tallied struct{ chunks, values, rows int }

// add counts the chunks of a sequence whose values, and whose rows, have changed at a tick or
// later; values nil: these do not matter.
func (n *tallied) add(seq *memmgr.Sequence, values, ids *memmgr.Directory, since uint64) {
	for id := range seq.Chunks() {
		n.chunks++
		if values != nil && values.Cell(id).Stamp >= since {
			n.values++
		}
		if ids.Cell(id).Stamp >= since {
			n.rows++
		}
	}
}

func (n *tallied) share(of int) float64 { return float64(of) / float64(max(n.chunks, 1)) }
