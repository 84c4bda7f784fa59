package ecs

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
)

// query is what all queries and systems have in common: what to fill for which
// rows. It is in use by one iteration at a time.
type query struct {
	w         *World
	name      string // as a panic names it
	number    int    // a system's place among all; -1 for other queries
	planner   planner
	columns   []column
	own       fixed // of columns
	presences []presenceField
	entities  int // offset of a []Entity or Entity field; -1 if there is none
	pointers  bool
	over      []fixed
	layout    uint64               // of the manager when the groups in over were noted; 0 if they were not
	small     bool                 // all of them have one chunk
	fn        func(unsafe.Pointer) // a system's function, called without a detour; nil for queries

	served   []*served // groups that columns are gathered for
	serving  *served   // the one that is walked
	aliased  bool      // some column of the chunk under way is its owner's own
	noted    *noted    // what a system's walk is added to; nil: it is not recorded
	running  bool
	passed   int // a system's batches, or rows where it has pointers, that it is done with in this run
	found    []source
	owner    *group // the group that has exactly what is required, if any
	groups   int    // how many groups there were when owner was looked for
	matching []uint16
	handles  []Entity
	lanes    lanes
}

// newQuery reads the struct type t and fills the fields of the value at into that
// stay the same: pools and commands.
func (w *World) newQuery(t reflect.Type, name string, into unsafe.Pointer) (*query, error) {
	if w.closed {
		return nil, ErrClosed
	}
	fields, err := w.queryFields(t)
	if err != nil {
		return nil, err
	}
	q := &query{w: w, name: name, number: -1, entities: -1, groups: -1}
	for _, f := range fields {
		switch f.kind {
		case kindSlice, kindPointer:
			q.pointers = q.pointers || f.kind == kindPointer
			q.columns = append(q.columns, column{name: f.name, pool: f.pool, part: f.part, offset: f.offset, write: f.write, optional: f.optional})
		case kindEntities, kindEntity:
			q.pointers = q.pointers || f.kind == kindEntity
			q.entities = int(f.offset)
		case kindPool:
			*(*unsafe.Pointer)(unsafe.Add(into, f.offset)) = reflect.ValueOf(f.pool.handle).UnsafePointer()
		case kindCommands:
			*(**Commands)(unsafe.Add(into, f.offset)) = &w.commands
		case kindWithout:
			q.planner.excluded = append(q.planner.excluded, f.pool)
		}
		if f.required() && !slices.Contains(q.planner.required, f.pool) {
			q.planner.required = append(q.planner.required, f.pool)
		}
	}
	q.own = fixed{columns: q.columns, direct: directs(q.columns)}
	for _, f := range fields {
		if f.kind != kindPresence {
			continue
		}
		i := slices.IndexFunc(q.columns, func(c column) bool { return c.pool == f.pool && c.optional })
		if i < 0 {
			return nil, fmt.Errorf("field %v.%s: component %q is not optional in this struct", t, f.name, f.pool.name)
		}
		q.presences = append(q.presences, presenceField{f.offset, i})
	}
	return q, nil
}

// each calls call with the struct at into filled, for each batch of rows (or each
// row, for a struct of pointers), until it returns false.
func (q *query) each(into unsafe.Pointer, call func(unsafe.Pointer) bool) {
	if q.running { // an iteration within an iteration has scratch of its own
		c := *q
		c.running, c.found, c.matching, c.handles, c.lanes = false, nil, nil, nil, lanes{}
		c.columns = slices.Clone(q.columns)
		for i := range c.columns {
			c.columns[i].scratch, c.columns[i].presence = nil, nil
		}
		c.own.columns = c.columns
		q = &c
	}
	if q.w.busy != "" {
		q.mustNotWriteLent()
	}
	q.running = true
	defer q.done(q.w.begin(q.name))
	if q.over != nil {
		q.eachFixed(into, call)
		return
	}
	if g := q.exactOwner(); g != nil {
		q.own.seq = g.seq
		q.sweep(&q.own, into, call)
		return
	}
	q.found = q.planner.sources(q.found[:0])
	for i := range q.found {
		s := &q.found[i]
		plain := len(s.all) == 0 && len(s.none) == 0
		for _, c := range q.columns {
			plain = plain && (c.inPlace(s.seq) || q.pointers && c.liesIn(s.seq))
		}
		q.own.seq = s.seq
		if plain && !q.sweep(&q.own, into, call) || !plain && !q.filter(s, into, call) {
			return
		}
	}
}

func (q *query) done(walk uint64) {
	q.running = false
	q.w.end(walk)
}

// exactOwner returns the group that owns exactly what is required, if there is one
// and nothing is excluded or optional: its rows are the answer, untested.
func (q *query) exactOwner() *group {
	if q.groups != len(q.w.groups) {
		q.groups, q.owner = len(q.w.groups), nil
		g := q.planner.required[0].group
		optional := slices.ContainsFunc(q.columns, func(c column) bool { return c.optional || !c.whole() })
		if g != nil && len(g.pools) == len(q.planner.required) && q.planner.covered(g) && len(q.planner.excluded) == 0 && !optional {
			q.owner = g
		}
	}
	return q.owner
}

// extras fills what is not a column for n rows of a chunk: entities and presence.
func (q *query) extras(columns []column, id chunk.ID, row, n int, into unsafe.Pointer) {
	if q.entities >= 0 {
		*(*header)(unsafe.Add(into, q.entities)) = header{unsafe.Add(q.w.ids.Addr(id), row*8), n, n}
	}
	if len(q.presences) > 0 {
		q.allPresent(columns, into, n)
	}
}

// allPresent fills presence fields for rows that all have the component.
func (q *query) allPresent(columns []column, into unsafe.Pointer, n int) {
	for _, p := range q.presences {
		c := &columns[p.column]
		c.presence = c.presence[:0]
		for range (n + 63) / 64 {
			c.presence = append(c.presence, ^uint64(0))
		}
		*(*Presence)(unsafe.Add(into, p.offset)) = Presence{c.presence}
	}
}

// Query goes over the entities that match a struct type S; see QueryOf.
type Query[S any] struct {
	q    *query
	into *S
}

// QueryOf makes a query from the fields of S:
//
//	Pos  []Position                     a column, for reading
//	Vel  []Velocity `ashlar:"write"`    a column that is written
//	Mass []Mass `ashlar:"optional"`     zero where an entity lacks it
//	Has  ecs.Presence `ashlar:"mass"`   which rows have it
//	Ents []ecs.Entity                   whose rows they are
//	_    ecs.With[Player]               required, not read
//	_    ecs.Without[Frozen]            excluded
//	Look *ecs.Pool[Target]              access by handle
//
// or *T and Entity in place of the slices, for one call a row. A tag may also name
// the component, where its type is registered twice.
func QueryOf[S any](w *World) (*Query[S], error) {
	if w == nil || w.m == nil {
		return nil, fmt.Errorf("ecs: QueryOf: %w", errNoWorld)
	}
	into := new(S)
	q, err := w.newQuery(typeFor[S](), "a query of "+typeFor[S]().String(), unsafe.Pointer(into))
	if err != nil {
		return nil, fmt.Errorf("ecs: QueryOf: %w", err)
	}
	return &Query[S]{q, into}, nil
}

// All iterates over batches of rows: the fields of the struct are slices of equal
// length, good for one turn of the loop, and so is the struct. For a struct of
// pointers it iterates over rows. Where a batch ends is no part of the result.
// Structural changes meanwhile panic. What iter.Pull makes of it iterates until it has come
// to the end or is stopped; several may end in any order.
func (q *Query[S]) All() iter.Seq[*S] {
	q.made("All")
	return func(yield func(*S) bool) {
		into := q.into
		if q.q.running {
			into = new(*q.into)
		}
		// A function of *S is called like one of unsafe.Pointer.
		q.q.each(unsafe.Pointer(into), *(*func(unsafe.Pointer) bool)(unsafe.Pointer(&yield)))
	}
}

// Len counts the entities that match. Without tests it costs a look at each
// sequence, otherwise a pass over the rows.
func (q *Query[S]) Len() int {
	n := 0
	for _, s := range q.made("Len").planner.sources(nil) {
		if len(s.all) == 0 && len(s.none) == 0 {
			n += s.seq.Len()
			continue
		}
		for id, rows := range s.seq.Chunks() {
			for _, e := range unsafe.Slice((*Entity)(q.q.w.ids.Addr(id)), rows) {
				if s.matches(e) {
					n++
				}
			}
		}
	}
	return n
}

// Get returns the struct of pointers for one entity, and whether it matches. The
// pointers are good until the next safe point or structural change. It panics if S
// is a struct of slices.
func (q *Query[S]) Get(e Entity) (s S, ok bool) {
	if !q.made("Get").pointers {
		panic("ecs: Get of a query of slices: ask with a struct of pointers for single entities")
	}
	for _, p := range q.q.planner.required {
		if !p.Has(e) {
			return s, false
		}
	}
	for _, p := range q.q.planner.excluded {
		if p.Has(e) {
			return s, false
		}
	}
	if q.q.w.busy != "" {
		q.q.mustNotWriteLent()
	}
	s = *q.into
	q.q.point(e, unsafe.Pointer(&s))
	return s, true
}
