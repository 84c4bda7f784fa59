package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Cameras see the same as a plain loop over slices, whether positions are kept or gathered for each.
func TestSeen(t *testing.T) {
	o := options{Things: 10_000, Cameras: 5, Frames: 40, Seed: 1}
	print := func(eo ecs.Options) (seen, shared string) {
		t.Helper()
		var out bytes.Buffer
		o.ECS = eo
		if err := run(&out, o); err != nil {
			t.Fatal(err)
		}
		seen, shared, _ = strings.Cut(out.String(), "sprites read")
		return seen, shared
	}
	want := plain(o)
	var gathered, reused int
	for name, eo := range map[string]ecs.Options{
		"kept":      {Views: ecs.Views{Always: true}},
		"gathered":  {Views: ecs.Views{Off: true}},
		"by counts": {},
		"stress":    {Memory: memmgr.Options{Stress: true}},
	} {
		seen, shared := print(eo)
		if seen != want {
			t.Errorf("%s: cameras see\n%s, want\n%s", name, seen, want)
		}
		if name != "kept" {
			continue
		}
		if _, err := fmt.Sscanf(shared, " transform.Position for 5 cameras: %d chunks were gathered, and used again %d times", &gathered, &reused); err != nil {
			t.Errorf("%q: %v", shared, err)
		}
		if gathered == 0 || reused != 4*gathered {
			t.Errorf("%d chunks were gathered, and used again %d times; five cameras share them", gathered, reused)
		}
	}
}

// plain is the cameras' view by a slice of positions and one of sprites.
func plain(o options) string {
	r := rand.New(rand.NewPCG(o.Seed, 0))
	at, vel := make([]Vec3, o.Things), make([]Velocity, o.Things)
	for i := range at {
		at[i] = somewhere(r)
		vel[i] = Velocity{r.Float32() - 0.5, r.Float32() - 0.5, r.Float32() - 0.5}
	}
	order := make([]int, o.Things)
	for i := range order {
		order[i] = i
	}
	r.Shuffle(o.Things, func(i, j int) { order[i], order[j] = order[j], order[i] })
	radius := make([]float32, o.Things*2/3)
	for i := range radius {
		radius[i] = 1 + 9*r.Float32()
	}
	for range o.Frames {
		for i, v := range vel {
			at[i] = Vec3{at[i].X + v.X, at[i].Y + v.Y, at[i].Z + v.Z}
		}
	}
	var b strings.Builder
	for n := range o.Cameras {
		c := Camera{At: somewhere(r), Far: 150}
		for i, radius := range radius {
			p := at[order[i]]
			x, y, z := p.X-c.At.X, p.Y-c.At.Y, p.Z-c.At.Z
			if reach := c.Far + radius; x*x+y*y+z*z < reach*reach {
				c.Seen++
			}
		}
		fmt.Fprintf(&b, "camera %d at %.0f sees %d sprites\n", n+1, c.At, c.Seen)
	}
	return b.String()
}
