package profile

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// kind is a kind of statement. Its values are of one type. The type's tags say how a part is written:
//
//	key       the word before it; a part without one has a fixed place
//	what      its name in errors
//	of        the words that are allowed
//	if        "set": it is left out if it is zero
//	max       of a number
//	merge     how it is merged, see joining; a part without it identifies the statement
//	unit      of a figure that Diff compares
//
// A field that is a struct stands for its fields. Other fields without tags are no parts.
type kind struct {
	word, synopsis string
	section        int // an empty line stands between sections in canonical text
	values
}

// values are where a profile about one world has the values of a kind.
type values struct {
	of     reflect.Type
	all    func(p *Profile) []any // pointers to copies
	into   func(p *Profile, pointer any)
	parts  []part       // nil until the first statement
	fields []text.Field // see statement.fields
}

// part is a word or a figure of a statement.
type part struct {
	text.Field // without its value
	index      []int
	merge      joining
	unit       string
}

// joining says how a part is merged from two statements of the same subject.
type joining string

const (
	subject joining = ""       // it identifies the statement
	equal   joining = "equal"  // it may not differ
	agreed  joining = "agreed" // it is nothing if it differs
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
			{"frames", "frames N [sampled N] [early TIME] [layout HASH]", 0, spans()},
			{"laid", "laid STATEMENT", 1, laids()},
			{"component", "component NAME size N align N", 2, list(func(p *Profile) *[]Component { return &p.Components })},
			{"handle", "handle FIELD", 2, list(func(p *Profile) *[]Handle { return &p.Handles })},
			{"stored", "stored COMPONENT fixed|optional|ordered|thin reason TEXT entities N tables N [since N] [adds N,…] [removes N,…]", 3, list(func(p *Profile) *[]Stored { return &p.Stored })},
			{"group", "group NAME [owns COMPONENT,…] rows N chunks N peak N last N", 4, list(func(p *Profile) *[]Group { return &p.Groups })},
			{"growth", "growth GROUP frame N rows N", 4, list(func(p *Profile) *[]Growth { return &p.Growth })},
			{"shared", "shared GROUP COMPONENT readers N built N refreshed N reused N bytes N [dropped N]", 5, list(func(p *Profile) *[]Shared { return &p.Shared })},
			{"lookup", "lookup COMPONENT [by SYSTEM] reads N [far N] [contracts N]", 6, list(func(p *Profile) *[]Lookup { return &p.Lookups })},
		}, []*kind{
			{"system", "system NAME frames N [timed N p10 TIME p50 TIME p90 TIME p99 TIME]", 7, list(func(p *Profile) *[]System { return &p.Systems })},
			{"access", "access SYSTEM GROUP COMPONENT read|write [scattered] rows N chunks N bytes N [lines N] [unchanged N]", 7, ofSystems(func(s *System) *[]Access { return &s.Access })},
			{"field", "field SYSTEM FIELD read|write", 7, ofSystems(func(s *System) *[]Field { return &s.Fields })},
			{"choice", "choice SYSTEM GROUP COMPONENT direct|gathered|cached frames N chunks N stale N [order N]", 7, ofSystems(func(s *System) *[]Choice { return &s.Choices })},
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
	for i := range t.NumField() {
		f, index := t.Field(i), append(slices.Clone(index), i)
		switch tag := f.Tag.Get; {
		case f.Tag != "":
			p := part{text.Field{Key: tag("key"), What: tag("what"), Optional: tag("if") == "set"}, index, joining(tag("merge")), tag("unit")}
			if of := tag("of"); of != "" {
				p.Of = strings.Fields(of)
			}
			p.Max, _ = strconv.Atoi(tag("max"))
			parts = append(parts, p)
		case f.Type.Kind() == reflect.Struct:
			parts = partsOf(f.Type, parts, index...)
		}
	}
	return parts
}
