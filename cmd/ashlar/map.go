package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/internal/profile"
	"github.com/ashlar-go/ashlar/internal/report"
)

const mapSynopsis = "map FILE [-by group|heat] [-svg OUT.svg]"

// mapVerb is `ashlar map`.
func mapVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("map", flag.ContinueOnError)
	by := flags.String("by", string(report.ByGroup), "show each chunk's group, or how much it is used: `group|heat`")
	svg := flags.String("svg", "", "write an SVG picture to `OUT` instead of text; - is the standard output")
	words, err := parse(c, flags, mapSynopsis, args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usage("map needs one file, a map that a run has recorded: %s", mapSynopsis)
	}
	if *by != string(report.ByGroup) && *by != string(report.ByHeat) {
		return usage("-by %q: it is group or heat", *by)
	}
	set := c.files()
	m, err := readMap(ctx, set, words[0])
	if err != nil {
		return err
	}
	switch *svg {
	case "":
		if _, err := fmt.Fprintln(c.out, report.MapHeadline(m)); err != nil {
			return err
		}
		return report.MapText(c.out, m, report.By(*by))
	case files.Stdin:
		return report.MapSVG(c.out, m, report.By(*by))
	}
	var picture bytes.Buffer
	if err := report.MapSVG(&picture, m, report.By(*by)); err != nil {
		return err
	}
	return set.Write(*svg, picture.String())
}

// readMapOf reads the map of the run that recorded a profile.
func readMapOf(ctx context.Context, set *files.Set, name string, p profile.Profile) (profile.Map, error) {
	m, err := readMap(ctx, set, name)
	if err == nil && !m.Belongs(p) {
		err = fmt.Errorf("%s is the map of another run: name the one that was recorded with the profile, or record both anew", files.Title(name))
	}
	return m, err
}

// readMap reads a map from a file, the standard input or an address.
func readMap(ctx context.Context, set *files.Set, name string) (profile.Map, error) {
	return files.Read(ctx, set, name, files.Map, profile.ParseMap)
}
