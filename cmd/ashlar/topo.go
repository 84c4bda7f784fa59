package main

import (
	"context"
	"flag"
	"os"

	"github.com/ashlar-go/ashlar/memmgr/topology"
)

// topoVerb is `ashlar topo`.
func topoVerb(_ context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("topo", flag.ContinueOnError)
	file := flags.String("file", "", "describe the machine that `FILE` describes, not this one")
	save := flags.Bool("save", false, "print the description in the form that -file reads")
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
		f, err := os.Open(*file)
		if err != nil {
			return err
		}
		defer f.Close()
		if t, err = topology.Parse(*file, f); err != nil {
			return err
		}
	}
	if *save {
		_, err = t.WriteTo(c.out)
		return err
	}
	return t.Report(c.out)
}
