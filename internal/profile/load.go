package profile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"
)

// EnvironmentVariable names a profile for any program, or is `off`.
const EnvironmentVariable = "ASHLAR_PROFILE"

// Off stands for a profile's name if nothing is to be adapted.
const Off = "off"

// LoadOptions say where a program's profile is. The zero value looks at the environment, then
// beside the executable ("<executable>.profile").
type LoadOptions struct {
	File   string       // the file to read, or "off"; "" looks at the environment, then beside the executable
	Code   Profile      // overrules the file, statement by statement
	Named  bool         // without File, no file is looked for
	Strict bool         // statements about names that the program lacks are errors, and so is a bad file beside the executable
	Log    *slog.Logger // gets one line; nil: slog.Default()

	Open       func(name string) (io.ReadCloser, error) // opens File and what the environment names; nil: the file of that name
	Getenv     func(string) string                      // nil: os.Getenv
	Executable func() (string, error)                   // nil: os.Executable
}

// Source is a place where something was found.
type Source struct {
	Where      string // option, the environment variable, beside the executable, code
	Path       string // "" if it is not a file
	Statements int    // that a program acts on
	Skipped    error  // why nothing of it is used; nil if it is
}

func (s Source) String() string {
	at := s.Where
	if s.Path != "" {
		at += " " + s.Path
	}
	if s.Skipped != nil {
		return at + ": skipped: " + s.Skipped.Error()
	}
	return fmt.Sprintf("%s: statements %d", at, s.Statements)
}

// Loaded is what a program starts with.
type Loaded struct {
	Profile Profile  // hints and choices
	Sources []Source // a file, code, both or neither
	Dropped int      // statements about names that the program lacks, as far as its names are known
}

// Explicit tells whether there is more to look at than the file beside the executable. It asks the
// system for nothing.
func (o LoadOptions) Explicit() bool {
	_, _, named := o.named()
	return named || !o.Code.Empty()
}

// named is the file that the option or the environment names. An environment that says off comes before
// the option: it is how a user gets a bad file out of the way.
func (o LoadOptions) named() (where, path string, ok bool) {
	if !o.Named {
		getenv := o.Getenv
		if getenv == nil {
			getenv = os.Getenv
		}
		path = getenv(EnvironmentVariable)
	}
	if o.File != "" && path != Off {
		return "option", o.File, true
	}
	return EnvironmentVariable, path, path != ""
}

// Load reads what a program acts on: the hints and choices of one file, overruled by those of
// code. Other facts are passed over unread; use Parse for all of a file. The file is the first of: the option, the
// environment, beside the executable. One that is named has to be there and good. One beside the
// executable is skipped if it is bad, unless Strict. Under the name `off` no file is read, and nothing is
// adapted, so a bad file can be got out of the way.
func Load(o LoadOptions) (Loaded, error) {
	var l Loaded
	where, path, named := o.named()
	switch {
	case path == Off:
		l = Loaded{Profile: Profile{Hints: Hints{Off: true}}, Sources: []Source{{Where: where, Statements: 1}}}
	case named:
		p, n, err := o.read(path)
		if err != nil {
			return Loaded{}, fmt.Errorf("%w (%s)", err, where)
		}
		l = Loaded{Profile: p, Sources: []Source{{Where: where, Path: path, Statements: n}}}
	case !o.Named:
		if err := l.beside(o); err != nil {
			return Loaded{}, err
		}
	}
	if n := len(o.Code.statements()); n > 0 {
		if err := o.Code.Check(); err != nil {
			return Loaded{}, fmt.Errorf("profile in LoadOptions.Code: %w", err)
		}
		l.Profile = overlay(l.Profile, o.Code)
		l.Sources = append(l.Sources, Source{Where: "code", Statements: n})
	}
	l.log(o.Log)
	return l, nil
}

func (o LoadOptions) read(path string) (Profile, int, error) {
	open := o.Open
	if open == nil {
		open = openFile
	}
	f, err := open(path)
	if err != nil {
		return Profile{}, 0, err
	}
	defer f.Close()
	return read(path, f, true)
}

// beside takes the file beside the executable if there is one.
func (l *Loaded) beside(o LoadOptions) error {
	executable := o.Executable
	if executable == nil {
		executable = os.Executable
	}
	path, err := executable()
	if err != nil {
		return nil // the system does not say where it is
	}
	path += ".profile"
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s := Source{Where: "beside the executable", Path: path}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file: remove it, or put a profile in its place", path)
	}
	if err == nil {
		o.Open = nil
		l.Profile, s.Statements, err = o.read(path)
	}
	if err != nil && o.Strict {
		return err
	}
	s.Skipped = err
	l.Sources = append(l.Sources, s)
	return nil
}

// log says once what was loaded: as a warning if it was skipped, and nothing if there was nothing.
func (l *Loaded) log(log *slog.Logger) {
	if len(l.Sources) == 0 {
		return
	}
	if log == nil {
		log = slog.Default()
	}
	say, texts := log.Info, make([]string, len(l.Sources))
	for i, s := range l.Sources {
		if texts[i] = s.String(); s.Skipped != nil {
			say = log.Warn
		}
	}
	say("ashlar: profile loaded", "off", l.Profile.Hints.Off, "sources", strings.Join(texts, "; "))
}
