package survivors

import (
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// laidOut is the game by somebody who has read what the documents advise: what stays says so,
// which goes for the tag of those far away, since few leave or come back in a frame; entities are
// spawned whole; and what is done to the same rows is one system.
type laidOut struct {
	world
	walkers  *ecs.Spawner[aWalker]
	tanks    *ecs.Spawner[aTank]
	shooters *ecs.Spawner[aShooter]
	guards   *ecs.Spawner[aGuard]
	turrets  *ecs.Spawner[aTurret]
	ghosts   *ecs.Spawner[aGhost]
	bullets  *ecs.Spawner[aBullet]
}

// What is spawned.
type (
	hunter struct {
		Enemy    Enemy
		Position Position
		Sprite   Sprite
		Velocity Velocity
		Brain    Brain
	}
	aWalker struct {
		Hunter hunter
		Health Health
	}
	aTank struct {
		Hunter hunter
		Health Health
		Armor  Armor
	}
	aShooter struct {
		Hunter hunter
		Health Health
		Weapon Weapon
	}
	aGuard struct {
		Hunter hunter
		Health Health
		Parent Parent
	}
	aTurret struct {
		Enemy    Enemy
		Position Position
		Sprite   Sprite
		Health   Health
		Armor    Armor
		Weapon   Weapon
	}
	aGhost struct {
		Hunter hunter
		Fade   Fade
	}
	aBullet struct {
		Bullet   Bullet
		Position Position
		Velocity Velocity
		Fade     Fade
	}
)

// What the systems ask for that differ from those of the game as it was written first.
type (
	huntingAndSteering struct {
		Enemy []Enemy
		Pos   []Position
		Brain ecs.Write[Brain]
		Vel   ecs.Write[Velocity]
		_     ecs.Without[Parent]
		_     ecs.Without[Far]
	}
	followingAndSteering struct {
		Ents    []ecs.Entity
		Enemy   []Enemy
		Pos     []Position
		Parent  []Parent
		Brain   ecs.Write[Brain]
		Vel     ecs.Write[Velocity]
		Place   *ecs.Pool[Position]
		Parents *ecs.Pool[Parent]
		Do      *ecs.Commands
		_       ecs.Without[Far]
	}
	movingTargets struct {
		Ents  []ecs.Entity
		Enemy []Enemy
		Vel   []Velocity
		Pos   ecs.Write[Position]
		_     ecs.With[Health]
		_     ecs.Without[Far]
	}
	movingOthers struct {
		Vel []Velocity
		Pos ecs.Write[Position]
		_   ecs.Without[Health]
		_   ecs.Without[Far]
	}
	standing struct {
		Ents  []ecs.Entity
		Enemy []Enemy
		Pos   []Position
		_     ecs.With[Health]
		_     ecs.Without[Velocity]
		_     ecs.Without[Far]
	}
)

func openLaidOut(enemies int, o ecs.Options) twin.Stage {
	g := &laidOut{world: world{World: ecs.New(o), course: course{enemies: enemies}}}
	w := &g.world
	w.spawn, w.fire = g.spawnEnemy, g.spawnBullet
	w.register(ecs.Stable)
	spawner(w, &g.walkers)
	spawner(w, &g.tanks)
	spawner(w, &g.shooters)
	spawner(w, &g.guards)
	spawner(w, &g.turrets)
	spawner(w, &g.ghosts)
	spawner(w, &g.bullets)
	g.systems()
	return g.stage()
}

func spawner[S any](g *world, s **ecs.Spawner[S]) {
	*s = ecs.SpawnerOf[S](g.World)
}

func (g *laidOut) spawnBullet(s uint32) {
	twin.Must(g.bullets.Spawn(aBullet{Bullet{s, damageOf(s)}, g.player, aimOf(s), Fade{flight}}))
}

func (g *laidOut) spawnEnemy(s uint32) {
	kind, at := kindOf(s), bornAt(s, g.player)
	h, health := hunter{Enemy: Enemy{s, kind}, Position: at, Brain: Brain{at}}, Health{healthOf(s)}
	var e ecs.Entity
	var err error
	switch {
	case kind == tank:
		e, err = g.tanks.Spawn(aTank{h, health, Armor{armorOf(s)}})
	case kind == shooter:
		e, err = g.shooters.Spawn(aShooter{h, health, Weapon{coolOf(s)}})
	case g.leading.guards(kind):
		e, err = g.guards.Spawn(aGuard{h, health, Parent{g.leading.of(s)}})
	case kind == turret:
		e, err = g.turrets.Spawn(aTurret{h.Enemy, at, h.Sprite, health, Armor{armorOf(s)}, Weapon{coolOf(s)}})
	case kind == ghost:
		e, err = g.ghosts.Spawn(aGhost{h, Fade{fadeOf(s)}})
	default:
		e, err = g.walkers.Spawn(aWalker{h, health})
	}
	if twin.Check(err); leads(kind) {
		g.leading.meet(e)
	}
}

func (g *laidOut) systems() {
	w := g.World
	g.bounds()
	ecs.System(w, "hunt", g.hunt)
	ecs.System(w, "follow", g.follow)
	ecs.System(w, "slow", g.slowDown)
	ecs.System(w, "move", g.move)
	ecs.System(w, "move.others", func(c *movingOthers) { g.world.move(&moving{Pos: c.Pos, Vel: c.Vel}) })
	ecs.System(w, "aim", func(c *standing) { g.note(c.Ents, c.Pos, c.Enemy) }) // for those that do not move
	g.fights()
}

func (g *laidOut) hunt(c *huntingAndSteering) {
	who, pos, brain, vel := c.Enemy, c.Pos, c.Brain, c.Vel
	for i := range vel {
		brain[i].Goal = hunt(who[i].Serial, g.player)
		vel[i] = steer(pos[i], brain[i].Goal)
	}
}

func (g *laidOut) follow(c *followingAndSteering) {
	for i := range c.Parent {
		if at := c.Place.Get(c.Parent[i].Of); at != nil {
			c.Brain[i].Goal = escort(c.Enemy[i].Serial, *at)
		} else {
			c.Parents.Later(c.Do).Remove(c.Ents[i])
		}
		c.Vel[i] = steer(c.Pos[i], c.Brain[i].Goal)
	}
}

func (g *laidOut) move(c *movingTargets) {
	ents, who, vel, pos := c.Ents, c.Enemy, c.Vel, c.Pos
	for i := range pos {
		at := Position{pos[i].X + vel[i].X, pos[i].Y + vel[i].Y}
		pos[i] = at
		b := &g.grid[bucketOf(at.X/cell, at.Y/cell)]
		*b = append(*b, target{ents[i], at, who[i].Serial})
	}
}
