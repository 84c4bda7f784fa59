package profile

import (
	"slices"
	"testing"
)

// Heat is the systems' use of a group, shared out by rows and brought to 1,000 frames.
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
		// 450 reads of 10 bytes: 40 of 45 rows with p are in a, the others in c.
		{Profile{
			Frames: 1000, Components: []Component{{"p", 10, 1}}, Lookups: []Lookup{{Component: "p", Reads: 450}, {Component: "q", Reads: 9}, {Component: "p", System: "y"}},
			Groups: []Group{{Name: "a", Owns: []string{"o", "p"}}, {Name: "b", Owns: []string{"o"}}, {Name: "c", Owns: []string{"p"}}, {Name: "d", Owns: []string{"p", "q"}}},
		}, []uint64{3000, 1000, 0, 0, 500}},
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
