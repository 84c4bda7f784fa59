package profile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
)

// EnvironmentVariable names a profile for any program, or is `off`.
const EnvironmentVariable = "ASHLAR_PROFILE"

// Off stands for a profile's name where nothing is to be adapted.
const Off = "off"

// LoadOptions say where a program's profile is to be found. The zero value looks at the
// environment and beside the executable.
//
// A file that is named (BuiltIn, the environment, Paths) has to be there and good. The one beside the executable
// need not be there; if it can't be used, it is skipped and reported, or is an error in Strict mode.
type LoadOptions struct {
	BuiltIn     fs.FS    // holds the embedded profile; nil: there is none
	BuiltInName string   // in BuiltIn
	Paths       []string // files, each overruling those before it, or "off"
	Code        Profile  // overrules all of them
	Named       bool     // only what these options name is looked at: not the environment, nor what is beside the executable

	Mode  Mode
	Shape *Shape       // what the program has; nil: not known yet, so nothing is dropped for it
	Log   *slog.Logger // gets one line; nil: slog.Default()

	Open       func(name string) (io.ReadCloser, error) // opens what Paths and the environment name; nil: the file of that name
	Getenv     func(string) string                      // nil: os.Getenv
	Executable func() (string, error)                   // nil: os.Executable
}

// Explicit tells whether there is more to look at than the file beside the executable,
// whose absence is the usual case. It asks the system for nothing.
func (o LoadOptions) Explicit() bool {
	getenv := o.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	return o.BuiltIn != nil || len(o.Paths) > 0 || !o.Named && getenv(EnvironmentVariable) != "" || !o.Code.empty()
}

// empty tells whether a profile states nothing.
func (p *Profile) empty() bool {
	in := &p.Intent
	return p.Frames == 0 && len(p.Components)+len(p.Groups)+len(p.Systems)+len(p.Shared)+len(p.Stored) == 0 && !in.Off && in.Budget == (Budget{}) &&
		len(in.Every)+len(in.Together)+len(in.Heat)+len(in.Pinned)+len(in.Views) == 0
}

// Load finds a program's profile and puts its layers together: built-in, beside the executable ("<executable>.profile"),
// from the environment, from options, in code. Facts are merged by frames; where they contradict each other,
// those of the later layer hold, and in Strict mode it is an error. The intent of later layers overrules that of earlier ones as in [Overlay].
// A file that several layers name is read for the first.
//
// `off`, in a file, the environment, an option or code, leads to Intent.Off; with that in the environment or
// an option no file is read at all, so that a bad one can be got out of the way. Loading costs a few system calls and what the files hold.
func Load(o LoadOptions) (Loaded, error) {
	l := loader{o: o}
	if l.o.Getenv == nil {
		l.o.Getenv = os.Getenv
	}
	if l.o.Executable == nil {
		l.o.Executable = os.Executable
	}
	if !l.off() {
		l.files()
		l.code()
	}
	if err := errors.Join(l.errs...); err != nil {
		return Loaded{}, err
	}
	l.loaded.Profile = l.loaded.Profile.Canonical()
	l.loaded.log(o.Log)
	return l.loaded, nil
}

type loader struct {
	o      LoadOptions
	loaded Loaded
	seen   []fs.FileInfo
	errs   []error
}

func (l *loader) environment() string {
	if l.o.Named {
		return ""
	}
	return l.o.Getenv(EnvironmentVariable)
}

// off tells whether environment or option say so, whatever else there is.
func (l *loader) off() bool {
	add := func(layer Layer) bool {
		l.loaded = Loaded{Profile{Intent: Intent{Off: true}}, []Source{{Layer: layer, Statements: 1}}}
		return true
	}
	if l.environment() == Off {
		return add(LayerEnvironment)
	}
	for _, path := range l.o.Paths {
		if path == Off {
			return add(LayerOption)
		}
	}
	return false
}

func (l *loader) files() {
	if l.o.BuiltIn != nil {
		l.builtIn()
	}
	if !l.o.Named {
		l.beside()
	}
	if path := l.environment(); path != "" {
		l.named(LayerEnvironment, path)
	}
	for _, path := range l.o.Paths {
		l.named(LayerOption, path)
	}
}

func (l *loader) builtIn() {
	r, err := l.o.BuiltIn.Open(l.o.BuiltInName)
	if err != nil {
		l.errs = append(l.errs, fmt.Errorf("profile: the built-in one: %w: embed it under that name", err))
		return
	}
	defer r.Close()
	f, err := Parse(l.o.BuiltInName, r, l.o.Mode)
	if err != nil {
		l.errs = append(l.errs, err)
		return
	}
	l.add(Source{Layer: LayerBuiltIn, Path: l.o.BuiltInName}, f)
}

// beside takes the file beside the executable if there is a good one.
func (l *loader) beside() {
	exe, err := l.o.Executable()
	if err != nil {
		return // the system does not say where it is
	}
	s := Source{Layer: LayerRecorded, Path: exe + ".profile"}
	info, err := os.Stat(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var f *File
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file: take it away, or put a profile in its place", s.Path)
	}
	if err == nil {
		f, err = ReadFile(s.Path, l.o.Mode)
	}
	switch {
	case err == nil:
		l.seen = append(l.seen, info)
		l.add(s, f)
	case l.o.Mode == Strict:
		l.errs = append(l.errs, err)
	default:
		s.Skipped = err
		l.loaded.Sources = append(l.loaded.Sources, s)
	}
}

// named takes a file that has to be there.
func (l *loader) named(layer Layer, path string) {
	if info, err := os.Stat(path); err == nil {
		for _, seen := range l.seen {
			if os.SameFile(info, seen) {
				return
			}
		}
		l.seen = append(l.seen, info)
	}
	f, err := l.read(path)
	if err != nil {
		l.errs = append(l.errs, fmt.Errorf("%w (%v)", err, layer))
		return
	}
	l.add(Source{Layer: layer, Path: path}, f)
}

func (l *loader) read(name string) (*File, error) {
	if l.o.Open == nil {
		return ReadFile(name, l.o.Mode)
	}
	r, err := l.o.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return Parse(name, r, l.o.Mode)
}

func (l *loader) code() {
	f := File{Profile: l.o.Code.Canonical()}
	list := f.Profile.statements()
	if f.Statements = len(list); f.Statements == 0 {
		return
	}
	if err := f.Profile.Check(); err != nil {
		l.errs = append(l.errs, fmt.Errorf("profile in LoadOptions.Code: %w", err))
		return
	}
	l.add(Source{Layer: LayerCode}, &f)
}

// add puts a layer over those below it.
func (l *loader) add(s Source, f *File) {
	s.Statements, s.Frames, s.Unknown = f.Statements, f.Frames, f.Unknown
	p := f.Profile
	if l.o.Shape != nil {
		var err error
		if p, s.Dropped, err = f.Resolve(*l.o.Shape, l.o.Mode); err != nil {
			l.errs = append(l.errs, err)
			return
		}
	}
	below := l.loaded.Profile
	intent := Overlay(below.Intent, p.Intent)
	below.Intent, p.Intent = Intent{}, Intent{}
	merged, err := Merge(below, p)
	if err != nil && l.o.Mode == Strict {
		l.errs = append(l.errs, fmt.Errorf("%v and the layers below it: %w", s, err))
		return
	}
	if err != nil {
		below, s.Overruled = yieldTo(below, p)
		if merged, err = Merge(below, p); err != nil {
			panic("profile: layers still contradict each other: yieldTo has to drop what Merge refuses: " + err.Error())
		}
	}
	merged.Intent = intent
	l.loaded.Profile = merged
	l.loaded.Sources = append(l.loaded.Sources, s)
}

// yieldTo drops the facts that contradict those of an upper layer. What that one does
// not know stays.
func yieldTo(p, upper Profile) (Profile, Dropped) {
	x, above := ShapeOf(p).index(), ShapeOf(upper).index()
	maps.Copy(x.groups, above.groups)
	maps.Copy(x.components, above.components)
	r := resolver{has: x, open: true, drop: func(n *int, _, _ string) { *n++ }}
	return r.resolve(p.Canonical()), r.dropped
}
