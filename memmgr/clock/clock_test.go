package clock

import "testing"

// A cache of the same reading is good, one of another reading or of none is stale. A stamp in the
// tick of a cache is stale, because a writer may have come after it.
func TestStaleAfterTheClockMoved(t *testing.T) {
	ways, places := Ways(1), Places(1)
	seen := []bool{ways.Stale(1), places.Stale(1), Values(6).Stale(7)}
	ways, places = ways+1, places+1
	moved := []bool{ways.Stale(1), places.Stale(1), Values(7).Stale(7), Values(8).Stale(7), ways.Stale(0)}
	for i, stale := range seen {
		if stale {
			t.Errorf("clock %d: stale before it moved", i)
		}
	}
	for i, stale := range moved {
		if !stale {
			t.Errorf("clock %d: not stale after it moved", i)
		}
	}
}
