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

// Run goes over the rows that the query keeps. Without kept queries it goes over the smaller set, and looks the
// other values up.
func (s *sparse) Run(of System) (rows int) {
	list, n := of.parts()
	x := s.sets[list[0]].Values()
	switch {
	case n == 1:
		addOne(x)
		return len(x)
	case s.probes:
		return join(s.sets[list[0]], s.sets[list[1]]) // no workload asks for more
	}
	q := s.queries[of]
	if q == nil {
		with, without := of.needs()
		q = s.Keep(uint32(with), uint32(without))
		s.queries[of] = q
	}
	first := q.Rows(0)
	var values [4][]Value
	var at [4][]uint32
	for i, c := range list[1:n] {
		values[i], at[i] = s.sets[c].Values(), q.Rows(i + 1)[:len(first)]
	}
	y, second, z, third, last, fourth := values[0], at[0], values[1], at[1], values[2], at[2]
	switch {
	case of == Each:
		for i, row := range first {
			addTo(&x[row], &y[second[i]])
		}
	case n == 2:
		for i, row := range first {
			x[row].add(y[second[i]])
		}
	case n == 3:
		for i, row := range first {
			v := &x[row]
			v.add(y[second[i]])
			v.add(z[third[i]])
		}
	default:
		for i, row := range first {
			v := &x[row]
			v.add(y[second[i]])
			v.add(z[third[i]])
			v.add(last[fourth[i]])
		}
	}
	return len(first)
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
	list, n := of.parts()
	for _, t := range s.queries[of].Tables() {
		var at [4][]Value
		for i, c := range list[:n] {
			at[i] = s.pools[c].Column(t)
		}
		x, y := at[0], at[1]
		switch {
		case of == Each:
			for i := range x {
				addTo(&x[i], &y[i])
			}
		case n == 1:
			addOne(x)
		case n == 2:
			addTwo(x, y)
		case n == 3:
			addThree(x, y, at[2])
		default:
			addFour(x, y, at[2], at[3])
		}
		rows += len(x)
	}
	return rows
}

func addOne(a []Value) {
	for i := range a {
		a[i].add(Value{1, 1})
	}
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

func addFour(a, b, c, d []Value) {
	b, c, d = b[:len(a)], c[:len(a)], d[:len(a)]
	for i := range a {
		a[i].add(b[i])
		a[i].add(c[i])
		a[i].add(d[i])
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
