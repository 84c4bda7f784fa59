package ecs

// change is how much of a component changes between a system's walks. It is looked
// at in the same way whatever strategy is in use: were it the share of a kept view
// that is stale, streaming, which keeps none, would look like another workload, and
// each end of a trial like the reason for the next.
type change struct {
	walked uint64  // tick of the last walk
	share  float64 // of the component's chunks, when it was last looked at
}

// changeEvery is the number of frames between looks: a group may have few rows of an
// owner with many chunks.
const changeEvery = 8

// look notes a walk that ends.
func (c *change) look(w *World, p *pool) {
	if w.frame%changeEvery == 0 && c.walked > 0 {
		c.share = p.changed(c.walked)
	}
	c.walked = w.m.Tick()
}

// changed is the share of a component's chunks whose values have changed at a tick or
// later.
func (p *pool) changed(since uint64) float64 {
	chunks, changed := 0, 0
	for _, t := range p.c.Tables() {
		for id := range t.Seq.Chunks() {
			if chunks++; p.c.Dir.Cell(id).Stamp >= since {
				changed++
			}
		}
	}
	return float64(changed) / float64(max(chunks, 1))
}
