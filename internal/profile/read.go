package profile

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Parse reads a profile, with the limits of [text.Read]. Errors call r by name. The error is a
// *[Problems] that lists everything that is wrong, with file, line and column, or wraps the error
// of r.
func Parse(name string, r io.Reader) (Profile, error) {
	return read(name, r, false)
}

// ReadFile is Parse of a file. The file may be a pipe.
func ReadFile(path string) (Profile, error) {
	f, err := openFile(path)
	if err != nil {
		return Profile{}, err
	}
	defer f.Close()
	return Parse(path, f)
}

func openFile(path string) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, Problem{File: path, Text: "it is a directory: name the file in it"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("profile: %w: name a file that can be read, or record one", err)
	}
	return f, nil
}

// read reads a profile. If acts is true, it skips the statements that no program acts on, which
// are most of a recorded file.
func read(name string, r io.Reader, acts bool) (Profile, error) {
	var list []statement
	now := &section{systems: make(map[string]bool)}
	sections := []*section{now}
	form := text.Form{Name: "profile", Version: Version, Whole: func() bool {
		return slices.ContainsFunc(sections, func(w *section) bool { return w.facts })
	}}
	for _, k := range kinds() {
		of := text.Kind{Word: k.word, Synopsis: k.synopsis}
		switch {
		case k.word == worldWord:
			of.Read = func(c *text.Cursor) {
				now = &section{world: c.Name("the world's name"), systems: make(map[string]bool)}
				sections = append(sections, now)
				c.Once(worldTitle(now.world), "line %d begins this world already: move what is below there")
			}
		case k.acts || !acts:
			of.Read = func(c *text.Cursor) {
				s := k.read(c)
				s.world, s.fact = now.world, k.fact
				now.facts, now.counted = now.facts || k.fact, now.counted || k.word == "frames"
				switch k.word {
				case "system":
					now.systems[*s.parts[0].Value.(*string)] = true
				case "access", "choice":
					if name := *s.parts[0].Value.(*string); c.Good() && !now.systems[name] {
						c.Refuse("no line above states system %.40q: put its statement first", name)
					}
				}
				if bad := s.problem(); bad != "" && c.Good() {
					c.Refuse("%s", bad)
				}
				if c.Long() && len(s.subject)+len(s.rest()) > text.LineMax && c.Good() {
					c.Refuse("the line is too long once it is written in canonical form: use shorter names")
				}
				if c.Done(s.about()) {
					list = append(list, s)
				}
			}
		}
		form.Kinds = append(form.Kinds, of)
	}
	if err := text.Read(name, r, form); err != nil {
		return Profile{}, err
	}
	ps := &Problems{}
	for _, w := range sections {
		if w.facts && !w.counted {
			ps.Add(Problem{File: name, Text: InWorld(w.world, "facts are sums over frames, and `frames` is not stated: put `frames N` first")})
		}
	}
	if err := ps.Err(); err != nil {
		return Profile{}, err
	}
	return assemble(list).Canonical(), nil
}

// section is what was read about one world.
type section struct {
	world          string
	facts, counted bool            // there are facts, and `frames`
	systems        map[string]bool // those stated so far, good or bad
}
