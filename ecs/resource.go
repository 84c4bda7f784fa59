package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Res is a field of a system's struct that gives access to a resource: the World's one value
// of type T, set by Provide. With the tag `ashlar:"write"` the system may change it.
type Res[T any] struct {
	v     *T
	write bool
}

// Get returns the resource for reading. The address is good as long as the world.
func (r Res[T]) Get() *T {
	if r.v == nil {
		panic(unmade{"Res", "Get"})
	}
	return r.v
}

// Mut returns the resource for writing. It panics if the field's tag does not say write.
func (r Res[T]) Mut() *T {
	if r.v == nil {
		panic(unmade{"Res", "Mut"})
	}
	if !r.write {
		panic(fmt.Sprintf("ecs: Mut of a resource %v that the system only reads: write `ashlar:\"write\"` after the field", reflect.TypeFor[T]()))
	}
	return r.v
}

func (Res[T]) resource() reflect.Type { return reflect.TypeFor[T]() }

type resource interface{ resource() reflect.Type }

// Provide gives the world a resource: one value of type T, of any type, that systems ask for
// by fields of type Res[T]. It returns where the value is for as long as the world lives.
// A second one of the same type is refused: see World.Err. Its address is no system's.
func Provide[T any](w *World, v T) *T {
	t, p := reflect.TypeFor[T](), &v
	err := w.made("Provide").provide(t, p)
	if err != nil {
		err = fmt.Errorf("ecs: Provide: %w", err)
	}
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
	if w.names.resources == nil {
		w.names.resources = make(map[reflect.Type]any)
	}
	w.names.resources[t] = p
	return nil
}

// Resource returns the world's resource of type T; nil if there is none.
func Resource[T any](w *World) *T {
	p, _ := w.made("Resource").names.resources[reflect.TypeFor[T]()].(*T)
	return p
}

// fillResource fills a field of type Res.
func (w *World) fillResource(f *field, into raw.Ptr) {
	at := raw.At(into, f.offset) // Res[T] is the same for all T but for what it points to
	r := raw.As[Res[byte]](at)
	r.v, r.write = raw.As[byte](reflect.ValueOf(w.names.resources[f.of]).UnsafePointer()), f.write
}
