package profile_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

type Health struct{ Points int32 }

// recorded is a world that ran for some frames, and noted what its system touched.
func recorded(o ecs.Options) *ecs.World {
	w, err := ecs.New(o)
	if err != nil {
		panic(err)
	}
	health, err := ecs.Register[Health](w, "health")
	if err != nil {
		panic(err)
	}
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
		Health []Health `ashlar:"write"`
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

// What a run has recorded is written, and read by people and tools.
func ExampleWriteRun() {
	path, remove := temporary()
	defer remove()
	o := ecs.Options{Record: ecs.Recording{On: true}, Profile: profile.LoadOptions{Named: true}}
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

// What a developer writes is a file of a few lines. A program may embed it.
func ExampleParse() {
	p, err := profile.Parse("game.profile", strings.NewReader("ashlar profile 1\ncold debris\nbudget time 50us\n"))
	if err != nil {
		panic(err)
	}
	fmt.Println(p.Hints.Cold, p.Hints.Budget.Time)
	_, err = profile.Parse("game.profile", strings.NewReader("ashlar profile 1\ncold\n"))
	fmt.Println(err)
	// Output:
	// [debris] 50µs
	// game.profile:2:5: the group's name is missing; the form is: cold GROUP
}

// Hints in code overrule those of a file.
func ExampleLoad() {
	loaded, err := profile.Load(profile.LoadOptions{
		Code:  profile.Profile{Hints: profile.Hints{Views: []profile.View{{System: "cull", Component: "transform", Choice: "gathered"}}}},
		Named: true,
		Log:   slog.New(slog.DiscardHandler),
	})
	fmt.Println(loaded.Profile.Hints.Views, loaded.Sources, err)
	// Output: [{cull transform gathered}] [code: statements 1] <nil>
}

func ExampleMerge() {
	short := profile.Profile{Frames: 10}
	long := profile.Profile{Frames: 30, Hints: profile.Hints{Cold: []string{"debris"}}}
	m, err := profile.Merge(short, long)
	fmt.Println(m.Frames, m.Hints.Cold, err)
	// Output: 40 [debris] <nil>
}

// A program asks what would make it faster, from what a run has recorded.
func ExampleAdvise() {
	p, err := profile.Parse("game.profile", strings.NewReader(`ashlar profile 1

frames 600

component transform size 64 align 4

group sprites owns sprite rows 24000000 chunks 12000 peak 40000 last 40000
group transforms owns transform rows 24000000 chunks 30000 peak 40000 last 40000

system list frames 600 timed 60 p10 780us p50 800us p90 860us p99 1ms
access list sprites sprite read rows 24000000 chunks 12000 bytes 384000000
access list transforms transform read scattered rows 24000000 chunks 30000 bytes 1536000000
choice list sprites transform gathered frames 600 chunks 0 stale 0 order 90 gathered 19ns

end
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range profile.Advise(p, profile.Map{}, 1<<20) {
		fmt.Println(a.Rule, a.System, a.Code)
	}
	// Output:
	// groups list Leave out GroupOf for sprites and transforms; spawn with SpawnerOf
	// field list In the struct of list: Field []F `ashlar:"transform.Field"`
}
