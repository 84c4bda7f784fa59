package main

import (
	"math"
	"math/rand/v2"
	"sync"

	"github.com/ashlar-go/ashlar/ecs"
)

// The birds of docs/examples/boids: each flies the way of the birds in its cell and the eight around it. One core sums the
// cells up, on both sides.
const (
	skyCells = 64 // in each direction
	skyCell  = 4
	skySize  = skyCell * skyCells
)

type (
	place32 struct{ X, Y float32 }
	speed32 struct{ X, Y float32 }

	bird struct {
		At place32
		V  speed32
	}

	// skyCellSum sums up the birds in a cell.
	skyCellSum struct {
		Count float32
		At    place32 // from the cell's corner
		V     speed32
	}
	sky struct {
		Cells [skyCells][skyCells]skyCellSum
	}
)

func skyCellOf(p place32) (x, y int) {
	return int(p.X/skyCell) & (skyCells - 1), int(p.Y/skyCell) & (skyCells - 1)
}

func inCell(p place32, x, y int) place32 {
	return place32{p.X - float32(x*skyCell), p.Y - float32(y*skyCell)}
}

func (s *sky) count(at []place32, v []speed32) {
	for i, p := range at {
		x, y := skyCellOf(p)
		c, p := &s.Cells[y][x], inCell(p, x, y)
		c.Count++
		c.At.X += p.X
		c.At.Y += p.Y
		c.V.X += v[i].X
		c.V.Y += v[i].Y
	}
}

func (s *sky) steer(at []place32, v []speed32) {
	const align, gather, avoid, crowd = 0.08, 0.004, 0.03, 6
	for i, p := range at {
		x, y := skyCellOf(p)
		p, sum := inCell(p, x, y), skyCellSum{}
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				near := &s.Cells[(y+dy)&(skyCells-1)][(x+dx)&(skyCells-1)]
				sum.Count += near.Count
				sum.At.X += near.At.X + float32(dx*skyCell)*near.Count
				sum.At.Y += near.At.Y + float32(dy*skyCell)*near.Count
				sum.V.X += near.V.X
				sum.V.Y += near.V.Y
			}
		}
		to := v[i]
		to.X += align*(sum.V.X/sum.Count-to.X) + gather*(sum.At.X/sum.Count-p.X)
		to.Y += align*(sum.V.Y/sum.Count-to.Y) + gather*(sum.At.Y/sum.Count-p.Y)
		if own := &s.Cells[y][x]; own.Count > crowd {
			to.X -= avoid * (own.At.X/own.Count - p.X)
			to.Y -= avoid * (own.At.Y/own.Count - p.Y)
		}
		if speed := float32(math.Hypot(float64(to.X), float64(to.Y))); speed > 0 {
			to.X, to.Y = to.X/speed, to.Y/speed
		}
		v[i] = to
	}
}

func fly(at []place32, v []speed32) {
	for i := range at {
		at[i].X = aroundSky(at[i].X + v[i].X/2)
		at[i].Y = aroundSky(at[i].Y + v[i].Y/2)
	}
}

func aroundSky(x float32) float32 {
	if x < 0 {
		x += skySize
	}
	if x >= skySize {
		x -= skySize
	}
	return x
}

// newBirds is n birds at places of their own.
func newBirds(n int) (list []bird) {
	r := rand.New(rand.NewPCG(1, 2))
	for range n {
		sin, cos := math.Sincos(r.Float64() * 2 * math.Pi)
		list = append(list, bird{place32{r.Float32() * skySize, r.Float32() * skySize}, speed32{float32(cos), float32(sin)}})
	}
	return list
}

// boids is whole steps of n birds with two workers, against two goroutines over halves of slices.
func boids(n int) func() (ashlar, baseline, floor piece) {
	return func() (ashlar, baseline, floor piece) {
		_, step := boidsOn(2, n)
		ashlar.work, baseline.work = repeated(step), repeated(newHalves(n).step)
		return ashlar, baseline, floor
	}
}

// boidsOn is the systems of the example on some workers.
func boidsOn(workers, n int) (w *ecs.World, step func()) {
	o := options()
	o.Workers = workers
	w = ecs.New(o)
	ecs.Register[place32](w, "at")
	ecs.Register[speed32](w, "v")
	ecs.Provide(w, sky{})
	ecs.System(w, "clear", func(c *struct{ Sky ecs.WriteRes[sky] }) { *c.Sky.Mut() = sky{} })
	ecs.System(w, "count", func(c *struct {
		At  []place32
		V   []speed32
		Sky ecs.WriteRes[sky]
	}) {
		c.Sky.Mut().count(c.At, c.V)
	})
	ecs.System(w, "steer", func(c *struct {
		At  []place32
		V   ecs.Write[speed32]
		Sky ecs.Res[sky]
	}) {
		c.Sky.Get().steer(c.At, c.V)
	}, ecs.Parallel())
	ecs.System(w, "fly", func(c *struct {
		At ecs.Write[place32]
		V  []speed32
	}) {
		fly(c.At, c.V)
	}, ecs.Parallel())
	check(ecs.SpawnerOf[bird](w).SpawnN(make([]ecs.Entity, n), newBirds(n)))
	settle(w)
	return w, frame(w)
}

// halves is the same birds in slices.
type halves struct {
	at  []place32
	v   []speed32
	sky sky
}

func newHalves(n int) *halves {
	h := &halves{}
	for _, b := range newBirds(n) {
		h.at, h.v = append(h.at, b.At), append(h.v, b.V)
	}
	return h
}

func (h *halves) step() {
	h.sky = sky{}
	h.sky.count(h.at, h.v)
	half := len(h.at) / 2
	var other sync.WaitGroup
	other.Go(func() {
		h.sky.steer(h.at[half:], h.v[half:])
		fly(h.at[half:], h.v[half:])
	})
	h.sky.steer(h.at[:half], h.v[:half])
	fly(h.at[:half], h.v[:half])
	other.Wait()
}
