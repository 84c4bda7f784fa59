package profile_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
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
	o := ecs.Options{Record: true, Profile: profile.LoadOptions{Named: true}}
	w := recorded(o)
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

// A world begins with a profile.
func ExampleLoadOptions() {
	path, remove := temporary()
	defer remove()
	hints := profile.Profile{Hints: profile.Hints{Cold: []string{"table/health", "debris"}}}
	if err := hints.WriteFile(path); err != nil {
		panic(err)
	}
	w := recorded(ecs.Options{Profile: profile.LoadOptions{File: path, Log: slog.New(slog.DiscardHandler)}})
	defer w.Close()
	loaded := w.Profile()
	fmt.Println(loaded.Sources[0].Statements, "statements,", loaded.Dropped, "about what the world does not have")
	// Output: 2 statements, 1 about what the world does not have
}
