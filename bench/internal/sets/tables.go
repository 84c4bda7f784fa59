package sets

import "math/bits"

// tables is an archetype store: a table for each set of components, in which each of its
// entities has a row. An entity that gains or loses a component moves to another table.
type tables struct {
	systems []combination
	list    []*table
	number  [1 << count]uint32 // of the table of a set, plus 1
	rows    []location         // by entity
	matches [][]*table         // by system
	seen    int                // so many tables have been matched
}

type location struct{ table, row uint32 }

type table struct {
	set      set
	list     []uint8 // the components of the set
	entities []uint32
	values   [count][]value
}

func newTables(systems []combination) *tables {
	return &tables{systems: systems, matches: make([][]*table, len(systems))}
}

func (s *tables) apply(ops []operation) {
	for i := range ops {
		o := &ops[i]
		switch o.kind {
		case create:
			s.create(o.entity, o.set)
		case destroy:
			at := s.rows[o.entity]
			s.drop(s.list[at.table], at.row)
		case add:
			s.add(o.entity, int(o.component), valueOf(o.entity, int(o.component)))
		case remove:
			s.remove(o.entity, int(o.component))
		}
	}
}

func (s *tables) table(of set) uint32 {
	if s.number[of] == 0 {
		t := &table{set: of}
		for x := of; x != 0; x &= x - 1 {
			t.list = append(t.list, uint8(bits.TrailingZeros16(uint16(x))))
		}
		s.list = append(s.list, t)
		s.number[of] = uint32(len(s.list))
	}
	return s.number[of] - 1
}

func (s *tables) create(e uint32, of set) {
	for int(e) >= len(s.rows) {
		s.rows = append(s.rows, location{})
	}
	n := s.table(of)
	t := s.list[n]
	s.rows[e] = location{n, uint32(len(t.entities))}
	t.entities = append(t.entities, e)
	for _, c := range t.list {
		t.values[c] = append(t.values[c], valueOf(e, int(c)))
	}
}

// drop puts the last row in the place of one.
func (s *tables) drop(t *table, row uint32) {
	last := len(t.entities) - 1
	moved := t.entities[last]
	t.entities[row] = moved
	t.entities = t.entities[:last]
	for _, c := range t.list {
		column := t.values[c]
		column[row] = column[last]
		t.values[c] = column[:last]
	}
	s.rows[moved].row = row
}

func (s *tables) add(e uint32, c int, v value) {
	from := s.list[s.rows[e].table]
	to := s.move(e, from.set|1<<c, from.list)
	to.values[c] = append(to.values[c], v)
}

func (s *tables) remove(e uint32, c int) {
	to := s.list[s.table(s.list[s.rows[e].table].set&^(1<<c))]
	s.move(e, to.set, to.list)
}

// move takes an entity to the table of a set, with its values of the components listed.
func (s *tables) move(e uint32, of set, components []uint8) *table {
	at, n := s.rows[e], s.table(of)
	from, to := s.list[at.table], s.list[n]
	row := uint32(len(to.entities))
	to.entities = append(to.entities, e)
	for _, x := range components {
		to.values[x] = append(to.values[x], from.values[x][at.row])
	}
	s.drop(from, at.row)
	s.rows[e] = location{n, row}
	return to
}

// match finds the systems of tables that are new.
func (s *tables) match() {
	for ; s.seen < len(s.list); s.seen++ {
		t := s.list[s.seen]
		for i, q := range s.systems {
			if t.set&q.needs == q.needs {
				s.matches[i] = append(s.matches[i], t)
			}
		}
	}
}

func (s *tables) frame() (rows int) {
	s.match()
	for i, q := range s.systems {
		for _, t := range s.matches[i] {
			n := len(t.entities)
			if n == 0 {
				continue
			}
			rows += n
			if q.second < 0 {
				sum2(t.values[q.writes][:n], t.values[q.reads])
			} else {
				sum3(t.values[q.writes][:n], t.values[q.reads], t.values[q.second])
			}
		}
	}
	return rows
}

func (s *tables) get(e uint32, component int) (value, bool) {
	at := s.rows[e]
	if t := s.list[at.table]; t.set>>component&1 != 0 {
		return t.values[component][at.row], true
	}
	return value{}, false
}
