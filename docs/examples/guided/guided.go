// Guided is a program that goes by a layout. The first run records a profile, and a person writes a line
// that the second run begins with.
//
//	go run ./docs/examples/guided -record /tmp/guided.profile
//	printf 'ashlar layout 1\nview chase body.X gathered\n' >/tmp/guided.layout
//	go run ./docs/examples/guided -layout /tmp/guided.layout -record /tmp/guided.profile
//
// Hunters read a field of a component that lies elsewhere. The profile says how they got it. The layout
// asks for another way. Both runs have the same result: a layout says where values are, never what
// they are. `go run ./cmd/ashlar profile show FILE` prints a profile.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

type (
	Body struct {
		X, Y, SpeedX, SpeedY int32
		Rest                 [6]int32 // other data of a body, which hunters do not read
	}
	Hunter struct{ Nearest, Steps int32 }
)

type options struct {
	Layout   string
	Record   string
	Entities int
	Frames   int
	Seed     uint64
}

func main() {
	var o options
	flag.StringVar(&o.Layout, "layout", "", "go by the layout in `FILE`")
	flag.StringVar(&o.Record, "record", "", "write a profile to `FILE` in the end")
	flag.IntVar(&o.Entities, "entities", 20_000, "how many entities there are; half of them hunt")
	flag.IntVar(&o.Frames, "frames", 300, "how many frames to run")
	flag.Uint64Var(&o.Seed, "seed", 1, "another seed makes other entities")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, o options) (err error) {
	eo := ecs.Options{Record: true} // so that Facts has something to tell
	eo.Layout.File = o.Layout
	w := ecs.New(eo)
	defer func() { err = errors.Join(err, w.Close()) }()
	if err := setUp(w, o); err != nil {
		return err
	}
	for frame := 1; frame <= o.Frames; frame++ {
		if err := w.Run(context.Background()); err != nil {
			return err
		}
		if frame == min(60, o.Frames) {
			fmt.Fprintf(out, "frame %d: chase gets body.X %s\n", frame, way(w, "chase", "body.X"))
		}
	}
	digest, err := digestOf(w)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "frame %d: the hunters' digest is %016x\n", o.Frames, digest)

	if o.Record == "" {
		return nil
	}
	// The record goes into the profile, and where chunks lie into a map beside it.
	if err := profile.WriteRun(o.Record, w.Facts(), w.Map()); err != nil {
		return err
	}
	fmt.Fprintln(out, "wrote", o.Record)
	return nil
}

// way is how a system got components that its rows do not have.
func way(w *ecs.World, system, field string) string {
	for _, s := range w.Facts().Systems {
		for _, c := range s.Choices {
			if s.Name == system && c.Component == field {
				return c.Use
			}
		}
	}
	return "nowhere"
}

// setUp makes the components, the systems and the entities.
func setUp(w *ecs.World, o options) error {
	ecs.Register[Body](w, "body") // Run returns a mistake in it
	ecs.Register[Hunter](w, "hunter")
	bodies := ecs.GroupOf[struct{ Body }](w, "bodies")
	hunters := ecs.GroupOf[struct{ Hunter }](w, "hunters")
	hunters.SortAs(nil, 0) // rows of its own, beside which copies are kept
	var err error
	ecs.System(w, "run", func(c *struct {
		Body ecs.Write[Body]
	}) {
		for i := range c.Body {
			b := &c.Body[i]
			b.X += b.SpeedX
			b.Y += b.SpeedY
		}
	})
	// Two systems that go over hunters and read one field of their bodies.
	ecs.System(w, "smell", func(c *struct {
		Hunter ecs.Write[Hunter]
		X      []int32 `ashlar:"body.X"`
	}) {
		for i, x := range c.X {
			c.Hunter[i].Nearest = max(c.Hunter[i].Nearest, x%1000)
		}
	})
	ecs.System(w, "chase", func(c *struct {
		Hunter ecs.Write[Hunter]
		X      []int32 `ashlar:"body.X"`
	}) {
		for i, x := range c.X {
			if x%1000 < c.Hunter[i].Nearest {
				c.Hunter[i].Steps++
			}
		}
	})

	r := rand.New(rand.NewPCG(o.Seed, 0))
	es := make([]ecs.Entity, o.Entities)
	for i := range es {
		b := Body{X: r.Int32N(1000), Y: r.Int32N(1000), SpeedX: r.Int32N(9), SpeedY: r.Int32N(9)}
		if es[i], err = bodies.Spawn(struct{ Body }{b}); err != nil {
			return err
		}
	}
	r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	for _, e := range es[:len(es)/2] {
		if err := hunters.Put(e, struct{ Hunter }{}); err != nil {
			return err
		}
	}
	return nil
}

// digestOf is a number that tells two results apart.
func digestOf(w *ecs.World) (uint64, error) {
	all := ecs.QueryOf[struct {
		Ents   []ecs.Entity
		Hunter []Hunter
	}](w)
	h := fnv.New64a()
	for c := range all.All() {
		for i, e := range c.Ents { // row by row: where a batch ends is no part of the result
			fmt.Fprintln(h, e, c.Hunter[i])
		}
	}
	return h.Sum64(), nil
}
