package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"regexp"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/cmd/ashlar/report"
	"github.com/ashlar-go/ashlar/profile"
)

const mapSynopsis = "map FILE [-by group|heat] [-top N] [-group REGEXP] [-svg OUT.svg]"

// mapVerb is `ashlar map`.
func mapVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("map", flag.ContinueOnError)
	by := flags.String("by", string(report.ByGroup), "show each chunk's group, or how much it is used: `group|heat`")
	top := flags.Int("top", report.MapTop, "list the `N` groups with the most chunks, and fold regions until all fits a screen, or one page of SVG; 0 shows all groups and each region")
	only := flags.String("group", "", "show only groups whose name matches `REGEXP`, and regions where they are")
	svg := flags.String("svg", "", "write an SVG picture to `OUT` instead of text; - is the standard output")
	words, err := parse(c, flags, mapSynopsis, args)
	if err != nil {
		return err
	}
	if len(words) != 1 {
		return usage("map needs one file, a map that a run has recorded: %s", mapSynopsis)
	}
	o := report.MapOptions{By: report.By(*by), Top: *top}
	if o.By != report.ByGroup && o.By != report.ByHeat {
		return usage("-by %q: it is group or heat", *by)
	}
	if *top < 0 {
		return usage("-top %d: it is a number of groups, or 0 for all", *top)
	}
	if *only != "" {
		if o.Group, err = regexp.Compile(*only); err != nil {
			return usage("-group %q: %v: put \\ before a character that stands for itself", *only, err)
		}
	}
	set := c.files()
	m, err := readMap(ctx, set, words[0])
	if err != nil {
		return err
	}
	var picture bytes.Buffer
	if *svg == "" {
		fmt.Fprintln(&picture, report.MapHeadline(m))
		err = report.MapText(&picture, m, o)
	} else {
		err = report.MapSVG(&picture, m, o)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", files.Title(words[0]), err)
	}
	if *svg != "" && *svg != files.Stdin {
		return set.Write(*svg, picture.String())
	}
	_, err = picture.WriteTo(c.out)
	return err
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
