package profile

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/profile/internal/text"
)

// statement is a line of the text form: a value of its kind.
type statement struct {
	*kind
	world   string // that it is about; "": every world
	subject string // the words that identify it in its world
	value   reflect.Value
}

// at returns a part's value.
func (s statement) at(p part) reflect.Value { return s.value.FieldByIndex(p.index) }

// field returns a part with its value.
func (s statement) field(p part) text.Field {
	p.Value = s.at(p).Addr().Interface()
	return p.Field
}

// read reads a statement of a kind behind its word.
func (k *kind) read(c *text.Cursor, world string) statement {
	s := k.statement(world, reflect.New(k.of).Interface())
	c.Fields(s.fields(all))
	return s.identified()
}

// identified fills in the subject.
func (s statement) identified() statement {
	s.subject = text.Statement(s.word, s.fields(func(p *part) bool { return p.merge == subject }))
	return s
}

// statements lists a profile's statements, in the order of canonical text. It copies all values.
func (p *Profile) statements() (list []statement) {
	general, bySystem := kinds()
	for _, part := range p.flat() {
		list = part.add(list, general)
		one := Profile{World: part.World}
		for i := range part.Systems {
			one.Systems = part.Systems[i : i+1]
			list = one.add(list, bySystem)
		}
	}
	return list
}

// add adds the statements of some kinds: each sorted by subject, except accesses, which are in the
// order of the walk.
func (p *Profile) add(list []statement, of []*kind) []statement {
	for _, k := range of {
		begin := len(list)
		for _, v := range k.all(p) {
			if system, ok := v.(*System); ok {
				system.Access, system.Choices, system.Fields = nil, nil, nil // statements of their own
			}
			s := k.statement(p.World, v)
			for _, p := range s.parts {
				switch list := s.field(p).Value.(type) {
				case *[]string:
					*list = slices.Clone(*list)
				case *[]uint64:
					*list = slices.Clone(*list)
				}
			}
			list = append(list, s.identified())
		}
		if k.word != "access" {
			slices.SortStableFunc(list[begin:], inText)
		}
	}
	return list
}

// inText is the order of statements of one kind.
func inText(a, b statement) int {
	if g, is := a.value.Addr().Interface().(*Growth); is {
		h := b.value.Addr().Interface().(*Growth)
		return cmp.Or(cmp.Compare(g.Group, h.Group), cmp.Compare(g.Frame, h.Frame))
	}
	return cmp.Compare(a.subject, b.subject)
}

// canonical returns a copy in the order in which it is written: all by name, except
// systems and accesses, which stay as they are. If all statements are about one world, Worlds is
// empty. A profile shares no memory with its copy.
func (p Profile) canonical() Profile { return assemble(p.statements()) }

// fields returns the parts for which keep returns true, with their values: good until the next call for a
// statement of the kind.
func (s statement) fields(keep func(*part) bool) []text.Field {
	list := s.kind.fields[:0]
	for i := range s.parts {
		if p := &s.parts[i]; keep(p) {
			list = append(list, s.field(*p))
		}
	}
	s.kind.fields = list
	return list
}

func all(*part) bool { return true }

// line returns the canonical text.
func (s statement) line() string {
	return text.Statement(s.subject, s.fields(func(p *part) bool { return p.merge != subject }))
}

// problem describes the fault of the statement, or returns "".
func (s statement) problem() string {
	if bad := text.Fault(s.fields(all)); bad != "" {
		return bad
	}
	if v, ok := s.value.Addr().Interface().(interface{ problem() string }); ok {
		return v.problem()
	}
	return ""
}

// merge combines two statements of the same subject. It returns false if they contradict each
// other.
func (s statement) merge(with statement) (statement, bool) {
	ok, behind := true, s.shorter(with)
	for _, p := range s.parts {
		v, w := s.at(p), with.at(p)
		switch p.merge {
		case equal:
			ok = ok && reflect.DeepEqual(v.Interface(), w.Interface())
		case agreed:
			if !v.Equal(w) {
				v.SetZero()
			}
		case sum:
			if list, ok := v.Interface().([]uint64); ok {
				v.Set(reflect.ValueOf(addAll(list, w.Interface().([]uint64))))
			} else {
				v.SetUint(add(v.Uint(), w.Uint()))
			}
		case most, least:
			if (number(v) < number(w)) == (p.merge == most) {
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
		for _, p := range s.parts {
			v, w := s.at(p), than.at(p)
			switch {
			case p.merge != longer || order != 0 || (v.Kind() != reflect.String) != figures:
			case figures:
				order = cmp.Compare(number(v), number(w))
			default:
				order = cmp.Compare(v.String(), w.String())
			}
		}
	}
	return order < 0
}

// number converts a figure that is not negative. A list of figures is their sum.
func number(v reflect.Value) (sum uint64) {
	if list, ok := v.Interface().([]uint64); ok {
		for _, n := range list {
			sum = add(sum, n)
		}
		return sum
	}
	if v.CanUint() {
		return v.Uint()
	}
	return uint64(v.Int())
}

// compared returns the words and figures that Diff compares. A figure with a unit that ends in /frame is a
// sum over so many frames.
func (s statement) compared(frames uint64) (words string, figures []Figure) {
	words = text.Statement("", s.fields(func(p *part) bool { return p.merge != subject && p.unit == "" }))
	for _, p := range s.parts {
		v := s.at(p)
		if p.unit == "" || p.unit == unseen || p.Optional && v.IsZero() {
			continue
		}
		n := float64(number(v))
		if strings.HasSuffix(p.unit, "/frame") {
			n /= float64(max(frames, 1))
		}
		figures = append(figures, Figure{Unit: p.unit, Is: n})
	}
	return words, figures
}

// check returns every problem that prevents writing a profile: a name that is empty, too long or
// stated twice, a figure out of range. The error lists all.
func (p Profile) check() error {
	var ps text.Problems
	list := p.statements()
	for _, s := range list {
		bad := s.problem()
		if s.world != "" {
			bad = cmp.Or(bad, text.BadName(s.world))
		}
		if bad == "" && len(s.line()) > text.LineMax {
			bad = "its line is too long: use shorter names"
		}
		ps.State(s.about(), bad)
	}
	if len(list) > text.StatementMax {
		ps.Add(text.Problem{Text: "it has too many statements: record less"})
	}
	return ps.Err()
}

// addAll returns the sums of two lists, place by place.
func addAll(a, b []uint64) []uint64 {
	if len(a) < len(b) {
		a, b = b, a
	}
	a = slices.Clone(a)
	for i, n := range b {
		a[i] = add(a[i], n)
	}
	return a
}

// add returns the sum, or the highest value on overflow, so it is associative.
func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
