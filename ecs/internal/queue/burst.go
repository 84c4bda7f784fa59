package queue

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Settle ends a frame, and gives back buffers that were not needed of late. Commands that wait keep
// theirs.
func (q *Queue) Settle() {
	q.lately.ops.EndFrame()
	q.lately.values.EndFrame()
	if len(q.Ops) > 0 {
		return
	}
	if q.lately.ops.Excess(cap(q.Ops), raw.Size[Command]()) {
		q.Ops, q.Askers, q.bundles = nil, nil, nil
	}
	if q.lately.values.Excess(cap(q.values), raw.Size[uint64]()) {
		q.values = nil
	}
}

// grown is a buffer with room for n more elements. It grows by half: append grows long slices by a quarter, so
// that it copies each element twice as often. A buffer that has just grown is no excess.
func grown[E any](buffer []E, n int) []E {
	if len(buffer)+n <= cap(buffer) {
		return buffer
	}
	return slices.Grow(buffer, max(n, len(buffer)/2))
}
