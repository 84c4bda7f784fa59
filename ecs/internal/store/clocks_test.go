package store

import (
	"testing"

	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Clocks of a store begin far apart, above 0 and without their highest bit, and those of two stores differ.
func TestRowClocksBeginApart(t *testing.T) {
	seen := make(map[clock.Rows]bool)
	for range 2 {
		for i, c := range newRowClocks() {
			if c == 0 || c>>63 != 0 || seen[c] {
				t.Errorf("clock %d begins at %#x", i, c)
			}
			seen[c] = true
		}
	}
}
