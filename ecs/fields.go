package ecs

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// kind is the meaning of a field of a query's struct.
type kind uint8

const (
	kindSlice    kind = iota // []T and its forms: a column
	kindPointer              // *T and its forms: a value
	kindEntities             // []Entity
	kindEntity               // Entity
	kindPresence             // Has: which rows have an optional component
	kindWith                 // With[T]: required, no data
	kindWithout              // Without[T]: excluded
	kindPool                 // *Pool[T], Look[T]: access by handle
	kindCommands             // *Commands
	kindLater                // Later[T]: changes at the next safe point
	kindResource             // Res[T], WriteRes[T]: a resource
	kindRows                 // Rows: the numbers of the matching rows
	kindAny                  // Or[A, B]: one of several is required
	kindPresent              // Present[T]: required, also if disabled
	kindDisabled             // Disabled[T]: required, and disabled
	kindChanged              // Changed[T]: written or added since the last walk
	kindAdded                // Added[T]: added since
	kindMaybe                // Maybe[T] in a struct of values: owned, and members may lack it
)

// field is one field of a query's struct, bound to a component where it has one.
type field struct {
	kind     kind
	name     string // the Go field's
	is       reflect.Type
	offset   uintptr
	pool     *pool
	list     []*pool // of Or
	part     source.Part
	write    bool
	optional bool
	rows     bool         // of Changed and Added
	of       reflect.Type // of a resource
}

// With as the type of a field means that entities must have component T, which
// the query does not read. The field itself holds nothing.
type With[T any] struct{}

// Without as the type of a field means that entities must not have component T.
type Without[T any] struct{}

// Present as the type of a field means that entities must have component T, enabled or
// disabled: all that have it match. Other fields may ask for its values. Present[Entity]
// means that entities match even if they are disabled as a whole.
type Present[T any] struct{}

// Disabled as the type of a field means that entities must have component T, and disabled.
// Disabled[Entity] means that they must be disabled as a whole.
type Disabled[T any] struct{}

func (With[T]) filter() (kind, reflect.Type)     { return kindWith, reflect.TypeFor[T]() }
func (Without[T]) filter() (kind, reflect.Type)  { return kindWithout, reflect.TypeFor[T]() }
func (Present[T]) filter() (kind, reflect.Type)  { return kindPresent, reflect.TypeFor[T]() }
func (Disabled[T]) filter() (kind, reflect.Type) { return kindDisabled, reflect.TypeFor[T]() }

type filter interface {
	filter() (kind, reflect.Type) // what the field means, and of what
}

func typeFor[S any]() reflect.Type { return reflect.TypeFor[S]() }

// fieldOf names a field of a struct type in errors. A type without a name is not written out.
func fieldOf(t reflect.Type, name string, is reflect.Type) string {
	if t.Name() == "" {
		return name + " " + is.String()
	}
	return t.String() + "." + name
}

// structOf names a struct type in errors: by its fields if it has no name.
func structOf(t reflect.Type) string {
	if t.Name() != "" || t.Kind() != reflect.Struct {
		return t.String()
	}
	var names []string
	for sf := range t.Fields() {
		names = append(names, sf.Name)
	}
	return "struct{" + strings.Join(names, ", ") + "}"
}

// queryFields reads a struct of slices or of pointers.
func (w *World) queryFields(t reflect.Type, system bool) ([]field, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("%v is not a struct: pass a struct whose fields name the components", t)
	}
	var fields []field
	for sf := range t.Fields() {
		f, err := w.queryField(sf)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", fieldOf(t, sf.Name, sf.Type), err)
		}
		fields = append(fields, f)
	}
	return fields, w.checkFields(fields, system)
}

func (w *World) queryField(sf reflect.StructField) (field, error) {
	name, err := parseTag(sf)
	if err != nil {
		return field{}, err
	}
	f, err := w.bindField(sf, name)
	if err != nil {
		return f, err
	}
	return f, suits(name, f.kind)
}

// bindField finds the component, resource or condition that a field means.
func (w *World) bindField(sf reflect.StructField, name string) (f field, err error) {
	f = field{name: sf.Name, is: sf.Type, offset: sf.Offset}
	if sf.Type.Kind() == reflect.Pointer {
		switch reflect.Zero(sf.Type.Elem()).Interface().(type) {
		case filter, choice, resource, deferred, look, Has, Rows: // whose methods a nil pointer does not have
			return f, fmt.Errorf("%v is a pointer: make the field of type %v itself", sf.Type, sf.Type.Elem())
		}
	}
	of := sf.Type
	switch v := reflect.Zero(sf.Type).Interface().(type) {
	case filter:
		_, f.rows = v.(byRow)
		if f.kind, of = v.filter(); f.sees() && of == reflect.TypeFor[Entity]() && name == "" {
			return f, nil // the entity as a whole
		}
	case *Commands:
		f.kind = kindCommands
		return f, nil
	case resource:
		f.kind = kindResource
		f.of, f.write = v.resource()
		if w.names.resources[f.of] == nil {
			return f, fmt.Errorf("the world has no resource of type %v: call ecs.Provide first", f.of)
		}
		return f, nil
	case choice:
		f.kind = kindAny
		f.list, err = w.choices(v.choices(nil), name)
		return f, err
	case deferred:
		f.kind, of = kindLater, v.laterType()
	case AnyPool:
		f.kind, of = kindPool, v.componentType()
	case look:
		f.kind, of = kindPool, v.looks()
	case []Entity:
		f.kind = kindEntities
		return f, nil
	case Entity:
		f.kind = kindEntity
		return f, nil
	case Rows:
		f.kind = kindRows
		return f, nil
	case Has:
		f.kind = kindPresence
		if name == "" {
			return f, fmt.Errorf("the tag has to name the optional component, as in `ashlar:\"mass\"`")
		}
		if f.pool = w.names.pool[name]; f.pool == nil {
			return f, fmt.Errorf("no component is called %q: the tag has to name the optional component", name)
		}
		return f, nil
	default:
		asked, _ := formOf(sf.Type)
		f.write, f.optional = asked.write, asked.optional
		switch sf.Type.Kind() {
		case reflect.Slice:
			f.kind, of = kindSlice, sf.Type.Elem()
		case reflect.Pointer:
			f.kind, of = kindPointer, sf.Type.Elem()
		default:
			return f, fmt.Errorf("%v is not a supported field type: use []T, *T, ecs.Write, ecs.Maybe, ecs.MaybeWrite (of a row: ecs.WriteOne, ecs.MaybeOne, ecs.MaybeWriteOne) of a component T, []ecs.Entity, ecs.Entity, ecs.With, ecs.Without, ecs.Or, ecs.Changed, ecs.Added, ecs.ChangedRows, ecs.AddedRows, ecs.Present, ecs.Disabled, ecs.Has, ecs.Rows, ecs.Res, ecs.WriteRes, ecs.Look, *ecs.Pool, ecs.Later or *ecs.Commands", sf.Type)
		}
	}
	if f.kind == kindSlice || f.kind == kindPointer {
		f.pool, f.part, err = w.findPart(of, name)
		return f, err
	}
	f.pool, err = w.find(of, name)
	return f, err
}

// checkFields refuses what can't be filled: slices beside pointers, parts of a component
// that overlap where one of them is written, excluded and required at once.
func (w *World) checkFields(fields []field, system bool) error {
	slices, pointers, entities, rows, required, excluded := 0, 0, 0, 0, 0, 0
	var columns []source.Column
	for i, f := range fields {
		switch f.kind {
		case kindSlice, kindEntities, kindPresence, kindRows:
			slices++
		case kindPointer, kindEntity:
			pointers++
		case kindWithout:
			excluded++
		}
		switch f.kind {
		case kindEntities, kindEntity:
			entities++
		case kindRows:
			rows++
		}
		if f.required() || f.kind == kindAny {
			required++
		}
		for _, g := range fields[:i] {
			if f.sees() && g.sees() && f.pool == g.pool && f.kind != g.kind {
				return fmt.Errorf("it has ecs.Present and ecs.Disabled of the same component: Disabled leaves out enabled rows, and Present does not; remove one of them")
			}
			if f.pool == nil || f.pool != g.pool {
				continue
			}
			if f.kind == kindWithout != (g.kind == kindWithout) && !f.byHandle() && !g.byHandle() {
				return fmt.Errorf("component %q is named by field %s and excluded by another: remove one of them", f.pool.c.Name, f.name)
			}
		}
		if f.values() {
			columns = append(columns, f.column())
			if err := source.Clash(columns); err != nil {
				return err
			}
		}
	}
	switch {
	case slices > 0 && pointers > 0:
		return fmt.Errorf("it has both slices and pointers: use slices for whole columns or pointers for single entities")
	case entities > 1 || rows > 1:
		return fmt.Errorf("it has %d fields for entities and %d for Rows: keep at most one of each", entities, rows)
	case required == 0 && (!system || slices+pointers+excluded > 0):
		return fmt.Errorf("it requires no component: at least one field must be a []T, *T, ecs.Write, ecs.With, ecs.Changed, ecs.Added or ecs.Or (World.All iterates over all entities)")
	}
	return nil
}

// column is the component, or part of one, of a field that gives values.
func (f *field) column() source.Column {
	return source.Column{Name: f.name, Comp: &f.pool.c, Part: f.part, Offset: f.offset, Write: f.write, Optional: f.optional}
}

// values tells whether a field gives values of a component.
func (f *field) values() bool { return f.kind == kindSlice || f.kind == kindPointer }

// byHandle tells whether a field is about entities that the program names, and not about rows.
func (f *field) byHandle() bool { return f.kind == kindPool || f.kind == kindLater }

// required tells whether entities must have the field's component.
func (f *field) required() bool {
	return f.values() && !f.optional || f.kind == kindWith || f.sees() && f.pool != nil || f.changes()
}

// sees tells whether the field asks for what is disabled. It may be about a component, or,
// without a pool, about the entity as a whole.
func (f *field) sees() bool { return f.kind == kindPresent || f.kind == kindDisabled }

// seen is the component of such a field; nil: the entity.
func (f *field) seen() *store.Component {
	if f.pool == nil {
		return nil
	}
	return &f.pool.c
}

// values is a struct of values, as entities are spawned from.
type values struct {
	pools    []*pool
	offsets  []uintptr // where their values lie
	optional []*pool   // of fields Maybe, which have no value
	with     []*pool   // of fields With, and Without
	without  []*pool
}

func (v *values) comps() []*store.Component { return compsOf(v.pools) }

// valueFields reads a struct of values. With owned, the pools are given in field order. A
// field that is no component, but such a struct itself, is taken as its fields.
func (w *World) valueFields(t reflect.Type, owned []AnyPool) (v values, err error) {
	if t.Kind() != reflect.Struct {
		return v, fmt.Errorf("%v is not a struct: pass a struct whose fields are the components", t)
	}
	if owned != nil && len(owned) != t.NumField() {
		return v, fmt.Errorf("%v has %d fields, and %d pools are given: give one for each field, or none", t, t.NumField(), len(owned))
	}
	i := 0
	for sf := range t.Fields() {
		var p *pool
		of, kind := sf.Type, kindSlice
		if f, is := reflect.Zero(sf.Type).Interface().(filter); is {
			kind, of = f.filter()
		}
		if asked, is := formOf(sf.Type); is {
			if kind, of = kindMaybe, sf.Type.Elem(); asked != (form{optional: true}) || sf.Name != "_" {
				return v, fmt.Errorf("field %s: the fields are values to spawn from: write a field of type %v, or _ ecs.Maybe[%v] for a component that members of a group may lack", fieldOf(t, sf.Name, sf.Type), of, of)
			}
		}
		name, err := parseTag(sf)
		if err == nil && owned != nil {
			if owned[i] != nil {
				p = owned[i].core()
			}
			switch {
			case p == nil:
				err = fmt.Errorf("the given pool is nil or the zero value: pools come from ecs.Register")
			case p.w.refused != nil:
				err = errGiven("component", p.c.Name)
			case p.w != w:
				err = fmt.Errorf("the given pool %q is of another world: give pools of the group's world", p.c.Name)
			case p.typ != of:
				err = fmt.Errorf("the given pool %q is of type %v", p.c.Name, p.typ)
			}
		} else if err == nil {
			if in, inErr := w.valuesWithin(sf); len(in.pools) > 0 {
				if inErr != nil {
					return v, fmt.Errorf("field %s: %w", fieldOf(t, sf.Name, sf.Type), inErr)
				}
				v.pools, v.offsets = append(v.pools, in.pools...), append(v.offsets, in.offsets...)
				i++
				continue
			}
			p, err = w.findValue(of, name)
		}
		if err != nil {
			return v, fmt.Errorf("field %s: %w", fieldOf(t, sf.Name, sf.Type), err)
		}
		i++
		switch kind {
		case kindWith:
			v.with = append(v.with, p)
			continue
		case kindWithout:
			v.without = append(v.without, p)
			continue
		case kindMaybe:
			v.optional = append(v.optional, p)
			continue
		}
		v.pools, v.offsets = append(v.pools, p), append(v.offsets, sf.Offset)
	}
	return v, nil
}

// valuesWithin reads a field that may be a struct of values itself: it has none if it is not,
// and an error if that is so in part.
func (w *World) valuesWithin(sf reflect.StructField) (v values, err error) {
	if sf.Type.Kind() != reflect.Struct || sf.Tag != "" || w.names.ofType[sf.Type] != nil {
		return v, nil
	}
	v, err = w.valueFields(sf.Type, nil)
	v.with, v.without, v.optional = nil, nil, nil // of a group, whose members have more than they are spawned with
	for i := range v.offsets {
		v.offsets[i] += sf.Offset
	}
	return v, err
}
