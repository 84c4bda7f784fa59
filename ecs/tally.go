package ecs

import (
	"math/bits"
	"slices"
)

// tally is how often a component has been added and removed until the end of a frame of the record. Adds are counted in sampled
// frames alone.
type tally struct{ frame, sampled, adds, removes uint64 }

// tallies are those of a component, behind frames 1, 2, 4, 8 and so on.
type tallies []tally

// with adds the tally of such a frame. A list that is empty may be that of a new component: nothing came before.
func (list tallies) with(t tally) tallies {
	if len(list) == 0 {
		list = make(tallies, bits.Len64(t.frame)-1, bits.Len64(t.frame)+8)
	}
	return append(list, t)
}

// changes lists adds and removes by frame, as profile.Stored has them; nil: there were none. Spans of frames without a
// sampled one have the adds of the average frame.
func (list tallies) changes(now tally) (adds, removes []uint64) {
	var was tally
	for _, t := range append(slices.Clip(list), now) {
		switch {
		case t.frame == 0: // before the component was registered
			adds, removes = append(adds, 0), append(removes, 0)
			continue
		case t.frame == was.frame:
			continue
		}
		in, of := t.adds-was.adds, t.sampled-was.sampled
		if of == 0 {
			in, of = now.adds, max(now.sampled, 1)
		}
		adds, removes = append(adds, in*(t.frame-was.frame)/of), append(removes, t.removes-was.removes)
		was = t
	}
	if now.adds == 0 {
		adds = nil
	}
	if now.removes == 0 || now.frame == 0 {
		removes = nil
	}
	return adds, removes
}
