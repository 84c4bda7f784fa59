package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

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
	if w.closed {
		return v, w.over()
	}
	if t.Kind() != reflect.Struct {
		return v, fmt.Errorf("%v is not a struct: pass a struct whose fields are the components", t)
	}
	if owned != nil && len(owned) != t.NumField() {
		return v, fmt.Errorf("%v has %d fields, and %d pools are given: give one for each field, or none", t, t.NumField(), len(owned))
	}
	i := -1
	for sf := range t.Fields() {
		i++
		var given AnyPool
		if owned != nil {
			given = owned[i]
		} else if in, err := w.valuesWithin(sf); len(in.pools) > 0 {
			if err != nil {
				return v, fmt.Errorf("field %s: %w", field.Named(t, sf.Name, sf.Type), err)
			}
			v.pools, v.offsets = append(v.pools, in.pools...), append(v.offsets, in.offsets...)
			continue
		}
		kind, p, err := w.valueField(sf, owned != nil, given)
		if err != nil && len(w.names.ofType[t]) > 0 {
			return v, fmt.Errorf("%v is a component itself: pass a struct that has it as a field, such as struct{ %[1]v }", t)
		}
		if err != nil {
			return v, fmt.Errorf("field %s: %w", field.Named(t, sf.Name, sf.Type), err)
		}
		switch kind {
		case field.With:
			v.with = append(v.with, p)
		case field.Without:
			v.without = append(v.without, p)
		case field.Maybe:
			v.optional = append(v.optional, p)
		default:
			v.pools, v.offsets = append(v.pools, p), append(v.offsets, sf.Offset)
		}
	}
	return v, nil
}

// valueField finds the component that a field of a struct of values means, and how it is meant:
// the given pool's, or else by name and type.
func (w *World) valueField(sf reflect.StructField, isGiven bool, given AnyPool) (kind field.Kind, p *pool, err error) {
	f, err := field.Value(sf)
	switch {
	case err != nil:
	case isGiven:
		p, err = w.givenPool(given, f.Of)
	default:
		p, err = w.findValue(f.Of, f.Tag)
	}
	return f.Kind, p, err
}

// givenPool refuses a pool that is not one of this world's, of type of.
func (w *World) givenPool(given AnyPool, of reflect.Type) (p *pool, err error) {
	p = coreOf(given)
	switch {
	case p == nil:
		return nil, fmt.Errorf("the given pool is nil or the zero value: pools come from ecs.Register")
	case p.world.refused != nil:
		return nil, errGiven("component", p.component.Name)
	case p.world != w:
		return nil, fmt.Errorf("the given pool %q is of another world: give pools of the group's world", p.component.Name)
	case p.typ != of:
		return nil, fmt.Errorf("the given pool %q is of type %v", p.component.Name, p.typ)
	}
	return p, nil
}

// valuesWithin reads a field that may be a struct of values itself: it has none if it is not,
// and an error if that is so in part.
func (w *World) valuesWithin(sf reflect.StructField) (v values, err error) {
	if s := w.names.splits[sf.Type]; s != nil {
		for _, x := range s.parts {
			v.pools, v.offsets = append(v.pools, x.p), append(v.offsets, sf.Offset+x.offset)
		}
		return v, nil
	}
	if sf.Type.Kind() != reflect.Struct || sf.Tag != "" || w.names.ofType[sf.Type] != nil {
		return v, nil
	}
	v, err = w.valueFields(sf.Type, nil)
	v.with, v.without, v.optional = nil, nil, nil // of a group: members have more components than they are spawned with
	for i := range v.offsets {
		v.offsets[i] += sf.Offset
	}
	return v, err
}
