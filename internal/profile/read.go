package profile

import (
	"fmt"
	"io"
	"os"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// Parse reads a profile, with the limits of [text.Read]. Errors call r by name. The error is a
// *[Problems] that lists everything that is wrong, with file, line and column, or wraps the error
// of r.
func Parse(name string, r io.Reader) (Profile, error) {
	p, _, err := read(name, r, false)
	return p, err
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

// read reads a profile and returns the number of statements read. If acts is true, it skips the
// statements that no program acts on, which are most of a recorded file.
func read(name string, r io.Reader, acts bool) (p Profile, statements int, err error) {
	var list []statement
	facts, counted := false, false   // the file has facts, and `frames`
	systems := make(map[string]bool) // those stated so far, good or bad
	form := text.Form{Name: "profile", Version: Version, Whole: func() bool { return facts }}
	for _, k := range kinds() {
		of := text.Kind{Word: k.word, Synopsis: k.synopsis}
		if k.acts || !acts {
			of.Read = func(c *text.Cursor) {
				s := k.read(c)
				facts, counted = facts || k.fact, counted || k.word == "frames"
				switch k.word {
				case "system":
					systems[*s.parts[0].Value.(*string)] = true
				case "access", "choice":
					if name := *s.parts[0].Value.(*string); c.Good() && !systems[name] {
						c.Refuse("no line above states system %.40q: put its statement first", name)
					}
				}
				if bad := s.problem(); bad != "" && c.Good() {
					c.Refuse("%s", bad)
				}
				if c.Long() && len(s.subject)+len(s.rest()) > text.LineMax && c.Good() {
					c.Refuse("the line is too long once it is written in canonical form: use shorter names")
				}
				if c.Done(s.subject) {
					list = append(list, s)
				}
			}
		}
		form.Kinds = append(form.Kinds, of)
	}
	if err := text.Read(name, r, form); err != nil {
		return Profile{}, 0, err
	}
	if facts && !counted {
		return Profile{}, 0, &Problems{First: []Problem{{File: name, Text: "facts are sums over frames, and `frames` is not stated: put `frames N` first"}}}
	}
	return assemble(list).Canonical(), len(list), nil
}
