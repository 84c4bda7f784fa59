package ecs_test

import (
	"fmt"
	"hash/fnv"

	"github.com/ashlar-go/ashlar/ecs"
)

// compare holds the whole world against the maps.
func (m *model) compare() {
	if err := m.w.Check(); err != nil {
		m.failf("%v", err)
	}
	if got := ecs.Dropped(m.w); got != m.dropped {
		m.failf("%d commands were dropped, want %d", got, m.dropped)
	}
	if m.w.Len() != len(m.alive) {
		m.failf("%d entities, want %d", m.w.Len(), len(m.alive))
	}
	count := make([]int, len(m.columns))
	for e, has := range m.alive {
		for c := range m.columns {
			want, ok := has[c]
			got, there := m.columns[c].get(e)
			if ok != there || got != want || m.columns[c].pool.Has(e) != ok {
				m.failf("%v, %s: got %d %v, want %d %v", e, names[c], got, there, want, ok)
			}
			if ok {
				count[c]++
			}
		}
	}
	for c := range m.columns {
		if n := m.columns[c].pool.Len(); n != count[c] {
			m.failf("%s: %d entities, want %d", names[c], n, count[c])
		}
	}
	for _, e := range m.dead[max(0, len(m.dead)-8):] {
		if m.w.Alive(e) {
			m.failf("%v is alive, and was destroyed", e)
		}
	}
	m.compareQuery()
	m.compareGuards()
	if m.kin != nil {
		m.kin.compare()
	}
}

type batchOfA struct {
	Ents []ecs.Entity
	A    []b4
	D    ecs.Maybe[b24]
	HasD ecs.Has `ashlar:"b24"`
	_    ecs.Without[b1]
}

// compareQuery holds a query with every kind of field against the maps. One of eight is new, and the others go on as
// tables come and go.
func (m *model) compareQuery() {
	if m.looks%8 == 0 {
		m.batches = ecs.QueryOf[batchOfA](m.w)
		m.expect("QueryOf", m.w.Err(), nil)
	}
	m.looks++
	q := m.batches
	seen := map[ecs.Entity]bool{}
	for b := range q.All() {
		for i, e := range b.Ents {
			has := m.alive[e]
			a, b1 := m.sees(e, 2), m.sees(e, 1)
			d, hasD := has[4]
			if seen[e] || !a || b1 || has[2] != b.A[i][0] || b.HasD.Has(i) != hasD || b.D[i][23] != d {
				m.failf("the query gave %v: a %v, d %v %v; it has %v", e, b.A[i], b.D[i], b.HasD.Has(i), has)
			}
			seen[e] = true
		}
	}
	want := 0
	for e := range m.alive {
		if m.sees(e, 2) && !m.sees(e, 1) {
			want++
		}
	}
	if len(seen) != want || q.Len() != want {
		m.failf("the query gave %d entities and counted %d, want %d", len(seen), q.Len(), want)
	}
}

// digest is the logical state, bit for bit: handles, order of rows, values.
func (m *model) digest() uint64 {
	h := fnv.New64a()
	for e := range m.w.All() {
		fmt.Fprint(h, e)
	}
	for _, c := range m.columns {
		c.rows(func(e ecs.Entity, s byte) { fmt.Fprint(h, e, s) })
	}
	return h.Sum64()
}
