package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Or as the type of a field means that entities must have component A or B, or both. A disabled
// one does not count, also beside Present or Disabled of it. The query does not read them. For more than two write Or[A, Or[B, C]]. If a type is
// registered twice, a tag names all components in their order: `ashlar:"poison|fire"`. Rows
// are tested 64 at a time, wherever the components are stored. Values come from fields beside
// it of type Maybe.
type Or[A, B any] struct {
	a of[A]
	b of[B]
}

// choices finds the components of an Or: by types, or by the names in its tag, each of
// which has to be of the type.
func (w *World) choices(types []reflect.Type, tag string) (list []*store.Component, err error) {
	names := make([]string, len(types))
	if tag != "" {
		if names = strings.Split(tag, "|"); len(names) != len(types) {
			return nil, fmt.Errorf("the tag names %d components, %q, and the field has %d types: name one for each, as in `ashlar:\"poison|fire\"`", len(names), tag, len(types))
		}
	}
	for i, t := range types {
		p, err := w.find(t, names[i])
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, &p.component) {
			list = append(list, &p.component)
		}
	}
	return list, nil
}
