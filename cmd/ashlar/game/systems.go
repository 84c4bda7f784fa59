package game

import (
	"github.com/ashlar-go/ashlar/ecs"
)

// systems registers the systems in the order in which they run. All are methods with loops over
// slices that are local variables: Go reloads the header of a slice behind a pointer. Fields of a
// Transform are passed where they lie.
//
// Systems that run on several cores add to two sums that they capture. Sums of integers don't depend on the
// order, and these are atomic. Lists that depend on the order are resources: their systems run their own rows in order,
// beside others.
func (g *Game) systems() {
	system(g, "age", g.age, ecs.Parallel())
	system(g, "think", g.think, ecs.Parallel())
	system(g, "move", g.move, ecs.Parallel())
	system(g, "census", g.census, ecs.Parallel())
	system(g, "animate", g.animate, ecs.Parallel())
	system(g, "cull", g.cull, ecs.Parallel())
	system(g, "list", g.draw, ecs.Parallel())
	system(g, "hear", g.hear, ecs.Parallel())
	system(g, "judge", g.judge, ecs.Parallel())
}

type aging struct {
	Ents  []ecs.Entity
	Life  ecs.Write[Life]
	Later *ecs.Commands
}

// age ends lives that are over.
func (g *Game) age(s *aging) {
	life, ents := s.Life, s.Ents
	for i := range life {
		if life[i].age() {
			s.Later.Destroy(ents[i])
		}
	}
}

type thinking struct {
	Brain ecs.Write[Brain]
	At    ecs.Strided[Vec3]      `ashlar:"transform.Position"`
	Push  ecs.WriteStrided[Vec3] `ashlar:"body.Push"`
	Look  ecs.Look[Transform]
}

// think pushes bodies towards the prey of their brains. A brain looks its place up
// now and then.
func (g *Game) think(s *thinking) {
	brain := s.Brain
	at, push := s.At, s.Push
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
		*push.At(i) = b.steer(*at.At(i))
	}
}

type moving struct {
	Ents  []ecs.Entity
	Body  ecs.Write[Body]
	At    ecs.WriteStrided[Vec3]  `ashlar:"transform.Position"`
	Turn  ecs.WriteStrided[Turn]  `ashlar:"transform.Rotation"`
	Speed ecs.WriteStrided[int32] `ashlar:"transform.Speed"`
	Rest  ecs.Later[Body]
}

// move is the physics. Light bodies that have come to rest are bodies no more.
func (g *Game) move(s *moving) {
	body := s.Body
	asleep := uint64(0)
	at, turn, speeds, ents := s.At, s.Turn, s.Speed, s.Ents[:len(body)]
	for i := range body {
		b := &body[i]
		b.accelerate()
		b.carry(at.At(i))
		turn.At(i).face(b.Velocity)
		speed := b.speed()
		*speeds.At(i) = speed
		if b.rests(speed) {
			asleep++
			s.Rest.Remove(ents[i])
		}
	}
	g.asleep.Add(asleep)
}

type counting struct {
	Ents  []ecs.Entity
	At    []Transform
	Tally ecs.WriteRes[tally]
}

// census counts things by zone, and now and then picks props to unload.
func (g *Game) census(s *counting) {
	t := s.Tally.Mut()
	at, count := s.At, t.counting
	for i := range at {
		count[zone(at[i].Position)]++
	}
	t.counting = count
	if !unloads(g.frame) {
		return
	}
	empty := g.crowd.emptiest()
	for i := range at {
		if at[i].Layer == uint32(props) && zone(at[i].Position) == empty {
			t.victims = append(t.victims, s.Ents[i])
		}
	}
}

type animating struct {
	Skeleton ecs.Write[Skeleton]
	Speed    ecs.Strided[int32] `ashlar:"transform.Speed"`
	Turn     ecs.Strided[Turn]  `ashlar:"transform.Rotation"`
}

func (g *Game) animate(s *animating) {
	skeleton := s.Skeleton
	speed, turn := s.Speed, s.Turn
	for i := range skeleton {
		skeleton[i].stride(*speed.At(i), *turn.At(i))
	}
}

type culling struct {
	Sprite ecs.Write[Sprite]
	At     ecs.Strided[Vec3]  `ashlar:"transform.Position"`
	Radius ecs.Strided[int32] `ashlar:"transform.Radius"`
}

// cull marks the things that the eye sees.
func (g *Game) cull(s *culling) {
	sprite, e := s.Sprite, g.eye
	at, radius := s.At, s.Radius
	for i := range sprite {
		p := &sprite[i]
		ahead, aside := e.locate(*at.At(i))
		visible := sees(ahead, aside, *radius.At(i))
		p.Depth, p.Visible = ahead, visible
		p.Seen += uint32(visible)
	}
}

type listing struct {
	Sprite []Sprite
	At     []Transform
	List   ecs.WriteRes[drawList]
}

// draw makes the draw list of visible things.
func (g *Game) draw(s *listing) {
	sprite, draws := s.Sprite, s.List.Mut().draws
	at := s.At[:len(sprite)]
	for i := range sprite {
		if sprite[i].Visible != 0 {
			draws = append(draws, draw(sprite[i], &at[i]))
		}
	}
	s.List.Mut().draws = draws
}

type hearing struct {
	Sound    ecs.Write[Sound]
	At       ecs.Strided[Vec3] `ashlar:"transform.Position"`
	Velocity ecs.Maybe[Vec3]   `ashlar:"body.Velocity"`
}

// hear mixes the sounds at the eye. Emitters have no body, and so no velocity.
func (g *Game) hear(s *hearing) {
	sound, ear, sum := s.Sound, g.eye.at, int64(0)
	at, velocity := s.At, s.Velocity[:len(sound)]
	for i := range sound {
		o, p := &sound[i], at.At(i)
		dx, dz := p.X-ear.X, p.Z-ear.Z
		o.fade(dx, p.Y-ear.Y, dz)
		o.approach(dx, dz, velocity[i])
		sum += o.play()
	}
	g.loudness.Add(sum)
}

type judging struct {
	Ents   []ecs.Entity
	Brain  ecs.Write[Brain]
	At     ecs.Strided[Vec3]   `ashlar:"transform.Position"`
	Serial ecs.Strided[uint64] `ashlar:"life.Serial"`
	Brood  ecs.WriteRes[brood]
	Later  *ecs.Commands
}

// judge ends actors that caught their prey: they burst.
func (g *Game) judge(s *judging) {
	brain := s.Brain
	at, serial, ents := s.At, s.Serial, s.Ents[:len(brain)]
	for i := range brain {
		if !brain[i].judge(*at.At(i)) {
			continue
		}
		s.Later.Destroy(ents[i])
		for n := range fragments {
			b := s.Brood.Mut()
			b.children = append(b.children, child(*serial.At(i), g.frame, n, *at.At(i)))
		}
	}
}
