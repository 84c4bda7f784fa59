package epidemic

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Programs are the epidemic of two million, with components that come and go and with a
// field.
func Programs() []twin.Program {
	return []twin.Program{program("epidemic: 2M agents, components", openAshlar, 44), program("epidemic: 2M agents, a field", openField, 20)}
}

func program(name string, ashlar func(int, ecs.Options) twin.Stage, bytes float64) twin.Program {
	return twin.Program{
		Name: name, Entities: 2_000_000, Frames: 120, Warm: 10,
		Variants: []twin.Variant{twin.OnAshlar(ashlar), {Name: twin.Slices, Open: openSlices}},
		Bars:     []twin.Bar{{Figure: twin.PerEntity, Most: bytes}},
	}
}
