package ecs

import (
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// A field *Query[S] of a system's struct is a query of the system's own. In a Parallel system each worker has one with
// a cursor that walks beside others:
//
//	the system runs alone     field ─► query ─► cursor
//	pieces, or beside others  field ─► query of the worker ─► parallel cursor, over the same plan
//
// Such a query only reads, and nothing that the struct writes. A system with any other one runs alone.

// asking is a *Query of any struct type.
type asking interface{ structType() reflect.Type }

func (*Query[S]) structType() reflect.Type { return typeFor[S]() }

// fieldQuery makes the query of a field.
func (w *World) fieldQuery(t reflect.Type) (*query, error) {
	into := reflect.New(t).UnsafePointer()
	c, _, err := w.newCursor(t, "a query of "+structOf(t), into, false)
	if err != nil {
		return nil, err
	}
	q := w.queryFrom(c, into, t, assigned(t))
	return &q, nil
}

// assigned copies structs of a type.
func assigned(t reflect.Type) func(to, from raw.Ptr) {
	return func(to, from raw.Ptr) { reflect.NewAt(t, to).Elem().Set(reflect.NewAt(t, from).Elem()) }
}

// besideOf is the query for a worker.
func (q *query) besideOf(t reflect.Type) query {
	into := reflect.New(t)
	into.Elem().Set(reflect.NewAt(t, q.into).Elem())
	c := walk.NewParallel(q.c.Plan)
	x := q.w.queryFrom(c, into.UnsafePointer(), t, assigned(t))
	x.c, x.beside = q.c, c
	return x
}

// fillQuery fills a field of type *Query.
func (f *field) fillQuery(into raw.Ptr, q query) {
	v := reflect.New(f.is.Elem()).UnsafePointer()
	*raw.As[query](v) = q // the only field of a Query
	*raw.As[raw.Ptr](raw.At(into, f.offset)) = v
}

// walker is the cursor for a walk of now.
func (q *query) walker() *walk.Cursor {
	if q.beside != nil && q.w.base.Walks.Split {
		return q.beside
	}
	return q.c
}

// sees are the components that decide which rows the query passes, or that it passes.
func (q *query) sees() []*store.Component {
	c := q.c
	list := slices.Concat(c.Required, c.Excluded, c.Present, c.Disabled)
	for _, any := range c.Any {
		list = append(list, any...)
	}
	for i := range c.Columns {
		list = append(list, c.Columns[i].Comp)
	}
	return slices.DeleteFunc(list, func(c *store.Component) bool { return c == nil }) // the entity as a whole
}

// apart tells whether the query only reads, and no component of a type that the struct writes.
func (q *query) apart(fields []field) bool {
	if len(q.c.Changes) > 0 {
		return false
	}
	return !slices.ContainsFunc(q.c.Columns, func(x source.Column) bool {
		t := q.w.poolOf(x.Comp).typ
		return x.Write || slices.ContainsFunc(fields, func(f field) bool { return f.write && f.pool != nil && f.pool.typ == t })
	})
}
