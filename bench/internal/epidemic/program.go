package epidemic

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// Programs are the epidemic of two million.
func Programs() []twin.Program {
	return []twin.Program{{
		Name: "epidemic: 2M agents", Entities: 2_000_000, Frames: 120, Warm: 10,
		Variants: []twin.Variant{{Name: twin.Ashlar, Open: openAshlar}, {Name: twin.Slices, Open: openSlices}},
		Bars:     []twin.Bar{{Figure: twin.PerEntity, Most: 44}},
	}}
}
