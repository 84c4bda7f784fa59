package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// memoryFlags are the flags of `ashlar run` about profiles and adapting.
type memoryFlags struct {
	profile, record, adapt *string
}

func memoryFlagsOf(flags *flag.FlagSet) memoryFlags {
	return memoryFlags{
		flags.String("profile", "", "place chunks by the profile in `FILE`; off: look for none"),
		flags.String("record", "", "note what systems touch, and write it to `FILE`, and where chunks lie in the end to FILE.map; intent and comments of a profile that is there stay"),
		flags.String("adapt", "on", "off: chunks stay where they are first put; stress: all move at every safe point"),
	}
}

// options sets what a world is made with. What was loaded is logged to w.
func (f memoryFlags) options(o *ecs.Options, w io.Writer) error {
	switch *f.adapt {
	case "on":
	case "off":
		o.NoAdapt = true
	case "stress":
		o.Memory.Stress = true
	default:
		return usage("-adapt %q: it is off, on or stress", *f.adapt)
	}
	if *f.profile != "" {
		o.Profile.Paths = []string{*f.profile}
	}
	o.Profile.Log = slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
	o.Record.On = *f.record != ""
	return nil
}

// withoutTime leaves out when a line was logged: whoever reads it is there.
func withoutTime(groups []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey && len(groups) == 0 {
		return slog.Attr{}
	}
	return a
}

// recordFile is where a recording goes, and what the file had before.
type recordFile struct {
	path   string
	before *profile.File
}

// recording reads the files that are to be written, and tries to write beside them,
// so that what is wrong is said before the run and not after it.
func (f memoryFlags) recording() (*recordFile, error) {
	if *f.record == "" {
		return nil, nil
	}
	before, err := profile.ReadFile(*f.record, profile.Strict)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		before = &profile.File{}
	case err != nil:
		return nil, fmt.Errorf("%w\n-record replaces the facts of a profile and keeps the rest: give it another FILE, or mend this one", err)
	}
	if _, err := profile.ReadMapFile(*f.record + mapSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w\n-record writes a map there: give it another FILE, or take that one away", err)
	}
	if err := writable(*f.record); err != nil {
		return nil, fmt.Errorf("%s can't be written: %w: name a FILE in a directory that is there and can be written to", *f.record, err)
	}
	return &recordFile{*f.record, before}, nil
}

// mapSuffix is what the name of a map has behind that of its profile.
const mapSuffix = ".map"

// writable makes a file beside another one and removes it.
func writable(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".ashlar-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// write writes facts, and then the map beside them: one that goes with facts of an
// earlier run stays if these do. nil does nothing.
func (r *recordFile) write(w *ecs.World) error {
	if r == nil {
		return nil
	}
	p := w.Facts()
	p.Intent = r.before.Intent
	f := profile.File{Profile: p, Comments: r.before.Comments, Name: r.path}
	if err := f.WriteFile(r.path); err != nil {
		return err
	}
	return w.Map().WriteFile(r.path + mapSuffix)
}
