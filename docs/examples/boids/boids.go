// Boids is a swarm of birds. Each looks at the birds around it, flies the way they fly, stays near
// them and keeps out of crowds. Nobody leads, and flocks appear.
//
//	go run ./docs/examples/boids -boids 4000 -frames 300
//
// It prints a map of the sky before and after, and the alignment: 1 if all birds of a cell fly the
// same way. Worth a look: the grid is a resource, which four systems share. Two of them run on several cores.
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
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
)

// The sky is a torus of square cells. A bird sees its own cell and the eight around it.
const (
	cellSize = 4
	cells    = 64 // in each direction
	skySize  = cellSize * cells
)

type (
	Position struct{ X, Y float32 }
	Velocity struct{ X, Y float32 }
)

// bird has the components that a bird is spawned with.
type bird struct {
	Position
	Velocity
}

// Cell sums up the birds in a cell: how many there are, and sums.
type Cell struct {
	Count  float32
	Offset Position // from the cell's corner
	Vel    Velocity
}

// Grid is all cells. It is a resource: systems ask for it by a field.
type Grid struct{ Cells [cells][cells]Cell }

func cellOf(p Position) (x, y int) {
	return int(p.X/cellSize) & (cells - 1), int(p.Y/cellSize) & (cells - 1)
}

func offset(p Position, x, y int) Position {
	return Position{p.X - float32(x*cellSize), p.Y - float32(y*cellSize)}
}

type options struct {
	Boids, Frames int
	Seed          uint64
	ECS           ecs.Options
}

func main() {
	var o options
	flag.IntVar(&o.Boids, "boids", 4000, "how many birds there are")
	flag.IntVar(&o.Frames, "frames", 300, "how many frames to run")
	flag.Uint64Var(&o.Seed, "seed", 1, "another seed makes another swarm")
	flag.IntVar(&o.ECS.Workers, "workers", 0, "how many goroutines run a system; 0: as many as there is processors' time for")
	flag.Parse()
	if err := run(os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(out io.Writer, o options) (err error) {
	w := ecs.New(o.ECS)
	defer func() { err = errors.Join(err, w.Close()) }()
	ecs.Register[Position](w, "position") // Run returns a mistake in it
	ecs.Register[Velocity](w, "velocity")
	birds := ecs.SpawnerOf[bird](w)
	grid := ecs.Provide(w, Grid{})
	ecs.System(w, "clear", clearGrid)
	ecs.System(w, "count", count)
	ecs.System(w, "steer", steer, ecs.Parallel())
	ecs.System(w, "fly", fly, ecs.Parallel())

	r := rand.New(rand.NewPCG(o.Seed, 0))
	for range o.Boids {
		sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
		b := bird{Position{r.Float32() * skySize, r.Float32() * skySize}, Velocity{float32(cos), float32(sin)}}
		if _, err := birds.Spawn(b); err != nil {
			return err
		}
	}
	for frame := range o.Frames {
		if err := w.Run(context.Background()); err != nil {
			return err
		}
		if frame == 0 || frame == o.Frames-1 {
			fmt.Fprintf(out, "frame %d: %d birds, alignment %.2f\n%s", frame+1, w.Len(), alignment(grid), sky(grid))
		}
	}
	return nil
}

// clearGrid asks for no component, so it is called once a frame.
func clearGrid(c *struct {
	Grid ecs.WriteRes[Grid]
}) {
	*c.Grid.Mut() = Grid{}
}

func count(c *struct {
	Pos  []Position
	Vel  []Velocity
	Grid ecs.WriteRes[Grid]
}) {
	grid := c.Grid.Mut()
	for i, p := range c.Pos {
		x, y := cellOf(p)
		cell, at := &grid.Cells[y][x], offset(p, x, y)
		cell.Count++
		cell.Offset.X += at.X
		cell.Offset.Y += at.Y
		cell.Vel.X += c.Vel[i].X
		cell.Vel.Y += c.Vel[i].Y
	}
}

func steer(c *struct {
	Pos  []Position
	Vel  ecs.Write[Velocity]
	Grid ecs.Res[Grid]
}) {
	const align, gather, avoid, crowd = 0.08, 0.004, 0.03, 6
	grid := c.Grid.Get()
	pos, vel := c.Pos, c.Vel
	for i, p := range pos {
		x, y := cellOf(p)
		at, sum := offset(p, x, y), Cell{}
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				near := &grid.Cells[(y+dy)&(cells-1)][(x+dx)&(cells-1)]
				sum.Count += near.Count
				sum.Offset.X += near.Offset.X + float32(dx*cellSize)*near.Count
				sum.Offset.Y += near.Offset.Y + float32(dy*cellSize)*near.Count
				sum.Vel.X += near.Vel.X
				sum.Vel.Y += near.Vel.Y
			}
		}
		v := vel[i]
		v.X += align*(sum.Vel.X/sum.Count-v.X) + gather*(sum.Offset.X/sum.Count-at.X)
		v.Y += align*(sum.Vel.Y/sum.Count-v.Y) + gather*(sum.Offset.Y/sum.Count-at.Y)
		if own := &grid.Cells[y][x]; own.Count > crowd {
			v.X -= avoid * (own.Offset.X/own.Count - at.X)
			v.Y -= avoid * (own.Offset.Y/own.Count - at.Y)
		}
		if speed := length(v); speed > 0 {
			v.X, v.Y = v.X/speed, v.Y/speed
		}
		vel[i] = v
	}
}

func fly(c *struct {
	Pos ecs.Write[Position]
	Vel []Velocity
}) {
	const step = 0.5
	pos, vel := c.Pos, c.Vel // hoisted: Go reloads slice headers through a pointer
	for i := range pos {
		pos[i].X = around(pos[i].X + step*vel[i].X)
		pos[i].Y = around(pos[i].Y + step*vel[i].Y)
	}
}

// around leads a bird that flies out of the sky back into it.
func around(x float32) float32 {
	if x < 0 {
		x += skySize
	}
	if x >= skySize {
		x -= skySize
	}
	return x
}

func length(v Velocity) float32 { return float32(math.Hypot(float64(v.X), float64(v.Y))) }

// alignment is 1 if all birds of each cell fly the same way. It is near 0 if many fly at random.
func alignment(grid *Grid) float32 {
	sum, n := float32(0), float32(0)
	for y := range grid.Cells {
		for _, cell := range grid.Cells[y] {
			if cell.Count > 1 { // a bird alone is no flock
				sum, n = sum+length(cell.Vel), n+cell.Count
			}
		}
	}
	return sum / max(n, 1)
}

// sky draws the grid: a character is a cell wide and two high, and the more birds the darker.
func sky(grid *Grid) string {
	const shades = " .:-=+*#%@"
	var b strings.Builder
	for y := 0; y < cells; y += 2 {
		for x := range cells {
			n := int(grid.Cells[y][x].Count + grid.Cells[y+1][x].Count)
			b.WriteByte(shades[min(n, len(shades)-1)])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
