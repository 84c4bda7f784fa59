package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ashlar-go/ashlar/cmd/ashlar/internal/files"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// memoryFlags are the flags of `ashlar run` about layouts, profiles and adapting.
type memoryFlags struct {
	layout, record, adapt *string
}

func memoryFlagsOf(flags *flag.FlagSet) memoryFlags {
	return memoryFlags{
		flags.String("layout", "", "go by the layout in `FILE`; off: by none"),
		flags.String("record", "", "record what systems read and write to `FILE`, and where chunks are at the end to FILE.map; both or neither, also after Ctrl-C; facts about other worlds stay, comments go"),
		flags.String("adapt", "on", "move chunks where it helps, never, or all at every safe point: `on|off|stress`"),
	}
}

// options sets a world's options.
func (f memoryFlags) options(ctx context.Context, o *ecs.Options, set *files.Set) error {
	switch *f.adapt {
	case "on":
	case "off":
		o.Adapt.Off = true
	case "stress":
		o.Memory.Stress = true
	default:
		return usage("-adapt %q is unknown: use off, on or stress", *f.adapt)
	}
	o.Record = *f.record != ""
	switch *f.layout {
	case "":
	case "off":
		o.Layout.Off = true
	default:
		if os.Getenv(layout.EnvironmentVariable) == "off" {
			return nil // which overrules all, and the file may be the reason
		}
		l, err := readLayout(ctx, set, *f.layout)
		if err != nil {
			return err
		}
		o.Layout = layout.Source{File: files.Title(*f.layout), Text: l}
	}
	return nil
}

// recordFile is the target of a recording, and the file's former content.
type recordFile struct {
	path   string
	before profile.Profile
}

// recording reads the files that the run will replace, and writes a test file beside them.
// So errors appear before the run and not after it.
func (f memoryFlags) recording() (*recordFile, error) {
	if *f.record == "" {
		return nil, nil
	}
	if *f.record == files.Stdin {
		return nil, usage("-record writes two files, FILE and FILE%s, so it can't write to the standard output: name a FILE", profile.MapSuffix)
	}
	err := files.OfKind(*f.record, files.Profile)
	if err == nil {
		err = files.OfKind(*f.record+profile.MapSuffix, files.Map)
	}
	if err != nil {
		return nil, fmt.Errorf("-record %s writes a profile and a map: %w", *f.record, err)
	}
	var before profile.Profile
	if info, err := os.Stat(*f.record); err == nil && info.Size() > 0 {
		if before, err = profile.ReadFile(*f.record); err != nil {
			return nil, fmt.Errorf("%w\n-record replaces the facts of a profile about the same world: name another FILE, or correct this one", err)
		}
	}
	for _, path := range []string{*f.record, *f.record + profile.MapSuffix} {
		if err := writable(path); err != nil {
			return nil, fmt.Errorf("%s can't be written: %w: name a FILE in a directory that exists and is writable", path, err)
		}
	}
	return &recordFile{*f.record, before}, nil
}

// writable returns an error unless a file can be made beside a path, or beside the file that it links to: that one is
// replaced.
func writable(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	probe, err := os.CreateTemp(filepath.Dir(path), ".ashlar-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// write writes the profile and its map, both or neither. A nil receiver does nothing.
func (r *recordFile) write(w *ecs.World) error {
	if r == nil {
		return nil
	}
	return profile.WriteRun(r.path, r.before.WithFacts(w.Facts()), w.Map())
}
