package survivors

import "github.com/ashlar-go/ashlar/bench/internal/twin"

// flat is the game in two slices of structs. Enemies are found by handle through an
// index; a dead one is replaced by the last.
type flat struct {
	enemies []foe
	bullets []shot
	places  []place // by the index of a handle
	free    []uint32

	course
	leading leading[handle]
	grid    [buckets][]mark
}

type handle struct{ index, version uint32 }

type place struct{ row, version uint32 }

// foe is an enemy with all that one may have. An effect that it has not is 0. The frame changes it.
type foe struct {
	Enemy
	self               uint32 // its index
	at                 Position
	speed              Velocity
	goal               Position
	health             Health
	armor              Armor
	sprite, cool, fade uint32
	poison, slow, burn uint32
	parent             handle
	far, guided        bool
}

type shot struct {
	Bullet
	at    Position
	speed Velocity
	left  uint32
}

type mark struct {
	row    uint32
	serial uint32
	at     Position
}

func openSlices(enemies int) twin.Stage {
	f := &flat{course: course{enemies: enemies}}
	return twin.Stage{Frame: f.step, Digest: f.digest}
}

// find is where an enemy lies, nil if it is dead.
func (f *flat) find(h handle) *foe {
	if p := f.places[h.index]; p.version == h.version {
		return &f.enemies[p.row]
	}
	return nil
}

func (f *flat) step() {
	f.begin()
	for i := range f.grid {
		f.grid[i] = f.grid[i][:0]
	}
	f.births(len(f.enemies), f.spawn, f.fire)
	f.think()
	f.move()
	f.strike()
	f.suffer()
	f.vanish()
	f.end()
}

func (f *flat) fire(s uint32) {
	f.bullets = append(f.bullets, shot{Bullet{s, damageOf(s)}, f.player, aimOf(s), flight})
}

func (f *flat) spawn(s uint32) {
	if len(f.free) == 0 {
		f.free = append(f.free, uint32(len(f.places)))
		f.places = append(f.places, place{})
	}
	last := len(f.free) - 1
	self := f.free[last]
	f.free = f.free[:last]
	p := &f.places[self]
	p.row = uint32(len(f.enemies))

	kind, at := kindOf(s), bornAt(s, f.player)
	e := foe{Enemy: Enemy{s, kind}, self: self, at: at}
	if kind != turret {
		e.goal = at
	}
	if kind != ghost {
		e.health.Points = healthOf(s)
	} else {
		e.fade = fadeOf(s)
	}
	if kind == tank || kind == turret {
		e.armor.Points = armorOf(s)
	}
	if kind == shooter || kind == turret {
		e.cool = coolOf(s)
	}
	if f.leading.guards(kind) {
		e.parent, e.guided = f.leading.of(s), true
	}
	f.enemies = append(f.enemies, e)
	if leads(kind) {
		f.leading.meet(handle{self, p.version})
	}
}

// think decides who is far away and where the others go.
func (f *flat) think() {
	for i := range f.enemies {
		e := &f.enemies[i]
		e.far = isFar(e.at, f.player)
		if e.Kind == turret {
			continue
		}
		if !e.far {
			if !e.guided {
				e.goal = hunt(e.Serial, f.player)
			} else if p := f.find(e.parent); p != nil {
				e.goal = escort(e.Serial, p.at)
			} else {
				e.guided = false
			}
			e.speed = steer(e.at, e.goal)
		}
		if e.slow > 0 {
			e.speed = Velocity{e.speed.X / 2, e.speed.Y / 2}
		}
	}
}

func (f *flat) move() {
	for i := range f.enemies {
		e := &f.enemies[i]
		if e.far {
			continue
		}
		e.at.X += e.speed.X
		e.at.Y += e.speed.Y
		if e.Kind != ghost {
			b := &f.grid[bucketOf(e.at.X/cell, e.at.Y/cell)]
			*b = append(*b, mark{uint32(i), e.Serial, e.at})
		}
	}
	for i := range f.bullets {
		b := &f.bullets[i]
		b.at.X += b.speed.X
		b.at.Y += b.speed.Y
	}
}

// strike hits enemies, and takes away bullets that have hit or have flown long enough.
func (f *flat) strike() {
	kept := f.bullets[:0]
	for _, b := range f.bullets {
		var hit mark
		best := int32(reach)
		for _, t := range f.grid[bucketOf(b.at.X/cell, b.at.Y/cell)] {
			if d, near := distance(b.at, t.at); near && better(d, best, t.serial, hit.serial) {
				hit, best = t, d
			}
		}
		if hit.serial != 0 {
			f.hit(&f.enemies[hit.row], b.Bullet)
		} else if b.left--; b.left > 0 {
			kept = append(kept, b)
		}
	}
	f.bullets = kept
}

func (f *flat) hit(e *foe, b Bullet) {
	wound(&e.health, &e.armor, b.Damage)
	switch effectOf(b.Serial) {
	case 1:
		e.poison = effectTime
	case 2:
		e.slow = effectTime
	case 3:
		e.burn = effectTime
	}
}

// suffer applies effects and weapons.
func (f *flat) suffer() {
	for i := range f.enemies {
		e := &f.enemies[i]
		if e.poison > 0 {
			e.health.Points--
			e.poison--
		}
		if e.burn > 0 {
			if e.burn%15 == 0 {
				e.health.Points -= 5
			}
			e.burn--
		}
		if e.slow > 0 {
			e.slow--
		}
		if e.cool > 0 && !e.far {
			if e.cool--; e.cool == 0 {
				e.cool = coolOf(e.Serial)
				f.tally.fired += fired(e.Serial, f.frame)
			}
		}
	}
}

// vanish removes the dead and draws the living.
func (f *flat) vanish() {
	for i := 0; i < len(f.enemies); {
		e := &f.enemies[i]
		if e.Kind == ghost {
			if e.fade--; e.fade == 0 {
				f.bury(i)
				continue
			}
		} else if e.health.Points <= 0 {
			f.tally.dead += died(e.Serial, f.frame)
			f.tally.kills++
			f.bury(i)
			continue
		}
		if !e.far && onScreen(e.at, f.player) {
			e.sprite++
			f.tally.drawn += drawn(e.Serial, e.sprite, e.at)
		}
		i++
	}
}

// bury puts the last enemy in a row's place.
func (f *flat) bury(row int) {
	self, last := f.enemies[row].self, len(f.enemies)-1
	f.enemies[row] = f.enemies[last]
	f.places[f.enemies[row].self].row = uint32(row)
	f.enemies = f.enemies[:last]
	f.places[self].version++
	f.free = append(f.free, self)
}

func (f *flat) digest() uint64 {
	sum := f.story
	for i := range f.enemies {
		e := &f.enemies[i]
		s := state{
			who: e.Enemy, at: e.at, speed: e.speed, health: e.health.Points, armor: e.armor.Points, goal: e.goal, sprite: e.sprite,
			cool: e.cool, fade: e.fade, poison: e.poison, slow: e.slow, burn: e.burn, far: e.far, guided: e.guided,
		}
		if s.guided {
			if p := f.find(e.parent); p != nil {
				s.parent = p.Serial
			}
		}
		sum += s.hash()
	}
	for _, b := range f.bullets {
		sum += bulletHash(b.Bullet, b.at, b.speed, b.left)
	}
	return sum
}
