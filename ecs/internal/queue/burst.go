package queue

import (
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// burst is how full the buffers of commands were of late, in elements. Buffers stay, so that steady
// frames allocate nothing. They go back to the Go heap some frames after a burst:
//
//	frame         1       2 … 45              46 …
//	commands      1M      10                  10
//	of late       1M      falls by 1/64       500,000
//	buffer        grows   stays               goes back
type burst struct {
	ops, values       int // of late
	opsNow, valuesNow int // the most in this frame
}

// met notes how full buffers are before they are emptied.
func (b *burst) met(ops, values int) {
	b.opsNow, b.valuesNow = max(b.opsNow, ops), max(b.valuesNow, values)
}

// endFrame makes the sums of a frame a part of the recent ones.
func (b *burst) endFrame() {
	b.ops, b.values = max(b.opsNow, b.ops-b.ops/64-1), max(b.valuesNow, b.values-b.values/64-1)
	b.opsNow, b.valuesNow = 0, 0
}

// Settle ends a frame, and gives back buffers that were not needed of late. It tells whether that of the commands went. Commands
// that wait keep theirs.
func (q *Queue) Settle() (went bool) {
	b := &q.burst
	if b.endFrame(); len(q.Ops) > 0 {
		return false
	}
	if went = excess(cap(q.Ops), b.ops, raw.Size[Command]()); went {
		q.Ops, q.Askers, q.bundles = nil, nil, nil
	}
	if excess(cap(q.values), b.values, raw.Size[uint64]()) {
		q.values = nil
	}
	return went
}

// grown is a buffer with room for n more elements. It grows by half: append grows long slices by a quarter, so
// that it copies each element twice as often. A buffer that has just grown is no excess.
func grown[E any](buffer []E, n int) []E {
	if len(buffer)+n <= cap(buffer) {
		return buffer
	}
	return slices.Grow(buffer, max(n, len(buffer)/2))
}

// excess tells whether a buffer of so many elements is more than was needed of late. A small one
// always stays.
func excess(elements, used int, size uintptr) bool {
	return uintptr(elements)*size > chunk.Bytes && elements/2 > used
}
