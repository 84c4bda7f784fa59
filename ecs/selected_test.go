package ecs

import (
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Match lists the pools by which a Selection chooses entities. With, Write and Or together must
// name at least one.
type Match struct {
	// With are components that entities must have. Batch.Column has their values, for reading.
	With []AnyPool
	// Write are pools with values that are written, too.
	Write []AnyPool
	// Without are components that entities must not have.
	Without []AnyPool
	// Or are components; entities must have one at least. Nil asks for nothing.
	Or []AnyPool
}

// Selection is a query that is put together at run time: tests draw its lists at random.
type Selection struct {
	query
	columns []*pool
}

func (s *Selection) core() *query { return &s.query }

// Batch is rows of a Selection: one turn of a loop over All. It is good for that turn.
type Batch struct {
	// Entities are the entities of the rows.
	Entities []Entity

	s       *Selection
	columns [][]byte // the entities, and the columns of the selection
}

// Select makes a selection.
func Select(w *World, m Match) *Selection {
	s, err := w.made("Select").selected(m)
	if err != nil {
		panic(err)
	}
	return s
}

func (w *World) selected(m Match) (*Selection, error) {
	if w.closed {
		return nil, w.over()
	}
	s := &Selection{query: query{world: w}}
	spec := walk.Spec{Name: "a selection"}
	var anyOf []*store.Component
	for _, list := range []struct {
		name  string
		pools []AnyPool
		to    *[]*store.Component
	}{{"Write", m.Write, &spec.Required}, {"With", m.With, &spec.Required}, {"Without", m.Without, &spec.Excluded}, {"Or", m.Or, &anyOf}} {
		for i, p := range list.pools {
			p, err := w.own(p)
			if err != nil {
				return nil, fmt.Errorf("pool %d of %s: %w", i, list.name, err)
			}
			if slices.Contains(*list.to, &p.component) {
				continue
			}
			if *list.to = append(*list.to, &p.component); list.to == &spec.Required {
				s.columns = append(s.columns, p)
				spec.Columns = append(spec.Columns, source.Column{Name: p.component.Name, Comp: &p.component, Part: source.Part{Size: p.component.Size}, Offset: columnOffset(len(s.columns)), Write: list.name == "Write"})
			}
		}
	}
	if len(anyOf) > 0 {
		spec.Any = append(spec.Any, anyOf)
	}
	if spec.NoRows() {
		return nil, errors.New("it requires no component")
	}
	for _, c := range spec.Excluded {
		if slices.Contains(spec.Required, c) {
			return nil, fmt.Errorf("component %q is both required and in Without: take it out of one", c.Name)
		}
	}
	s.cursor = walk.NewCursor(walk.NewPlan(&w.base, spec))
	return s, nil
}

// columnOffset is that of a batch's i-th column; 0 has the entities.
func columnOffset(i int) uintptr { return uintptr(i) * raw.Size[[]byte]() }

// own returns the untyped part of a pool of this world.
func (w *World) own(any AnyPool) (*pool, error) {
	p := coreOf(any)
	switch {
	case p == nil:
		return nil, fmt.Errorf("it is nil or the zero value: pools come from ecs.Register")
	case p.world.refused != nil:
		return nil, errGiven("component", p.component.Name)
	case p.world != w:
		return nil, fmt.Errorf("component %q is of another world: name pools of the selection's world", p.component.Name)
	}
	return p, nil
}

// All iterates over batches of rows. Structural changes meanwhile panic. Where a batch ends
// is no part of the result.
func (s *Selection) All() iter.Seq[*Batch] {
	return func(yield func(*Batch) bool) {
		b := &Batch{s: s, columns: make([][]byte, 1+len(s.columns))}
		into := raw.Data(b.columns)
		s.cursor.Each(into, func(raw.Ptr) bool {
			b.Entities = *raw.As[[]Entity](into)
			return yield(b)
		})
	}
}

// Len counts the entities that match, as Query.Len does.
func (s *Selection) Len() int { return s.cursor.Len() }

// Column returns a component's values for the batch's rows: a []T for a Pool[T]. The
// component must be in the selection's With or Write; it panics if not.
func (b *Batch) Column(p AnyPool) any {
	of := coreOf(p)
	i := slices.Index(b.s.columns, of)
	if i < 0 {
		panic(fmt.Sprintf("ecs: Column of component %q, which the selection does not name: name it in With or Write", of.component.Name))
	}
	return reflect.NewAt(reflect.SliceOf(of.typ), raw.At(raw.Data(b.columns), columnOffset(i+1))).Elem().Interface() // a []T of a Pool[T]
}
