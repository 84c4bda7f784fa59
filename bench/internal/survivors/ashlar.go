package survivors

import (
	"context"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// Parent is whom a guard follows.
type Parent struct{ Of ecs.Entity }

// world is the game on Ashlar. The pools are set once; a frame changes the rest.
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

	spawn, fire func(serial uint32) // an enemy, a bullet

	course
	leading leading[ecs.Entity]
	grid    [buckets][]target
}

// target is an enemy in the grid.
type target struct {
	entity ecs.Entity
	at     Position
	serial uint32
}

func openAshlar(enemies int, o ecs.Options) twin.Stage {
	g := &world{World: ecs.New(o), course: course{enemies: enemies}}
	g.spawn, g.fire = g.spawnEnemy, g.spawnBullet
	g.register()
	g.systems()
	return g.stage()
}

func (g *world) stage() twin.Stage {
	return twin.Stage{Frame: g.step, Digest: g.digest, Check: g.Check, Close: g.Close, World: g.World}
}

// register names the components. The effects of bullets come and go, the others are stored as how says.
func (g *world) register(how ...ecs.Storage) {
	register(g, &g.position, "position", how...)
	register(g, &g.velocity, "velocity", how...)
	register(g, &g.enemy, "enemy", how...)
	register(g, &g.health, "health", how...)
	register(g, &g.armor, "armor", how...)
	register(g, &g.brain, "brain", how...)
	register(g, &g.sprite, "sprite", how...)
	register(g, &g.weapon, "weapon", how...)
	register(g, &g.fade, "fade", how...)
	register(g, &g.bullet, "bullet", how...)
	register(g, &g.poison, "poison")
	register(g, &g.slow, "slow")
	register(g, &g.burn, "burn")
	register(g, &g.parent, "parent", how...)
	register(g, &g.far, "far", how...)
}

func register[T any](g *world, pool **ecs.Pool[T], name string, how ...ecs.Storage) {
	*pool = ecs.Register[T](g.World, name, how...)
}

func (g *world) step() {
	g.begin()
	for i := range g.grid {
		g.grid[i] = g.grid[i][:0]
	}
	g.births(g.enemy.Len(), g.spawn, g.fire)
	twin.Check(g.Run(context.Background()))
	g.end()
}

// spawnBullet makes a bullet.
func (g *world) spawnBullet(s uint32) {
	e := twin.Must(g.Spawn())
	twin.Add(g.bullet, e, Bullet{s, damageOf(s)})
	twin.Add(g.position, e, g.player)
	twin.Add(g.velocity, e, aimOf(s))
	twin.Add(g.fade, e, Fade{flight})
}

// spawnEnemy makes an enemy with the components of its kind.
func (g *world) spawnEnemy(s uint32) {
	e, kind, at := twin.Must(g.Spawn()), kindOf(s), bornAt(s, g.player)
	twin.Add(g.enemy, e, Enemy{s, kind})
	twin.Add(g.position, e, at)
	twin.Add(g.sprite, e, Sprite{})
	if kind != turret {
		twin.Add(g.velocity, e, Velocity{})
		twin.Add(g.brain, e, Brain{at})
	}
	if kind != ghost {
		twin.Add(g.health, e, Health{healthOf(s)})
	} else {
		twin.Add(g.fade, e, Fade{fadeOf(s)})
	}
	if kind == tank || kind == turret {
		twin.Add(g.armor, e, Armor{armorOf(s)})
	}
	if kind == shooter || kind == turret {
		twin.Add(g.weapon, e, Weapon{coolOf(s)})
	}
	if g.leading.guards(kind) {
		twin.Add(g.parent, e, Parent{g.leading.of(s)})
	}
	if leads(kind) {
		g.leading.meet(e)
	}
}

func (g *world) digest() uint64 {
	sum := g.story
	for e, who := range g.enemy.All() {
		s := state{
			who: *who, at: twin.Value(g.position, e), speed: twin.Value(g.velocity, e), health: twin.Value(g.health, e).Points, armor: twin.Value(g.armor, e).Points,
			goal: twin.Value(g.brain, e).Goal, sprite: twin.Value(g.sprite, e).Frame, cool: twin.Value(g.weapon, e).Cool, fade: twin.Value(g.fade, e).Left,
			poison: twin.Value(g.poison, e).Left, slow: twin.Value(g.slow, e).Left, burn: twin.Value(g.burn, e).Left, far: g.far.Has(e), guided: g.parent.Has(e),
		}
		if s.guided {
			s.parent = twin.Value(g.enemy, g.parent.Get(e).Of).Serial
		}
		sum += s.hash()
	}
	for e, b := range g.bullet.All() {
		sum += bulletHash(*b, twin.Value(g.position, e), twin.Value(g.velocity, e), twin.Value(g.fade, e).Left)
	}
	return sum
}
