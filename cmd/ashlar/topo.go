package main

import (
	"context"
	"flag"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/topology"
)

// topoVerb is `ashlar topo`.
func topoVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("topo", flag.ContinueOnError)
	file := flags.String("file", "", "show the machine that `FILE` describes, not this one")
	save := flags.Bool("save", false, "print it in the form that -file reads")
	words, err := parse(c, flags, "topo [-file FILE] [-save]", args)
	if err != nil {
		return err
	}
	if len(words) > 0 {
		return usage("topo takes no words, and %q is one", words[0])
	}
	var t topology.Topology
	if *file == "" {
		t = topology.Detect(topology.DetectOptions{})
	} else {
		if t, err = readTopology(ctx, c.files(), *file); err != nil {
			return err
		}
	}
	if *save {
		_, err = t.WriteTo(c.out)
		return err
	}
	return t.Report(c.out)
}

// readTopology reads a machine's description from a file, the standard input or an address.
func readTopology(ctx context.Context, set *files.Set, name string) (topology.Topology, error) {
	return files.Read(ctx, set, name, files.Topology, topology.Parse)
}
