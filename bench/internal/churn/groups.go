package churn

import (
	"fmt"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// groups is the program with a declared group for each kind.
type groups struct {
	world
	list     []*ecs.Group[creature]
	position []*ecs.Pool[Position]
	velocity []*ecs.Pool[Velocity]
	life     []*ecs.Pool[Life]
}

type creature struct {
	Position Position
	Velocity Velocity
	Life     Life
}

// Structs of systems, for the first group: the others' components stand in.
type (
	groupMoving struct {
		Pos ecs.Write[Position] `ashlar:"position0"`
		Vel []Velocity          `ashlar:"velocity0"`
	}
	groupDying struct {
		Ents []ecs.Entity
		Life []Life `ashlar:"life0"`
		Do   *ecs.Commands
	}
)

func openGroups(r rules, entities int, o ecs.Options) twin.Stage {
	w := ecs.New(o)
	g := &groups{world: world{World: w, rules: r, want: entities}}
	g.world.spawn, g.find = g.spawn, func(s seen) *Position { return g.position[s.kind].Get(s.entity) }
	var all []ecs.AnyGroup
	for k := range r.kinds {
		p := ecs.Register[Position](w, fmt.Sprintf("position%d", k))
		v := ecs.Register[Velocity](w, fmt.Sprintf("velocity%d", k))
		l := ecs.Register[Life](w, fmt.Sprintf("life%d", k))
		group := ecs.GroupOf[creature](w, fmt.Sprintf("kind%d", k), p, v, l)
		g.position, g.velocity, g.life = append(g.position, p), append(g.velocity, v), append(g.life, l)
		g.list, all = append(g.list, group), append(all, group)
	}
	ecs.System(w, "move", func(m *groupMoving) { g.move((*moving)(m)) }, ecs.OnlyIn(all...))
	ecs.System(w, "die", func(d *groupDying) { g.die((*dying)(d)) }, ecs.OnlyIn(all...))
	return g.stage(g.digest)
}

func (g *groups) spawn(serial uint64) ecs.Entity {
	return twin.Must(g.list[g.kind(serial)].Spawn(creature{bornAt(serial), speedOf(serial), Life{serial}}))
}

func (g *groups) digest() uint64 {
	sum := g.story
	for k := range g.list {
		for e, life := range g.life[k].All() {
			sum += hash(*life, *g.position[k].Get(e), *g.velocity[k].Get(e), [extras]uint32{})
		}
	}
	return sum
}
