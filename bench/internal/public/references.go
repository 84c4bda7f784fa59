package public

import "github.com/ashlar-go/ashlar/bench/internal/reference"

// sparse is the adapter of sparse sets.
type sparse struct {
	reference.Sparse
	sets    [components]*reference.Set[Value]
	queries [systems]*reference.Kept // made when they are asked for
	probes  bool                     // queries keep nothing
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

// Run goes over the rows that the query keeps. Without kept queries it goes over the smallest set, and looks the
// other values up.
func (s *sparse) Run(of System) (rows int) {
	if s.probes {
		return s.probe(of)
	}
	q := s.queries[of]
	if q == nil {
		with, without := of.needs()
		q = s.Keep(uint32(with), uint32(without))
		s.queries[of] = q
	}
	to, from := Position, Velocity
	switch of {
	case Push:
		from = C1
	case Other:
		to, from = C1, C2
	}
	x, y, first, second := s.sets[to].Values(), s.sets[from].Values(), q.Rows(0), q.Rows(1)
	second = second[:len(first)]
	switch of {
	case Both:
		z, third := s.sets[C1].Values(), q.Rows(2)[:len(first)]
		for i, row := range first {
			v := &x[row]
			v.add(y[second[i]])
			v.add(z[third[i]])
		}
	case Each:
		for i, row := range first {
			addTo(&x[row], &y[second[i]])
		}
	default:
		for i, row := range first {
			x[row].add(y[second[i]])
		}
	}
	return len(first)
}

// probe goes over the smaller set, and looks the other values up.
func (s *sparse) probe(of System) (rows int) {
	p, v, a, b := s.sets[Position], s.sets[Velocity], s.sets[C1], s.sets[C2]
	switch of {
	case Move:
		return join(p, v)
	case Each:
		values := v.Values()
		for i, e := range v.Entities() {
			if x := p.Get(e); x != nil {
				addTo(x, &values[i])
				rows++
			}
		}
		return rows
	case Push:
		return join(p, a)
	case Other:
		return join(a, b)
	case Both:
		first, second := v, a
		if len(a.Values()) < len(v.Values()) {
			first, second = a, v
		}
		values := first.Values()
		for i, e := range first.Entities() {
			if y := second.Get(e); y != nil {
				if x := p.Get(e); x != nil {
					x.add(values[i])
					x.add(*y)
					rows++
				}
			}
		}
		return rows
	}
	values := v.Values()
	for i, e := range v.Entities() {
		if a.Get(e) == nil {
			if x := p.Get(e); x != nil {
				x.add(values[i])
				rows++
			}
		}
	}
	return rows
}

// join adds the second set's values to the first's.
func join(to, from *reference.Set[Value]) (rows int) {
	if len(from.Values()) <= len(to.Values()) {
		values := from.Values()
		for i, e := range from.Entities() {
			if x := to.Get(e); x != nil {
				x.add(values[i])
				rows++
			}
		}
		return rows
	}
	values := to.Values()
	for i, e := range to.Entities() {
		if y := from.Get(e); y != nil {
			values[i].add(*y)
			rows++
		}
	}
	return rows
}

// Frame runs systems in order.
func (s *sparse) Frame(list []System) (rows int) {
	for _, x := range list {
		rows += s.Run(x)
	}
	return rows
}

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

// tables is the adapter of archetypes. A hybrid has velocities in a sparse set beside the tables.
type tables struct {
	reference.Archetypes
	pools   [components]*reference.Pool[Value]
	queries [systems]*reference.Query
	apart   *reference.Set[Value] // of velocities; nil in a store that is no hybrid
}

func openArchetype() Store[reference.Entity] {
	s := &tables{}
	for i := range s.pools {
		s.pools[i] = reference.PoolOf[Value](&s.Archetypes)
	}
	for i := range s.queries {
		with, without := System(i).needs()
		s.queries[i] = s.Query(uint32(with), uint32(without))
	}
	return s
}

func openHybrid() Store[reference.Entity] {
	s := openArchetype().(*tables)
	s.apart = &reference.Set[Value]{}
	return s
}

// Create pushes a value for each component.
func (s *tables) Create(dst []reference.Entity, of Set) {
	if s.apart != nil && of>>Velocity&1 != 0 {
		of &^= 1 << Velocity
		defer func() { s.Add(dst, Velocity) }()
	}
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
		if s.apart != nil {
			s.apart.Remove(e)
		}
	}
}

// Add moves each to another table.
func (s *tables) Add(list []reference.Entity, c Component) {
	v := initial(c)
	if s.apart != nil && c == Velocity {
		for _, e := range list {
			s.apart.Add(e, v)
		}
		return
	}
	pool := s.pools[c]
	for _, e := range list {
		pool.Add(e, v)
	}
}

// Remove moves each to another table.
func (s *tables) Remove(list []reference.Entity, c Component) {
	if s.apart != nil && c == Velocity {
		for _, e := range list {
			s.apart.Remove(e)
		}
		return
	}
	pool := s.pools[c]
	for _, e := range list {
		pool.Remove(e)
	}
}

// Run goes over tables. A hybrid's velocities are looked up in the set, or the set's entities in the tables.
func (s *tables) Run(of System) (rows int) {
	if of == Move && s.apart != nil {
		values, p := s.apart.Values(), s.pools[Position]
		for i, e := range s.apart.Entities() {
			if x := p.Get(e); x != nil {
				x.add(values[i])
				rows++
			}
		}
		return rows
	}
	to, from := Position, Velocity
	switch of {
	case Push:
		from = C1
	case Other:
		to, from = C1, C2
	}
	for _, t := range s.queries[of].Tables() {
		x, y := s.pools[to].Column(t), s.pools[from].Column(t)
		switch of {
		case Both:
			addThree(x, y, s.pools[C1].Column(t))
		case Each:
			for i := range x {
				addTo(&x[i], &y[i])
			}
		default:
			addTwo(x, y)
		}
		rows += len(x)
	}
	return rows
}

func addTwo(a, b []Value) {
	b = b[:len(a)]
	for i := range a {
		a[i].add(b[i])
	}
}

func addThree(a, b, c []Value) {
	b, c = b[:len(a)], c[:len(a)]
	for i := range a {
		a[i].add(b[i])
		a[i].add(c[i])
	}
}

// Frame runs systems in order.
func (s *tables) Frame(list []System) (rows int) {
	for _, x := range list {
		rows += s.Run(x)
	}
	return rows
}

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
	if s.apart != nil {
		n += len(s.apart.Entities())
	}
	for _, t := range s.Query(0, 0).Tables() {
		entities += len(t.Entities())
	}
	return entities, n
}

// Close has nothing to do.
func (s *tables) Close() {}
