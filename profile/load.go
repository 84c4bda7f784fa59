package profile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// EnvironmentVariable is the environment variable that names a profile for any program, or `off`.
const EnvironmentVariable = "ASHLAR_PROFILE"

// off, in the environment, is what LoadOptions.Off is in code.
const off = "off"

// LoadOptions say where a program's profile is. The zero value looks at the environment, then
// beside the executable ("<executable>.profile"). The caller sets them, and Load changes nothing.
type LoadOptions struct {
	Off    bool         // no file is read, and adapting is off; the environment says off for it
	File   string       // the file to read; "" looks at the environment, then beside the executable
	Code   Profile      // overrules the file, statement by statement
	World  string       // name of the program's world; statements about other worlds are left out
	Named  bool         // without File, no file is looked for
	Strict bool         // unknown names are errors, and so is a bad file beside the executable
	Log    *slog.Logger // gets one line; nil: slog.Default()

	Open       func(name string) (io.ReadCloser, error) // opens File and the file that the environment names; nil: the file of that name
	Getenv     func(string) string                      // nil: os.Getenv
	Executable func() (string, error)                   // nil: os.Executable
}

// Source is a place where Load found statements.
type Source struct {
	Where      string   // option, the environment variable, beside the executable, code
	Path       string   // "" if it is not a file
	Statements int      // that the world acts on
	Others     []string // names of other worlds that it is about
	Skipped    error    // why Load skipped all of it; nil if it is used
}

func (s Source) String() string {
	at := s.Where
	if s.Path != "" {
		at += " " + s.Path
	}
	if s.Skipped != nil {
		return at + ": skipped: " + s.Skipped.Error()
	}
	switch at += ": "; s.Statements {
	case 0:
		at += "no statements"
	case 1:
		at += "1 statement"
	default:
		at += fmt.Sprintf("%d statements", s.Statements)
	}
	if len(s.Others) > 0 {
		at += " besides those about world " + text.QuoteList(s.Others)
	}
	return at
}

// take adds a profile's hints for the world to the source. The result may share memory
// with the profile.
func (s *Source) take(p Profile, world string) Profile {
	for _, q := range p.flat() {
		if q.World == "" || q.World == world {
			s.Statements += q.count()
		} else {
			s.Others = append(s.Others, q.World)
		}
	}
	return p.inWorld(world)
}

// Loaded is the result of Load.
type Loaded struct {
	Profile Profile  // hints
	Sources []Source // a file, code, both or neither
	Dropped int      // statements about names that the program lacks, among names known so far
}

// Explicit reports whether the options or the environment name a source, so that Load has more to
// read than the file beside the executable. It opens no file.
func (o LoadOptions) Explicit() bool {
	_, _, named := o.named()
	return named || !o.Code.Empty()
}

// named returns the file that the option or the environment names, or whichever says off. `off` in the environment
// overrules the option, so that a user can disable a bad file.
func (o LoadOptions) named() (where, path string, ok bool) {
	if o.Off {
		return "option", "", true
	}
	if !o.Named {
		getenv := o.Getenv
		if getenv == nil {
			getenv = os.Getenv
		}
		path = getenv(EnvironmentVariable)
	}
	if o.File != "" && path != off {
		return "option", o.File, true
	}
	return EnvironmentVariable, path, path != ""
}

// Load reads the hints of one file, overruled by hints in
// code. Hints for a world of another name are left out. It skips all other facts unread, frames and
// systems too, so that a start makes hardly any garbage; use Parse for all of a file. The file is the first of: the option,
// the environment, beside the executable. A named file must exist and be valid. A bad file beside
// the executable is skipped, unless Strict. Off disables all files and all adapting. So does `off` in
// the environment, by which a user can disable a bad file.
func Load(o LoadOptions) (Loaded, error) {
	var l Loaded
	where, path, named := o.named()
	switch {
	case o.Off || path == off && where == EnvironmentVariable:
		l = Loaded{Profile: Profile{World: o.World, Hints: Hints{Off: true}}, Sources: []Source{{Where: where, Statements: 1}}}
	case named:
		p, err := o.read(path)
		if err != nil {
			return Loaded{}, fmt.Errorf("%w (named by %s)", err, where)
		}
		s := Source{Where: where, Path: path}
		l = Loaded{Profile: s.take(p, o.World), Sources: []Source{s}}
	case !o.Named:
		if err := l.beside(o); err != nil {
			return Loaded{}, err
		}
	}
	if !o.Code.Empty() {
		if err := o.Code.Check(); err != nil {
			return Loaded{}, fmt.Errorf("profile in LoadOptions.Code: %w", err)
		}
		s := Source{Where: "code"}
		l.Profile = overlay(l.Profile, s.take(o.Code, o.World))
		l.Sources = append(l.Sources, s)
	}
	l.log(o.Log)
	return l, nil
}

func (o LoadOptions) read(path string) (Profile, error) {
	open := o.Open
	if open == nil {
		open = openFile
	}
	return readFile(path, open, readActs)
}

// beside reads the file beside the executable if it exists.
func (l *Loaded) beside(o LoadOptions) error {
	executable := o.Executable
	if executable == nil {
		executable = os.Executable
	}
	path, err := executable()
	if err != nil {
		return nil // the system does not know the executable's path
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
	var p Profile
	if err == nil {
		o.Open = nil
		p, err = o.read(path)
	}
	if err != nil && o.Strict {
		return err
	}
	l.Profile = s.take(p, o.World)
	s.Skipped = err
	l.Sources = append(l.Sources, s)
	return nil
}

// log writes one line about the loaded sources, or a warning if a file was skipped. It writes nothing
// if there was no source.
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
	what := "ashlar: profile loaded"
	if l.Profile.Hints.Off {
		what += ", and its hints are off"
	}
	say(what, "sources", strings.Join(texts, "; "))
}
