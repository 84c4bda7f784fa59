package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
)

// Res as the type of a field gives access to a resource, for reading: the World's one value of
// type T, set by Provide.
type Res[T any] struct {
	of of[T]
	v  *T
}

// Get returns the resource for reading. The address is good as long as the world.
func (r Res[T]) Get() *T {
	if r.v == nil {
		panic(unmade{"Res", "Get"})
	}
	return r.v
}

// WriteRes is Res for a system that may change the resource.
type WriteRes[T any] struct{ Res[T] }

// Mut returns the resource for writing.
func (r WriteRes[T]) Mut() *T {
	if r.v == nil {
		panic(unmade{"WriteRes", "Mut"})
	}
	return r.v
}

// Provide gives the world a resource: one value of type T, of any type, that systems ask for
// by fields of type Res[T] and WriteRes[T]. It returns where the value is for as long as the world lives.
// A second one of the same type is refused: see World.Err. Its address is no system's.
func Provide[T any](w *World, v T) *T {
	t, p := typeOf((*T)(nil)), &v
	err := w.made("Provide").provide(t, p)
	w.constructed(mistake{kind: "Provide", what: t, err: err})
	return p
}

func (w *World) provide(t reflect.Type, p any) error {
	if w.closed {
		return w.over()
	}
	if w.names.resources[t] != nil {
		return fmt.Errorf("the world has a resource of type %v already: change it through the pointer that the first Provide returned (ecs.Resource finds it), or give this one a type of its own", t)
	}
	w.names.resources[t] = p
	return nil
}

// provided returns an error if the world has no resource of a type.
func (w *World) provided(t reflect.Type) error {
	switch {
	case w.names.resources[t] != nil:
		return nil
	case t.Kind() == reflect.Pointer && w.names.resources[t.Elem()] != nil:
		return fmt.Errorf("the world has a resource of type %v, not %v: name that, of which the field has the address", t.Elem(), t)
	case w.names.resources[reflect.PointerTo(t)] != nil:
		return fmt.Errorf("the world has a resource of type *%v, not %v: pass the value to ecs.Provide, which returns a pointer to it", t, t)
	}
	return fmt.Errorf("the world has no resource of type %v: call ecs.Provide first", t)
}

// Resource returns the world's resource of type T; nil if there is none.
func Resource[T any](w *World) *T {
	if arena.Checked {
		w.made("Resource").watched.MustHave(field.ResourceThing(typeOf((*T)(nil))))
	}
	p, _ := w.made("Resource").names.resources[typeOf((*T)(nil))].(*T)
	return p
}
