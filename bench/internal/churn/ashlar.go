package churn

import (
	"context"
	"errors"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// world is what both ways on Ashlar have in common.
type world struct {
	*ecs.World
	rules
	spawn  func(serial uint64) ecs.Entity
	find   func(seen) *Position
	want   int
	frame  uint64
	serial uint64
	story  uint64
	watch  [watched]seen
}

// seen is an entity that is looked up.
type seen struct {
	entity ecs.Entity
	kind   int
}

// What the systems ask for.
type (
	moving struct {
		Pos []Position `ashlar:"write"`
		Vel []Velocity
	}
	dying struct {
		Ents []ecs.Entity
		Life []Life
		Do   *ecs.Commands
	}
	mending struct {
		Armor []Armor `ashlar:"write"`
		Mana  []Mana
	}
	dreaming struct {
		Sleep []Sleep `ashlar:"write"`
		Life  []Life
	}
)

func (c *world) birth() {
	c.serial++
	e := c.spawn(c.serial)
	if slot, yes := watch(c.serial); yes {
		c.watch[slot] = seen{e, c.kind(c.serial)}
	}
}

func (c *world) step() {
	twin.Check(c.Run(context.Background()))
	for range c.want - c.Len() {
		c.birth()
	}
	for slot, s := range c.watch {
		if at := c.find(s); at != nil {
			c.story += sight(slot, *at)
		}
	}
	c.frame++
}

func (c *world) move(m *moving) {
	pos, vel := m.Pos, m.Vel
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

func (c *world) die(d *dying) {
	for i, l := range d.Life {
		if c.dies(l.Serial, c.frame) {
			c.Destroy(d.Ents[i], d.Do)
		}
	}
}

// kinds is the program with shared components and no groups.
type kinds struct {
	world
	position *ecs.Pool[Position]
	velocity *ecs.Pool[Velocity]
	life     *ecs.Pool[Life]
	armor    *ecs.Pool[Armor]
	mana     *ecs.Pool[Mana]
	hunger   *ecs.Pool[Hunger]
	sleep    *ecs.Pool[Sleep]
	gold     *ecs.Pool[Gold]
	fame     *ecs.Pool[Fame]
}

func openKinds(r rules, entities int, o ecs.Options) twin.Stage {
	o.MaxEntities = uint32(max(2*entities, 1<<25))
	w := twin.Must(ecs.New(o))
	k := &kinds{
		world:    world{World: w, rules: r, want: entities},
		position: twin.Must(ecs.Register[Position](w, "position")),
		velocity: twin.Must(ecs.Register[Velocity](w, "velocity")),
		life:     twin.Must(ecs.Register[Life](w, "life")),
		armor:    twin.Must(ecs.Register[Armor](w, "armor")),
		mana:     twin.Must(ecs.Register[Mana](w, "mana")),
		hunger:   twin.Must(ecs.Register[Hunger](w, "hunger")),
		sleep:    twin.Must(ecs.Register[Sleep](w, "sleep")),
		gold:     twin.Must(ecs.Register[Gold](w, "gold")),
		fame:     twin.Must(ecs.Register[Fame](w, "fame")),
	}
	k.world.spawn, k.find = k.spawn, func(s seen) *Position { return k.position.Get(s.entity) }
	twin.Check(errors.Join(
		ecs.System(w, "move", k.move),
		ecs.System(w, "mend", func(m *mending) {
			for i := range m.Armor {
				m.Armor[i].Points += m.Mana[i].Points
			}
		}),
		ecs.System(w, "dream", func(d *dreaming) {
			for i := range d.Sleep {
				d.Sleep[i].Points += uint32(d.Life[i].Serial)
			}
		}),
		ecs.System(w, "die", k.die),
	))
	for range entities {
		k.birth()
	}
	return twin.Stage{Frame: k.step, Digest: k.digest, Check: w.Check, Close: w.Close, World: w}
}

// spawn makes an entity with what its kind has.
func (k *kinds) spawn(serial uint64) ecs.Entity {
	e, kind := twin.Must(k.Spawn()), k.kind(serial)
	twin.Add(k.position, e, bornAt(serial))
	twin.Add(k.velocity, e, speedOf(serial))
	twin.Add(k.life, e, Life{serial})
	if k.has(kind, 0) {
		twin.Add(k.armor, e, Armor{extraOf(serial, 0)})
	}
	if k.has(kind, 1) {
		twin.Add(k.mana, e, Mana{extraOf(serial, 1)})
	}
	if k.has(kind, 2) {
		twin.Add(k.hunger, e, Hunger{extraOf(serial, 2)})
	}
	if k.has(kind, 3) {
		twin.Add(k.sleep, e, Sleep{extraOf(serial, 3)})
	}
	if k.has(kind, 4) {
		twin.Add(k.gold, e, Gold{extraOf(serial, 4)})
	}
	if k.has(kind, 5) {
		twin.Add(k.fame, e, Fame{extraOf(serial, 5)})
	}
	return e
}

func (k *kinds) digest() uint64 {
	sum := k.story
	for e, life := range k.life.All() {
		sum += hash(*life, *k.position.Get(e), *k.velocity.Get(e), [extras]uint32{
			twin.Value(k.armor, e).Points, twin.Value(k.mana, e).Points, twin.Value(k.hunger, e).Points,
			twin.Value(k.sleep, e).Points, twin.Value(k.gold, e).Points, twin.Value(k.fame, e).Points,
		})
	}
	return sum
}
