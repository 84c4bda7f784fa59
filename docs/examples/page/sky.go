// Page is a web page of stars that fly around the pointer: 100,000 entities in the browser, each of
// which moves and is drawn in each frame.
//
//	go run ./docs/examples/page            serves it at http://localhost:8080/?entities=100000
//	go run ./docs/examples/page -measure   opens it in a headless Chromium, and prints its figures
//
// The page shows how many frames a second there are, how long a frame takes, and how much memory the
// program has. This file is the world. page_js.go is the program in the browser, and serve.go the
// server, which builds it.
package main

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/ecs"
)

// The canvas has this size. A star is one pixel.
const width, height = 960, 540

type (
	Position struct{ X, Y float32 }
	Velocity struct{ X, Y float32 }
	Color    uint32 // red, green, blue, alpha from the lowest byte on, as ImageData has it
)

// star has the components that a star is spawned with.
type star struct {
	Position
	Velocity
	Color
}

// Screen is a resource: where stars are drawn, four bytes a pixel, and where the pointer is.
type Screen struct {
	Pixels  []byte
	Pointer Position
}

// sky is a world of stars.
type sky struct {
	world  *ecs.World
	screen *Screen
}

// newSky makes a world of n stars.
func newSky(n int, seed uint64, o ecs.Options) (*sky, error) {
	w := ecs.New(o)
	ecs.Register[Position](w, "position") // Run returns a mistake in it
	ecs.Register[Velocity](w, "velocity")
	ecs.Register[Color](w, "color")
	screen := ecs.Provide(w, Screen{make([]byte, 4*width*height), Position{width / 2, height / 2}})
	ecs.System(w, "pull", pull)
	ecs.System(w, "move", move)
	ecs.System(w, "clear", func(c *struct {
		Screen ecs.WriteRes[Screen]
	}) {
		clear(c.Screen.Mut().Pixels)
	}, ecs.InPhase(ecs.Render))
	ecs.System(w, "draw", draw, ecs.InPhase(ecs.Render))
	return &sky{w, screen}, spawn(w, n, seed)
}

// frame moves and draws all stars.
func (s *sky) frame() error { return s.world.Run(context.Background()) }

// spawn makes a disc of stars that turns around the middle. Inner stars are yellow, outer ones blue.
func spawn(w *ecs.World, n int, seed uint64) error {
	stars := ecs.SpawnerOf[star](w)
	r := rand.New(rand.NewPCG(seed, 0))
	for range n {
		share := math.Sqrt(r.Float64()) // of the disc's radius: as many stars on each square
		sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
		radius := 10 + share*height*0.45
		speed := math.Sqrt(radius) * 0.12
		_, err := stars.Spawn(star{
			Position{width/2 + float32(cos*radius), height/2 + float32(sin*radius)},
			Velocity{float32(-sin * speed), float32(cos * speed)},
			Color(255-uint32(share*155)) | Color(180)<<8 | Color(90+uint32(share*165))<<16 | 255<<24,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// pull draws stars to the pointer, the more the nearer they are.
func pull(c *struct {
	Pos    []Position
	Vel    ecs.Write[Velocity]
	Screen ecs.Res[Screen]
}) {
	at := c.Screen.Get().Pointer
	pos, vel := c.Pos, c.Vel // hoisted: Go reloads slice headers through a pointer
	for i, p := range pos {
		x, y := at.X-p.X, at.Y-p.Y
		a := 5 / (x*x + y*y + 500)
		vel[i].X += a * x
		vel[i].Y += a * y
	}
}

// move moves stars. A star at an edge turns back.
func move(c *struct {
	Pos ecs.Write[Position]
	Vel ecs.Write[Velocity]
}) {
	pos, vel := c.Pos, c.Vel
	for i := range pos {
		p, v := &pos[i], &vel[i]
		p.X += v.X
		p.Y += v.Y
		if p.X < 0 || p.X >= width {
			v.X = -v.X
			p.X = min(max(p.X, 0), width-1)
		}
		if p.Y < 0 || p.Y >= height {
			v.Y = -v.Y
			p.Y = min(max(p.Y, 0), height-1)
		}
	}
}

func draw(c *struct {
	Pos    []Position
	Color  []Color
	Screen ecs.WriteRes[Screen]
}) {
	pixels, colors := c.Screen.Mut().Pixels, c.Color
	for i, p := range c.Pos {
		at := 4 * (int(p.Y)*width + int(p.X))
		binary.LittleEndian.PutUint32(pixels[at:at+4], uint32(colors[i]))
	}
}
