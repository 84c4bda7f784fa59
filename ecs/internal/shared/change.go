package shared

import (
	"github.com/ashlar-go/ashlar/ecs/internal/query"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// change is how much of a component changes between a system's walks. It is looked
// at in the same way whatever strategy is in use: were it the share of a kept view
// that is stale, streaming, which keeps none, would look like another workload, and
// each end of a trial like the reason for the next.
type change struct {
	walked uint64  // tick of the last walk
	share  float64 // of the component's chunks, when it was last looked at
}

// LookEvery is the number of frames between looks: a group may have few rows of an
// owner with many chunks, and there may be hundreds of such systems.
const LookEvery = 8

// walk notes a walk that ends, and whether it is one that looks.
func (c *change) walk(b *query.Base, of *store.Component, looks bool) {
	if looks && c.walked > 0 {
		c.share = changed(of, c.walked)
	}
	c.walked = b.M.Tick()
}

// changed is the share of a component's chunks whose values have changed at a tick or
// later.
func changed(of *store.Component, since uint64) float64 {
	chunks, n := 0, 0
	for _, t := range of.Tables() {
		for id := range t.Seq.Chunks() {
			if chunks++; of.Dir.Cell(id).Stamp >= since {
				n++
			}
		}
	}
	return float64(n) / float64(max(chunks, 1))
}
