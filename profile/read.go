package profile

import (
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Parse reads a profile of at most 16 MiB, 64 KiB a line and 262,144 statements. Errors call r by
// name. The error lists everything that is wrong, with file, line and column, or
// wraps the error of r.
func Parse(name string, r io.Reader) (Profile, error) {
	p, err := read(name, r)
	if err != nil {
		return Profile{}, err
	}
	return p.canonical(), nil
}

// ReadFile is Parse of a file. The file may be a pipe.
func ReadFile(path string) (Profile, error) { return readFile(path, Parse) }

func readFile[T any](path string, parse func(string, io.Reader) (T, error)) (none T, err error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return none, text.Problem{File: path, Text: "it is a directory: name the file in it"}
	}
	f, err := os.Open(path)
	if err != nil {
		return none, fmt.Errorf("profile: %w: name a file that can be read, or record one", err)
	}
	defer f.Close()
	return parse(path, f)
}

// read reads a profile, in the order of the file.
func read(name string, r io.Reader) (Profile, error) {
	now := &section{systems: make(map[string]bool)}
	sections := []*section{now}
	form := text.Form{Name: "profile", Version: version, Whole: func() bool {
		return slices.ContainsFunc(sections, func(w *section) bool { return w.facts })
	}}
	general, bySystem := kinds()
	for _, k := range append(general, bySystem...) {
		form.Kinds = append(form.Kinds, text.Kind{Word: k.word, Synopsis: k.synopsis, Read: func(c *text.Cursor) { now.read(k, c) }})
	}
	form.Kinds = append(form.Kinds, text.Kind{Word: worldWord, Synopsis: "world NAME", Read: func(c *text.Cursor) {
		now = &section{about: Profile{World: c.Name("the world's name")}, systems: make(map[string]bool)}
		sections = append(sections, now)
		c.Once(worldTitle(now.about.World), "line %d begins this world already: move what is below there")
	}})
	if err := text.ReadFrom(name, r, form); err != nil {
		return Profile{}, err
	}
	p := sections[0].about
	var ps text.Problems
	for i, w := range sections {
		if w.facts && !w.counted {
			ps.Add(text.Problem{File: name, Text: InWorld(w.about.World, "facts are sums over frames, and `frames` is not stated: put `frames N` first")})
		}
		if i > 0 {
			p.Worlds = append(p.Worlds, w.about)
		}
	}
	return p, ps.Err()
}

// section has the statements read about one world.
type section struct {
	about          Profile
	facts, counted bool            // there are facts, and `frames`
	systems        map[string]bool // systems stated so far, good or bad
}

// read reads a statement of a kind.
func (w *section) read(k *kind, c *text.Cursor) {
	s := k.read(c, w.about.World)
	w.facts, w.counted = true, w.counted || k.word == "frames"
	switch k.word {
	case "system":
		w.systems[s.value.Field(0).String()] = true
	case "access", "choice", "field":
		if name := s.value.Field(0).String(); !w.systems[name] {
			c.Refuse("no line above states system %.40q: put its statement first", name)
		}
	}
	c.RefuseIf(s.problem())
	if c.Long() && len(s.line()) > text.LineMax {
		c.Refuse("the line is too long once it is written in canonical form: use shorter names")
	}
	if c.Done(s.about()) {
		k.into(&w.about, s.value.Addr().Interface())
	}
}
