package main

import "github.com/ashlar-go/ashlar/ecs"

// Five systems over fields of a transform.

type vec3 struct{ X, Y, Z float32 }

// transform may be registered split: each field has a column of its own then.
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
