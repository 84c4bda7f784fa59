package game

import "github.com/ashlar-go/ashlar/ecs"

// Frame is the number of frames run.
func (g *Game) Frame() int { return int(g.frame) }

// Counts are counts of events.
type Counts struct {
	Births  uint64 // of all kinds
	Bursts  uint64 // actors that caught their prey
	Asleep  uint64 // bodies that came to rest
	Drawn   int    // in the last frame
	Crowd   int    // that were counted in the last frame
	Members [kinds]int
}

// Counts goes over all entities for Members.
func (g *Game) Counts() Counts {
	c := Counts{Births: g.serials + g.left, Bursts: (g.left + uint64(len(g.brood.children))) / fragments, Asleep: g.asleep.Load(), Drawn: len(g.list.draws)}
	for _, n := range g.crowd {
		c.Crowd += int(n)
	}
	for _, l := range g.life.All() {
		c.Members[l.Layer]++
	}
	return c
}

// state has all components of a thing; a missing one is nil.
type state struct {
	life     *Life
	at       *Transform
	body     *Body
	sprite   *Sprite
	skeleton *Skeleton
	sound    *Sound
	brain    *Brain
	target   uint64 // the serial of whom the brain hunts, if that is alive
}

// Digest is a sum over all entities, so that it depends on no order, handle or place,
// mixed with the digest of draws and sounds in all frames. It costs a pass.
func (g *Game) Digest() uint64 {
	sum := mix(g.frame, g.story)
	for e, l := range g.life.All() {
		s := state{l, g.transform.Get(e), g.body.Get(e), g.sprite.Get(e), g.skeleton.Get(e), g.sound.Get(e), g.brain.Get(e), 0}
		if s.brain != nil {
			s.target = g.serial(s.brain.Target)
		}
		sum += s.hash()
	}
	return sum
}

// serial is who a handle is of; 0 if that is not alive.
func (g *Game) serial(e ecs.Entity) uint64 {
	if l := g.life.Get(e); l != nil {
		return l.Serial
	}
	return 0
}

func (s state) hash() uint64 {
	t := s.at
	h := mix(s.life.Serial, pair(s.life.Left, s.life.Layer), t.Position.hash(), uint64(uint32(t.Radius)), Vec3{t.Rotation.Yaw, t.Rotation.Pitch, t.Rotation.Roll}.hash(), uint64(uint32(t.Speed)),
		t.Scale.hash(), pair(t.Layer, t.Born), t.Home.hash())
	if b := s.body; b != nil {
		h = mix(h, 1, b.Velocity.hash(), pair(uint32(b.Mass), b.Rest), b.Push.hash())
	}
	if p := s.sprite; p != nil {
		h = mix(h, 2, pair(p.Mesh, p.Seen), pair(uint32(p.Depth), uint32(p.Visible)))
	}
	if k := s.skeleton; k != nil {
		h = mix(h, 3, pair(k.Phase, uint32(k.Blend)))
		for _, b := range k.Bones {
			h = mix(h, uint64(uint32(b)))
		}
	}
	if o := s.sound; o != nil {
		h = mix(h, 4, pair(o.Base, o.Phase), pair(uint32(o.Volume), uint32(o.Pitch)))
	}
	if b := s.brain; b != nil {
		h = mix(h, 5, s.target, b.Goal.hash(), pair(b.Next, b.Caught), uint64(b.Salt))
	}
	return h
}

func (v Vec3) hash() uint64 {
	return mix(pair(uint32(v.X), uint32(v.Y)), uint64(uint32(v.Z)))
}
