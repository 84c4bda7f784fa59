package survivors

import (
	"context"
	"errors"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Parent is whom a guard follows.
type Parent struct{ Of ecs.Entity }

// world is the game on Ashlar.
type world struct {
	*ecs.World
	position *ecs.Pool[Position]
	velocity *ecs.Pool[Velocity]
	enemy    *ecs.Pool[Enemy]
	health   *ecs.Pool[Health]
	armor    *ecs.Pool[Armor]
	brain    *ecs.Pool[Brain]
	sprite   *ecs.Pool[Sprite]
	weapon   *ecs.Pool[Weapon]
	fade     *ecs.Pool[Fade]
	bullet   *ecs.Pool[Bullet]
	poison   *ecs.Pool[Poison]
	slow     *ecs.Pool[Slow]
	burn     *ecs.Pool[Burn]
	parent   *ecs.Pool[Parent]
	far      *ecs.Pool[Far]

	enemies int // how many there are to be
	frame   uint64
	serial  uint32
	player  Position
	tally   tally
	story   uint64
	leaders []ecs.Entity
	met     int
	grid    [buckets][]target
}

// target is an enemy in the grid.
type target struct {
	entity ecs.Entity
	at     Position
	serial uint32
}

func openAshlar(enemies int, o ecs.Options) twin.Stage {
	g := &world{World: twin.Must(ecs.New(o)), enemies: enemies}
	twin.Check(errors.Join(
		register(g, &g.position, "position"), register(g, &g.velocity, "velocity"), register(g, &g.enemy, "enemy"),
		register(g, &g.health, "health"), register(g, &g.armor, "armor"), register(g, &g.brain, "brain"),
		register(g, &g.sprite, "sprite"), register(g, &g.weapon, "weapon"), register(g, &g.fade, "fade"),
		register(g, &g.bullet, "bullet"), register(g, &g.poison, "poison"), register(g, &g.slow, "slow"),
		register(g, &g.burn, "burn"), register(g, &g.parent, "parent"), register(g, &g.far, "far"),
	))
	twin.Check(g.systems())
	return twin.Stage{Frame: g.step, Digest: g.digest, Check: g.Check, Close: g.Close, World: g.World}
}

func register[T any](g *world, pool **ecs.Pool[T], name string, how ...ecs.Storage) (err error) {
	*pool, err = ecs.Register[T](g.World, name, how...)
	return err
}

func (g *world) step() {
	g.player, g.tally = player(g.frame), tally{}
	for i := range g.grid {
		g.grid[i] = g.grid[i][:0]
	}
	g.births(g.spawnEnemy, g.fire)
	twin.Check(g.Run(context.Background()))
	g.story = g.tally.into(g.story)
	g.frame++
}

// births brings enemies up to their number, and fires.
func (g *world) births(enemy, fire func(serial uint32)) {
	due := g.enemies - g.enemy.Len()
	if g.frame > 0 {
		due = min(due, birthsMost)
	}
	for range due {
		g.serial++
		enemy(g.serial)
	}
	for range shots {
		g.serial++
		fire(g.serial)
	}
}

// fire makes a bullet.
func (g *world) fire(s uint32) {
	e := twin.Must(g.Spawn())
	add(g.bullet, e, Bullet{s, damageOf(s)})
	add(g.position, e, g.player)
	add(g.velocity, e, aimOf(s))
	add(g.fade, e, Fade{flight})
}

func add[T any](p *ecs.Pool[T], e ecs.Entity, v T) { twin.Check(p.Add(e, v)) }

// spawnEnemy makes an enemy with what its kind has.
func (g *world) spawnEnemy(s uint32) {
	e, kind, at := twin.Must(g.Spawn()), kindOf(s), bornAt(s, g.player)
	add(g.enemy, e, Enemy{s, kind})
	add(g.position, e, at)
	add(g.sprite, e, Sprite{})
	if kind != turret {
		add(g.velocity, e, Velocity{})
		add(g.brain, e, Brain{at})
	}
	if kind != ghost {
		add(g.health, e, Health{healthOf(s)})
	} else {
		add(g.fade, e, Fade{fadeOf(s)})
	}
	if kind == tank || kind == turret {
		add(g.armor, e, Armor{armorOf(s)})
	}
	if kind == shooter || kind == turret {
		add(g.weapon, e, Weapon{coolOf(s)})
	}
	if kind == guard && len(g.leaders) > 0 {
		add(g.parent, e, Parent{g.leaders[draw(s, 14, uint64(len(g.leaders)))]})
	}
	if leads(kind) {
		g.meet(e)
	}
}

func (g *world) meet(e ecs.Entity) {
	if len(g.leaders) < leaders {
		g.leaders = append(g.leaders, e)
	} else {
		g.leaders[g.met%leaders] = e
	}
	g.met++
}

// value is what an entity has of a component, or zero.
func value[T any](p *ecs.Pool[T], e ecs.Entity) (v T) {
	if at := p.Get(e); at != nil {
		v = *at
	}
	return v
}

func (g *world) digest() uint64 {
	sum := g.story
	for e, who := range g.enemy.All() {
		s := state{
			who: *who, at: value(g.position, e), speed: value(g.velocity, e), health: value(g.health, e).Points, armor: value(g.armor, e).Points,
			goal: value(g.brain, e).Goal, sprite: value(g.sprite, e).Frame, cool: value(g.weapon, e).Cool, fade: value(g.fade, e).Left,
			poison: value(g.poison, e).Left, slow: value(g.slow, e).Left, burn: value(g.burn, e).Left, far: g.far.Has(e), guided: g.parent.Has(e),
		}
		if s.guided {
			s.parent = value(g.enemy, g.parent.Get(e).Of).Serial
		}
		sum += s.hash()
	}
	for e, b := range g.bullet.All() {
		sum += bulletHash(*b, value(g.position, e), value(g.velocity, e), value(g.fade, e).Left)
	}
	return sum
}
