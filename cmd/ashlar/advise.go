package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/arena/caches"
	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/advice"
	"github.com/ashlar-go/ashlar/profile/layout"
)

const adviseSynopsis = "advise FILE… [-o LAYOUT] [-placement MAP] [-cache KIB]"

// adviseVerb is `ashlar advise`.
func adviseVerb(ctx context.Context, c console, args []string) error {
	flags := flag.NewFlagSet("advise", flag.ContinueOnError)
	mapped := flags.String("placement", "", "the `MAP` of the run; by default FILE.map, if there is one")
	cache := flags.Uint("cache", 0, "advise for a machine with `KIB` KiB of L2 cache, as its 'ashlar topo' says; 0 is this one")
	out := flags.String("o", "", "write what the next run should begin with to the layout `FILE`; statements that a person wrote there stay; - is the standard output")
	words, err := parse(c, flags, adviseSynopsis, args)
	if err != nil {
		return err
	}
	if len(words) == 0 {
		return usage("advise needs a file, a profile that a run has recorded: %s", adviseSynopsis)
	}
	set := c.files()
	r, err := readRuns(ctx, set, words, *mapped, uint64(*cache)<<10)
	if err != nil {
		return err
	}
	if *out != "" {
		return r.writeLayout(ctx, c, set, *out)
	}
	_, err = io.WriteString(c.out, r.advice())
	return err
}

// recordedRun is the recording of a run, and the cache size for which to advise.
type recordedRun struct {
	name    string // of the profile
	profile profile.Profile
	title   string // of the map; "" without a map
	chunks  profile.Map
	cache   uint64 // bytes near a processor
}

// readRuns reads the files of runs of one program, as one run that lasted longer. The map is of the first. If the
// name of the map is empty, it reads the map beside the profile if that exists. A cache of 0 means that of this machine.
func readRuns(ctx context.Context, set *files.Set, paths []string, mapped string, cache uint64) (r recordedRun, err error) {
	if first := paths[0]; mapped == "" && first != files.Stdin && !files.IsAddress(first) {
		if _, err := os.Stat(first + profile.MapSuffix); !errors.Is(err, fs.ErrNotExist) {
			mapped = first + profile.MapSuffix
		}
	}
	list, err := readProfiles(ctx, set, paths)
	if mapped != "" {
		var bad error
		r.title = files.Title(mapped)
		r.chunks, bad = readMapOf(ctx, set, mapped, list[0].Profile)
		err = errors.Join(err, bad)
	}
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	if err != nil {
		return r, err
	}
	if r.cache = cache; cache == 0 {
		r.cache = cacheBytes(caches.Detect())
	}
	var names []string
	for _, f := range list {
		names = append(names, f.name)
	}
	r.name = strings.Join(names, ", ")
	r.profile, err = joined(list, false)
	return r, err
}

// advice writes the inputs, and then the changes, the best first.
func (r *recordedRun) advice() string {
	var b strings.Builder
	for _, p := range r.profile.Runs() {
		fmt.Fprintf(&b, "profile  %s: %s\n", r.name, profile.InWorld(p.World, strings.Join([]string{count(p.Frames, "frame"), count(len(p.Systems), "system"), count(len(p.Groups), "group")}, ", ")))
	}
	if r.title == "" {
		b.WriteString("map      none: advice on memory needs one; name it with -placement MAP\n")
	} else {
		fmt.Fprintf(&b, "map      %s: %s\n", r.title, profile.InWorld(r.chunks.World, fmt.Sprintf("frame %d, regions: %d, chunks: %d", r.chunks.Frame, len(r.chunks.Regions), len(r.chunks.Chunks))))
	}
	fmt.Fprintf(&b, "cache    %d KiB near each processor\n%s\n", r.cache>>10, r.few())
	lines, list := advice.Of(r.profile, r.chunks, r.cache), advice.Layout(r.profile, r.cache)
	for i, l := range lines {
		b.WriteString(wrap(fmt.Sprintf("%d. %s", i+1, l)))
	}
	switch {
	case len(lines)+len(list) == 0:
		b.WriteString("nothing to advise\n")
	case len(lines) > 1 && lines[1].Time > 0:
		b.WriteString("\nThese savings do not add up: follow the first line, record again, and ask again.\n")
	}
	if len(list) > 0 {
		b.WriteString("\nThe next run could begin with a layout; -o FILE writes it:\n")
		for _, s := range list {
			why, advised := strings.CutPrefix(s.Why, layout.Advised)
			if !advised {
				why = strings.TrimSuffix("by hand: "+why, ": ")
			}
			b.WriteString(wrap("  " + profile.InWorld(s.World, s.String()) + "\n      " + why + "\n"))
		}
	}
	return b.String()
}

// writeLayout brings a layout up to date with the advice of a profile, and reports the change.
func (r *recordedRun) writeLayout(ctx context.Context, c console, set *files.Set, path string) error {
	old := ""
	if _, err := os.Stat(path); path != files.Stdin && err == nil {
		b, err := readLayout(ctx, &files.Set{}, path)
		if err == nil && len(b) > 0 {
			_, err = layout.Parse(path, b)
		}
		if err != nil {
			return fmt.Errorf("%w\n-o brings a layout up to date: correct this file, or name another one", err)
		}
		old = string(b)
	}
	list := advice.Layout(r.profile, r.cache)
	if old != "" { // its lines by hand are those that a person wants, and not those that the run went by
		list = slices.DeleteFunc(list, func(s layout.Statement) bool { return !strings.HasPrefix(s.Why, layout.Advised) })
	}
	text := layout.Revise(old, list)
	if path == files.Stdin {
		_, err := io.WriteString(c.out, text)
		return err
	}
	l, err := layout.Parse(path, []byte(text))
	if err == nil {
		err = set.Write(path, text)
	}
	if err != nil {
		return err
	}
	in := 0 // of the advice: what a person or a trial has said stays
	for _, s := range l.Statements {
		if strings.HasPrefix(s.Why, layout.Advised) {
			in++
		}
	}
	fmt.Fprintf(c.out, "wrote %s: %s, %d of them advised\n%s", path, count(len(l.Statements), "statement"), in, r.few())
	if len(l.Statements) > 0 {
		fmt.Fprintf(c.out, "try it: ashlar layout try %s -- PROGRAM\n", path)
	}
	return nil
}

// few names the worlds with too few recorded frames for advice: the store looks at storage every 8, and
// needs some looks.
func (r *recordedRun) few() (text string) {
	for _, p := range r.profile.Runs() {
		if p.Frames > 0 && p.Frames < 64 {
			text += profile.InWorld(p.World, fmt.Sprintf("only %s recorded: record some hundred for advice to rest on\n", count(p.Frames, "frame")))
		}
	}
	return text
}
