package ecs

import (
	"fmt"
	"iter"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// newCursor reads the struct type t and fills the fields of the value at into that stay
// the same: pools and commands.
func (w *World) newCursor(t reflect.Type, name string, into raw.Ptr, system bool) (*walk.Cursor, []field.Field, error) {
	if w.closed {
		return nil, nil, w.over()
	}
	fields, err := w.queryFields(t, system)
	if err != nil {
		return nil, nil, err
	}
	spec, err := field.Spec(t, name, fields)
	if err != nil {
		return nil, nil, err
	}
	for i := range fields {
		if f := &fields[i]; f.Kind.Changes() {
			w.watchChanges(f)
		} else {
			w.fillField(&spec, f, into)
		}
	}
	c := walk.NewCursor(walk.NewPlan(&w.base, spec))
	if w.rec != nil && !system {
		w.rec.Query(c, name)
	}
	return c, fields, nil
}

// watchChanges has the store note changes of a field's component.
func (w *World) watchChanges(f *field.Field) {
	w.base.S.Watch(f.Comp)
	if f.Rows {
		w.base.S.AskRows(f.Comp, f.Kind == field.Added)
	}
}

// fillField fills a field of the struct at an address, if its value stays the same or is made at each run.
func (w *World) fillField(spec *walk.Spec, f *field.Field, into raw.Ptr) {
	switch at := raw.At(into, f.Offset); f.Kind {
	case field.Pool:
		w.fillPool(f, at)
	case field.Later:
		w.poolOf(f.Comp).fillLater(at, &w.commands)
	case field.Commands:
		*raw.As[*Commands](at) = &w.commands
	case field.AtEnd:
		fillAtEnd(f, into, &w.late)
	case field.Query:
		fillQuery(f, into, w.queryFrom(f.Cursor, f.Into, f.Of, copier(f.Of)))
	case field.Local:
		fillLocal(f, into)
	case field.Random:
		spec.Begins = append(spec.Begins, w.fillRandom(spec.Name, at))
	case field.Resource:
		w.fillResource(f, into)
	case field.Events:
		begin, end := eventsOf(f).bind(w.names.events[f.Of], at)
		spec.Begins, spec.Ends = append(spec.Begins, func(uint64) { begin() }), append(spec.Ends, end)
	case field.Prior:
		b := fillPrior(f, into)
		spec.Begins, spec.Priors = append(spec.Begins, func(uint64) { w.systems.Take(b) }), append(spec.Priors, b)
	case field.Moves:
		spec.Ends = append(spec.Ends, w.bindMoves(f, into))
	}
}

// fillPool fills a field of type *Pool, or Look.
func (w *World) fillPool(f *field.Field, at raw.Ptr) {
	*raw.As[raw.Ptr](at) = reflect.ValueOf(w.poolOf(f.Comp).handle).UnsafePointer()
}

// Has says which rows of a batch have an optional component. It is good as
// long as the batch.
type Has struct{ bits []uint64 } // as package source fills it

// Has tells whether row i has the component.
func (p Has) Has(i int) bool {
	if i/64 >= len(p.bits) {
		panic(noRow{})
	}
	return p.bits[i/64]>>(i%64)&1 != 0
}

// noRow is the panic of Has.Has and Strided.At beyond the batch.
type noRow struct{}

func (noRow) Error() string {
	return "ecs: a row that the batch does not have was asked for: ask for rows of the slices beside it, in the call that it was passed to"
}

// Rows as the type of a field has whole columns passed in place, whichever rows match. The
// field has the numbers of the rows that match, in ascending order:
//
//	for _, i := range c.Rows {
//		c.Pos[i].X += c.Vel[i].X
//	}
//
// Leave the other rows alone. Nothing is copied to bring matching rows together, which pays if
// few rows of many match. Like the columns it is good as long as the batch.
type Rows []uint16

// Query goes over the entities that match a struct type S; see QueryOf.
type Query[S any] struct {
	of    of[S]
	_     apart
	query query
}

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

// QueryOf makes a query from the fields of S:
//
//	Pos  []Position                     a column, for reading
//	Vel  ecs.Write[Velocity]            a column that is written
//	At   []Vec3 `ashlar:"body.At"`      a field of a component
//	To   ecs.Strided[Vec3] `ashlar:"…"` such a field where it lies; ecs.WriteStrided to write, too
//	Mass ecs.Maybe[Mass]                zero where an entity lacks it
//	Has  ecs.Has `ashlar:"mass"`        which rows have it
//	Ents []ecs.Entity                   whose rows they are
//	Rows ecs.Rows                       all rows of a table are passed: these match
//	_    ecs.With[Player]               required, not read
//	_    ecs.Without[Frozen]            excluded
//	_    ecs.Or[Poison, Fire]           one of them is required at least
//	_    ecs.Present[Shield]            required, enabled or disabled
//	_    ecs.Disabled[Engine]           required, and disabled
//	_    ecs.Changed[Shape]             required, and in a chunk written since the last walk
//	_    ecs.AddedRows[Hit]             required, and added since the last walk, row by row
//	Far  ecs.Look[Target]               access by handle; *ecs.Pool[Target] to write, too
//	Fire ecs.Later[Fire]                changes that are made at the next safe point
//	Rand ecs.Random                     random numbers, in systems alone
//	Hits ecs.Events[Hit]                events; ecs.WriteEvents[Hit] to write them; in systems alone
//	In   ecs.Arrived[Position]          entities that have got it, in systems alone; ecs.Left: that lost it
//	Now  ecs.Arrived[ecs.Set[Position]] values that a call has set; ecs.Left: that were overwritten
//	Time ecs.Res[Clock]                 a resource; ecs.WriteRes[Clock] to write, too
//
// or *T, WriteOne, MaybeOne and Entity in place of the slices, for one call a row.
//
// A tag is a name:
//
//	NAME             the component: needed if its type is registered twice
//	COMPONENT.FIELD  a field of a component, or a field of that, and so on
//	A|B|C            of Or: the components, one for each of its types
//
// A name that means nothing for its field is an error, and so is a key that is almost ashlar. World.Err
// names the key that was meant. The query of a struct that is refused goes over nothing.
func QueryOf[S any](w *World) *Query[S] {
	return &Query[S]{query: w.made("QueryOf").queryOf(new(S), raw.Assign[S])}
}

// queryOf is the query that passes the struct that v points to. The function assign copies such a struct.
func (w *World) queryOf(v any, assign func(to, from raw.Ptr)) query {
	t, into := typeOf(v), reflect.ValueOf(v).UnsafePointer()
	c, _, err := w.newCursor(t, "a query of "+field.StructName(t), into, false)
	if err != nil {
		err = fmt.Errorf("ecs: QueryOf: %w", err)
	}
	return w.queryMade(c, into, assign, mistake{kind: "QueryOf", what: t, err: err})
}

// queryMade is the query of a cursor, or one that was refused. The function assign copies its struct.
func (w *World) queryMade(c *walk.Cursor, into raw.Ptr, assign func(to, from raw.Ptr), m mistake) query {
	nowhere := w.constructed(m)
	if nowhere != nil {
		w, c = nowhere, nowhere.noRows()
	}
	c.Hand = true
	q := w.queryFrom(c, into, m.what.(reflect.Type), assign)
	if nowhere != nil {
		q.refused = nowhere.refused
	}
	return q
}

// queryFrom is the query of a cursor, which passes the struct of a type at an address.
func (w *World) queryFrom(c *walk.Cursor, into raw.Ptr, t reflect.Type, assign func(to, from raw.Ptr)) query {
	q := query{w: w, c: c, of: t, into: into, at: w.pointOf(c)}
	if !reflect.NewAt(t, into).Elem().IsZero() { // pools, commands, resources
		zero := reflect.New(t).UnsafePointer()
		q.at.Same = func(to raw.Ptr, matches bool) {
			from := zero
			if matches {
				from = into
			}
			assign(to, from)
		}
	}
	return q
}

// All iterates over batches of rows. The fields of the struct are slices of equal length. They
// and the struct are valid for one turn of the loop. For a struct of pointers it iterates over
// rows. Where a batch ends is no part of the result. Structural changes meanwhile panic. An iterator
// of iter.Pull goes on until it has come to the end or is stopped; several may end in
// any order.
func (q *Query[S]) All() iter.Seq[*S] {
	c := q.core().made("All")
	return func(yield func(*S) bool) { c.each(raw.Yield(yield)) }
}

// each is a loop of All. A loop within another one over the same query has a struct of its own.
func (q *query) each(yield func(raw.Ptr) bool) {
	c, into := q.walker(), q.into
	if c.Running() {
		into = q.another()
	}
	c.Each(into, yield)
}

// another is a copy of the query's struct.
func (q *query) another() raw.Ptr {
	return copied(q.of, q.into)
}

// Len counts the entities that match. It costs a look at each table if all of its rows
// match, otherwise a pass over its rows' bits or entries.
func (q *Query[S]) Len() int { return q.core().len() }

func (q *query) len() int { return q.made("Len").walker().Len() }

// Get returns the struct of pointers for one entity, and whether it matches. The
// pointers are good until the next safe point or structural change. It panics if S
// is a struct of slices. It looks the entity up once, however many components S names in the tables
// of the first, and once more for each that is stored elsewhere.
func (q *Query[S]) Get(e Entity) (s S, ok bool) {
	if arena.Checked {
		q.query.mustReach()
	}
	ok = q.query.at.Fill(e, raw.Of(&s))
	return
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
	p := contract.NewPoint(w.base.S, list, ask)
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
