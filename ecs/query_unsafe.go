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
	met      int       // rows that a system went over in this run
	noted    *noted    // what a system's walk is added to; nil: it is not recorded
	running  bool
	passed   int // a system's batches, or rows where it has pointers, that it is done with in this run
	plan     []source
	places   []int8   // of the plan, side by side
	direct   []direct // of the columns
	driver   *pool    // of the plan
	free     bool     // any driver will do
	planned  uint64   // the store's version that the plan is of; 0: there is none
	seen     uint64   // how many tables had been made when it was looked for some
	dropped  uint64   // how many had gone when it was looked for them
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
	q := &query{w: w, name: name, number: -1, entities: -1}
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
	q.direct = directs(q.columns)
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
		c.running, c.plan, c.places, c.planned, c.matching, c.handles, c.lanes = false, nil, nil, 0, nil, nil, lanes{}
		c.columns = slices.Clone(q.columns)
		for i := range c.columns {
			c.columns[i].scratch, c.columns[i].presence = nil, nil
		}
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
	list, layout, tick := q.sources(), q.w.m.Layout(), q.w.m.Tick()
	quick := q.fn != nil && q.noted == nil && q.entities < 0 && len(q.presences) == 0
	for i := range list {
		s := &list[i]
		n := s.seq.Len()
		q.met += n // corrected by filter
		switch {
		case n == 0:
		case quick && s.layout == layout: // nothing to test, and one chunk, which is where it was
			s.own.fill(into, n, tick)
			q.fn(into)
			q.passed++
		case s.plain && !s.tested():
			if !q.sweep(&s.own, into, call) {
				return
			}
			if quick && s.pure && s.seq.ChunkCount() == 1 {
				s.note(layout)
			}
		case s.idle():
			q.met -= n
		default:
			q.met -= n
			if !q.filter(s, into, call) {
				return
			}
		}
	}
}

func (q *query) done(walk uint64) {
	q.running = false
	q.w.end(walk)
}

// sources is the plan: made anew if it does not hold any more, or gone on with where
// tables have come.
func (q *query) sources() []source {
	st := q.w.s
	if len(q.planner.required) == 0 {
		return nil
	}
	fresh := q.planned != st.Version()
	if fresh {
		q.free = q.planner.free()
	}
	driver := q.planner.required[0]
	if !q.free {
		driver = q.planner.driver()
	}
	if fresh || driver != q.driver {
		q.places = q.places[:0:0] // sources of copies of the query may have the old ones
		q.plan, q.driver, q.planned, q.seen, q.dropped = q.plan[:0], driver, st.Version(), 0, st.Dropped
	}
	if q.dropped != st.Dropped {
		q.plan = slices.DeleteFunc(q.plan, func(s source) bool { return s.table.Gone() })
		q.dropped = st.Dropped
	}
	if q.seen != st.Made() {
		n := len(q.plan)
		q.plan = q.planner.sources(q.plan, driver, q.seen)
		q.seen = st.Made()
		for i := n; i < len(q.plan); i++ {
			q.bindSource(&q.plan[i])
		}
	}
	return q.plan
}

// bindSource finds the query's columns in a table.
func (q *query) bindSource(s *source) {
	if o := s.table.Owner(); o != nil && o.Main == s.table {
		s.group = q.w.groupOf(o)
	}
	s.plain = true
	from := len(q.places)
	for i := range q.columns {
		c := &q.columns[i]
		at := lies(s.table, c.pool)
		q.places = append(q.places, at)
		whole := c.whole() || q.pointers
		s.plain = s.plain && whole && at != absent && !(at == optional && c.optional)
	}
	s.place = q.places[from:len(q.places):len(q.places)]
	s.pure = s.plain && len(s.all)+len(s.none)+len(s.with)+len(s.sans) == 0
	s.own = fixed{seq: s.seq, columns: q.columns, direct: q.direct}
}

// note keeps where the columns of a source's only chunk are.
func (s *source) note(layout uint64) {
	if !s.own.single {
		s.own.direct = slices.Clone(s.own.direct) // those of the query are for all
	}
	s.own.note(true)
	s.layout = layout
}

// extras fills what is not a column for n rows of a chunk: entities and presence.
func (q *query) extras(columns []column, id chunk.ID, row, n int, into unsafe.Pointer) {
	if q.entities >= 0 {
		*(*header)(unsafe.Add(into, q.entities)) = header{unsafe.Add(q.w.s.IDs.Addr(id), row*8), n, n}
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

// Len counts the entities that match. It costs a look at each table if all of its rows
// match, otherwise a pass over its rows' bits or words.
func (q *Query[S]) Len() int {
	n, w := 0, q.made("Len").w
	for i := range q.q.sources() {
		s := &q.q.plan[i]
		switch {
		case s.idle():
		case !s.tested():
			n += s.seq.Len()
		default:
			at := 0
			for id, rows := range s.seq.Chunks() {
				n += s.count(at, w.s.Entities(id, rows))
				at++
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
		if !p.c.Has(e) {
			return s, false
		}
	}
	for _, p := range q.q.planner.excluded {
		if p.c.Has(e) {
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
