package profile

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// kind is a kind of statement. Its values are of one type. The type's tags say how a part is written:
//
//	key       the word before it; a part without one has a fixed place
//	what      its name in errors
//	of        the words that are allowed
//	as        "bytes": a number that is written with a suffix
//	if        "set": it is left out if it is zero
//	merge     how it is merged, see joining; a part without it identifies the statement
//	unit      of a figure that Diff compares
//
// A field that is a struct stands for its fields. Other fields without tags are no parts. A value
// that is no struct is one part: the name of a group, a time, a number of bytes, or none if it is a
// bool, which is true if it is stated.
type kind struct {
	word, synopsis string
	section        int // an empty line stands between sections in canonical text
	fact           bool
	acts           bool // programs act on it, and Load reads it
	values
}

// values are where a profile about one world has the values of a kind.
type values struct {
	of     reflect.Type
	all    func(p *Profile) []any // pointers to copies
	into   func(p *Profile, pointer any)
	parts  []part       // nil until the first statement
	fields []text.Field // of the statement that was read last
}

// part is a word or a figure of a statement.
type part struct {
	text.Field // without its value
	index      []int
	bytes      bool
	merge      joining
	unit       string
}

// joining says how a part is merged from two statements of the same subject.
type joining string

const (
	subject joining = ""       // it identifies the statement
	equal   joining = "equal"  // it may not differ
	either  joining = "either" // it may not differ where both state it
	sum     joining = "sum"
	most    joining = "most"
	least   joining = "least"
	longer  joining = "longer" // it comes from the longer run, as do all other such parts
)

const unseen = "unseen" // a unit: Diff ignores the part

// worldWord begins a line that says which world all statements below it are about.
const worldWord = "world"

// kinds lists the kinds in the order of canonical text, and in a second list the kinds about
// a system: all about one stand before all about the next.
func kinds() (general, bySystem []*kind) {
	return []*kind{
			{"frames", "frames N [sampled N]", 0, true, false, spans()},
			{"off", "off", 1, false, true, one(func(p *Profile) *bool { return &p.Hints.Off })},
			{"budget", "budget [time TIME] [bytes N]", 1, false, true, one(func(p *Profile) *Budget { return &p.Hints.Budget })},
			{"goal frame", "goal resident N|frame TIME", 1, false, true, one(func(p *Profile) *time.Duration { return &p.Hints.Goal.Frame })},
			{"goal resident", "goal resident N|frame TIME", 1, false, true, one(func(p *Profile) *uint64 { return &p.Hints.Goal.Resident })},
			{"cold", "cold GROUP", 1, false, true, list(func(p *Profile) *[]string { return &p.Hints.Cold })},
			{"pin", "pin GROUP", 1, false, true, list(func(p *Profile) *[]string { return &p.Hints.Pinned })},
			{"view", "view SYSTEM COMPONENT direct|gathered|cached|none", 1, false, true, list(func(p *Profile) *[]View { return &p.Hints.Views })},
			{"component", "component NAME size N align N", 2, true, false, list(func(p *Profile) *[]Component { return &p.Components })},
			{"stored", "stored COMPONENT fixed|optional|thin reason TEXT entities N tables N", 3, true, false, list(func(p *Profile) *[]Stored { return &p.Stored })},
			{"group", "group NAME [owns COMPONENT,…] rows N chunks N peak N last N", 4, true, false, list(func(p *Profile) *[]Group { return &p.Groups })},
			{"shared", "shared GROUP COMPONENT readers N built N refreshed N reused N bytes N [dropped N]", 5, true, false, list(func(p *Profile) *[]Shared { return &p.Shared })},
			{"lookup", "lookup COMPONENT [by SYSTEM] reads N", 6, true, false, list(func(p *Profile) *[]Lookup { return &p.Lookups })},
		}, []*kind{
			{"system", "system NAME frames N [timed N p10 TIME p50 TIME p90 TIME p99 TIME]", 7, true, false, list(func(p *Profile) *[]System { return &p.Systems })},
			{"access", "access SYSTEM GROUP COMPONENT read|write [scattered] rows N chunks N bytes N [unchanged N]", 7, true, false, ofSystems(func(s *System) *[]Access { return &s.Access })},
			{"choice", "choice SYSTEM GROUP COMPONENT direct|gathered|cached frames N chunks N stale N [order N]", 7, true, false, ofSystems(func(s *System) *[]Choice { return &s.Choices })},
		}
}

// list is a kind with a list of statements in a profile.
func list[T any](at func(p *Profile) *[]T) values {
	return values{
		of: reflect.TypeFor[T](),
		all: func(p *Profile) (all []any) {
			for _, v := range *at(p) {
				all = append(all, &v)
			}
			return all
		},
		into: func(p *Profile, pointer any) { *at(p) = append(*at(p), *pointer.(*T)) },
	}
}

// one is a kind with one value in a profile, stated if it is not zero.
func one[T comparable](at func(p *Profile) *T) values {
	return values{
		of: reflect.TypeFor[T](),
		all: func(p *Profile) []any {
			v := *at(p)
			if v == *new(T) {
				return nil
			}
			return []any{&v}
		},
		into: func(p *Profile, pointer any) { *at(p) = *pointer.(*T) },
	}
}

// ofSystem is a value of a list that each system has.
type ofSystem[T any] struct {
	System string `what:"the system's name"`
	Is     T
}

func ofSystems[T any](at func(s *System) *[]T) values {
	return values{
		of: reflect.TypeFor[ofSystem[T]](),
		all: func(p *Profile) (all []any) {
			for _, s := range p.Systems {
				for _, v := range *at(&s) {
					all = append(all, &ofSystem[T]{s.Name, v})
				}
			}
			return all
		},
		into: func(p *Profile, pointer any) {
			v := pointer.(*ofSystem[T])
			list := at(p.system(v.System))
			*list = append(*list, v.Is)
		},
	}
}

// statement makes one of a value.
func (k *kind) statement(world string, pointer any) statement {
	if k.parts == nil {
		k.parts = partsOf(k.of, make([]part, 0, 12))
	}
	return statement{kind: k, world: world, value: reflect.ValueOf(pointer).Elem()}
}

// partsOf adds the parts of a type, which is that of a field or of a kind.
func partsOf(t reflect.Type, parts []part, index ...int) []part {
	switch t {
	case reflect.TypeFor[bool]():
		return parts
	case reflect.TypeFor[string]():
		return append(parts, part{Field: text.Field{What: "the group's name"}})
	case reflect.TypeFor[time.Duration]():
		return append(parts, part{Field: text.Field{What: "time"}, merge: equal})
	case reflect.TypeFor[uint64]():
		return append(parts, part{Field: text.Field{What: "bytes"}, merge: equal, bytes: true})
	}
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(index), i)
		switch tag := f.Tag.Get; {
		case f.Tag != "":
			p := part{text.Field{Key: tag("key"), What: tag("what"), Optional: tag("if") == "set"}, index, tag("as") == "bytes", joining(tag("merge")), tag("unit")}
			if of := tag("of"); of != "" {
				p.Of = strings.Fields(of)
			}
			parts = append(parts, p)
		case f.Type.Kind() == reflect.Struct:
			parts = partsOf(f.Type, parts, index...)
		}
	}
	return parts
}
