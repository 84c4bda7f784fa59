package profile_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

type Health struct{ Points int32 }

// recorded is a world that ran for some frames, and noted the accesses of its system.
func recorded(o ecs.Options) *ecs.World {
	w := ecs.New(o)
	health := ecs.Register[Health](w, "health")
	for range 100 {
		e, err := w.Spawn()
		if err == nil {
			err = health.Add(e, Health{3})
		}
		if err != nil {
			panic(err)
		}
	}
	ecs.System(w, "heal", func(c *struct {
		Health ecs.Write[Health]
	}) {
		for i := range c.Health {
			c.Health[i].Points++
		}
	})
	for range 5 {
		if err := w.Run(context.Background()); err != nil {
			panic(err)
		}
	}
	return w
}

// temporary is a file that the example removes.
func temporary() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "profile")
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "game.profile"), func() { os.RemoveAll(dir) }
}

// The record of a run is written, and read by people and tools.
func ExampleWriteRun() {
	path, remove := temporary()
	defer remove()
	w := recorded(ecs.Options{Record: true, Layout: layout.Source{Off: true}}) // not that of the environment
	defer w.Close()
	if err := profile.WriteRun(path, w.Facts(), w.Map()); err != nil {
		panic(err)
	}
	p, err := profile.ReadFile(path)
	if err != nil {
		panic(err)
	}
	m, err := profile.ReadMap(path + profile.MapSuffix)
	fmt.Println(p.Frames, "frames,", p.Systems[0].Access[0].Rows, "rows;", m.Chunks[0].Rows, "rows in the last one", err)
	// Output: 5 frames, 500 rows; 100 rows in the last one <nil>
}
