package main

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Birds fly the same way on two workers as in slices.
func TestBoidsAgree(t *testing.T) {
	const n = 10_000
	w, step := boidsOn(2, n)
	h := newHalves(n)
	for range 50 { // as boidsOn has run already
		h.step()
	}
	for range 10 {
		step()
		h.step()
	}
	var at []place32
	for c := range ecs.QueryOf[struct{ At []place32 }](w).All() {
		at = append(at, c.At...)
	}
	if !slices.Equal(at, h.at) {
		t.Error("birds on Ashlar and in slices are at different places")
	}
	check(w.Close())
}
