package main

import (
	"github.com/ashlar-go/ashlar/ecs"
)

// changedRows are a query for changes, where one chunk in a hundred has, against a
// query for all.
func changedRows() []row {
	type all struct{ Pos []Position }
	type some struct {
		Pos []Position
		_   ecs.Changed[Position]
	}
	return []row{{
		name: "query for changed chunks, 1 % of 1M rows' chunks changed, against all", ops: m1, bar: 0.03, ratio: true,
		make: func() (ashlar, baseline, floor piece) {
			s := newSetup()
			positions, group := s.pos, s.group()
			es := spawn(group, m1)
			changes, whole := ecs.QueryOf[some](s.w), ecs.QueryOf[all](s.w)
			sum, first := 0.0, -1
			ashlar = piece{
				prepare: func() {
					if first < 0 { // the first walk sees all
						for range changes.All() {
						}
					}
					first = (first + 1) % 100
					seq := rowsOf(s.w, "body")
					for i := first; i < seq.ChunkCount(); i += 100 {
						positions.Mut(es[i*seq.Capacity()]).X++
					}
				},
				work: func() {
					for c := range changes.All() {
						for i := range c.Pos {
							sum += c.Pos[i].X
						}
					}
				},
			}
			baseline = piece{work: func() {
				for c := range whole.All() {
					for i := range c.Pos {
						sum += c.Pos[i].X
					}
				}
			}}
			return ashlar, baseline, floor
		},
	}}
}
