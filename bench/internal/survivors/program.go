package survivors

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// Programs are the game with 20,000 enemies and 3,000 bullets in each of its seconds of
// 60 frames, as the README suggests.
func Programs() []twin.Program {
	return []twin.Program{{
		Name: "survivors: 20,000 enemies", Entities: 20_000, Frames: 600, Warm: 100,
		Bars:     []twin.Bar{{Figure: twin.P50, Of: []string{twin.Slices}, Most: 1.3}, {Figure: twin.P99, Of: []string{twin.Slices}, Most: 1.3}},
		Variants: []twin.Variant{twin.OnAshlar(openAshlar), {Name: twin.Slices, Open: openSlices}},
	}}
}
