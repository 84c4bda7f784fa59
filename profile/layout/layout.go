package layout

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// Layout is a list of statements, in the order of the file. The zero value states nothing.
type Layout struct {
	// Name is the file that it was read from; "" if it is none.
	Name       string
	Statements []Statement
}

// Statement is one line of a layout. Fields that its word does not use are zero.
type Statement struct {
	World string // name of the world that it is about; "": every world
	Word  Word
	Name  string // of a component, group, table or system
	With  string // of a second component, or a field of one
	Way   string // one of the words that the form allows
	N     int    // rows or frames
	Why   string // the comment behind it
	Line  int    // from 1; 0 if it is not in a file
}

// Word is the first word of a statement. It says which of the other fields it has.
type Word string

const (
	// Stored: component Name is stored as Way says: stable or thin for good, or volatile or ordered to
	// begin with, and the store weighs on.
	Stored Word = "stored"
	// Apart: group Name has rows of its own from the start.
	Apart Word = "apart"
	// Rows: group or table Name will have N rows.
	Rows Word = "rows"
	// Sort: rows with component Name, or of group Name, are sorted by component With or a
	// field of it, every N frames.
	Sort Word = "sort"
	// Cold: group or table Name is seldom used.
	Cold Word = "cold"
	// View: system Name gets component With, or a field of it, as Way says.
	View Word = "view"
	// Near: group or table Name lies beside group or table With.
	Near Word = "near"
)

// form is how the statements of one word are written.
type form struct {
	word     Word
	synopsis string
	subject  int // how many of the fields identify a statement
	fields   func(s *Statement) []text.Field
}

// name is a field that is a name.
func name(key, what string, at *string) text.Field {
	return text.Field{Key: key, What: what, Value: at}
}

const (
	theComponent = "the component's name"
	theGroup     = "the group's name"
)

// forms lists the words in the order of canonical text.
func forms() []form {
	way := func(s *Statement, what string, of ...string) text.Field {
		return text.Field{What: what, Value: &s.Way, Of: of}
	}
	return []form{
		{Stored, "stored COMPONENT stable|volatile|ordered|thin", 1, func(s *Statement) []text.Field {
			return []text.Field{name("", theComponent, &s.Name), way(s, "way", "stable", "volatile", "ordered", "thin")}
		}},
		{Apart, "apart GROUP", 1, func(s *Statement) []text.Field {
			return []text.Field{name("", theGroup, &s.Name)}
		}},
		{Rows, "rows GROUP N", 1, func(s *Statement) []text.Field {
			return []text.Field{name("", theGroup, &s.Name), {What: "number of rows", Value: &s.N}}
		}},
		{Sort, "sort COMPONENT|GROUP by COMPONENT[.FIELD] every FRAMES", 1, func(s *Statement) []text.Field {
			return []text.Field{name("", "the name of a component or a group", &s.Name), name("by", theComponent, &s.With), {Key: "every", What: "number of frames", Value: &s.N}}
		}},
		{Cold, "cold GROUP", 1, func(s *Statement) []text.Field {
			return []text.Field{name("", theGroup, &s.Name)}
		}},
		{View, "view SYSTEM COMPONENT[.FIELD] direct|gathered|cached|none", 2, func(s *Statement) []text.Field {
			return []text.Field{name("", "the system's name", &s.Name), name("", theComponent, &s.With), way(s, "choice", "direct", "gathered", "cached", "none")}
		}},
		{Near, "near GROUP GROUP", 2, func(s *Statement) []text.Field {
			return []text.Field{name("", theGroup, &s.Name), name("", theGroup, &s.With)}
		}},
	}
}

// form returns how a statement is written. Its word has to be one of the constants.
func (s *Statement) form() (form, []text.Field) {
	all := forms()
	i := slices.IndexFunc(all, func(f form) bool { return f.word == s.Word })
	if i < 0 {
		return form{}, nil
	}
	return all[i], all[i].fields(s)
}

// String returns the canonical text, without a comment.
func (s Statement) String() string {
	_, fields := s.form()
	return text.Statement(string(s.Word), fields)
}

// subject identifies a statement among all about its world.
func (s Statement) subject() string {
	f, fields := s.form()
	return text.Statement(string(s.Word), fields[:f.subject])
}

// problem describes the fault of a statement, or returns "".
func (s *Statement) problem() string {
	_, fields := s.form()
	switch bad := text.Fault(fields); {
	case bad != "":
		return bad
	case (s.Word == Sort || s.Word == Rows) && s.N < 1:
		return fmt.Sprintf("its %s is %d: state 1 or more", fields[len(fields)-1].What, s.N)
	case s.Word == Near && s.Name == s.With:
		return fmt.Sprintf("%s can't lie beside itself: name another group", text.Quote(s.Name))
	}
	return ""
}

// In returns the statements that a world of that name goes by: statements about every world, overruled by
// statements about this one.
func (l Layout) In(world string) Layout {
	r := Layout{Name: l.Name}
	own := make(map[string]bool)
	for _, s := range l.Statements {
		if s.World == world && world != "" {
			own[s.subject()] = true
		}
	}
	for _, s := range l.Statements {
		if s.World == world || s.World == "" && !own[s.subject()] {
			r.Statements = append(r.Statements, s)
		}
	}
	return r
}

// Find returns the statement with a word and a name.
func (l Layout) Find(word Word, name string) (s Statement, ok bool) {
	i := slices.IndexFunc(l.Statements, func(s Statement) bool { return s.Word == word && s.Name == name })
	if i < 0 {
		return Statement{}, false
	}
	return l.Statements[i], true
}

// Hash identifies the statements, whatever their order and comments: 16 hexadecimal digits, or "" if
// there are none.
func (l Layout) Hash() string {
	if len(l.Statements) == 0 {
		return ""
	}
	lines := make([]string, len(l.Statements))
	for i, s := range l.Statements {
		lines[i] = text.Quote(s.World) + " " + s.String() + "\n"
	}
	slices.Sort(lines)
	h := fnv.New64a()
	for _, line := range lines {
		h.Write([]byte(line))
	}
	return fmt.Sprintf("%016x", h.Sum64())
}
