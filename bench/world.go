package main

import (
	"context"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/bench/internal/twin"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	Position struct{ X, Y float64 }
	Velocity struct{ X, Y float64 }
)

// options are of a world that logs nothing.
func options() ecs.Options {
	return ecs.Options{Memory: memmgr.Options{Arena: arena.Options{Log: func(string) {}}}}
}

// frame is work that runs a frame of a world.
func frame(w *ecs.World) func() {
	ctx := context.Background()
	return func() { twin.Check(w.Run(ctx)) }
}
