package sets

// columns is a store of plain slices: a column a component, indexed by entity, and the
// sets. A system goes over all entities and tests each.
type columns struct {
	systems []combination
	sets    []set
	values  [count][]value // as long as the last entity that has it asks for
}

func (s *columns) apply(ops []operation) {
	for i := range ops {
		o := &ops[i]
		switch o.kind {
		case create:
			s.create(o.entity, o.set)
		case destroy:
			s.sets[o.entity] = 0
		case add:
			s.sets[o.entity] |= 1 << o.component
			s.put(o.entity, int(o.component))
		case remove:
			s.sets[o.entity] &^= 1 << o.component
		}
	}
}

func (s *columns) create(e uint32, of set) {
	if int(e) == len(s.sets) {
		s.sets = append(s.sets, 0)
	}
	s.sets[e] = of
	for c := range count {
		if of>>c&1 != 0 {
			s.put(e, c)
		}
	}
}

func (s *columns) put(e uint32, c int) {
	if n := len(s.values[c]); int(e) >= n {
		s.values[c] = append(s.values[c], make([]value, int(e)+1-n)...)
	}
	s.values[c][e] = valueOf(e, c)
}

func (s *columns) frame() (rows int) {
	for _, q := range s.systems {
		a, b := s.values[q.writes], s.values[q.reads]
		n := min(len(a), len(b))
		if q.second >= 0 {
			n = min(n, len(s.values[q.second]))
		}
		sets := s.sets[:n]
		a, b = a[:n], b[:n]
		if q.second < 0 {
			for e, of := range sets {
				if of&q.needs == q.needs {
					a[e][0] += b[e][0]
					a[e][1] += b[e][1]
					rows++
				}
			}
			continue
		}
		c := s.values[q.second][:n]
		for e, of := range sets {
			if of&q.needs == q.needs {
				a[e][0] += b[e][0] + c[e][0]
				a[e][1] += b[e][1] + c[e][1]
				rows++
			}
		}
	}
	return rows
}

func (s *columns) get(e uint32, component int) (value, bool) {
	if s.sets[e]>>component&1 == 0 {
		return value{}, false
	}
	return s.values[component][e], true
}
