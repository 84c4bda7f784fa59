package game

import (
	"errors"

	"github.com/ashlar-go/ashlar/ecs"
)

// kind decides which components a thing has.
type kind uint32

const (
	props kind = iota
	actors
	debris
	emitters
	triggers
	kinds
)

func (k kind) String() string {
	return [kinds]string{"props", "actors", "debris", "emitters", "triggers"}[k]
}

// seed is the data that a thing is made from.
type seed struct {
	serial uint64
	born   uint32 // the frame
	child  bool   // an actor left it
	at     Vec3   // where, of a child
}

// child is one of several seeds that an actor leaves.
func child(parent, frame uint64, n int, at Vec3) seed {
	return seed{mix(parent, frame, 4, uint64(n)), uint32(frame) + 1, true, at}
}

func (s seed) kind() kind {
	if s.child {
		return debris
	}
	switch share := s.serial % 64; {
	case share < 28:
		return props
	case share < 48:
		return actors
	case share < 56:
		return debris
	case share < 63:
		return emitters
	}
	return triggers
}

// noisy tells who has a Sound.
func (s seed) noisy() bool {
	k := s.kind()
	return k == emitters || k == actors && s.serial>>8%4 == 0
}

// draw is a number as good as random, from 0 to below n.
func (s seed) draw(what uint64, n int32) int32 { return int32(mix(s.serial, what) % uint64(n)) }

func (s seed) placed() placed {
	at := s.at
	if !s.child {
		at = Vec3{s.draw(1, side), 0, s.draw(2, side)}
	}
	k := s.kind()
	left := 60 + s.draw(3, 400)
	if k == props {
		left = 600 + s.draw(3, 2000)
	}
	size := 16 + s.draw(4, 240)
	return placed{
		Transform{Position: at, Radius: size * 16, Rotation: Turn{Yaw: s.draw(5, side) << 11}, Scale: Vec3{size, size, size}, Layer: uint32(k), Home: at, Born: s.born},
		Life{s.serial, uint32(left), uint32(k)},
	}
}

func (s seed) body() Body {
	v := Vec3{s.draw(7, 2048) - 1024, 0, s.draw(8, 2048) - 1024}
	if s.kind() == actors {
		return Body{Velocity: v, Mass: light + 1 + s.draw(9, 8)}
	}
	v.Y = s.draw(9, 1024)
	return Body{Velocity: v, Mass: light}
}

func (s seed) sprite() Sprite { return Sprite{Mesh: uint32(s.draw(10, 64))} }

func (s seed) skeleton() Skeleton { return Skeleton{Phase: uint32(s.draw(11, side)) << 12} }

func (s seed) sound() Sound { return Sound{Base: uint32(1+s.draw(12, 1<<10)) << 18} }

func (s seed) brain() Brain {
	return Brain{Goal: Vec3{s.draw(13, side), 0, s.draw(14, side)}, Next: 1 + uint32(s.draw(15, lookEvery)), Salt: uint32(s.serial)}
}

// nursery is a batch of things that are being born: all get their places at once, and
// the rest one by one, so that births go on where they were after an error.
type nursery struct {
	seeds   []seed
	values  []placed
	handles []ecs.Entity
	placed  bool
	ready   int // so many have all that they get
}

const nurserySize = 4096

// births makes all that are due.
func (g *Game) births() error {
	for {
		if err := g.deliver(); err != nil {
			return err
		}
		if g.due == 0 && len(g.brood.children) == 0 {
			return nil
		}
		g.admit()
	}
}

// admit fills the nursery: seeds that actors left come first.
func (g *Game) admit() {
	n := &g.nursery
	left := min(len(g.brood.children), nurserySize)
	n.seeds = append(n.seeds[:0], g.brood.children[:left]...)
	g.brood.children = append(g.brood.children[:0], g.brood.children[left:]...)
	g.left += uint64(left)
	for ; g.due > 0 && len(n.seeds) < nurserySize; g.due-- {
		n.seeds = append(n.seeds, g.next())
	}
	n.values = n.values[:0]
	for _, s := range n.seeds {
		n.values = append(n.values, s.placed())
	}
	n.handles = append(n.handles[:0], make([]ecs.Entity, len(n.seeds))...)
	n.placed, n.ready = false, 0
}

// next is the next seed that no actor left.
func (g *Game) next() seed {
	g.serials++
	return seed{serial: mix(g.options.Seed, g.serials), born: uint32(g.frame)}
}

// deliver empties the nursery.
func (g *Game) deliver() error {
	n := &g.nursery
	if !n.placed {
		if err := g.placeEach(n.handles, n.values); err != nil {
			return err
		}
		n.placed = true
	}
	for ; n.ready < len(n.seeds); n.ready++ {
		s, e := n.seeds[n.ready], n.handles[n.ready]
		if err := g.furnish(s, e); err != nil {
			return err
		}
		if s.kind() == actors {
			g.meet(e)
		}
		if g.cast != nil {
			g.cast.meet(e, s)
		}
	}
	return nil
}

// furnish gives a thing the components of its kind besides its place. Components that it has already,
// after an error, it keeps.
func (g *Game) furnish(s seed, e ecs.Entity) error {
	k := s.kind()
	var errs [5]error
	if k == actors || k == debris {
		errs[0] = give(g.body, e, s.body())
	}
	if k == props || k == actors || k == debris {
		errs[1] = give(g.sprite, e, s.sprite())
	}
	if k == actors {
		errs[2] = give(g.skeleton, e, s.skeleton())
	}
	if s.noisy() {
		errs[3] = give(g.sound, e, s.sound())
	}
	if k == actors || k == triggers {
		errs[4] = give(g.brain, e, s.brain())
	}
	return errors.Join(errs[:]...)
}

func give[T any](p *ecs.Pool[T], e ecs.Entity, v T) error {
	if err := p.Add(e, v); err != nil && !errors.Is(err, ecs.ErrPresent) {
		return err
	}
	return nil
}

// meet makes an actor known to the hunters.
func (g *Game) meet(e ecs.Entity) {
	if len(g.landmarks) < landmarks {
		g.landmarks = append(g.landmarks, e)
	} else {
		g.landmarks[g.met%landmarks] = e
	}
	g.met++
}
