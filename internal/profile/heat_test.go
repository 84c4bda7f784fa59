package profile

import (
	"slices"
	"testing"
)

// Heat is what systems asked of a group, shared out by rows and brought to 1,000 frames.
func TestSetHeat(t *testing.T) {
	chunks := []Placed{{Group: "a", Rows: 30}, {Group: "a", Rows: 10}, {Group: "a"}, {Group: "b", Rows: 7}, {Group: "c", Rows: 5}}
	facts := Profile{Frames: 500, Systems: []System{
		{Name: "x", Access: []Access{{Group: "a", Component: "p", Bytes: 100}, {Group: "b", Component: "p", Bytes: 21}}},
		{Name: "y", Access: []Access{{Group: "a", Component: "q", Bytes: 60}}},
	}}
	for _, tt := range []struct {
		facts Profile
		heat  []uint64
	}{
		{facts, []uint64{240, 80, 0, 42, 0}},
		{Profile{Systems: facts.Systems}, []uint64{0, 0, 0, 0, 0}},
	} {
		m := Map{Chunks: slices.Clone(chunks)}
		m.SetHeat(tt.facts)
		var heat []uint64
		for _, c := range m.Chunks {
			heat = append(heat, c.Heat)
		}
		if !slices.Equal(heat, tt.heat) {
			t.Errorf("after %d frames: heat %d, want %d", tt.facts.Frames, heat, tt.heat)
		}
	}
}
