package profile

import (
	"fmt"
	"log/slog"
	"strings"
)

// Layer is where a profile comes from. Later layers overrule earlier ones.
type Layer uint8

const (
	LayerBuiltIn     Layer = iota // embedded in the program
	LayerRecorded                 // beside the executable, where a run records to
	LayerEnvironment              // named by ASHLAR_PROFILE
	LayerOption                   // named by an option or a flag
	LayerCode                     // stated in code
)

func (l Layer) String() string {
	return [...]string{"built-in", "beside the executable", EnvironmentVariable, "option", "code"}[l]
}

// Source is one profile that was found when a program started.
type Source struct {
	Layer      Layer
	Path       string // "" for what is no file
	Statements int
	Frames     uint64
	Unknown    int     // statements of a newer version of the text form, dropped
	Dropped    Dropped // statements that the program can't use
	Overruled  Dropped // facts of earlier layers that this one contradicts
	Skipped    error   // why nothing of it is used; nil if it is
}

func (s Source) String() string {
	text := s.Layer.String()
	if s.Path != "" {
		text += " " + s.Path
	}
	if s.Skipped != nil {
		return text + ": skipped: " + s.Skipped.Error()
	}
	text += fmt.Sprintf(": statements %d, frames %d", s.Statements, s.Frames)
	for _, n := range []struct {
		n    int
		what string
	}{{s.Unknown, "dropped of a newer version"}, {s.Dropped.Total(), "dropped as not in the program"}, {s.Overruled.Total(), "overruled of earlier layers"}} {
		if n.n > 0 {
			text += fmt.Sprintf(", %s %d", n.what, n.n)
		}
	}
	return text
}

// Loaded is what a program starts with.
type Loaded struct {
	Profile Profile
	Sources []Source // in the order of their layers
}

// log says once what was loaded: as a warning if something of it was not, and nothing if there was nothing.
func (l *Loaded) log(log *slog.Logger) {
	if len(l.Sources) == 0 {
		return
	}
	if log == nil {
		log = slog.Default()
	}
	say, texts := log.Info, make([]string, len(l.Sources))
	for i, s := range l.Sources {
		texts[i] = s.String()
		if s.Skipped != nil || s.Unknown+s.Dropped.Total()+s.Overruled.Total() > 0 {
			say = log.Warn
		}
	}
	say("ashlar: profile loaded", "off", l.Profile.Intent.Off, "frames", l.Profile.Frames, "sources", strings.Join(texts, "; "))
}
