package survivors

import (
	"context"
	"errors"

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
		Brain []Brain    `ashlar:"write"`
		Vel   []Velocity `ashlar:"write"`
		_     ecs.Without[Parent]
		_     ecs.Without[Far]
	}
	followingAndSteering struct {
		Ents    []ecs.Entity
		Enemy   []Enemy
		Pos     []Position
		Parent  []Parent
		Brain   []Brain    `ashlar:"write"`
		Vel     []Velocity `ashlar:"write"`
		Place   *ecs.Pool[Position]
		Parents *ecs.Pool[Parent]
		Do      *ecs.Commands
		_       ecs.Without[Far]
	}
	movingTargets struct {
		Ents  []ecs.Entity
		Enemy []Enemy
		Vel   []Velocity
		Pos   []Position `ashlar:"write"`
		_     ecs.With[Health]
		_     ecs.Without[Far]
	}
	movingOthers struct {
		Vel []Velocity
		Pos []Position `ashlar:"write"`
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
	g := &laidOut{world: world{World: twin.Must(ecs.New(o)), enemies: enemies}}
	w := &g.world
	twin.Check(errors.Join(
		register(w, &g.position, "position", ecs.Stable), register(w, &g.velocity, "velocity", ecs.Stable), register(w, &g.enemy, "enemy", ecs.Stable),
		register(w, &g.health, "health", ecs.Stable), register(w, &g.armor, "armor", ecs.Stable), register(w, &g.brain, "brain", ecs.Stable),
		register(w, &g.sprite, "sprite", ecs.Stable), register(w, &g.weapon, "weapon", ecs.Stable), register(w, &g.fade, "fade", ecs.Stable),
		register(w, &g.bullet, "bullet", ecs.Stable), register(w, &g.parent, "parent", ecs.Stable), register(w, &g.far, "far", ecs.Stable),
		register(w, &g.poison, "poison"), register(w, &g.slow, "slow"), register(w, &g.burn, "burn"),
		spawner(w, &g.walkers), spawner(w, &g.tanks), spawner(w, &g.shooters), spawner(w, &g.guards),
		spawner(w, &g.turrets), spawner(w, &g.ghosts), spawner(w, &g.bullets),
	))
	twin.Check(g.systems())
	return twin.Stage{Frame: g.step, Digest: g.digest, Check: g.Check, Close: g.Close, World: g.World}
}

func spawner[S any](g *world, s **ecs.Spawner[S]) (err error) {
	*s, err = ecs.SpawnerOf[S](g.World)
	return err
}

func (g *laidOut) step() {
	g.player, g.tally = player(g.frame), tally{}
	for i := range g.grid {
		g.grid[i] = g.grid[i][:0]
	}
	g.births(g.spawnEnemy, g.fire)
	twin.Check(g.Run(context.Background()))
	g.story = g.tally.into(g.story)
	g.frame++
}

func (g *laidOut) fire(s uint32) {
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
	case kind == guard && len(g.leaders) > 0:
		e, err = g.guards.Spawn(aGuard{h, health, Parent{g.leaders[draw(s, 14, uint64(len(g.leaders)))]}})
	case kind == turret:
		e, err = g.turrets.Spawn(aTurret{h.Enemy, at, h.Sprite, health, Armor{armorOf(s)}, Weapon{coolOf(s)}})
	case kind == ghost:
		e, err = g.ghosts.Spawn(aGhost{h, Fade{fadeOf(s)}})
	default:
		e, err = g.walkers.Spawn(aWalker{h, health})
	}
	if twin.Check(err); leads(kind) {
		g.meet(e)
	}
}

func (g *laidOut) systems() error {
	w := g.World
	return errors.Join(
		ecs.System(w, "leave", g.leave),
		ecs.System(w, "return", g.comeBack),
		ecs.System(w, "hunt", g.hunt),
		ecs.System(w, "follow", g.follow),
		ecs.System(w, "slow", g.slowDown),
		ecs.System(w, "move", g.move),
		ecs.System(w, "move.others", g.moveOthers),
		ecs.System(w, "aim", g.aim),
		ecs.System(w, "strike", g.strike),
		ecs.System(w, "poison", g.poisoned),
		ecs.System(w, "burn", g.burning),
		ecs.System(w, "recover", g.recovering),
		ecs.System(w, "shoot", g.shoot),
		ecs.System(w, "die", g.die),
		ecs.System(w, "fade", g.fadeAway),
		ecs.System(w, "draw", g.draw),
	)
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
			c.Parents.Remove(c.Ents[i], c.Do)
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

func (g *laidOut) moveOthers(c *movingOthers) {
	pos, vel := c.Pos, c.Vel
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

// aim is for those that do not move.
func (g *laidOut) aim(c *standing) {
	for i, at := range c.Pos {
		b := &g.grid[bucketOf(at.X/cell, at.Y/cell)]
		*b = append(*b, target{c.Ents[i], at, c.Enemy[i].Serial})
	}
}
