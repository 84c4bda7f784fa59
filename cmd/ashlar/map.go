package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/placement"
	"github.com/ashlar-go/ashlar/internal/profile"
)

const mapSynopsis = "map FILE [-by group|heat] [-svg OUT.svg]"

// mapVerb is `ashlar map`.
func mapVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("map", flag.ContinueOnError)
	by := flags.String("by", string(placement.Group), "show each chunk's group, or how much it is used: `group|heat`")
	svg := flags.String("svg", "", "write an SVG picture to `OUT` instead of text; - is the standard output")
	words, err := parse(c, flags, mapSynopsis, args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usage("map needs one file, a map that a run has recorded: %s", mapSynopsis)
	}
	if *by != string(placement.Group) && *by != string(placement.Heat) {
		return usage("-by %q: it is group or heat", *by)
	}
	set := c.files()
	m, err := readMap(ctx, set, words[0])
	if err != nil {
		return err
	}
	switch *svg {
	case "":
		if _, err := fmt.Fprintln(c.out, placement.Headline(m)); err != nil {
			return err
		}
		return placement.Text(c.out, m, placement.By(*by))
	case files.Stdin:
		return placement.SVG(c.out, m, placement.By(*by))
	}
	var picture bytes.Buffer
	if err := placement.SVG(&picture, m, placement.By(*by)); err != nil {
		return err
	}
	return set.Write(*svg, picture.String())
}

// readMap reads a map from a file, the standard input or an address.
func readMap(ctx context.Context, set *files.Set, name string) (profile.Map, error) {
	return files.Read(ctx, set, name, files.Map, profile.ParseMap)
}
