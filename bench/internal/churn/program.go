package churn

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Programs are churn in 50 and in 8 kinds.
func Programs() []twin.Program {
	slices := []string{twin.Slices}
	many := []twin.Bar{{Figure: twin.P50, Of: slices, Most: 1.3}, {Figure: twin.Resident, Of: slices, Most: 1.3}}
	few := []twin.Bar{{Figure: twin.P50, Of: slices, Most: 1.2}, {Figure: twin.P99, Of: slices, Most: 1.3}, {Figure: twin.Resident, Of: slices, Most: 1.3}}
	return []twin.Program{program("churn: 1M in 50 kinds, 2 %", 1_000_000, rules{50, 50}, many), program("churn: 500k in 8 kinds, 1 %", 500_000, rules{8, 100}, few)}
}

func program(name string, entities int, r rules, bars []twin.Bar) twin.Program {
	return twin.Program{Name: name, Entities: entities, Frames: 300, Bars: bars, Variants: []twin.Variant{
		twin.OnAshlar(func(n int, o ecs.Options) twin.Stage { return openKinds(r, n, o) }),
		{Name: twin.Slices, Open: func(n int) twin.Stage { return openSlices(r, n) }},
	}}
}
