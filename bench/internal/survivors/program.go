package survivors

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Programs are the game with 20,000 enemies and 3,000 bullets in each of its seconds of
// 60 frames: as the README suggests, and laid out with care.
func Programs() []twin.Program {
	program := func(name string, most float64, open func(int, ecs.Options) twin.Stage) twin.Program {
		return twin.Program{
			Name: name, Entities: 20_000, Frames: 600, Warm: 100,
			Bars:     []twin.Bar{{Figure: twin.P50, Of: []string{twin.Slices}, Most: most}, {Figure: twin.P99, Of: []string{twin.Slices}, Most: most}},
			Variants: []twin.Variant{twin.OnAshlar(open), {Name: twin.Slices, Open: openSlices}},
		}
	}
	return []twin.Program{
		program("survivors: 20,000 enemies", 1.3, openAshlar),
		program("survivors, laid out: 20,000 enemies", 1.0, openLaidOut),
	}
}
