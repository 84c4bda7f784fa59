package queue

import (
	"iter"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Drop is a command that was not carried out. What and Bundle are beside it because the queue's lists may be gone when a report
// is asked for.
type Drop struct {
	Command
	Bundle *store.Bundle // of Fill and PutEach
	System string
	Frame  uint64
	Err    error
	What   string // in words, once there are some
}

// DropsMost is how many of the commands that were dropped last are listed.
const DropsMost = 256

// Drops are the commands that were dropped last, in a ring, and the ones that the next Run has to tell of. The zero value has none.
type Drops struct {
	// Total is how many were dropped, of all time.
	Total uint64
	// Owed is how many the next Run has to tell of, and First the first of these.
	Owed  uint64
	First Drop
	ring  []Drop // the oldest is at Total
}

// Next makes room for the drop that is now the last.
func (r *Drops) Next() *Drop {
	at := r.Total % DropsMost
	if r.Total++; at == uint64(len(r.ring)) {
		r.ring = append(r.ring, Drop{})
	}
	return &r.ring[at]
}

// Owe has the next Run tell of the last one.
func (r *Drops) Owe() {
	if r.Owed++; r.Owed == 1 {
		r.First = r.ring[(r.Total-1)%DropsMost]
	}
}

// Len is how many All goes over.
func (r *Drops) Len() int { return len(r.ring) }

// All goes over the listed ones, the oldest first.
func (r *Drops) All() iter.Seq[*Drop] {
	return func(yield func(*Drop) bool) {
		n := uint64(len(r.ring))
		for i := range n {
			if !yield(&r.ring[(r.Total+i)%n]) {
				return
			}
		}
	}
}

// Take moves all of another list here. All of them count, listed or not.
func (r *Drops) Take(d *Drops) {
	if unlisted := d.Total - uint64(len(d.ring)); unlisted > 0 {
		r.Total += unlisted
		r.ring = slices.Grow(r.ring, DropsMost-len(r.ring))[:DropsMost] // all are overwritten now
	}
	for x := range d.All() {
		*r.Next() = *x
	}
	if r.Owed == 0 {
		r.First = d.First
	}
	r.Owed += d.Owed
	clear(d.ring)
	*d = Drops{ring: d.ring[:0]}
}
