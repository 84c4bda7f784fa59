package ecs_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs"
)

// shSpec is the question of a struct beside its columns, by number of the components.
type shSpec struct {
	with, without []int
	any           [][]int
	changed       int // 1 + component; 0: nothing has to be
	byRow         bool
}

// shSystem is a system or a query as the test sees it.
type shSystem struct {
	m    *sharedModel
	name string
	shSpec
	fields []shField
	ents   int                  // the field for entities
	ent    bool                 // and it is for one
	want   map[ecs.Entity]bool  // matches, and whether each must be passed; nil: no walk
	seen   map[ecs.Entity]bool  // in the walk
	last   map[ecs.Entity]shVal // values after the last walk
	touch  map[ecs.Entity]bool  // who may have changed since
	first  bool                 // there was no walk yet
	stop   bool                 // walks may stop anywhere
}

// shField is a column, a pointer or a presence.
type shField struct {
	at, comp              int
	part                  string
	write, opt, pres, ptr bool
	strided               bool
}

// shAt is the value of a row that a field ecs.Strided has.
func shAt(s any, i int) (is reflect.Value) {
	switch s := s.(type) {
	case ecs.Strided[uint32]:
		return reflect.ValueOf(s.At(i)).Elem()
	case ecs.Strided[shF]:
		return reflect.ValueOf(s.At(i)).Elem()
	case ecs.WriteStrided[uint32]:
		return reflect.ValueOf(s.At(i)).Elem()
	case ecs.WriteStrided[shP]:
		return reflect.ValueOf(s.At(i)).Elem()
	}
	panic("such a field is not known to the test")
}

// stridedOf is the type of the values of such a field; nil: it is another one.
func stridedOf(t reflect.Type) reflect.Type {
	if at, has := t.MethodByName("At"); has && strings.Contains(t.Name(), "Strided[") {
		return at.Type.Out(0).Elem()
	}
	return nil
}

// shSys returns a function that registers a system of struct S.
func shSys[S any](m *sharedModel, name string, spec shSpec) func() {
	return func() {
		x := m.describe(reflect.TypeFor[S](), name, spec)
		ecs.System(m.w, name, func(c *S) { x.pass(reflect.ValueOf(c).Elem()) }, ecs.When(func() bool {
			m.begin(x)
			return true
		}))
	}
}

// shQuery returns a function that walks a query of struct S, to its end or not.
func shQuery[S any](m *sharedModel, name string, spec shSpec, stop bool) func() {
	x := m.describe(reflect.TypeFor[S](), name, spec)
	x.stop = stop
	q := ecs.QueryOf[S](m.w)
	return func() {
		if x.want != nil {
			return // it is under way
		}
		x.expect()
		whole := true
		for c := range q.All() {
			x.pass(reflect.ValueOf(c).Elem())
			if stop && m.stops.IntN(3) == 0 { // where a batch ends is no part of the result
				whole = false
				break
			}
		}
		if x.changed > 0 && !whole {
			x.want = nil
			return
		}
		x.end(whole)
	}
}

// describe reads a struct as a system does.
func (m *sharedModel) describe(s reflect.Type, name string, spec shSpec) *shSystem {
	x := &shSystem{m: m, name: name, shSpec: spec, last: map[ecs.Entity]shVal{}, touch: map[ecs.Entity]bool{}, first: true}
	for i := range s.NumField() {
		f := s.Field(i)
		tag := f.Tag.Get("ashlar")
		y := shField{at: i, comp: -1, write: strings.Contains(f.Type.Name(), "Write"), opt: strings.HasPrefix(f.Type.Name(), "Maybe")}
		switch t := f.Type; {
		case t == reflect.TypeFor[[]ecs.Entity]():
			x.ents = i
		case t == reflect.TypeFor[ecs.Entity]():
			x.ents, x.ent = i, true
		case t == reflect.TypeFor[ecs.Has]():
			y.pres, y.comp = true, slices.Index(shNames[:], tag)
			x.fields = append(x.fields, y)
		case t.Kind() == reflect.Slice || t.Kind() == reflect.Pointer || stridedOf(t) != nil:
			of := stridedOf(t)
			if y.ptr, y.strided = t.Kind() == reflect.Pointer, of != nil; !y.strided {
				of = t.Elem()
			}
			if y.comp = m.compOf(of); y.comp < 0 {
				if of.Kind() != reflect.Uint32 {
					continue
				}
				a, b, _ := strings.Cut(tag, ".")
				y.comp, y.part = slices.Index(shNames[:], a), b
			}
			x.fields = append(x.fields, y)
		}
	}
	m.list = append(m.list, x)
	return x
}

// matches tells whether a row of an entity is to be passed.
func (x *shSystem) matches(e ecs.Entity) bool {
	m := x.m
	has := m.has[e]
	sees := func(c int) bool { return has[c] != nil && !has[c].off }
	if m.off[e] {
		return false
	}
	for _, f := range x.fields {
		if !f.opt && !f.pres && !sees(f.comp) {
			return false
		}
	}
	for _, c := range x.with {
		if !sees(c) {
			return false
		}
	}
	for _, c := range x.without {
		if sees(c) {
			return false
		}
	}
	for _, l := range x.any {
		if !slices.ContainsFunc(l, sees) {
			return false
		}
	}
	return x.changed == 0 || sees(x.changed-1)
}

// must tells whether a row that matches has to be passed: an unchanged one may be.
func (x *shSystem) must(e ecs.Entity) bool {
	if x.changed == 0 || x.first {
		return true
	}
	was, had := x.last[e]
	is := x.m.has[e][x.changed-1]
	return !had || was.x != is.x || was.y != is.y
}

// begin ends the system before, and begins the next one: commands have been carried out by then.
func (m *sharedModel) begin(x *shSystem) {
	if m.under != nil {
		m.under.end(true)
	}
	for _, f := range m.then {
		f()
	}
	m.then = m.then[:0]
	if m.under = x; x != nil {
		x.expect()
	}
}

// expect begins a walk.
func (x *shSystem) expect() {
	x.want, x.seen = map[ecs.Entity]bool{}, map[ecs.Entity]bool{}
	for e := range x.m.has {
		if x.matches(e) {
			x.want[e] = x.must(e)
		}
	}
}

// end ends a walk, which has come to its end or not.
func (x *shSystem) end(whole bool) {
	for e, must := range x.want {
		if whole && must && !x.seen[e] {
			x.m.failf("%s was not passed %v: %s", x.name, e, x.m.show(e))
		}
	}
	x.want = nil
	if x.changed > 0 {
		clear(x.last)
		clear(x.touch)
		for e, has := range x.m.has {
			if v := has[x.changed-1]; v != nil {
				x.last[e] = *v
			}
		}
		x.first = false
	}
}

func (m *sharedModel) show(e ecs.Entity) string {
	var b strings.Builder
	if m.has[e] == nil {
		return "dead"
	}
	for c, v := range m.has[e] {
		if v != nil {
			fmt.Fprintf(&b, "%s%v ", shNames[c], *v)
		}
	}
	if m.off[e] {
		b.WriteString("disabled")
	}
	return b.String()
}

// touched notes that a component of an entity may have changed.
func (m *sharedModel) touched(c int, e ecs.Entity) {
	for _, x := range m.list {
		if x.changed == c+1 {
			x.touch[e] = true
		}
	}
}

// pass is the system's work on a batch.
func (x *shSystem) pass(s reflect.Value) {
	m := x.m
	n := 1
	if !x.ent {
		n = s.Field(x.ents).Len()
	}
	for i := range n {
		var e ecs.Entity
		if x.ent {
			e = ecs.Entity(s.Field(x.ents).Uint())
		} else {
			e = ecs.Entity(s.Field(x.ents).Index(i).Uint())
		}
		if _, match := x.want[e]; !match || x.seen[e] {
			m.failf("%s was passed %v: matches %v, seen before %v; %s", x.name, e, match, x.seen[e], m.show(e))
		}
		if x.byRow && !x.first && !x.touch[e] {
			m.failf("%s was passed %v, which nobody has touched: %s", x.name, e, m.show(e))
		}
		x.seen[e] = true
		for _, f := range x.fields {
			v := m.has[e][f.comp]
			if f.pres {
				if s.Field(f.at).Interface().(ecs.Has).Has(i) != (v != nil) {
					m.failf("%s: %v has %s: not %v", x.name, e, shNames[f.comp], v != nil)
				}
				continue
			}
			var is reflect.Value
			if f.strided {
				is = shAt(s.Field(f.at).Interface(), i)
			} else if f.ptr {
				if s.Field(f.at).IsNil() != (v == nil) {
					m.failf("%s: %v, %s is nil: %v", x.name, e, shNames[f.comp], v != nil)
				}
				if v == nil {
					continue
				}
				is = s.Field(f.at).Elem()
			} else {
				if k := s.Field(f.at).Len(); k != n {
					m.failf("%s: %d rows of %s, and %d entities", x.name, k, shNames[f.comp], n)
				}
				is = s.Field(f.at).Index(i)
			}
			want := shVal{}
			if v != nil {
				want = *v
			}
			same := true
			switch f.part {
			case "":
				same = is.Field(0).Uint() == uint64(want.x) && is.Field(1).Uint() == uint64(want.y)
			case "X":
				same = is.Uint() == uint64(want.x)
			case "Y":
				same = is.Uint() == uint64(want.y)
			}
			if !same {
				m.failf("%s: %v, row %d of %d, has %v of %s.%s, want %v; %s", x.name, e, i, n, is, shNames[f.comp], f.part, want, m.show(e))
			}
			if !x.stop {
				m.digest = m.digest*31 + uint64(want.x) + uint64(e)
			}
			if !f.write {
				continue
			}
			m.touched(f.comp, e)
			if v == nil {
				continue
			}
			if (v.x+uint32(m.w.Frame()))%3 == 0 {
				switch f.part {
				case "":
					v.x, v.y = v.x*3+1, v.y+7
					is.Field(0).SetUint(uint64(v.x))
					is.Field(1).SetUint(uint64(v.y))
				case "X":
					v.x = v.x*5 + 2
					is.SetUint(uint64(v.x))
				case "Y":
					v.y = v.y*5 + 2
					is.SetUint(uint64(v.y))
				}
			}
		}
		if !m.busy && m.r.IntN(150) == 0 {
			m.command(e)
		}
		if !m.busy && m.r.IntN(900) == 0 {
			m.busy = true
			m.nest(x)
			m.busy = false
		}
	}
}

// nest walks a query that meets nothing that is lent.
func (m *sharedModel) nest(x *shSystem) {
	uses, writes := map[int]bool{}, map[int]bool{}
	for _, f := range x.fields {
		uses[f.comp] = true
		if f.write {
			writes[f.comp] = true
		}
	}
	for _, c := range x.with {
		uses[c] = true
	}
	switch k := m.r.IntN(4); {
	case k == 0 && !writes[0] && !writes[2] && m.nested[0] != nil: // reads m and p
		m.nested[0]()
	case k == 1 && !uses[1] && !uses[2]:
		m.nested[1]() // b, and writes p.Y
	case k == 2 && !writes[3] && !writes[4]:
		m.nested[2]() // f and v
	case k == 3 && !uses[3] && x.changed == 0:
		m.nested[3]() // f is written without v
	}
}
