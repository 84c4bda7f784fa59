package ecs

import (
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

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
//	Shot ecs.LaterSpawner[shot]         entities that are made there
//	Do   *ecs.Commands                  any change that is made there; ecs.AtEnd: at the end of the frame, in systems alone
//	Was  ecs.Prior[Heat]                access by handle to values of when the system began, in systems alone
//	Near *ecs.Query[near]               other rows, in systems alone
//	Tmp  ecs.Local[[]int]               scratch of a worker, in systems alone
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
	return &Query[S]{query: w.made("QueryOf").queryOf(new(S), raw.Assign[S], "QueryOf", "a query of ", nil)}
}

// queryOf is the query that passes the struct that v points to, of a constructor that goes on with its cursor; nil: none
// does. The function assign copies such a struct.
func (w *World) queryOf(v any, assign func(to, from raw.Ptr), kind, what string, goOn func(*walk.Cursor) error) query {
	t, into := typeOf(v), reflect.ValueOf(v).UnsafePointer()
	c, _, err := w.newCursor(t, what+field.StructName(t), into, false)
	if err == nil && goOn != nil {
		err = goOn(c)
	}
	nowhere := w.constructed(mistake{kind: kind, what: t, err: err})
	if nowhere != nil {
		w, c = nowhere, nowhere.noRows()
	}
	c.Hand = true
	q := w.queryFrom(c, into, t, assign)
	if nowhere != nil {
		q.refused = nowhere.refused
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

// Len counts the entities that match. It costs a look at each table if all of its rows
// match, otherwise a pass over its rows' bits or entries.
func (q *Query[S]) Len() int { return q.core().len() }

// Get returns the struct of pointers for one entity, and whether it matches. The
// pointers are good until the next safe point or structural change. It panics if S
// is a struct of slices. It looks the entity up once, however many components S names in the tables
// of the first, and once more for each that is stored elsewhere.
func (q *Query[S]) Get(e Entity) (s S, ok bool) {
	if arena.Checked {
		q.query.mustReach()
	}
	p := q.query.point
	if raw.Size[S]() <= 2*raw.WordBytes {
		w := p.Entry(e)
		if x := p.Known(w, e); x != nil {
			row := store.RowOf(w)
			if x.All() || x.Tested() && x.Has(row) {
				two := [2]raw.Ptr{p.One(x, row), p.Two(x, row)}
				return *raw.As[S](raw.Of(&two)), true
			}
			if x.Tested() {
				return
			}
			one, other := p.Both(x, e, row)
			two := [2]raw.Ptr{one, other}
			return *raw.As[S](raw.Of(&two)), one != nil
		}
	}
	var all S // and not s, which would be cleared above
	ok = p.Fill(e, raw.Of(&all))
	return all, ok
}
