package game

import (
	"github.com/ashlar-go/ashlar/ecs"
)

// systems registers the systems in the order in which they run. All are loops over
// slices that are local variables: Go reloads the header of a slice behind a pointer.
func (g *Game) systems() {
	g.age()
	g.think()
	g.move()
	g.census()
	g.animate()
	g.cull()
	g.list()
	g.hear()
	g.judge()
}

// age ends lives that are over.
func (g *Game) age() {
	type age struct {
		Ents  []ecs.Entity
		Life  ecs.Write[Life]
		Later *ecs.Commands
	}
	system(g, "age", func(s *age) {
		life, ents := s.Life, s.Ents
		for i := range life {
			if life[i].age() {
				s.Later.Destroy(ents[i])
			}
		}
	})
}

// think pushes bodies towards the prey of their brains. A brain looks its place up
// now and then.
func (g *Game) think() {
	type think struct {
		Brain ecs.Write[Brain]
		At    []Vec3          `ashlar:"transform.Position"`
		Push  ecs.Write[Vec3] `ashlar:"body.Push"`
		Look  *ecs.Pool[Transform]
	}
	system(g, "think", func(s *think) {
		brain := s.Brain
		at, push := s.At[:len(brain)], s.Push[:len(brain)]
		for i := range brain {
			b := &brain[i]
			if b.look() {
				target := s.Look.Get(b.Target)
				if target == nil {
					b.Target = g.landmark(b.Salt)
					target = s.Look.Get(b.Target)
				}
				if target != nil {
					b.Goal = target.Position
				}
			}
			push[i] = b.steer(at[i])
		}
	})
}

// move is the physics. Light bodies that have come to rest are bodies no more.
func (g *Game) move() {
	type move struct {
		Ents  []ecs.Entity
		Body  ecs.Write[Body]
		At    ecs.Write[Vec3]  `ashlar:"transform.Position"`
		Turn  ecs.Write[Turn]  `ashlar:"transform.Rotation"`
		Speed ecs.Write[int32] `ashlar:"transform.Speed"`
		Later *ecs.Commands
	}
	system(g, "move", func(s *move) {
		body := s.Body
		at, turn, speed, ents := s.At[:len(body)], s.Turn[:len(body)], s.Speed[:len(body)], s.Ents[:len(body)]
		for i := range body {
			b := &body[i]
			b.accelerate()
			b.carry(&at[i])
			turn[i].face(b.Velocity)
			speed[i] = b.speed()
			if b.rests(speed[i]) {
				g.asleep++
				g.body.Later(s.Later).Remove(ents[i])
			}
		}
	})
}

// census counts things by zone, and now and then picks props to unload.
func (g *Game) census() {
	type census struct {
		Ents []ecs.Entity
		At   []Transform
	}
	system(g, "census", func(s *census) {
		at, count := s.At, g.counting
		for i := range at {
			count[zone(at[i].Position)]++
		}
		g.counting = count
		if !unloads(g.frame) {
			return
		}
		empty := g.crowd.emptiest()
		for i := range at {
			if at[i].Layer == uint32(props) && zone(at[i].Position) == empty {
				g.victims = append(g.victims, s.Ents[i])
			}
		}
	})
}

func (g *Game) animate() {
	type animate struct {
		Skeleton ecs.Write[Skeleton]
		Speed    []int32 `ashlar:"transform.Speed"`
		Turn     []Turn  `ashlar:"transform.Rotation"`
	}
	system(g, "animate", func(s *animate) {
		skeleton := s.Skeleton
		speed, turn := s.Speed[:len(skeleton)], s.Turn[:len(skeleton)]
		for i := range skeleton {
			skeleton[i].stride(speed[i], turn[i])
		}
	})
}

// cull marks the things that the eye sees.
func (g *Game) cull() {
	type cull struct {
		Sprite ecs.Write[Sprite]
		At     []Vec3  `ashlar:"transform.Position"`
		Radius []int32 `ashlar:"transform.Radius"`
	}
	system(g, "cull", func(s *cull) {
		sprite, e := s.Sprite, g.eye
		at, radius := s.At[:len(sprite)], s.Radius[:len(sprite)]
		for i := range sprite {
			p := &sprite[i]
			ahead, aside := e.locate(at[i])
			visible := sees(ahead, aside, radius[i])
			p.Depth, p.Visible = ahead, visible
			p.Seen += uint32(visible)
		}
	})
}

// list makes the draw list of visible things.
func (g *Game) list() {
	type list struct {
		Sprite []Sprite
		At     []Transform
	}
	system(g, "list", func(s *list) {
		sprite, draws := s.Sprite, g.draws
		at := s.At[:len(sprite)]
		for i := range sprite {
			if sprite[i].Visible != 0 {
				draws = append(draws, draw(sprite[i], &at[i]))
			}
		}
		g.draws = draws
	})
}

// hear mixes the sounds at the eye. Emitters have no body, and so no velocity.
func (g *Game) hear() {
	type hear struct {
		Sound    ecs.Write[Sound]
		At       []Vec3          `ashlar:"transform.Position"`
		Velocity ecs.Maybe[Vec3] `ashlar:"body.Velocity"`
	}
	system(g, "hear", func(s *hear) {
		sound, ear, sum := s.Sound, g.eye.at, int64(0)
		at, velocity := s.At[:len(sound)], s.Velocity[:len(sound)]
		for i := range sound {
			o, dx, dz := &sound[i], at[i].X-ear.X, at[i].Z-ear.Z
			o.fade(dx, at[i].Y-ear.Y, dz)
			o.approach(dx, dz, velocity[i])
			sum += o.play()
		}
		g.loudness += sum
	})
}

// judge ends actors that caught their prey: they burst.
func (g *Game) judge() {
	type judge struct {
		Ents   []ecs.Entity
		Brain  ecs.Write[Brain]
		At     []Vec3   `ashlar:"transform.Position"`
		Serial []uint64 `ashlar:"life.Serial"`
		Later  *ecs.Commands
	}
	system(g, "judge", func(s *judge) {
		brain := s.Brain
		at, serial, ents := s.At[:len(brain)], s.Serial[:len(brain)], s.Ents[:len(brain)]
		for i := range brain {
			if !brain[i].judge(at[i]) {
				continue
			}
			s.Later.Destroy(ents[i])
			for n := range fragments {
				g.children = append(g.children, child(serial[i], g.frame, n, at[i]))
			}
		}
	})
}
