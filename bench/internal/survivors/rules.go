// Package survivors is a game as they are written by the dozen: tens of thousands of
// enemies close in on a player who fires in all directions.
//
//	           position velocity health brain armor weapon parent fade
//	walkers       ×        ×       ×      ×
//	tanks         ×        ×       ×      ×     ×
//	shooters      ×        ×       ×      ×            ×
//	guards        ×        ×       ×      ×                   ×
//	turrets       ×                ×            ×      ×
//	ghosts        ×        ×              ×                          ×
//	bullets       ×        ×                                         ×
//
// A target of a bullet may be poisoned, slowed down or set on fire for a while: components
// that come and go. A guard follows its parent, which it knows by handle, until one of
// them dies. Enemies that are far away are switched off by a tag.
//
// This file has the components and the pure rules, which both variants share.
package survivors

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// The components. Lengths are in units of the world.
type (
	Position struct{ X, Y int32 }
	Velocity struct{ X, Y int32 }
	Enemy    struct{ Serial, Kind uint32 }
	Health   struct{ Points int32 }
	Armor    struct{ Points int32 }
	Brain    struct{ Goal Position }
	Sprite   struct{ Frame uint32 }
	Weapon   struct{ Cool uint32 }
	Fade     struct{ Left uint32 } // frames until it vanishes
	Bullet   struct{ Serial, Damage uint32 }
	Poison   struct{ Left uint32 }
	Slow     struct{ Left uint32 }
	Burn     struct{ Left uint32 }
	Far      struct{} // a tag
)

// The kinds of enemies.
const (
	walker = iota
	tank
	shooter
	guard
	turret
	ghost
	kinds
)

const (
	shots      = 50      // bullets a frame
	flight     = 90      // frames that a bullet flies
	reach      = 24      // how near a bullet must come
	cell       = 64      // side of a cell of the grid
	buckets    = 1 << 12 // of the grid
	width      = 4096    // enemies appear within it around the player
	farAway    = 3600    // enemies beyond it are switched off
	effectTime = 120     // frames
	leaders    = 64      // the last so many enemies that can be followed
	birthsMost = 400     // a frame, but for the first
	screenX    = 800
	screenY    = 450
)

// player is where the player is in a frame: he walks along a diamond.
func player(frame uint64) Position {
	const quarter, step = 500, 8
	at := int32(frame%quarter) * step
	switch frame / quarter % 4 {
	case 0:
		return Position{at, quarter*step - at}
	case 1:
		return Position{quarter*step - at, -at}
	case 2:
		return Position{-at, at - quarter*step}
	}
	return Position{at - quarter*step, at}
}

// draw is a number from 0 to below n that an entity has drawn for a purpose.
func draw(serial uint32, purpose uint64, n uint64) int32 {
	return int32(twin.Mix(uint64(serial), purpose) % n)
}

func kindOf(serial uint32) uint32 { return uint32(draw(serial, 1, kinds)) }

func bornAt(serial uint32, p Position) Position {
	return Position{p.X + draw(serial, 2, 2*width) - width, p.Y + draw(serial, 3, 2*width) - width}
}

func healthOf(serial uint32) int32  { return 20 + draw(serial, 4, 60) }
func armorOf(serial uint32) int32   { return 10 + draw(serial, 5, 30) }
func coolOf(serial uint32) uint32   { return 1 + uint32(draw(serial, 6, 90)) }
func fadeOf(serial uint32) uint32   { return 300 + uint32(draw(serial, 7, 600)) }
func damageOf(serial uint32) uint32 { return 10 + uint32(draw(serial, 8, 10)) }

// effectOf is a bullet's further effect: 1 poisons, 2 slows down, 3 sets on fire.
func effectOf(serial uint32) int32 { return draw(serial, 9, 4) }

func aimOf(serial uint32) Velocity {
	return Velocity{draw(serial, 10, 49) - 24, draw(serial, 11, 49) - 24}
}

// leads tells who can be followed: kinds with a place of their own and no parent.
func leads(kind uint32) bool { return kind == tank || kind == turret }

func isFar(at, p Position) bool {
	x, y := at.X-p.X, at.Y-p.Y
	return x > farAway || x < -farAway || y > farAway || y < -farAway
}

// hunt is where an enemy wants to be: a place of its own around whom it follows.
func hunt(serial uint32, at Position) Position {
	return Position{at.X + draw(serial, 12, 3000) - 1500, at.Y + draw(serial, 13, 3000) - 1500}
}

func escort(serial uint32, at Position) Position {
	return Position{at.X + draw(serial, 12, 200) - 100, at.Y + draw(serial, 13, 200) - 100}
}

func steer(at, goal Position) Velocity {
	const most = 12
	return Velocity{max(-most, min(most, (goal.X-at.X)/8)), max(-most, min(most, (goal.Y-at.Y)/8))}
}

// wound takes damage from armor first. Several wounds add up in any order.
func wound(h *Health, a *Armor, damage uint32) {
	d := int32(damage)
	if a != nil {
		taken := min(d, a.Points)
		a.Points -= taken
		d -= taken
	}
	h.Points -= d
}

func bucketOf(x, y int32) uint32 { return (uint32(x)*0x9E3779B1 ^ uint32(y)*0x85EBCA77) >> 7 % buckets }

// better tells whether a target is to be hit rather than the best so far: the nearest,
// and of several the oldest.
func better(distance, best int32, serial, bestSerial uint32) bool {
	return distance < best || distance == best && serial < bestSerial
}

// distance is from a bullet to a target, and whether it hits.
func distance(a, b Position) (int32, bool) {
	x, y := max(a.X-b.X, b.X-a.X), max(a.Y-b.Y, b.Y-a.Y)
	return max(x, y), x < reach && y < reach
}

func onScreen(at, p Position) bool {
	x, y := at.X-p.X, at.Y-p.Y
	return x < screenX && x > -screenX && y < screenY && y > -screenY
}

func fired(serial uint32, frame uint64) uint64 { return 1 + twin.Mix(uint64(serial), frame)%16 }

func drawn(serial, sprite uint32, at Position) uint64 {
	return twin.Mix(uint64(serial)<<32|uint64(sprite), uint64(uint32(at.X))<<32|uint64(uint32(at.Y)))
}

func died(serial uint32, frame uint64) uint64 { return twin.Mix(uint64(serial), frame^1<<40) }

// state is all that is known of an enemy, for the digest. A missing component is 0. It is set once.
type state struct {
	who                Enemy
	at                 Position
	speed              Velocity
	health, armor      int32
	goal               Position
	sprite, cool, fade uint32
	poison, slow, burn uint32
	parent             uint32 // its serial number, if it is alive
	far, guided        bool
}

func (s state) hash() uint64 {
	pair := func(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }
	h := twin.Mix(uint64(s.who.Serial), uint64(s.who.Kind))
	h = twin.Mix(h, pair(s.at.X, s.at.Y))
	h = twin.Mix(h, pair(s.speed.X, s.speed.Y))
	h = twin.Mix(h, pair(s.health, s.armor))
	h = twin.Mix(h, pair(s.goal.X, s.goal.Y))
	h = twin.Mix(h, uint64(s.sprite)<<32|uint64(s.cool))
	h = twin.Mix(h, uint64(s.fade)<<32|uint64(s.poison))
	h = twin.Mix(h, uint64(s.slow)<<32|uint64(s.burn))
	if s.far {
		h = twin.Mix(h, 1)
	}
	if s.guided {
		h = twin.Mix(h, 2+uint64(s.parent))
	}
	return h
}

func bulletHash(b Bullet, at Position, v Velocity, left uint32) uint64 {
	return state{who: Enemy{b.Serial, b.Damage}, at: at, speed: v, fade: left}.hash()
}

// tally has the sums of a frame.
type tally struct{ drawn, dead, fired, kills uint64 }

func (t tally) into(story uint64) uint64 {
	return twin.Mix(twin.Mix(story, t.drawn), twin.Mix(t.dead, t.fired<<32|t.kills))
}

// course has the counts that every variant of the game keeps.
type course struct {
	enemies int // how many there are to be
	frame   uint64
	serial  uint32
	player  Position
	tally   tally
	story   uint64
}

func (c *course) begin() { c.player, c.tally = player(c.frame), tally{} }

// births brings enemies up to their number, and fires.
func (c *course) births(alive int, enemy, bullet func(serial uint32)) {
	due := c.enemies - alive
	if c.frame > 0 {
		due = min(due, birthsMost)
	}
	for range due {
		c.serial++
		enemy(c.serial)
	}
	for range shots {
		c.serial++
		bullet(c.serial)
	}
}

func (c *course) end() {
	c.story = c.tally.into(c.story)
	c.frame++
}

// leading are the last enemies that can be followed, by handle.
type leading[H any] struct {
	list []H
	met  int
}

func (l *leading[H]) meet(h H) {
	if len(l.list) < leaders {
		l.list = append(l.list, h)
	} else {
		l.list[l.met%leaders] = h
	}
	l.met++
}

// guards tells whether an enemy is a guard that has somebody to follow.
func (l *leading[H]) guards(kind uint32) bool { return kind == guard && len(l.list) > 0 }

// of is whom a guard follows.
func (l *leading[H]) of(serial uint32) H { return l.list[draw(serial, 14, uint64(len(l.list)))] }
