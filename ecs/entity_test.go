package ecs

import "testing"

func TestNextVersion(t *testing.T) {
	at := func(version, index uint32) Entity { return Entity(version)<<versionShift | Entity(index) }
	for _, tt := range []struct{ e, want Entity }{
		{at(1, 7), at(2, 7)},
		{at(2, 7) | flagFree, at(3, 7)},
		{at(countMask, 7), at(1, 7)},                             // wraps, and skips null
		{at(3<<countBits|countMask, 7), at(3<<countBits|1, 7)},   // keeps the tag
		{at(15<<countBits|countMask, 7), at(15<<countBits|1, 7)}, // also the largest
		{at(slotMark-1, 9), at(slotMark+1, 9)},                   // what an empty slot looks like
		{at(slotMark&^countMask|countMask, 9), at(slotMark&^countMask|1, 9)},
	} {
		if got := tt.e.next(); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.e, got, tt.want)
		}
	}
}

// An empty slot is nobody's, whatever version one asks with that is ever given out.
func TestEmptySlot(t *testing.T) {
	for tag := range Entity(16) {
		for _, count := range []Entity{1, 2, 0x5C396E, 0x5C3970, countMask} {
			if e := (tag<<countBits|count)<<versionShift | 5; slotIs(0, e) || !slotIs(makeSlot(e, 77), e) || slotLoc(makeSlot(e, 77)) != 77 {
				t.Errorf("%v is taken for absent, or absent for it", e)
			}
		}
	}
}
