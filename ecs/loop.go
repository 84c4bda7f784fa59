package ecs

import (
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// walker is the cursor for a walk of now.
func (q *query) walker() *walk.Cursor {
	if q.beside != nil && q.world.base.Walks.Split {
		return q.beside
	}
	return q.cursor
}

// each is a loop of All. A loop within another one over the same query has a struct of its own.
func (q *query) each(yield func(raw.Ptr) bool) {
	c, into := q.walker(), q.into
	if c.Running() {
		into = copied(q.of, q.into)
	}
	c.Each(into, yield)
}

// copied is a copy of a struct.
func copied(t reflect.Type, from raw.Ptr) raw.Ptr {
	v := reflect.New(t).UnsafePointer()
	copier(t)(v, from)
	return v
}

// copier copies structs of a type.
func copier(t reflect.Type) func(to, from raw.Ptr) {
	return func(to, from raw.Ptr) { reflect.NewAt(t, to).Elem().Set(reflect.NewAt(t, from).Elem()) }
}

func (q *query) len() int { return q.made("Len").walker().Len() }

// mustReach is that of all columns of a query.
func (q *query) mustReach() {
	for i := range q.cursor.Columns {
		q.world.watched.MustReach(q.cursor.Columns[i].Comp, "Query.Get", q.cursor.Columns[i].Write)
	}
}

// end ends the use of things that fields of a system refer to.
func end(c *walk.Cursor) {
	for _, f := range c.Ends {
		f()
	}
}

// queryFrom is the query of a cursor, which passes the struct of a type at an address.
func (w *World) queryFrom(c *walk.Cursor, into raw.Ptr, t reflect.Type, assign func(to, from raw.Ptr)) query {
	q := query{world: w, cursor: c, of: t, into: into, point: w.pointOf(c)}
	if !reflect.NewAt(t, into).Elem().IsZero() { // pools, commands, resources
		zero := reflect.New(t).UnsafePointer()
		q.point.Same = func(to raw.Ptr, matches bool) {
			from := zero
			if matches {
				from = into
			}
			assign(to, from)
		}
	}
	return q
}

// pointOf makes the binding with which Get looks entities up.
func (w *World) pointOf(c *walk.Cursor) *contract.Point {
	var list []contract.Field
	for i := range c.Columns {
		x := &c.Columns[i]
		list = append(list, contract.Field{C: x.Comp, Offset: x.Offset, Part: x.Part.Offset, Filled: true, Write: x.Write, Optional: !slices.Contains(c.Required, x.Comp)})
	}
	for _, x := range c.Required {
		if !slices.ContainsFunc(list, func(f contract.Field) bool { return f.C == x }) {
			list = append(list, contract.Field{C: x})
		}
	}
	ask := !c.Pointers || len(c.Any)+len(c.Present)+len(c.Disabled)+len(c.Changes) > 0
	p := contract.NewPoint(w.base.Store, list, ask)
	p.Excluded, p.Entity = c.Excluded, c.Entities
	p.Other = func(e Entity, into raw.Ptr) bool {
		if !c.Pointers {
			panic("ecs: Get of a query of slices: make a query of a struct of pointers for single entities")
		}
		if !c.Matches(e) {
			return false
		}
		c.Point(e, into)
		return true
	}
	return p
}
