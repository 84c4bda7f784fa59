package store

import "testing"

func TestNextVersion(t *testing.T) {
	at := func(version, index uint32) Entity { return Entity(version)<<VersionShift | Entity(index) }
	for _, tt := range []struct{ e, want Entity }{
		{at(1, 7), at(2, 7)},
		{at(2, 7) | flagFree, at(3, 7)},
		{at(countMask, 7), at(1, 7)},                             // wraps, and skips null
		{at(3<<countBits|countMask, 7), at(3<<countBits|1, 7)},   // keeps the tag
		{at(15<<countBits|countMask, 7), at(15<<countBits|1, 7)}, // also the largest
		{at(Mark-1, 9), at(Mark+1, 9)},                           // what an empty word looks like
		{at(Mark&^countMask|countMask, 9), at(Mark&^countMask|1, 9)},
	} {
		if got := tt.e.next(); got != tt.want {
			t.Errorf("%v: %v, want %v", tt.e, got, tt.want)
		}
	}
}

// An empty word is nobody's, whatever version one asks with that is ever given out.
func TestEmptyWord(t *testing.T) {
	for tag := range Entity(16) {
		for _, count := range []Entity{1, 2, 0x5C396E, 0x5C3970, countMask} {
			if e := (tag<<countBits|count)<<VersionShift | 5; Names(0, e) || !Names(word(e, 77), e) || locOf(word(e, 77)) != 77 {
				t.Errorf("%v is taken for absent, or absent for it", e)
			}
		}
	}
	if Names(0, 0) {
		t.Error("the null handle has a row")
	}
}
