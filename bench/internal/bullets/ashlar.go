package bullets

import (
	"context"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
)

// world is the program on Ashlar.
type world struct {
	*ecs.World
	gun
	position *ecs.Pool[Position]
	velocity *ecs.Pool[Velocity]
	fuse     *ecs.Pool[Fuse]
	bullets  *ecs.Spawner[bullet]
	born     []ecs.Entity
}

type flying struct {
	Ents []ecs.Entity
	Pos  ecs.Write[Position]
	Vel  []Velocity
	Fuse ecs.Write[Fuse]
	Do   *ecs.Commands
}

func openAshlar(entities int, o ecs.Options) twin.Stage {
	w := ecs.New(o)
	g := &world{
		World: w, gun: gunFor(entities),
		position: ecs.Register[Position](w, "position"),
		velocity: ecs.Register[Velocity](w, "velocity"),
		fuse:     ecs.Register[Fuse](w, "fuse"),
		bullets:  ecs.SpawnerOf[bullet](w),
	}
	ecs.System(w, "fly", g.fly)
	return twin.Stage{Frame: g.step, Digest: g.digest, Check: g.Check, Close: g.Close, World: w}
}

func (g *world) step() {
	if values := g.fire(); len(values) > 0 {
		g.born = append(g.born[:0], make([]ecs.Entity, len(values))...)
		twin.Check(g.bullets.SpawnN(g.born, values))
	}
	twin.Check(g.Run(context.Background()))
}

func (g *world) fly(f *flying) {
	pos, vel, fuse := f.Pos, f.Vel, f.Fuse
	for i := range pos {
		pos[i].X += vel[i].X
		pos[i].Y += vel[i].Y
		if fuse[i].Left--; fuse[i].Left == 0 {
			g.story += hit(pos[i], fuse[i].Damage)
			f.Do.Destroy(f.Ents[i])
		}
	}
}

func (g *world) digest() uint64 {
	sum := g.story
	for e, fuse := range g.fuse.All() {
		b := bullet{*g.position.Get(e), *g.velocity.Get(e), *fuse}
		sum += b.hash()
	}
	return sum
}
