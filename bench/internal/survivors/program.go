package survivors

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// Programs are the game with 20,000 enemies and 3,000 bullets in each of its seconds of
// 60 frames.
func Programs() []twin.Program {
	return []twin.Program{{
		Name: "survivors: 20,000 enemies", Entities: 20_000, Frames: 600, Warm: 100,
		Variants: []twin.Variant{{Name: twin.Ashlar, Open: openAshlar}, {Name: twin.Slices, Open: openSlices}},
	}}
}
