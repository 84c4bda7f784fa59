package survivors

import (
	"github.com/ashlar-go/ashlar/ecs"
)

// Structs of systems.
type (
	leaving struct {
		Ents []ecs.Entity
		Pos  []Position
		Far  *ecs.Pool[Far]
		Do   *ecs.Commands
		_    ecs.With[Enemy]
		_    ecs.Without[Far]
	}
	returning struct {
		Ents []ecs.Entity
		Pos  []Position
		Far  *ecs.Pool[Far]
		Do   *ecs.Commands
		_    ecs.With[Far]
	}
	hunting struct {
		Enemy []Enemy
		Brain ecs.Write[Brain]
		_     ecs.Without[Parent]
		_     ecs.Without[Far]
	}
	following struct {
		Ents    []ecs.Entity
		Enemy   []Enemy
		Parent  []Parent
		Brain   ecs.Write[Brain]
		Place   *ecs.Pool[Position]
		Parents *ecs.Pool[Parent]
		Do      *ecs.Commands
		_       ecs.Without[Far]
	}
	steering struct {
		Pos   []Position
		Brain []Brain
		Vel   ecs.Write[Velocity]
		_     ecs.Without[Far]
	}
	slowing struct {
		Vel ecs.Write[Velocity]
		_   ecs.With[Slow]
	}
	moving struct {
		Pos ecs.Write[Position]
		Vel []Velocity
		_   ecs.Without[Far]
	}
	aiming struct {
		Ents  []ecs.Entity
		Pos   []Position
		Enemy []Enemy
		_     ecs.With[Health]
		_     ecs.Without[Far]
	}
	striking struct {
		Ents   []ecs.Entity
		Pos    []Position
		Bullet []Bullet
		Health *ecs.Pool[Health]
		Armor  *ecs.Pool[Armor]
		Do     *ecs.Commands
	}
	poisoned struct {
		Ents    []ecs.Entity
		Poison  ecs.Write[Poison]
		Health  ecs.Write[Health]
		Poisons *ecs.Pool[Poison]
		Do      *ecs.Commands
	}
	burning struct {
		Ents   []ecs.Entity
		Burn   ecs.Write[Burn]
		Health ecs.Write[Health]
		Burns  *ecs.Pool[Burn]
		Do     *ecs.Commands
	}
	recovering struct {
		Ents  []ecs.Entity
		Slow  ecs.Write[Slow]
		Slows *ecs.Pool[Slow]
		Do    *ecs.Commands
	}
	shooting struct {
		Enemy  []Enemy
		Weapon ecs.Write[Weapon]
		_      ecs.Without[Far]
	}
	dying struct {
		Ents   []ecs.Entity
		Enemy  []Enemy
		Health []Health
		Do     *ecs.Commands
	}
	fading struct {
		Ents []ecs.Entity
		Fade ecs.Write[Fade]
		Do   *ecs.Commands
	}
	drawing struct {
		Pos    []Position
		Enemy  []Enemy
		Sprite ecs.Write[Sprite]
		_      ecs.Without[Far]
	}
)

// systems registers the systems of a frame, in this order.
func (g *world) systems() {
	w := g.World
	ecs.System(w, "leave", g.leave)
	ecs.System(w, "return", g.comeBack)
	ecs.System(w, "hunt", g.hunt)
	ecs.System(w, "follow", g.follow)
	ecs.System(w, "steer", g.steer)
	ecs.System(w, "slow", g.slowDown)
	ecs.System(w, "move", g.move)
	ecs.System(w, "aim", g.aim)
	ecs.System(w, "strike", g.strike)
	ecs.System(w, "poison", g.poisoned)
	ecs.System(w, "burn", g.burning)
	ecs.System(w, "recover", g.recovering)
	ecs.System(w, "shoot", g.shoot)
	ecs.System(w, "die", g.die)
	ecs.System(w, "fade", g.fadeAway)
	ecs.System(w, "draw", g.draw)
}

func (g *world) leave(c *leaving) {
	for i, at := range c.Pos {
		if isFar(at, g.player) {
			c.Far.Later(c.Do).Add(c.Ents[i], Far{})
		}
	}
}

func (g *world) comeBack(c *returning) {
	for i, at := range c.Pos {
		if !isFar(at, g.player) {
			c.Far.Later(c.Do).Remove(c.Ents[i])
		}
	}
}

func (g *world) hunt(c *hunting) {
	who, brain := c.Enemy, c.Brain
	for i := range brain {
		brain[i].Goal = hunt(who[i].Serial, g.player)
	}
}

func (g *world) follow(c *following) {
	for i, p := range c.Parent {
		if at := c.Place.Get(p.Of); at != nil {
			c.Brain[i].Goal = escort(c.Enemy[i].Serial, *at)
		} else {
			c.Parents.Later(c.Do).Remove(c.Ents[i])
		}
	}
}

func (g *world) steer(c *steering) {
	pos, brain, vel := c.Pos, c.Brain, c.Vel
	for i := range vel {
		vel[i] = steer(pos[i], brain[i].Goal)
	}
}

func (g *world) slowDown(c *slowing) {
	vel := c.Vel
	for i := range vel {
		vel[i] = Velocity{vel[i].X / 2, vel[i].Y / 2}
	}
}

func (g *world) move(c *moving) {
	pos, vel := c.Pos, c.Vel
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

// aim puts targets into the grid.
func (g *world) aim(c *aiming) {
	for i, at := range c.Pos {
		b := &g.grid[bucketOf(at.X/cell, at.Y/cell)]
		*b = append(*b, target{c.Ents[i], at, c.Enemy[i].Serial})
	}
}

func (g *world) strike(c *striking) {
	for i, at := range c.Pos {
		var hit target
		best := int32(reach)
		for _, t := range g.grid[bucketOf(at.X/cell, at.Y/cell)] {
			if d, near := distance(at, t.at); near && better(d, best, t.serial, hit.serial) {
				hit, best = t, d
			}
		}
		if hit.serial == 0 {
			continue
		}
		b := c.Bullet[i]
		wound(c.Health.Mut(hit.entity), c.Armor.Mut(hit.entity), b.Damage)
		switch effectOf(b.Serial) {
		case 1:
			afflict(g.poison, c.Do, hit.entity, Poison{effectTime})
		case 2:
			afflict(g.slow, c.Do, hit.entity, Slow{effectTime})
		case 3:
			afflict(g.burn, c.Do, hit.entity, Burn{effectTime})
		}
		c.Do.Destroy(c.Ents[i])
	}
}

// afflict gives an enemy an effect, or makes the one that it has begin anew.
func afflict[T any](p *ecs.Pool[T], do *ecs.Commands, e ecs.Entity, v T) {
	if had := p.Mut(e); had != nil {
		*had = v
	} else {
		p.Later(do).Add(e, v)
	}
}

func (g *world) poisoned(c *poisoned) {
	for i := range c.Poison {
		c.Health[i].Points--
		if c.Poison[i].Left--; c.Poison[i].Left == 0 {
			c.Poisons.Later(c.Do).Remove(c.Ents[i])
		}
	}
}

func (g *world) burning(c *burning) {
	for i := range c.Burn {
		if c.Burn[i].Left%15 == 0 {
			c.Health[i].Points -= 5
		}
		if c.Burn[i].Left--; c.Burn[i].Left == 0 {
			c.Burns.Later(c.Do).Remove(c.Ents[i])
		}
	}
}

func (g *world) recovering(c *recovering) {
	for i := range c.Slow {
		if c.Slow[i].Left--; c.Slow[i].Left == 0 {
			c.Slows.Later(c.Do).Remove(c.Ents[i])
		}
	}
}

func (g *world) shoot(c *shooting) {
	for i := range c.Weapon {
		if c.Weapon[i].Cool--; c.Weapon[i].Cool == 0 {
			s := c.Enemy[i].Serial
			c.Weapon[i].Cool = coolOf(s)
			g.tally.fired += fired(s, g.frame)
		}
	}
}

func (g *world) die(c *dying) {
	for i, h := range c.Health {
		if h.Points <= 0 {
			g.tally.dead += died(c.Enemy[i].Serial, g.frame)
			g.tally.kills++
			c.Do.Destroy(c.Ents[i])
		}
	}
}

func (g *world) fadeAway(c *fading) {
	for i := range c.Fade {
		if c.Fade[i].Left--; c.Fade[i].Left == 0 {
			c.Do.Destroy(c.Ents[i])
		}
	}
}

func (g *world) draw(c *drawing) {
	pos, who, sprite := c.Pos, c.Enemy, c.Sprite
	for i, at := range pos {
		if onScreen(at, g.player) {
			sprite[i].Frame++
			g.tally.drawn += drawn(who[i].Serial, sprite[i].Frame, at)
		}
	}
}
