package sets

import "math/bits"

// pools is a store of sparse sets, one a component. A system goes over the smallest and
// looks the others up.
type pools struct {
	systems []combination
	sets    []set
	of      [count]sparse
}

type sparse struct {
	rows     []uint32 // by entity
	values   []value
	entities []uint32
}

func (p *sparse) add(e uint32, v value) {
	for int(e) >= len(p.rows) {
		p.rows = append(p.rows, make([]uint32, 1024)...)
	}
	p.rows[e] = uint32(len(p.values))
	p.values, p.entities = append(p.values, v), append(p.entities, e)
}

func (p *sparse) remove(e uint32) {
	row, last := p.rows[e], len(p.values)-1
	moved := p.entities[last]
	p.values[row], p.entities[row] = p.values[last], moved
	p.rows[moved] = row
	p.values, p.entities = p.values[:last], p.entities[:last]
}

func (s *pools) apply(ops []operation) {
	for i := range ops {
		o := &ops[i]
		switch o.kind {
		case create:
			s.create(o.entity, o.set)
		case destroy:
			s.destroy(o.entity)
		case add:
			s.sets[o.entity] |= 1 << o.component
			s.of[o.component].add(o.entity, valueOf(o.entity, int(o.component)))
		case remove:
			s.sets[o.entity] &^= 1 << o.component
			s.of[o.component].remove(o.entity)
		}
	}
}

func (s *pools) create(e uint32, of set) {
	for int(e) >= len(s.sets) {
		s.sets = append(s.sets, 0)
	}
	s.sets[e] = of
	for x := of; x != 0; x &= x - 1 {
		c := bits.TrailingZeros16(uint16(x))
		s.of[c].add(e, valueOf(e, c))
	}
}

func (s *pools) destroy(e uint32) {
	for x := s.sets[e]; x != 0; x &= x - 1 {
		s.of[bits.TrailingZeros16(uint16(x))].remove(e)
	}
	s.sets[e] = 0
}

// block is how many entities are tested before matching ones are visited.
const block = 256

func (s *pools) frame() (rows int) {
	for _, q := range s.systems {
		smallest := &s.of[q.writes]
		for _, c := range [2]int{q.reads, q.second} {
			if c >= 0 && len(s.of[c].values) < len(smallest.values) {
				smallest = &s.of[c]
			}
		}
		entities := smallest.entities
		var matching [block]uint32
		for len(entities) > 0 {
			n := min(block, len(entities))
			k := 0
			for _, e := range entities[:n] { // without a branch
				matching[k%block] = e
				if s.sets[e]&q.needs == q.needs {
					k++
				}
			}
			s.visit(q, matching[:k])
			rows += k
			entities = entities[n:]
		}
	}
	return rows
}

func (s *pools) visit(q combination, entities []uint32) {
	a, b := &s.of[q.writes], &s.of[q.reads]
	if q.second < 0 {
		for _, e := range entities {
			v, w := &a.values[a.rows[e]], &b.values[b.rows[e]]
			v[0] += w[0]
			v[1] += w[1]
		}
		return
	}
	c := &s.of[q.second]
	for _, e := range entities {
		v, w, x := &a.values[a.rows[e]], &b.values[b.rows[e]], &c.values[c.rows[e]]
		v[0] += w[0] + x[0]
		v[1] += w[1] + x[1]
	}
}

func (s *pools) get(e uint32, component int) (value, bool) {
	if s.sets[e]>>component&1 == 0 {
		return value{}, false
	}
	p := &s.of[component]
	return p.values[p.rows[e]], true
}
