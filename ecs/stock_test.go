package ecs

import "testing"

// A grant's list of handles grows no more once it was large enough: it doubled whenever a small grant became a large one
// again, to gigabytes within minutes.
func TestGrantsStaySmall(t *testing.T) {
	w := New(Options{})
	defer w.Close()
	var k stock
	for range 40 {
		for _, n := range []int{2 * blockLen, blockLen} {
			g, err := k.grant(w.base.S, nil, n)
			if err != nil || len(g.handles) != n || cap(g.handles) > 4*blockLen {
				t.Fatalf("%d handles of %d, room for %d, %v", len(g.handles), n, cap(g.handles), err)
			}
			k.end(w.base.S)
		}
	}
	if err := w.Check(); err != nil {
		t.Error(err)
	}
}
