package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr/frames"
)

// handy notes the queries by hand that have walked since it was asked last. The rows that they pass count as those of a
// system do, in worlds that have none: see Visits of package schedule. A query that does not walk costs nothing.
type handy struct {
	visits []func() store.Visit
	asked  uint64 // how often
}

// wants tells whether a query is noted if it walks: not if it is noted until a later time than now. At most as many are noted
// as there are frames between two looks of the store. So a query that a program makes in each frame counts.
func (h *handy) wants(until uint64) bool { return until <= h.asked && len(h.visits) < frames.Many }

// note notes a query, and returns until when.
func (h *handy) note(visit func() store.Visit) (until uint64) {
	h.visits = append(h.visits, visit)
	return h.asked + 1
}

// each goes over the visits since the last call.
func (h *handy) each(yield func(store.Visit) bool) {
	h.asked++
	for _, visit := range h.visits {
		if !yield(visit()) {
			break
		}
	}
	clear(h.visits)
	h.visits = h.visits[:0]
}
