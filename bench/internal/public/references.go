package public

import "github.com/ashlar-go/ashlar/bench/internal/reference"

// sparse is the adapter of sparse sets.
type sparse struct {
	reference.Sparse
	sets [components]*reference.Set[Value]
	move *reference.Kept // made when it is asked for
}

func openSparse() Store[reference.Entity] {
	s := &sparse{}
	for i := range s.sets {
		s.sets[i] = reference.SetOf[Value](&s.Sparse)
	}
	return s
}

// Create adds component after component.
func (s *sparse) Create(dst []reference.Entity, of Set) {
	var list []Component
	for c := range Component(components) {
		if of>>c&1 != 0 {
			list = append(list, c)
		}
	}
	for i := range dst {
		dst[i] = s.Spawn()
		for _, c := range list {
			s.sets[c].Add(dst[i], initial(c))
		}
	}
}

// Destroy destroys one by one.
func (s *sparse) Destroy(list []reference.Entity) {
	for _, e := range list {
		s.Sparse.Destroy(e)
	}
}

// Add gives a component to each.
func (s *sparse) Add(list []reference.Entity, c Component) {
	set, v := s.sets[c], initial(c)
	for _, e := range list {
		set.Add(e, v)
	}
}

// Remove takes a component from each.
func (s *sparse) Remove(list []reference.Entity, c Component) {
	set := s.sets[c]
	for _, e := range list {
		set.Remove(e)
	}
}

// Run goes over the rows that the query keeps.
func (s *sparse) Run() int {
	if s.move == nil {
		s.move = s.Keep(uint32(moving), 0)
	}
	p, v := s.sets[Position].Values(), s.sets[Velocity].Values()
	first := s.move.Rows(0)
	second := s.move.Rows(1)[:len(first)]
	for i, row := range first {
		p[row].add(v[second[i]])
	}
	return len(first)
}

// End has nothing to do.
func (s *sparse) End() {}

// Read asks the set for each.
func (s *sparse) Read(list []reference.Entity) (sum float64) {
	p := s.sets[Position]
	for _, e := range list {
		sum += p.Get(e).X
	}
	return sum
}

// Count asks the sets.
func (s *sparse) Count() (entities, n int) {
	for _, x := range s.sets {
		n += len(x.Entities())
	}
	return s.Alive(), n
}

// Close has nothing to do.
func (s *sparse) Close() {}

// tables is the adapter of archetypes.
type tables struct {
	reference.Archetypes
	pools [components]*reference.Pool[Value]
	move  *reference.Query
}

func openArchetype() Store[reference.Entity] {
	s := &tables{}
	for i := range s.pools {
		s.pools[i] = reference.PoolOf[Value](&s.Archetypes)
	}
	s.move = s.Query(uint32(moving), 0)
	return s
}

// Create pushes a value for each component.
func (s *tables) Create(dst []reference.Entity, of Set) {
	t := s.Table(uint32(of))
	var list []Component
	for c := range Component(components) {
		if of>>c&1 != 0 {
			list = append(list, c)
		}
	}
	for i := range dst {
		dst[i] = s.Spawn(t)
		for _, c := range list {
			s.pools[c].Push(t, initial(c))
		}
	}
}

// Destroy destroys one by one.
func (s *tables) Destroy(list []reference.Entity) {
	for _, e := range list {
		s.Archetypes.Destroy(e)
	}
}

// Add moves each to another table.
func (s *tables) Add(list []reference.Entity, c Component) {
	pool, v := s.pools[c], initial(c)
	for _, e := range list {
		pool.Add(e, v)
	}
}

// Remove moves each to another table.
func (s *tables) Remove(list []reference.Entity, c Component) {
	pool := s.pools[c]
	for _, e := range list {
		pool.Remove(e)
	}
}

// Run goes over tables.
func (s *tables) Run() (rows int) {
	for _, t := range s.move.Tables() {
		p := s.pools[Position].Column(t)
		addTwo(p, s.pools[Velocity].Column(t))
		rows += len(p)
	}
	return rows
}

// End has nothing to do.
func (s *tables) End() {}

// Read asks the pool for each.
func (s *tables) Read(list []reference.Entity) (sum float64) {
	p := s.pools[Position]
	for _, e := range list {
		sum += p.Get(e).X
	}
	return sum
}

// Count asks the tables.
func (s *tables) Count() (entities, n int) {
	for c := range Component(components) {
		for _, t := range s.Query(1<<c, 0).Tables() {
			n += len(t.Entities())
		}
	}
	for _, t := range s.Query(0, 0).Tables() {
		entities += len(t.Entities())
	}
	return entities, n
}

// Close has nothing to do.
func (s *tables) Close() {}
