package spot

import (
	"github.com/ashlar-go/ashlar/arena"
)

// quarantine is spots that no caller should look at any more. Each is free for others from the
// second safe point on, or sooner if there are too many:
//
//	safe point     this one     the next         the one after it
//	               retired      in quarantine    free
//	               its bytes stay; checked builds poison them
//
// Where memory is refused, spots serve that chunks have left at a safe point: from its end on nobody
// may hold an address there. So a limit refuses the same calls whatever was moved.
//
// A caller that has kept an address one safe point too long reads old values, or poison, and not
// another chunk's rows.
type quarantine struct {
	// retired is oldest first.
	retired []retired
	// epoch counts the beginnings and ends of safe points.
	epoch uint64
}

// retired is a spot in quarantine.
type retired struct {
	shape *Shape
	at    At
	// epoch is the one in which it was retired.
	epoch uint64
	// moved is true for the old spot of a chunk that moved: somebody may hold an address until a
	// safe point ends. A structural change leaves no such address.
	moved bool
}

// RetiredMost bounds the quarantine of programs that never come to a safe point: then the older
// half is freed. A safe point moves some hundred chunks within its budget, so programs that have any
// do not get there: go test ./memmgr -run Quarantine
const RetiredMost = 1024

// NextEpoch begins or ends a safe point.
func (q *quarantine) NextEpoch() { q.epoch++ }

// Retired is how many spots are in quarantine.
func (q *quarantine) Retired() int { return len(q.retired) }

// Retire takes a spot out of use. A caller may still hold an address in it.
func (b *Book) Retire(s *Shape, at At) { b.retire(s, at, true) }

// Discard takes a spot out of use in a structural change. No caller may hold an address afterwards,
// so the spot is free at once. In checked builds it is poisoned and retired.
func (b *Book) Discard(s *Shape, at At) {
	if arena.Checked {
		b.retire(s, at, false)
	} else {
		b.Free(s, at)
	}
}

// retire puts a spot in quarantine. The arena counts slots and positions there; a block counts with
// its slot, which stays live.
func (b *Book) retire(s *Shape, at At, moved bool) {
	if !at.Form.InBlock() {
		b.arena.Quarantine(at.Slot)
	}
	if arena.Checked {
		b.poison(s, at)
	}
	if n := len(b.retired); n >= RetiredMost {
		b.release(func(i int) bool { return i < n/2 })
	}
	b.retired = append(b.retired, retired{s, at, b.epoch, moved})
}

// Release frees the spots that were retired before the last safe point ended, or all of them. It is
// called when a safe point begins.
func (b *Book) Release(everything bool) {
	b.release(func(i int) bool { return everything || b.retired[i].epoch+2 < b.epoch })
}

// ReleaseUnheld frees the spots where nobody may hold an address: spots that structural changes have
// left, and spots that chunks have left at a safe point. It reports whether there were any.
func (b *Book) ReleaseUnheld() (any bool) {
	n := len(b.retired)
	b.release(func(i int) bool { return !b.retired[i].moved || b.retired[i].epoch < b.epoch })
	return len(b.retired) < n
}

// release frees the spots that are due, in the order in which they were retired.
func (b *Book) release(due func(i int) bool) {
	keep := b.retired[:0]
	for i, r := range b.retired {
		if due(i) {
			b.Free(r.shape, r.at)
		} else {
			keep = append(keep, r)
		}
	}
	b.retired = keep
}
