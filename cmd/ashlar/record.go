package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"

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

// options sets what a world is made with.
func (f memoryFlags) options(o *ecs.Options) error {
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
	o.Record.On = *f.record != ""
	return nil
}

// recordFile is where a recording goes, and what the file had before.
type recordFile struct {
	path   string
	before *profile.File
}

// recording reads the file that is to be written, so that what is wrong with it is
// said before the run and not after it.
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
	return &recordFile{*f.record, before}, nil
}

// write writes facts, and the map beside them; nil does nothing.
func (r *recordFile) write(w *ecs.World) error {
	if r == nil {
		return nil
	}
	p := w.Facts()
	p.Intent = r.before.Intent
	f := profile.File{Profile: p, Comments: r.before.Comments, Name: r.path}
	return errors.Join(f.WriteFile(r.path), w.Map().WriteFile(r.path+".map"))
}
