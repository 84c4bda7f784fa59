package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// Register makes a component of type T under a name. Keep the name over versions of the
// program: profiles refer to it.
//
// A type may be registered under several names. A field without a tag means the one name that
// its type has when the group, system or query is made. It keeps that component when further
// names come. From the second name on such a field is refused: its tag has to say which name
// it means, or GroupOf is given the pool.
//
// The way of storing follows from the program's use of the component. [Stable],
// [Volatile] or [Thin] states it instead; give at most one of them (docs/design/store.md).
//
// Register is refused if T has Go pointers or has more than 65,528 bytes. It is also refused if
// the name is empty, taken, or has characters other than a to z, A to Z, digits and ". _ -". A name with
// dots is refused if it means a field of another component, as "at.House" does where "at" has a field House.
// The pool does nothing then, and World.Err says why.
func Register[T any](w *World, name string, how ...Storage) *Pool[T] {
	p := &Pool[T]{}
	p.pool.handle = p
	w.made("Register").registered(&p.pool, typeOf((*T)(nil)), name, how)
	return p
}

// registered makes a pool one of a component, or one that does nothing if that is refused.
func (w *World) registered(p *pool, t reflect.Type, name string, how []Storage) {
	err := w.register(p, t, name, how)
	if nowhere := w.constructed(mistake{kind: "Register", says: "Register of component", name: name, what: t, err: err}); nowhere != nil {
		p.world, p.typ = nowhere, t
		nowhere.registerSpare(&p.component, name)
	}
}

// valueMax is the size of the largest component: a chunk has to have room for a row of it.
const valueMax = chunk.Bytes - 8

func (w *World) register(p *pool, t reflect.Type, name string, how []Storage) error {
	if w.closed {
		return w.over()
	}
	w.mustIdle("Register")
	if err := w.registrable(t, name); err != nil {
		return err
	}
	spec, err := chunk.SpecOf(t)
	if err != nil {
		return err
	}
	way, stated, err := wayOf(how)
	if err != nil {
		return err
	}
	p.world, p.typ = w, t
	way, stated, begins := w.laid(name, way, stated)
	w.base.Store.Register(&p.component, name, spec, way, stated)
	w.base.Store.Begin(&p.component, begins)
	w.names.addPool(p)
	return nil
}

// registrable returns an error if the world can't have a component of that type and name.
func (w *World) registrable(t reflect.Type, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if field.Reserved(name) {
		return errors.New("the name is a reserved word of tags: choose another one")
	}
	if w.names.splits[t] != nil {
		return fmt.Errorf("%v is split: its fields are components, and it is none", t)
	}
	if q := w.names.pool[name]; q != nil {
		return fmt.Errorf("the name is taken by %v: register a component once and keep its pool, or choose another name", q.typ)
	}
	if t.Size() > valueMax {
		return fmt.Errorf("%v has %d bytes, and the limit is %d bytes, because a row with its entity's 8 bytes has to fit in a chunk: keep large values outside and store an index", t, t.Size(), valueMax)
	}
	return w.names.distinct(name, t)
}

// findValue is find for a field that is a value. A slice or a pointer there is meant for a query.
func (w *World) findValue(t reflect.Type, name string) (*pool, error) {
	if k := t.Kind(); (k == reflect.Slice || k == reflect.Pointer) && w.names.ofType[t.Elem()] != nil {
		return nil, fmt.Errorf("%v is not a component: write the value, %v; a query's struct has slices and pointers", t, t.Elem())
	}
	return w.find(t, name)
}

// find returns the pool of a type, or of a name with that type.
func (w *World) find(t reflect.Type, name string) (*pool, error) {
	if name != "" {
		p := w.names.pool[name]
		switch {
		case p == nil:
			return nil, fmt.Errorf("no component is called %q: register it first%s", name, w.knownAs(t))
		case p.typ != t:
			return nil, fmt.Errorf("component %q is of type %v, not %v", name, p.typ, t)
		}
		return p, nil
	}
	switch ps := w.names.ofType[t]; len(ps) {
	case 0:
		if s := w.names.splits[t]; s != nil {
			return nil, fmt.Errorf("%v is split: its fields are components; name one by a tag, such as `ashlar:%q`", t, s.parts[0].p.component.Name)
		}
		return nil, field.Unregistered(t, w.names.role(t))
	case 1:
		return ps[0], nil
	default:
		return nil, fmt.Errorf("%v is registered as %s: say which by a tag, such as `ashlar:%q`", t, quoted(ps), ps[0].component.Name)
	}
}

// findPart returns the component that a type and a tag's name mean, or a field of one, named
// COMPONENT.FIELD, with further dots for fields of fields.
func (w *World) findPart(t reflect.Type, name string) (*pool, source.Part, error) {
	if name != "" && w.names.pool[name] == nil {
		for i := len(name); i > 0; i = strings.LastIndexByte(name[:i], '.') {
			if p := w.names.pool[name[:i]]; p != nil {
				of, err := field.PartOf(p.typ, name[i+1:], t)
				if err != nil {
					err = fmt.Errorf("component %q: %w", p.component.Name, err)
				}
				return p, of, err
			}
		}
	}
	p, err := w.find(t, name)
	if err != nil {
		return nil, source.Part{}, err
	}
	return p, source.Part{Size: p.component.Size}, nil
}

// knownAs ends a message about an unknown name with the names of a type's components.
func (w *World) knownAs(t reflect.Type) string {
	ps := w.names.ofType[t]
	if len(ps) == 0 {
		return ""
	}
	return fmt.Sprintf("; %v is registered as %s", t, quoted(ps))
}

// quoted lists the names of components.
func quoted(ps []*pool) string {
	names := make([]string, len(ps))
	for i, p := range ps {
		names[i] = strconv.Quote(p.component.Name)
	}
	return strings.Join(names, ", ")
}

// laid is how a component begins if the layout says so: the store's way and whether it stays so, and
// otherwise where the policy begins.
func (w *World) laid(name string, way store.Way, stated bool) (store.Way, bool, policy.Way) {
	s, ok := w.layout.Find(layout.Stored, name)
	if !ok {
		return way, stated, policy.Fixed
	}
	switch s.Way {
	case "volatile":
		return store.Fixed, false, policy.Optional
	case "ordered":
		return store.Fixed, false, policy.Ordered
	case "thin":
		return store.Thin, true, policy.Fixed
	}
	return store.Fixed, true, policy.Fixed
}
