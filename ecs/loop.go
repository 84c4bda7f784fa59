package ecs

import (
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// query is the part that queries of all structs have in common.
type query struct {
	w       *World
	c       *walk.Cursor
	of      reflect.Type    // of the struct
	into    raw.Ptr         // the struct that is passed
	at      *contract.Point // of Get
	refused error           // nil: it was made
	beside  *walk.Cursor    // of a worker of a Parallel system; nil: it is none's
}

func (q *query) made(call string) *query {
	if q == nil || q.c == nil {
		panic(unmade{"Query", call})
	}
	return q
}

// walker is the cursor for a walk of now.
func (q *query) walker() *walk.Cursor {
	if q.beside != nil && q.w.base.Walks.Split {
		return q.beside
	}
	return q.c
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
	for i := range q.c.Columns {
		q.w.watched.MustReach(q.c.Columns[i].Comp, "Query.Get", q.c.Columns[i].Write)
	}
}
