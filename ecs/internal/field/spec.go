package field

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Spec is the rows that bound fields of a struct ask for, and the values of them that a call gets. The caller adds what it fills itself: Begins,
// Ends and Priors.
func Spec(t reflect.Type, name string, fields []Field) (walk.Spec, error) {
	spec := walk.Spec{Name: name, Fields: source.Fields{Entities: -1}}
	for i := range fields {
		fields[i].filter(&spec)
		fields[i].passes(&spec)
		fields[i].touches(&spec)
	}
	for i := range fields {
		f := &fields[i]
		if f.Kind != Presence {
			continue
		}
		at := slices.IndexFunc(spec.Columns, func(c source.Column) bool { return c.Comp == f.Comp && c.Optional })
		if at < 0 {
			return spec, fmt.Errorf("field %s: component %q is not optional in this struct: add a field ecs.Maybe[%v], whose rows it is about", Named(t, f.Name, f.Is), f.Comp.Name, f.Type)
		}
		spec.Presences = append(spec.Presences, source.Presence{Offset: f.Offset, Column: at})
	}
	return spec, nil
}

// filter adds the condition that rows have to meet.
func (f *Field) filter(spec *walk.Spec) {
	switch f.Kind {
	case Changed, Added:
		spec.Changes = append(spec.Changes, match.Change{Comp: f.Comp, Added: f.Kind == Added, Rows: f.Rows})
	case Without:
		spec.Excluded = append(spec.Excluded, f.Comp)
	case Any:
		spec.Any = append(spec.Any, f.AnyOf)
	case Present:
		spec.Present = append(spec.Present, f.Comp)
	case Disabled:
		spec.Disabled = append(spec.Disabled, f.Comp)
	}
	if f.required() && !slices.Contains(spec.Required, f.Comp) {
		spec.Required = append(spec.Required, f.Comp)
	}
}

// passes adds values of its rows that a call gets.
func (f *Field) passes(spec *walk.Spec) {
	spec.Pointers = spec.Pointers || f.Kind == Pointer || f.Kind == Entity
	switch f.Kind {
	case Slice, Pointer:
		spec.Columns = append(spec.Columns, f.Column())
	case Entities, Entity:
		spec.Entities = int(f.Offset)
	case Rows:
		spec.InRows, spec.Rows = true, f.Offset
	}
}

// touches adds things that a call reaches beside its rows.
func (f *Field) touches(spec *walk.Spec) {
	switch f.Kind {
	case Pool, Prior:
		spec.Pools = append(spec.Pools, walk.Pool{Comp: f.Comp, Write: f.Write})
	case Later:
		spec.Later = append(spec.Later, f.Comp)
	case Spawner:
		spec.Later = append(spec.Later, f.Makes...)
	case Resource:
		spec.Resources = append(spec.Resources, walk.Resource{Type: f.Of.String(), Write: f.Write})
	case Events:
		spec.Resources = append(spec.Resources, walk.Resource{Type: EventsThing(f.Of), Write: f.Write})
	}
}
