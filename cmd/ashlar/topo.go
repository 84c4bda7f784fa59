package main

import (
	"context"
	"flag"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/topology"
)

// topoVerb is `ashlar topo`.
func topoVerb(_ context.Context, c console, args []string) error {
	words, err := parse(c, flag.NewFlagSet("topo", flag.ContinueOnError), "topo", args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return usage("unexpected %q: topo takes no arguments", words[0])
	}
	return topology.Detect(topology.Options{}).Report(c.out)
}
