package main

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs"
)

// A split transform, and rows by pointer. The baselines are slices that a program would write by hand.

type vec3 struct{ X, Y, Z float32 }

// transform is registered split: each field has a column of its own.
type transform struct {
	At, Speed, Scale vec3
	Turn, Spin       [4]float32
}

type box struct{ Low, High vec3 }

type (
	moved struct {
		At    ecs.Write[vec3] `ashlar:"transform.At"`
		Speed []vec3          `ashlar:"transform.Speed"`
	}
	spun struct {
		Turn ecs.Write[[4]float32] `ashlar:"transform.Turn"`
		Spin [][4]float32          `ashlar:"transform.Spin"`
	}
	slowed struct {
		Speed ecs.Write[vec3] `ashlar:"transform.Speed"`
	}
	grown struct {
		Scale ecs.Write[vec3] `ashlar:"transform.Scale"`
	}
	boxed struct {
		At    []vec3 `ashlar:"transform.At"`
		Scale []vec3 `ashlar:"transform.Scale"`
		Box   ecs.Write[box]
	}
)

func moveAll(c *moved) {
	at, speed := c.At, c.Speed
	for i := range at {
		at[i].X += speed[i].X
		at[i].Y += speed[i].Y
		at[i].Z += speed[i].Z
	}
}

func spinAll(c *spun) {
	turn, spin := c.Turn, c.Spin
	for i := range turn {
		for k := range turn[i] {
			turn[i][k] += spin[i][k]
		}
	}
}

func slowAll(c *slowed) {
	speed := c.Speed
	for i := range speed {
		speed[i].X *= 0.99
		speed[i].Y *= 0.99
		speed[i].Z *= 0.99
	}
}

func growAll(c *grown) {
	scale := c.Scale
	for i := range scale {
		scale[i].Y += 0.01
	}
}

func boxAll(c *boxed) {
	at, scale, boxes := c.At, c.Scale, c.Box
	for i := range boxes {
		a, s := at[i], scale[i]
		boxes[i] = box{vec3{a.X - s.X, a.Y - s.Y, a.Z - s.Z}, vec3{a.X + s.X, a.Y + s.Y, a.Z + s.Z}}
	}
}

// splitSystems is a frame of the five systems over n things.
func splitSystems(n int) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		w := ecs.New(options())
		ecs.RegisterSplit[transform](w, "transform")
		ecs.Register[box](w, "box")
		ecs.System(w, "move", moveAll)
		ecs.System(w, "spin", spinAll)
		ecs.System(w, "slow", slowAll)
		ecs.System(w, "grow", growAll)
		ecs.System(w, "box", boxAll)
		type thing struct {
			transform
			Box box
		}
		one := thing{transform: transform{Speed: vec3{1, 2, 3}, Spin: [4]float32{1, 2, 3, 4}}}
		check(ecs.SpawnerOf[thing](w).SpawnN(make([]ecs.Entity, n), []thing{one}))
		ashlar.work = frame(w)

		at, speed, scale, boxes := make([]vec3, n), make([]vec3, n), make([]vec3, n), make([]box, n)
		turn, spin := make([][4]float32, n), make([][4]float32, n)
		for i := range speed {
			speed[i], spin[i] = one.Speed, one.Spin
		}
		baseline.work = func() {
			moveAll(&moved{at, speed})
			spinAll(&spun{turn, spin})
			slowAll(&slowed{speed})
			growAll(&grown{scale})
			boxAll(&boxed{at, scale, boxes})
		}
		return ashlar, baseline, floor
	}
}

// pairs is a table as a store of archetypes has it, with a helper that passes rows by pointer.
type pairs struct {
	pos  []Position
	vel  []Velocity
	mass []float64
}

//go:noinline
func (t *pairs) two(f func(*Position, *Velocity)) {
	pos, vel := t.pos, t.vel[:len(t.pos)]
	for i := range pos {
		f(&pos[i], &vel[i])
	}
}

//go:noinline
func (t *pairs) three(f func(*Position, *Velocity, *float64)) {
	pos, vel, mass := t.pos, t.vel[:len(t.pos)], t.mass[:len(t.pos)]
	for i := range pos {
		f(&pos[i], &vel[i], &mass[i])
	}
}

type heavy struct {
	Pos  ecs.Write[Position]
	Vel  []Velocity
	Mass []float64
}

// byPointer is rows by typed pointers over n rows, two components or three.
func byPointer(n int, three bool) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		w := ecs.New(options())
		ecs.Register[Position](w, "position")
		ecs.Register[Velocity](w, "velocity")
		ecs.Register[float64](w, "mass")
		type thing struct {
			Pos  Position
			Vel  Velocity
			Mass float64
		}
		check(ecs.SpawnerOf[thing](w).SpawnN(make([]ecs.Entity, n), []thing{{Vel: Velocity{3, 4}, Mass: 2}}))
		q := ecs.QueryOf[heavy](w)
		t := &pairs{make([]Position, n), make([]Velocity, n), make([]float64, n)}
		step := func(p *Position, v *Velocity) {
			p.X += v.X
			p.Y += v.Y
		}
		push := func(p *Position, v *Velocity, m *float64) {
			p.X += v.X * *m
			p.Y += v.Y * *m
		}
		if three {
			ashlar.work, baseline.work = func() { ecs.Triples(q, push) }, func() { t.three(push) }
		} else {
			ashlar.work, baseline.work = func() { ecs.Pairs(q, step) }, func() { t.two(step) }
		}
		return ashlar, baseline, floor
	}
}

func splitRows() (all []row) {
	for _, n := range []int{100_000, 1_000_000} {
		all = append(all, row{name: fmt.Sprintf("split transform, five systems, %d things", n), ops: n, times: repeat(n), unit: nanoseconds, bar: 1.1, ratio: true, make: splitSystems(n)})
	}
	for _, n := range []int{k16, k262} {
		all = append(all,
			row{name: fmt.Sprintf("rows by pointer, Pairs, %d", n), ops: n, times: repeat(n), unit: nanoseconds, bar: 1.1, ratio: true, make: byPointer(n, false)},
			row{name: fmt.Sprintf("rows by pointer, Triples, %d", n), ops: n, times: repeat(n), unit: nanoseconds, bar: 1.1, ratio: true, make: byPointer(n, true)})
	}
	return all
}
