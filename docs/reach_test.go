package docs

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"
)

// shownElsewhere are types below internal that an alias names, with where their methods and fields
// are told.
var shownElsewhere = map[string]string{
	"ecs/internal/entities.Entity": "the comment of ecs.Entity has its methods",
}

// TestReach: each type that a user reaches has a name in a package that can be imported, so that
// go doc shows its fields, and a program can take and return it.
func TestReach(t *testing.T) {
	l := parseLibrary(t)
	r := reach{seen: map[types.Type]bool{}, hidden: map[string]string{}, excepted: map[string]bool{}}
	for _, name := range publicPackages(t) {
		p, err := l.Import(moduleOf + name)
		if err != nil {
			t.Fatal(err)
		}
		for _, object := range p.Scope().Names() {
			if o := p.Scope().Lookup(object); o.Exported() {
				r.visit(o.Type(), name+"."+object)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.hidden)) {
		t.Errorf("%s is reached by %s, and no program can name it: declare it where it is reached", name, r.hidden[name])
	}
	for _, name := range slices.Sorted(maps.Keys(shownElsewhere)) {
		if !r.excepted[name] {
			t.Errorf("%s is excepted, and need not be", name)
		}
	}
	t.Logf("%d types", len(r.seen))
	if len(r.seen) < 300 {
		t.Errorf("only %d types are reached", len(r.seen))
	}
}

// TestReachSees: the walk finds a type that is hidden in a field, a result, an argument and an element.
func TestReachSees(t *testing.T) {
	inner := types.NewPackage(moduleOf+"toy/internal/core", "core")
	outer := types.NewPackage(moduleOf+"toy", "toy")
	hidden := types.NewNamed(types.NewTypeName(0, inner, "Heart", nil), types.NewStruct(nil, nil), nil)
	small := types.NewNamed(types.NewTypeName(0, outer, "small", nil), types.Typ[types.Int], nil)
	field := func(name string, typ types.Type) types.Type {
		return types.NewStruct([]*types.Var{types.NewField(0, outer, name, typ, false)}, nil)
	}
	one := func(typ types.Type) *types.Tuple { return types.NewTuple(types.NewVar(0, outer, "", typ)) }
	for what, c := range map[string]struct {
		typ  types.Type
		want int
	}{
		"a field":              {field("A", types.NewSlice(hidden)), 1},
		"an unexported field":  {field("a", hidden), 0},
		"a result":             {types.NewSignatureType(nil, nil, nil, nil, one(types.NewPointer(hidden)), false), 1},
		"an argument of one":   {types.NewSignatureType(nil, nil, nil, one(types.NewSignatureType(nil, nil, nil, one(hidden), nil, false)), nil, false), 1},
		"a type without a way": {types.NewMap(small, hidden), 2},
		"nothing":              {types.NewSlice(types.Typ[types.Int]), 0},
	} {
		r := reach{seen: map[types.Type]bool{}, hidden: map[string]string{}, excepted: map[string]bool{}}
		if r.visit(c.typ, what); len(r.hidden) != c.want {
			t.Errorf("%s: %v, want %d", what, r.hidden, c.want)
		}
	}
}

// reach has the types that a user reaches from the names of the packages.
type reach struct {
	seen     map[types.Type]bool
	hidden   map[string]string // types without a name for users, by how they were reached first
	excepted map[string]bool
}

func (r *reach) visit(typ types.Type, by string) {
	typ = types.Unalias(typ)
	if typ == nil || r.seen[typ] {
		return
	}
	r.seen[typ] = true
	switch x := typ.(type) {
	case *types.Named:
		r.named(x, by)
	case *types.Struct:
		for f := range x.Fields() {
			switch {
			case f.Exported():
				r.visit(f.Type(), by+"."+f.Name())
			case f.Embedded():
				r.methods(f.Type(), by)
			}
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{x.Params(), x.Results()} {
			for v := range list.Variables() {
				r.visit(v.Type(), by)
			}
		}
	case *types.Interface:
		for m := range x.Methods() {
			if m.Exported() {
				r.visit(m.Type(), by+"."+m.Name())
			}
		}
	case *types.Map:
		r.visit(x.Key(), by)
		r.visit(x.Elem(), by)
	case interface{ Elem() types.Type }: // slices, arrays, pointers, channels
		r.visit(x.Elem(), by)
	}
}

func (r *reach) named(x *types.Named, by string) {
	for arg := range x.TypeArgs().Types() {
		r.visit(arg, by)
	}
	p := x.Obj().Pkg()
	if p == nil || !strings.HasPrefix(p.Path(), moduleOf) {
		return
	}
	switch name := fmt.Sprint(strings.TrimPrefix(p.Path(), moduleOf), ".", x.Obj().Name()); {
	case shownElsewhere[name] != "":
		r.excepted[name] = true
		return
	case strings.Contains(p.Path(), "/internal/") || !x.Obj().Exported():
		r.hidden[name] = by
	}
	r.visit(x.Underlying(), by)
	r.methods(x, by)
}

// methods visits the exported methods of a type.
func (r *reach) methods(typ types.Type, by string) {
	if p, is := types.Unalias(typ).(*types.Pointer); is {
		typ = p.Elem()
	}
	x, is := types.Unalias(typ).(*types.Named)
	if !is {
		return
	}
	for m := range x.Methods() {
		if m.Exported() {
			r.visit(m.Type(), by+"."+m.Name())
		}
	}
}
