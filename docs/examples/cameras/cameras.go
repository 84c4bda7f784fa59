// Cameras is a scene of things that all have a Transform, and cameras that look at sprites. A camera
// needs one field of the Transform, the position, for each sprite.
//
//	go run ./docs/examples/cameras -things 20000 -cameras 8
//
// It prints how many sprites each camera sees, and how positions got to the cameras. Worth a look:
// Sprite and Transform belong to two groups, so they lie in different rows, in another order. The
// field `ashlar:"transform.Position"` makes them two slices of equal length all the same. The
// positions are gathered once, and all cameras use them.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"

	"github.com/ashlar-go/ashlar/ecs"
)

const sceneSize = 1000

type (
	Vec3      struct{ X, Y, Z float32 }
	Transform struct {
		Position Vec3
		Scale    Vec3
		Rotation [4]float32
	}
	Velocity struct{ X, Y, Z float32 }
	Sprite   struct {
		Radius float32
		Image  uint32
	}
)

// thing has the components of everything: it belongs to group "things".
type thing struct {
	Transform
	Velocity
}

// drawn has the components of visible things: it belongs to group "sprites".
type drawn struct{ Sprite }

// Camera sees things nearer than Far.
type Camera struct {
	At   Vec3
	Far  float32
	Seen int // sprites in the last frame
}

// look is the struct of a camera's query: rows of sprites, and the position of each.
type look struct {
	Sprite []Sprite
	At     []Vec3 `ashlar:"transform.Position"`
}

type options struct {
	Things, Cameras, Frames int
	Seed                    uint64
	ECS                     ecs.Options
}

func main() {
	var o options
	flag.IntVar(&o.Things, "things", 20_000, "how many things there are; two in three are drawn")
	flag.IntVar(&o.Cameras, "cameras", 8, "how many cameras look at them")
	flag.IntVar(&o.Frames, "frames", 200, "how many frames to run")
	flag.Uint64Var(&o.Seed, "seed", 1, "another seed makes another scene")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, o options) (err error) {
	o.ECS.Record = true
	w := ecs.New(o.ECS)
	defer func() { err = errors.Join(err, w.Close()) }()
	ecs.Register[Transform](w, "transform") // Run returns a mistake in it
	ecs.Register[Velocity](w, "velocity")
	ecs.Register[Sprite](w, "sprite")

	r := rand.New(rand.NewPCG(o.Seed, 0))
	if err := spawn(w, r, o.Things); err != nil {
		return err
	}
	ecs.System(w, "move", move)
	cameras := make([]Camera, o.Cameras)
	for i := range cameras {
		camera := &cameras[i]
		*camera = Camera{At: somewhere(r), Far: 150}
		ecs.System(w, fmt.Sprintf("camera-%d", i+1), camera.look)
	}
	for range o.Frames {
		for i := range cameras {
			cameras[i].Seen = 0
		}
		if err := w.Run(context.Background()); err != nil {
			return err
		}
	}

	for i, c := range cameras {
		fmt.Fprintf(out, "camera %d at %.0f sees %d sprites\n", i+1, c.At, c.Seen)
	}
	for _, v := range w.Facts().Shared {
		fmt.Fprintf(out, "%s read %s for %d cameras: %d chunks were gathered, and used again %d times\n",
			v.Group, v.Component, v.Readers, v.Built+v.Refreshed, v.Reused)
	}
	return nil
}

// look is a camera's system. It is called once for each run of rows, several times in a frame. The
// two slices have the same rows, so it is a plain loop.
func (c *Camera) look(s *look) {
	for i, p := range s.At {
		x, y, z := p.X-c.At.X, p.Y-c.At.Y, p.Z-c.At.Z
		if reach := c.Far + s.Sprite[i].Radius; x*x+y*y+z*z < reach*reach {
			c.Seen++
		}
	}
}

// move goes over the rows of group "things".
func move(c *struct {
	T ecs.Write[Transform]
	V []Velocity
}) {
	for i, v := range c.V {
		at := &c.T[i].Position
		at.X += v.X
		at.Y += v.Y
		at.Z += v.Z
	}
}

func somewhere(r *rand.Rand) Vec3 {
	return Vec3{r.Float32() * sceneSize, r.Float32() * sceneSize, r.Float32() * sceneSize}
}

// spawn makes the things, and then draws two in three, in another order.
func spawn(w *ecs.World, r *rand.Rand, n int) error {
	things := ecs.GroupOf[thing](w, "things")
	sprites := ecs.GroupOf[drawn](w, "sprites")
	sprites.SortAs(nil, 0) // rows of its own, beside which the cameras' copies are kept
	var err error
	es := make([]ecs.Entity, n)
	for i := range es {
		t := thing{Transform{Position: somewhere(r)}, Velocity{r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5}}
		if es[i], err = things.Spawn(t); err != nil {
			return err
		}
	}
	r.Shuffle(n, func(i, j int) { es[i], es[j] = es[j], es[i] })
	for _, e := range es[:n*2/3] {
		if err := sprites.Put(e, drawn{Sprite{Radius: 1 + 9*r.Float32()}}); err != nil {
			return err
		}
	}
	return nil
}
