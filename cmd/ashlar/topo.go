package main

import (
	"context"
	"os"

	"github.com/ashlar-go/ashlar/arena/caches"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/topology"
)

// topoVerb is `ashlar topo`.
func topoVerb(_ context.Context, c console, args []string) error {
	if err := noWords(c, "topo", args); err != nil {
		return err
	}
	return topology.Report(c.out, os.DirFS("/"), caches.Detect())
}
