// Bullets is a tank that drives through a field of enemies and shoots. Bullets hit, wound, and set
// on fire or poison.
//
//	go run ./docs/examples/bullets -enemies 5000 -frames 600
//
// It prints counts of events, a line for each hundred frames. Worth a look: systems spawn and destroy
// by commands, one system is for enemies that burn or are poisoned (ecs.Or), and enemies far away
// are disabled as a whole, so no other system sees them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"

	"github.com/ashlar-go/ashlar/ecs"
)

// The field is long and narrow. The tank drives along its middle.
const (
	fieldLength, fieldWidth = 600, 60
	sight                   = 40 // enemies farther away are disabled
)

type (
	Position struct{ X, Y float32 }
	Velocity struct{ X, Y float32 }
	Health   struct{ HP int32 }
	Fuse     struct{ Left int32 } // frames that a bullet flies
	Burning  struct{ Left int32 }
	Poison   struct{ Left int32 }
)

type (
	enemy struct {
		Position
		Health
	}
	bullet struct {
		Position
		Velocity
		Fuse
	}
)

// Field is a resource that all systems share.
type Field struct {
	Tank   Position
	Near   map[[2]int][]ecs.Entity // enemies that are awake, by square of the field
	Dice   *rand.Rand
	Fired  int
	Hits   int
	Missed int
	Killed int
}

func square(p Position) [2]int {
	return [2]int{int(math.Floor(float64(p.X))), int(math.Floor(float64(p.Y)))}
}

func (f *Field) sees(p Position) bool { return math.Abs(float64(p.X-f.Tank.X)) < sight }

type options struct {
	Enemies, Frames int
	Seed            uint64
	ECS             ecs.Options
}

func main() {
	var o options
	flag.IntVar(&o.Enemies, "enemies", 5000, "how many enemies stand in the field")
	flag.IntVar(&o.Frames, "frames", 600, "how many frames to run")
	flag.Uint64Var(&o.Seed, "seed", 1, "another seed makes another battle")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// battle is the world and the parts of it that several systems reach.
type battle struct {
	w       *ecs.World
	field   *Field
	health  *ecs.Pool[Health]
	fuses   *ecs.Pool[Fuse]
	burning *ecs.Pool[Burning]
	poison  *ecs.Pool[Poison]
}

func run(out io.Writer, o options) (err error) {
	w := ecs.New(o.ECS)
	defer func() { err = errors.Join(err, w.Close()) }()
	ecs.Register[Position](w, "position") // Run returns a mistake in it
	ecs.Register[Velocity](w, "velocity")
	b := battle{
		w:       w,
		field:   ecs.Provide(w, Field{Near: map[[2]int][]ecs.Entity{}, Dice: rand.New(rand.NewPCG(o.Seed, 0))}),
		health:  ecs.Register[Health](w, "health"),
		fuses:   ecs.Register[Fuse](w, "fuse"),
		burning: ecs.Register[Burning](w, "burning", ecs.Volatile), // it comes and goes
		poison:  ecs.Register[Poison](w, "poison", ecs.Volatile),
	}
	b.sleep()
	b.shoot()
	b.hit()
	b.suffer()
	if err := b.populate(o.Enemies); err != nil {
		return err
	}
	awake := ecs.QueryOf[struct{ Health []Health }](w)
	for frame := 1; frame <= o.Frames; frame++ {
		if err := w.Run(context.Background()); err != nil {
			return err
		}
		if frame%100 == 0 {
			fmt.Fprintf(out, "frame %d: tank at %.0f, %d enemies, %d awake, %d killed; %d fired, %d fly, %d hit, %d missed; %d burn, %d are poisoned\n",
				frame, b.field.Tank.X, b.health.Len(), awake.Len(), b.field.Killed, b.field.Fired, b.fuses.Len(), b.field.Hits, b.field.Missed, b.burning.Len(), b.poison.Len())
		}
	}
	return nil
}

// populate spawns the enemies.
func (b *battle) populate(n int) error {
	enemies := ecs.SpawnerOf[enemy](b.w)
	for range n {
		at := Position{b.field.Dice.Float32() * fieldLength, (b.field.Dice.Float32() - 0.5) * fieldWidth}
		if _, err := enemies.Spawn(enemy{at, Health{20}}); err != nil {
			return err
		}
	}
	return nil
}

// sleep has enemies disabled while they are far away.
func (b *battle) sleep() {
	// This system asks for disabled enemies. All others pass over it.
	ecs.System(b.w, "wake", func(c *struct {
		Ents []ecs.Entity
		Pos  []Position
		_    ecs.Disabled[ecs.Entity]
		Do   *ecs.Commands
	}) {
		for i, e := range c.Ents {
			if b.field.sees(c.Pos[i]) {
				c.Do.SetEnabled(e, true)
			}
		}
	})
	ecs.System(b.w, "sleep", func(c *struct {
		Ents []ecs.Entity
		Pos  []Position
		_    ecs.With[Health]
		Do   *ecs.Commands
	}) {
		for i, e := range c.Ents {
			if !b.field.sees(c.Pos[i]) {
				c.Do.SetEnabled(e, false)
			}
		}
	})
}

// shoot has the tank fire, and its bullets fly.
func (b *battle) shoot() {
	bullets := ecs.SpawnerOf[bullet](b.w)
	// It asks for no rows, so it runs once a frame and may spawn at once.
	ecs.System(b.w, "fire", func(*struct{}) {
		b.field.Tank.X = min(b.field.Tank.X+1, fieldLength)
		for range 10 {
			sin, cos := math.Sincos(b.field.Dice.Float64() * 2 * math.Pi)
			shot := bullet{b.field.Tank, Velocity{float32(cos), float32(sin)}, Fuse{30}}
			if _, err := bullets.Spawn(shot); err != nil {
				panic(err)
			}
			b.field.Fired++
		}
	})
	ecs.System(b.w, "fly", func(c *struct {
		Ents []ecs.Entity
		Pos  ecs.Write[Position]
		Vel  []Velocity
		Fuse ecs.Write[Fuse]
		Do   *ecs.Commands
	}) {
		for i, e := range c.Ents {
			c.Pos[i].X += c.Vel[i].X
			c.Pos[i].Y += c.Vel[i].Y
			if c.Fuse[i].Left--; c.Fuse[i].Left == 0 {
				c.Do.Destroy(e) // before the next system
				b.field.Missed++
			}
		}
	})
}

// hit finds the enemies that bullets meet.
func (b *battle) hit() {
	ecs.System(b.w, "forget", func(*struct{}) { clear(b.field.Near) })
	ecs.System(b.w, "look", func(c *struct {
		Ents []ecs.Entity
		Pos  []Position
		_    ecs.With[Health]
	}) {
		for i, e := range c.Ents {
			at := square(c.Pos[i])
			b.field.Near[at] = append(b.field.Near[at], e)
		}
	})
	ecs.System(b.w, "hit", func(c *struct {
		Ents []ecs.Entity
		Pos  []Position
		_    ecs.With[Fuse]
		Do   *ecs.Commands
	}) {
		for i, e := range c.Ents {
			there := b.field.Near[square(c.Pos[i])]
			if len(there) == 0 {
				continue
			}
			c.Do.Destroy(e)
			b.field.Hits++
			victim := there[0]
			b.health.Mut(victim).HP -= 5
			if b.field.Dice.IntN(2) == 0 {
				b.burning.Later(c.Do).Put(victim, Burning{10})
			} else {
				b.poison.Later(c.Do).Put(victim, Poison{30})
			}
		}
	})
}

// suffer wears enemies down that burn or are poisoned.
func (b *battle) suffer() {
	ecs.System(b.w, "suffer", func(c *struct {
		Health ecs.Write[Health]
		_      ecs.Or[Burning, Poison]
	}) {
		for i := range c.Health {
			c.Health[i].HP--
		}
	})
	ecs.System(b.w, "burn", func(c *struct {
		Ents    []ecs.Entity
		Burning ecs.Write[Burning]
		Do      *ecs.Commands
	}) {
		for i, e := range c.Ents {
			if c.Burning[i].Left--; c.Burning[i].Left == 0 {
				b.burning.Later(c.Do).Remove(e)
			}
		}
	})
	ecs.System(b.w, "recover", func(c *struct {
		Ents   []ecs.Entity
		Poison ecs.Write[Poison]
		Do     *ecs.Commands
	}) {
		for i, e := range c.Ents {
			if c.Poison[i].Left--; c.Poison[i].Left == 0 {
				b.poison.Later(c.Do).Remove(e)
			}
		}
	})
	ecs.System(b.w, "die", func(c *struct {
		Ents   []ecs.Entity
		Health []Health
		Do     *ecs.Commands
	}) {
		for i, e := range c.Ents {
			if c.Health[i].HP <= 0 {
				c.Do.Destroy(e)
				b.field.Killed++
			}
		}
	})
}
