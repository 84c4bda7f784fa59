package main

import (
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/ecs"
)

// Fields of a split component in one column, against a column each. Systems walk them, or read them by handle, one by
// one as programs have it that do not know of the column, or as the struct that it holds.

type (
	fieldsApart struct {
		At, Speed  vec3
		Turn, Spin [4]float32
	}
	atSpeed     struct{ At, Speed vec3 }
	fieldsInOne struct {
		Both       atSpeed
		Turn, Spin [4]float32
	}
	target struct{ To ecs.Entity }
	total  struct{ X float32 }
)

// thingsOf is a world of n things with such a split component, and perhaps as many readers, each with a target.
func thingsOf[T any](n int, targets bool) *ecs.World {
	w := ecs.New(options())
	ecs.RegisterSplit[T](w, "thing")
	ecs.Register[target](w, "target")
	ecs.Register[total](w, "total")
	es := make([]ecs.Entity, n)
	check(ecs.SpawnerOf[struct{ V T }](w).SpawnN(es, make([]struct{ V T }, 1)))
	if targets {
		type reader struct {
			target
			total
		}
		readers := make([]reader, n)
		for i, k := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
			readers[i].To = es[k]
		}
		check(ecs.SpawnerOf[reader](w).SpawnN(make([]ecs.Entity, n), readers))
	}
	return w
}

// together is a row: a system over things with both fields in one column, and the same over things with two.
func together[A, B any](name string, bar float64, targets bool, inOne func(*A), apart func(*B)) row {
	const n = 100_000
	return row{name: "fields in one column, " + name, ops: n, times: 20, unit: nanoseconds, bar: bar, ratio: true, allocs: true, make: func() (ashlar, baseline, floor piece) {
		one, two := thingsOf[fieldsInOne](n, targets), thingsOf[fieldsApart](n, targets)
		ecs.System(one, "use", inOne)
		ecs.System(two, "use", apart)
		settle(one)
		settle(two)
		ashlar.work, baseline.work = frame(one), frame(two)
		return ashlar, baseline, floor
	}}
}

type (
	walkApart struct {
		At    ecs.Write[vec3] `ashlar:"thing.At"`
		Speed []vec3          `ashlar:"thing.Speed"`
	}
	walkInOne struct {
		At    ecs.Write[vec3] `ashlar:"thing.Both.At"`
		Speed []vec3          `ashlar:"thing.Both.Speed"`
	}
	walkStruct struct {
		Both ecs.Write[atSpeed] `ashlar:"thing.Both"`
	}
	readApart struct {
		Targets []target
		Totals  ecs.Write[total]
		At      ecs.Look[vec3] `ashlar:"thing.At"`
		Speed   ecs.Look[vec3] `ashlar:"thing.Speed"`
	}
	readInOne struct {
		Targets []target
		Totals  ecs.Write[total]
		At      ecs.Look[atSpeed]  `ashlar:"thing.Both"`
		Speed   *ecs.Pool[atSpeed] `ashlar:"thing.Both"`
	}
)

func togetherRows() []row {
	push := func(at, speed []vec3) {
		speed = speed[:len(at)]
		for i := range at {
			at[i].X += speed[i].X
			at[i].Y += speed[i].Y
			at[i].Z += speed[i].Z
		}
	}
	walk := func(c *walkApart) { push(c.At, c.Speed) }
	read := func(c *readApart) {
		for i, t := range c.Targets {
			c.Totals[i].X += c.At.Get(t.To).X + c.Speed.Get(t.To).Y
		}
	}
	return []row{
		together("both walked", 4.5, false, func(c *walkInOne) { push(c.At, c.Speed) }, walk),
		together("walked as a struct", 2, false, func(c *walkStruct) {
			both := c.Both
			for i := range both {
				both[i].At.X += both[i].Speed.X
				both[i].At.Y += both[i].Speed.Y
				both[i].At.Z += both[i].Speed.Z
			}
		}, walk),
		together("both read by handle", 1, true, func(c *readInOne) {
			for i, t := range c.Targets {
				c.Totals[i].X += c.At.Get(t.To).At.X + c.Speed.Get(t.To).Speed.Y
			}
		}, read),
		together("read by handle as a struct", 0.85, true, func(c *readInOne) {
			for i, t := range c.Targets {
				both := c.At.Get(t.To)
				c.Totals[i].X += both.At.X + both.Speed.Y
			}
		}, read),
	}
}
