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
	g.position = ecs.Register[Position](g.World, "position")
	g.velocity = ecs.Register[Velocity](g.World, "velocity")
	g.enemy = ecs.Register[Enemy](g.World, "enemy")
	g.health = ecs.Register[Health](g.World, "health")
	g.armor = ecs.Register[Armor](g.World, "armor")
	g.brain = ecs.Register[Brain](g.World, "brain")
	g.sprite = ecs.Register[Sprite](g.World, "sprite")
	g.weapon = ecs.Register[Weapon](g.World, "weapon")
	g.fade = ecs.Register[Fade](g.World, "fade")
	g.bullet = ecs.Register[Bullet](g.World, "bullet")
	g.poison = ecs.Register[Poison](g.World, "poison")
	g.slow = ecs.Register[Slow](g.World, "slow")
	g.burn = ecs.Register[Burn](g.World, "burn")
	g.parent = ecs.Register[Parent](g.World, "parent")
	g.far = ecs.Register[Far](g.World, "far")
	g.systems()
	return twin.Stage{Frame: g.step, Digest: g.digest, Check: g.Check, Close: g.Close, World: g.World}
}

func (g *world) step() {
	g.begin()
	for i := range g.grid {
		g.grid[i] = g.grid[i][:0]
	}
	g.births(g.enemy.Len(), g.spawnEnemy, g.spawnBullet)
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
