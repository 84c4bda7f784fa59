package churn

import (
	"context"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// kinds is the program on Ashlar. Its frame changes the counts.
type kinds struct {
	*ecs.World
	rules
	position *ecs.Pool[Position]
	velocity *ecs.Pool[Velocity]
	life     *ecs.Pool[Life]
	extra    [extras]further

	want   int
	frame  uint64
	serial uint64
	story  uint64
	watch  [watched]ecs.Entity // that are looked up
}

// Structs of systems.
type (
	moving struct {
		Pos ecs.Write[Position]
		Vel []Velocity
	}
	dying struct {
		Ents []ecs.Entity
		Life []Life
		Do   *ecs.Commands
	}
	mending struct {
		Armor ecs.Write[Armor]
		Mana  []Mana
	}
	dreaming struct {
		Sleep ecs.Write[Sleep]
		Life  []Life
	}
)

func (k *kinds) birth() {
	k.serial++
	e := k.spawn(k.serial)
	if slot, yes := watch(k.serial); yes {
		k.watch[slot] = e
	}
}

func (k *kinds) step() {
	twin.Check(k.Run(context.Background()))
	for range k.want - k.Len() {
		k.birth()
	}
	for slot, e := range k.watch {
		if at := k.position.Get(e); at != nil {
			k.story += sight(slot, *at)
		}
	}
	k.frame++
}

func (k *kinds) move(m *moving) {
	pos, vel := m.Pos, m.Vel
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
	}
}

func (k *kinds) die(d *dying) {
	for i, l := range d.Life {
		if k.dies(l.Serial, k.frame) {
			d.Do.Destroy(d.Ents[i])
		}
	}
}

// further is a component that some kinds have, whichever it is.
type further struct {
	add   func(e ecs.Entity, points uint32)
	value func(e ecs.Entity) (points uint32)
}

func furtherOf[T ~struct{ Points uint32 }](w *ecs.World, name string) further {
	p := ecs.Register[T](w, name)
	return further{
		func(e ecs.Entity, points uint32) { twin.Add(p, e, T{points}) },
		func(e ecs.Entity) uint32 { return struct{ Points uint32 }(twin.Value(p, e)).Points },
	}
}

func openKinds(r rules, entities int, o ecs.Options) twin.Stage {
	o.MaxEntities = uint32(max(2*entities, 1<<25))
	w := ecs.New(o)
	k := &kinds{
		World: w, rules: r, want: entities,
		position: ecs.Register[Position](w, "position"),
		velocity: ecs.Register[Velocity](w, "velocity"),
		life:     ecs.Register[Life](w, "life"),
		extra: [extras]further{
			furtherOf[Armor](w, "armor"), furtherOf[Mana](w, "mana"), furtherOf[Hunger](w, "hunger"),
			furtherOf[Sleep](w, "sleep"), furtherOf[Gold](w, "gold"), furtherOf[Fame](w, "fame"),
		},
	}
	ecs.System(w, "move", k.move)
	ecs.System(w, "mend", func(m *mending) {
		for i := range m.Armor {
			m.Armor[i].Points += m.Mana[i].Points
		}
	})
	ecs.System(w, "dream", func(d *dreaming) {
		for i := range d.Sleep {
			d.Sleep[i].Points += uint32(d.Life[i].Serial)
		}
	})
	ecs.System(w, "die", k.die)
	for range k.want {
		k.birth()
	}
	return twin.Stage{Frame: k.step, Digest: k.digest, Check: k.Check, Close: k.Close, World: w}
}

// spawn makes an entity with the components of its kind.
func (k *kinds) spawn(serial uint64) ecs.Entity {
	e, kind := twin.Must(k.Spawn()), k.kind(serial)
	twin.Add(k.position, e, bornAt(serial))
	twin.Add(k.velocity, e, speedOf(serial))
	twin.Add(k.life, e, Life{serial})
	for x := range k.extra {
		if k.has(kind, x) {
			k.extra[x].add(e, extraOf(serial, x))
		}
	}
	return e
}

func (k *kinds) digest() uint64 {
	sum := k.story
	for e, life := range k.life.All() {
		var extra [extras]uint32
		for x := range extra {
			extra[x] = k.extra[x].value(e)
		}
		sum += hash(*life, *k.position.Get(e), *k.velocity.Get(e), extra)
	}
	return sum
}
