package ecs

import (
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// A field *Query[S] of a system's struct is a query of the system's own. In a Parallel system each worker has one with
// a cursor that walks beside others:
//
//	the system runs alone     field ─► query ─► cursor
//	pieces, or beside others  field ─► query of the worker ─► parallel cursor, over the same plan
//
// A component may be reached in several ways within a call: by a column, by handle, by a query, by a walk of the query
// within itself. If one of them writes it, batches run in order, and all of these pass values where they lie. So each
// sees the others' writes. Copies can't be passed so: a field of a component, or a whole split value. With one of these
// the component is lent to its copies, as in a system that runs alone.

// fieldQuery makes the cursor of a field of type *Query, and the struct that it passes, and returns the fields of that.
func (w *World) fieldQuery(t reflect.Type) (*walk.Cursor, raw.Ptr, []field.Field, error) {
	into := reflect.New(t).UnsafePointer()
	c, fields, err := w.newCursor(t, "a query of "+field.StructName(t), into, false)
	return c, into, fields, err
}

// queryBeside is the query of a field for a worker.
func (w *World) queryBeside(f *field.Field, system *walk.Plan) query {
	c := f.Cursor.NewOwned(system)
	if w.rec != nil {
		w.rec.Query(c, c.Name)
	}
	q := w.queryFrom(c, copied(f.Of, f.Into), f.Of, copier(f.Of))
	q.cursor, q.beside = f.Cursor, c
	return q
}

// fillQuery fills a field of type *Query.
func fillQuery(f *field.Field, into raw.Ptr, q query) {
	v := reflect.New(f.Is.Elem()).UnsafePointer()
	*raw.As[query](v) = q // the only field of a Query
	*raw.As[raw.Ptr](raw.At(into, f.Offset)) = v
}

// reach has columns of a plan be passed where they lie, if their components are of some types and not copied, and returns the
// ones that are written.
func (w *World) reach(p *walk.Plan, types, copied []reflect.Type) (written []*store.Component) {
	for j := range p.Columns {
		x := &p.Columns[j]
		if t := w.poolOf(x.Comp).typ; slices.Contains(types, t) {
			if x.Reached = !slices.Contains(copied, t); x.Write {
				written = append(written, p.StandIns(x.Comp)...)
			}
		}
	}
	for _, x := range p.Pools {
		if x.Write {
			written = append(written, x.Comp)
		}
	}
	return written
}

// reached has all that a system reaches in several ways be passed where it lies, or be lent. It tells whether the system may
// run beside others.
func (w *World) reached(p *walk.Plan, fields []field.Field) (beside bool) {
	if field.News(fields) {
		return false
	}
	types, copied := field.Met(fields)
	p.Reached = w.reach(p, types, copied)
	for i := range fields {
		if c := fields[i].Cursor; c != nil {
			p.Reached = append(p.Reached, w.reach(c.Plan, types, copied)...)
		}
	}
	var lent []*store.Component
	for _, c := range p.Reached {
		if slices.Contains(copied, w.poolOf(c).typ) && !slices.Contains(lent, c) {
			lent = append(lent, c)
		}
	}
	p.Copies(lent)
	return true
}
