package reference

import "math/bits"

// Archetypes is a store of tables, one for each set of components. An entity that gains or loses a
// component moves to another table.
type Archetypes struct {
	// Ungraphed has edges found anew for each move, with a map. It is for measuring the worth of the graph.
	Ungraphed bool

	records []record // by index
	free    []uint32
	kinds   []kind // by component
	tables  []*Table
	byMask  map[uint32]*Table
}

type record struct{ version, table, row uint32 }

// kind makes the columns of a component.
type kind interface {
	column(table uint32) column
}

// column is a component's values in a table.
type column interface {
	appendFrom(from column, row uint32)
	drop(row uint32) // puts the last value there
	reserve(n int)
}

// Table has the entities with one set of components.
type Table struct {
	mask     uint32
	number   uint32
	columns  []column // in order of components
	entities []Entity
	edges    [32]*edge // by component: to the table with it, or without it
}

// edge is a way from one table to another.
type edge struct {
	to   *Table
	both []pair // the columns that both tables have
}

type pair struct{ from, to column }

// Pool has the columns of a component by table.
type Pool[T any] struct {
	world   *Archetypes
	number  int
	columns []*columnOf[T] // by table; nil where it lacks the component
}

type columnOf[T any] struct{ values []T }

// PoolOf registers the next component, before the first entity.
func PoolOf[T any](w *Archetypes) *Pool[T] {
	p := &Pool[T]{world: w, number: len(w.kinds)}
	w.kinds = append(w.kinds, p)
	return p
}

func (p *Pool[T]) column(table uint32) column {
	for int(table) >= len(p.columns) {
		p.columns = append(p.columns, nil)
	}
	p.columns[table] = &columnOf[T]{}
	return p.columns[table]
}

func (c *columnOf[T]) appendFrom(from column, row uint32) {
	c.values = append(c.values, from.(*columnOf[T]).values[row])
}

func (c *columnOf[T]) drop(row uint32) {
	last := len(c.values) - 1
	c.values[row] = c.values[last]
	c.values = c.values[:last]
}

func (c *columnOf[T]) reserve(n int) { c.values = append(make([]T, 0, n), c.values...) }

// Table finds or makes the table of a set of components.
func (w *Archetypes) Table(mask uint32) *Table {
	if t := w.byMask[mask]; t != nil {
		return t
	}
	t := &Table{mask: mask, number: uint32(len(w.tables))}
	for m := mask; m != 0; m &= m - 1 {
		t.columns = append(t.columns, w.kinds[bits.TrailingZeros32(m)].column(t.number))
	}
	if w.byMask == nil {
		w.byMask = map[uint32]*Table{}
	}
	w.byMask[mask] = t
	w.tables = append(w.tables, t)
	return t
}

// columnAt is the column of a component that the table has.
func (t *Table) columnAt(component int) column {
	return t.columns[bits.OnesCount32(t.mask&(1<<component-1))]
}

// Entities are the entities of the rows.
func (t *Table) Entities() []Entity { return t.entities }

// Reserve makes room for n rows.
func (t *Table) Reserve(n int) {
	t.entities = append(make([]Entity, 0, n), t.entities...)
	for _, c := range t.columns {
		c.reserve(n)
	}
}

// Spawn makes an entity in a table. The caller pushes a value for each component of it.
func (w *Archetypes) Spawn(t *Table) Entity {
	var e Entity
	if n := len(w.free) - 1; n >= 0 {
		i := w.free[n]
		w.free = w.free[:n]
		e = entity(i, w.records[i].version)
	} else {
		e = entity(uint32(len(w.records)), 1)
		w.records = append(w.records, record{version: 1})
	}
	r := &w.records[e.Index()]
	r.table, r.row = t.number, uint32(len(t.entities))
	t.entities = append(t.entities, e)
	return e
}

// Push gives the newest row of a table its value.
func (p *Pool[T]) Push(t *Table, v T) {
	c := p.columns[t.number]
	c.values = append(c.values, v)
}

// Column is the values of a table that has the component. They are good until an entity comes or goes.
func (p *Pool[T]) Column(t *Table) []T { return p.columns[t.number].values }

// record returns nil if the entity does not live.
func (w *Archetypes) record(e Entity) *record {
	if i := e.Index(); int(i) < len(w.records) {
		if r := &w.records[i]; r.version == e.version() {
			return r
		}
	}
	return nil
}

// Destroy reports whether the entity lived.
func (w *Archetypes) Destroy(e Entity) bool {
	r := w.record(e)
	if r == nil {
		return false
	}
	w.drop(w.tables[r.table], r.row)
	r.version++
	w.free = append(w.free, e.Index())
	return true
}

// drop puts the last row in the place of one.
func (w *Archetypes) drop(t *Table, row uint32) {
	last := len(t.entities) - 1
	moved := t.entities[last]
	t.entities[row] = moved
	t.entities = t.entities[:last]
	for _, c := range t.columns {
		c.drop(row)
	}
	w.records[moved.Index()].row = row
}

// Get returns the value of an entity, or nil.
func (p *Pool[T]) Get(e Entity) *T {
	if r := p.world.record(e); r != nil && int(r.table) < len(p.columns) {
		if c := p.columns[r.table]; c != nil {
			return &c.values[r.row]
		}
	}
	return nil
}

// Row is the row of an entity that lives, in its table.
func (w *Archetypes) Row(e Entity) uint32 { return w.records[e.Index()].row }

// Add moves the entity to the table with the component. It reports false if the entity has it, or
// does not live.
func (p *Pool[T]) Add(e Entity, v T) bool {
	r := p.world.record(e)
	if r == nil || p.world.tables[r.table].mask>>p.number&1 != 0 {
		return false
	}
	p.Push(p.world.move(e, r, p.number), v)
	return true
}

// Remove moves the entity to the table without the component. It reports false if the entity lacks
// it, or does not live.
func (p *Pool[T]) Remove(e Entity) bool {
	r := p.world.record(e)
	if r == nil || p.world.tables[r.table].mask>>p.number&1 == 0 {
		return false
	}
	p.world.move(e, r, p.number)
	return true
}

// move takes an entity over the edge of a component.
func (w *Archetypes) move(e Entity, r *record, component int) *Table {
	from := w.tables[r.table]
	way := from.edges[component]
	if way == nil {
		way = w.edge(from, component)
	}
	row := uint32(len(way.to.entities))
	way.to.entities = append(way.to.entities, e)
	for _, c := range way.both {
		c.to.appendFrom(c.from, r.row)
	}
	w.drop(from, r.row)
	r.table, r.row = way.to.number, row
	return way.to
}

// edge finds the way that adds or removes a component, and keeps it if the store has a graph.
func (w *Archetypes) edge(from *Table, component int) *edge {
	way := &edge{to: w.Table(from.mask ^ 1<<component)}
	for m := from.mask & way.to.mask; m != 0; m &= m - 1 {
		c := bits.TrailingZeros32(m)
		way.both = append(way.both, pair{from.columnAt(c), way.to.columnAt(c)})
	}
	if !w.Ungraphed {
		from.edges[component] = way
	}
	return way
}

// Query is the tables that have some components and lack others. It looks at a table once.
type Query struct {
	world         *Archetypes
	with, without uint32
	tables        []*Table
	seen          int
}

// Query makes a query.
func (w *Archetypes) Query(with, without uint32) *Query {
	return &Query{world: w, with: with, without: without}
}

// Tables are the tables that match, empty ones too.
func (q *Query) Tables() []*Table {
	for ; q.seen < len(q.world.tables); q.seen++ {
		if t := q.world.tables[q.seen]; t.mask&q.with == q.with && t.mask&q.without == 0 {
			q.tables = append(q.tables, t)
		}
	}
	return q.tables
}
