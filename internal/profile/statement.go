package profile

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/internal/profile/text"
)

// statement is a line of the text form: a word, and the parts of a value of the model.
type statement struct {
	word    string
	world   string // that it is about; "": every world
	fact    bool   // a run recorded it, and no person wrote it
	subject string // the words that identify it in its world; readAs and each fill it in
	parts   []part
	check   func() string    // what is wrong with the value besides its parts, or ""; nil: no check
	into    func(p *Profile) // adds the value to a profile; called in the order of a file
}

// part is a word or a figure of a statement.
type part struct {
	text.Field
	join joining
	unit string // of a figure that Diff compares; see compared
}

// joining says how a part is merged from two statements of the same subject.
type joining uint8

const (
	subject joining = iota // it identifies the statement
	equal                  // it may not differ
	either                 // it may not differ where both state it
	sum
	most
	least
	longer // it comes from the longer run, as do all other such parts
)

const unseen = "unseen" // a unit: Diff ignores the part

// kind is a kind of statement.
type kind struct {
	word, synopsis string
	section        int // an empty line stands between sections in canonical text
	fact           bool
	acts           bool // programs act on it: Load reads it, and Resolve checks its names
	read           func(c *text.Cursor) statement
	of             func(p *Profile) []statement // all that a profile has about one world; nil: systems include them
}

// kinds lists the kinds in the order of canonical text.
func kinds() []kind {
	return []kind{
		{"frames", "frames N [sampled N]", 0, true, true, readAs(framesPart), framesOf},
		{"off", "off", 1, false, true, readAs(offPart), offOf},
		{"budget", "budget [time TIME] [bytes N]", 1, false, true, readAs(budgetParts), budgetOf},
		{"goal", "goal resident N|frame TIME", 1, false, true, readGoal, goalsOf},
		{"cold", "cold GROUP", 1, false, true, readAs(coldPart), coldOf},
		{"pin", "pin GROUP", 1, false, true, readAs(pinPart), pinnedOf},
		{"view", "view SYSTEM COMPONENT direct|gathered|cached|none", 1, false, true, readAs(viewParts), viewsOf},
		{"component", "component NAME size N align N", 2, true, false, readAs(componentParts), componentsOf},
		{"stored", "stored COMPONENT fixed|optional|thin reason TEXT entities N tables N", 3, true, false, readAs(storedParts), storedOf},
		{"group", "group NAME [owns COMPONENT,…] rows N chunks N peak N last N", 4, true, false, readAs(groupParts), groupsOf},
		{"shared", "shared GROUP COMPONENT readers N built N refreshed N reused N bytes N [dropped N]", 5, true, false, readAs(sharedParts), sharedOf},
		{"lookup", "lookup COMPONENT [by SYSTEM] reads N", 6, true, false, readAs(lookupParts), lookupsOf},
		{"system", "system NAME frames N [timed N p10 TIME p50 TIME p90 TIME p99 TIME]", 7, true, true, readAs(systemParts), systemsOf},
		{"access", "access SYSTEM GROUP COMPONENT read|write [scattered] rows N chunks N bytes N [unchanged N]", 7, true, false, readAs(accessParts), nil},
		{"choice", "choice SYSTEM GROUP COMPONENT direct|gathered|cached frames N chunks N stale N [order N] [direct COST] [gathered COST] [cached COST]", 7, true, true, readAs(choiceParts), nil},
		{worldWord, "world NAME", 8, false, true, nil, nil},
	}
}

// worldWord begins a line that says which world all statements below it are about.
const worldWord = "world"

// readAs reads a statement of a kind.
func readAs[T any](parts func(*T) statement) func(c *text.Cursor) statement {
	return func(c *text.Cursor) statement {
		return parts(new(T)).readBy(c)
	}
}

// readBy reads its parts.
func (s statement) readBy(c *text.Cursor) statement {
	fields := make([]text.Field, len(s.parts))
	for i, p := range s.parts {
		fields[i] = p.Field
	}
	c.Fields(fields)
	s.subject = s.word + s.text(func(p part) bool { return p.join == subject })
	return s
}

// each makes statements from copies of values.
func each[T any](of []T, parts func(*T) statement) (list []statement) {
	for _, x := range of {
		s := parts(&x)
		s.subject = s.word + s.text(func(p part) bool { return p.join == subject })
		list = append(list, s)
	}
	return list
}

// collect is each, sorted by subject.
func collect[T any](of []T, parts func(*T) statement) []statement {
	list := each(of, parts)
	slices.SortStableFunc(list, func(a, b statement) int { return cmp.Compare(a.subject, b.subject) })
	return list
}

// statements lists what a profile says, in the order of canonical text.
func (p *Profile) statements() (list []statement) {
	for _, part := range p.flat() {
		for _, k := range kinds() {
			if k.of == nil {
				continue
			}
			for _, s := range k.of(&part) {
				s.world, s.fact = part.World, k.fact
				list = append(list, s)
			}
		}
	}
	return list
}

// count is the number of statements of a profile that is about one world. It makes none.
func (p *Profile) count() int {
	h := &p.Hints
	n := len(h.Cold) + len(h.Pinned) + len(h.Views) + len(p.Components) + len(p.Stored) + len(p.Groups) + len(p.Shared) + len(p.Lookups)
	for _, one := range []bool{p.hasFacts(), h.Off, h.Budget != Budget{}, h.Goal.Frame != 0, h.Goal.Resident != 0} {
		if one {
			n++
		}
	}
	for _, s := range p.Systems {
		n += 1 + len(s.Access) + len(s.Choices)
	}
	return n
}

// Canonical returns a copy in the order in which it is written: all by name, except
// systems and accesses, which stay as they are. If all statements are about one world, Worlds is
// empty. A profile shares no memory with its copy.
func (p Profile) Canonical() Profile { return assemble(p.statements()) }

// text returns the parts for which keep returns true, each after a blank.
func (s statement) text(keep func(part) bool) string {
	var b strings.Builder
	for _, p := range s.parts {
		if keep(p) {
			b.WriteString(p.Field.String())
		}
	}
	return b.String()
}

// rest returns the canonical text after the subject, with a blank before it.
func (s statement) rest() string { return s.text(func(p part) bool { return p.join != subject }) }

// problem says what is wrong with the statement, or returns "".
func (s statement) problem() string {
	for _, p := range s.parts {
		if bad := p.Problem(); bad != "" && !(p.Optional && p.Zero()) {
			return bad
		}
	}
	if s.check != nil {
		return s.check()
	}
	return ""
}

// merge combines two statements of the same subject. It returns false if they contradict each
// other.
func (s statement) merge(with statement) (statement, bool) {
	ok, behind := true, s.shorter(with)
	for i, p := range s.parts {
		v, w := reflect.ValueOf(p.Value).Elem(), reflect.ValueOf(with.parts[i].Value).Elem()
		switch p.join {
		case equal:
			ok = ok && reflect.DeepEqual(v.Interface(), w.Interface())
		case either:
			ok = ok && (v.IsZero() || w.IsZero() || v.Equal(w))
			if v.IsZero() {
				v.Set(w)
			}
		case sum:
			v.SetUint(add(v.Uint(), w.Uint()))
		case most, least:
			if (number(v) < number(w)) == (p.join == most) {
				v.Set(w)
			}
		case longer:
			if behind {
				v.Set(w)
			}
		}
	}
	return s, ok
}

// shorter reports whether the other statement's run is the longer one. The order is total, by
// figures and then by words, so the order of merging makes no difference.
func (s statement) shorter(than statement) bool {
	order := 0
	for _, figures := range []bool{true, false} {
		for i, p := range s.parts {
			v, w := reflect.ValueOf(p.Value).Elem(), reflect.ValueOf(than.parts[i].Value).Elem()
			switch {
			case p.join != longer || order != 0 || (v.Kind() != reflect.String) != figures:
			case figures:
				order = cmp.Compare(number(v), number(w))
			default:
				order = cmp.Compare(v.String(), w.String())
			}
		}
	}
	return order < 0
}

// number converts a figure that is not negative.
func number(v reflect.Value) uint64 {
	if v.CanUint() {
		return v.Uint()
	}
	return uint64(v.Int())
}

// compared returns what Diff compares: words and figures. A figure whose unit ends in /frame is a
// sum over so many frames.
func (s statement) compared(frames uint64) (words string, figures []Figure) {
	words = s.text(func(p part) bool { return p.join != subject && p.unit == "" })
	for _, p := range s.parts {
		if p.unit == "" || p.unit == unseen || p.Optional && p.Zero() {
			continue
		}
		v := reflect.ValueOf(p.Value).Elem()
		n := float64(number(v))
		if strings.HasSuffix(p.unit, "/frame") {
			n /= float64(max(frames, 1))
		}
		if c, ok := v.Interface().(RowCost); ok {
			n = c.Nanoseconds()
		}
		figures = append(figures, Figure{Unit: p.unit, Is: n})
	}
	return words, figures
}

// lacks says which name of the statement a program lacks, or returns "".
func (s statement) lacks(x *index) string {
	for _, p := range s.parts {
		name, _ := p.Value.(*string)
		switch {
		case p.What == systemName && !x.systems[*name]:
			return "the program has no such system"
		case p.What == groupName && !x.group(*name):
			return "the program has no such group"
		case p.What == componentName && !x.field(*name):
			return "the program has no such component"
		}
	}
	return ""
}

const (
	systemName    = "the system's name"
	groupName     = "the group's name"
	componentName = "the component's name"
)

func name(what string, v *string) part { return part{Field: text.Field{What: what, Value: v}} }

// figure is a part that is a number. A statement has all of its figures or none, apart from
// optional ones.
func figure(key string, v *uint64, how joining, unit string) part {
	return part{text.Field{Key: key, Value: v}, how, unit}
}

// optional is a part that is left out if it is 0.
func optional(p part) part {
	p.Optional = true
	return p
}

// duration is a time that is left out if it is 0.
func duration(key string, v *time.Duration, how joining, unit string) part {
	return part{text.Field{Key: key, What: "time", Value: v, Optional: true}, how, unit}
}

// Check returns every problem that prevents writing a profile: a name that is empty, too long or
// stated twice, a figure out of range. The error is a *[Problems].
func (p Profile) Check() error {
	ps := &Problems{}
	list := p.statements()
	seen := make(map[string]bool, len(list))
	for _, s := range list {
		bad := s.problem()
		if s.world != "" {
			bad = cmp.Or(bad, text.BadName(s.world))
		}
		switch {
		case bad != "":
		case seen[s.about()]:
			bad = "it is stated twice: leave one"
		case len(s.subject)+len(s.rest()) > text.LineMax:
			bad = "its line is too long: use shorter names"
		}
		seen[s.about()] = true
		if bad != "" {
			ps.Add(Problem{Text: cut(s.about()) + ": " + bad})
		}
	}
	if len(list) > text.StatementMax {
		ps.Add(Problem{Text: "it has too many statements: record less"})
	}
	return ps.Err()
}

// cut returns the beginning of a text.
func cut(subject string) string { return subject[:min(len(subject), 80)] }

// add returns the sum, or the highest value on overflow, so it is associative.
func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
