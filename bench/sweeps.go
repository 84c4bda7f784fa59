package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// sweepRow is the README's system over one table, against the same loop over two flat slices.
func sweepRow(n int, bar float64) row {
	return row{name: fmt.Sprintf("sweep of two 16 B columns, %d rows", n), ops: n, times: repeat(n), bar: bar, ratio: true, make: func() (ashlar, baseline, floor piece) {
		s := newSetup()
		spawn(s.group(), n)
		ecs.System(s.w, "move", moveSystem)
		settle(s.w)
		ashlar.work = frame(s.w)
		flat := &move{make([]Position, n), make([]Velocity, n)}
		for i := range flat.Pos {
			flat.Pos[i], flat.Vel[i] = Position{1, 2}, Velocity{0.5, 0.25}
		}
		call := moveSystem
		baseline.work = func() { call(flat) }
		return ashlar, baseline, floor
	}}
}

type six struct {
	A, B, C, D, E, F Position
}

// sixColumns is a system over six columns; two are written.
func sixColumns() (ashlar, baseline, floor piece) {
	type lanes struct {
		A ecs.Write[Position] `ashlar:"a"`
		B []Position          `ashlar:"b"`
		C []Position          `ashlar:"c"`
		D ecs.Write[Position] `ashlar:"d"`
		E []Position          `ashlar:"e"`
		F []Position          `ashlar:"f"`
	}
	call := func(l *lanes) {
		a, b, c, d, e, f := l.A, l.B, l.C, l.D, l.E, l.F
		b, c, d, e, f = b[:len(a)], c[:len(a)], d[:len(a)], e[:len(a)], f[:len(a)]
		for i := range a {
			a[i].X += b[i].X * c[i].Y
			d[i].Y += e[i].X - f[i].Y
		}
	}
	w := ecs.New(options())
	var pools []ecs.AnyPool
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		pools = append(pools, ecs.Register[Position](w, name))
	}
	g := ecs.GroupOf[six](w, "six", pools...)
	g.SortAs(nil, 0) // rows of its own
	check(g.SpawnN(make([]ecs.Entity, k262), []six{{A: Position{1, 2}, B: Position{0.5, 0.25}, E: Position{1, 1}}}))
	ecs.System(w, "lanes", call)
	settle(w)
	ashlar.work = frame(w)
	flat := new(lanes)
	for _, to := range []*[]Position{(*[]Position)(&flat.A), &flat.B, &flat.C, (*[]Position)(&flat.D), &flat.E, &flat.F} {
		*to = make([]Position, k262)
		for i := range *to {
			(*to)[i] = Position{1, 2}
		}
	}
	baseline.work = func() { call(flat) }
	return ashlar, baseline, floor
}
