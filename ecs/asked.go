package ecs

import (
	"reflect"
	"slices"

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

// fieldQuery makes the query of a field, and returns the fields of its struct.
func (w *World) fieldQuery(t reflect.Type) (*query, []field, error) {
	into := reflect.New(t).UnsafePointer()
	c, fields, err := w.newCursor(t, "a query of "+structOf(t), into, false)
	if err != nil {
		return nil, nil, err
	}
	q := w.queryFrom(c, into, t, assigned(t))
	return &q, fields, nil
}

// assigned copies structs of a type.
func assigned(t reflect.Type) func(to, from raw.Ptr) {
	return func(to, from raw.Ptr) { reflect.NewAt(t, to).Elem().Set(reflect.NewAt(t, from).Elem()) }
}

// besideOf is the query for a worker.
func (q *query) besideOf(t reflect.Type, system *walk.Plan) query {
	into := reflect.New(t)
	into.Elem().Set(reflect.NewAt(t, q.into).Elem())
	c := q.c.NewOwned(system)
	if r := q.w.rec; r != nil {
		r.Query(c, c.Name)
	}
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

// flat are fields and those of their queries.
func flat(fields []field) []field {
	all := slices.Clone(fields)
	for i := range fields {
		all = append(all, fields[i].within...)
	}
	return all
}

// way is a field by which calls of a system reach a component.
type way struct {
	*field
	of int // number of the query; 0: the system's struct
}

// waysOf are the ways of a struct.
func waysOf(fields []field) (ways []way) {
	of := 0
	list := func(fields []field) {
		for i := range fields {
			if f := &fields[i]; f.values() || f.kind == kindPool {
				ways = append(ways, way{f, of})
			}
		}
	}
	list(fields)
	for i := range fields {
		of++
		list(fields[i].within)
	}
	return ways
}

// meets tells whether two ways may reach one value in a call, and one of them writes it. With OnlyIn, columns are of
// other components of the same type. Two columns of one struct don't meet: see source.Clash.
func (x way) meets(y way) bool {
	return (x.write || y.write) && x.pool.typ == y.pool.typ && (x.of > 0 || y.of > 0 || x.values() != y.values())
}

// copied tells whether the way passes copies, however values lie.
func (x way) copied() bool {
	return x.kind == kindSlice && (x.strided || x.part.Path != "" || x.woven.Size > 0)
}

// news tells whether a query of the struct asks for changes of a component that the struct writes. Beside other systems all
// that it writes is of one tick, and a second walk of the query could not tell what came behind the first.
func news(fields []field) bool {
	all := flat(fields)
	for i := range fields {
		for _, asks := range fields[i].within {
			if asks.kind.changes() && slices.ContainsFunc(all, func(f field) bool { return f.write && f.pool != nil && f.pool.typ == asks.pool.typ }) {
				return true
			}
		}
	}
	return false
}

// met are the types of components that calls reach in several ways, of which one writes, and the ones among them that some
// way passes copies of.
func met(fields []field) (types, copied []reflect.Type) {
	ways := waysOf(fields)
	for _, x := range ways {
		if slices.ContainsFunc(ways, x.meets) {
			types = append(types, x.pool.typ)
		}
	}
	for _, x := range ways {
		if x.copied() && slices.Contains(types, x.pool.typ) {
			copied = append(copied, x.pool.typ)
		}
	}
	return types, copied
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
func (w *World) reached(p *walk.Plan, fields []field) (beside bool) {
	if news(fields) {
		return false
	}
	types, copied := met(fields)
	p.Reached = w.reach(p, types, copied)
	for i := range fields {
		if q := fields[i].query; q != nil {
			p.Reached = append(p.Reached, w.reach(q.c.Plan, types, copied)...)
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
