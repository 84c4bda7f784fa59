package layout

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// version is the version of the text form.
const version = 1

// header is the first line of a file.
const header = "ashlar layout 1"

// EnvironmentVariable names a layout's file for programs that name none themselves, and in a trial (see TrialVariable) for
// all programs. With the value off a program goes by no layout at all, so that a bad one can be got out of the way.
const EnvironmentVariable = "ASHLAR_LAYOUT"

// off is the value of the variable that disables all layouts.
const off = "off"

// worldWord begins a line that says which world the statements below it are about.
const worldWord = "world"

// Source says where a program finds its layout. The zero value looks at the environment.
type Source struct {
	Text   []byte // the layout itself, such as an embedded file
	FS     fs.FS  // has File; nil: the file system of the process
	File   string // the file's name, and with Text the name in errors
	Off    bool   // there is none, and the environment is not asked
	Strict bool   // names that the program lacks are an error of Run
}

// Load reads the layout. A file that is named has to exist and to be valid. The error lists all that is
// wrong with it, with file, line and column.
func (s Source) Load() (Layout, error) {
	named := os.Getenv(EnvironmentVariable)
	switch {
	case s.Off || named == off:
		return Layout{}, nil
	case named != "" && os.Getenv(TrialVariable) != "":
	case s.Text != nil:
		if s.File == "" {
			s.File = "layout"
		}
		return Parse(s.File, s.Text)
	case s.File != "" && s.FS != nil:
		return parsed(s.File, func() ([]byte, error) { return fs.ReadFile(s.FS, s.File) })
	case s.FS != nil:
		return Layout{}, fmt.Errorf("layout: FS without File: name the file in it")
	case s.File != "":
		named = s.File
	case named == "":
		return Layout{}, nil
	}
	return parsed(named, func() ([]byte, error) { return os.ReadFile(named) })
}

func parsed(name string, read func() ([]byte, error)) (Layout, error) {
	b, err := read()
	if err != nil {
		return Layout{}, fmt.Errorf("layout: %w: name a file that can be read, or set %s=%s", err, EnvironmentVariable, off)
	}
	return Parse(name, b)
}

// Parse reads a layout of at most 16 MiB, 64 KiB a line and 262,144 statements. The error lists
// everything that is wrong, with the name, the line and the column.
func Parse(name string, b []byte) (Layout, error) {
	l, _, err := parse(name, b)
	return l, err
}

// parse is Parse. It also returns the worlds that lines begin.
func parse(name string, b []byte) (l Layout, worlds map[int]string, err error) {
	l.Name, worlds = name, make(map[int]string)
	world := ""
	f := text.Form{Name: "layout", Version: version}
	for _, k := range forms() {
		f.Kinds = append(f.Kinds, text.Kind{Word: string(k.word), Synopsis: k.synopsis, Read: func(c *text.Cursor) {
			s := Statement{World: world, Word: k.word, Line: c.Line(), Why: c.Comment()}
			c.Fields(k.fields(&s))
			if c.Good() {
				c.RefuseIf(s.problem())
			}
			if c.Done(world + "\n" + s.subject()) {
				l.Statements = append(l.Statements, s)
			}
		}})
	}
	f.Kinds = append(f.Kinds, text.Kind{Word: worldWord, Synopsis: "world NAME", Read: func(c *text.Cursor) {
		world = c.Name("the world's name")
		worlds[c.Line()] = world
		c.Once(worldWord+"\n"+world, "line %d begins this world already: move what is below there")
	}})
	if err := text.Read(name, string(b), f); err != nil {
		return Layout{}, nil, err
	}
	return l, worlds, nil
}
