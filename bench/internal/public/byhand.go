package public

import "slices"

// objects is a store of objects, each with pointers to its components.
type objects struct{ list []*object }

type object struct {
	parts [components]*Value
	at    int // in the list
}

func openObjects() Store[*object] { return &objects{} }

// Create allocates objects and their parts.
func (s *objects) Create(dst []*object, of Set) {
	for i := range dst {
		o := &object{at: len(s.list)}
		for c := range Component(components) {
			if of>>c&1 != 0 {
				v := initial(c)
				o.parts[c] = &v
			}
		}
		s.list = append(s.list, o)
		dst[i] = o
	}
}

// Destroy takes each out of the list.
func (s *objects) Destroy(list []*object) {
	for _, o := range list {
		last := s.list[len(s.list)-1]
		s.list[o.at], last.at = last, o.at
		s.list[len(s.list)-1] = nil
		s.list = s.list[:len(s.list)-1]
	}
}

// Add allocates a part.
func (s *objects) Add(list []*object, c Component) {
	for _, o := range list {
		v := initial(c)
		o.parts[c] = &v
	}
}

// Remove forgets a part.
func (s *objects) Remove(list []*object, c Component) {
	for _, o := range list {
		o.parts[c] = nil
	}
}

// Run asks each object for its parts.
func (s *objects) Run(of System) (rows int) {
	list, n := of.parts()
next:
	for _, o := range s.list {
		for _, c := range list[:n] {
			if o.parts[c] == nil {
				continue next
			}
		}
		switch p := o.parts[list[0]]; {
		case of == Unless && o.parts[C1] != nil:
			continue
		case of == Each:
			addTo(p, o.parts[Velocity])
		case n == 1:
			p.add(Value{1, 1})
		default:
			for _, c := range list[1:n] {
				p.add(*o.parts[c])
			}
		}
		rows++
	}
	return rows
}

// Frame runs systems in order.
func (s *objects) Frame(list []System) (rows int) {
	for _, x := range list {
		rows += s.Run(x)
	}
	return rows
}

// Read follows pointers.
func (s *objects) Read(list []*object) (sum float64) {
	for _, o := range list {
		sum += o.parts[Position].X
	}
	return sum
}

// Count looks at all objects.
func (s *objects) Count() (entities, n int) {
	for _, o := range s.list {
		n += components - count(o.parts[:], nil)
	}
	return len(s.list), n
}

func count[T comparable](list []T, v T) (n int) {
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}

// Close has nothing to do.
func (s *objects) Close() {}

// arrays is the limit: slices by number, as one writes them by hand who knows the workload. Entities that are
// made with a velocity lie apart from others, so that a loop over them has nothing to test. Numbers have no
// versions.
type arrays struct {
	kinds [2]kind // without velocity, and with
}

type kind struct {
	values [components][]Value // by number; empty where no entity of the kind has the component
	has    []Set               // by number; 0: free
	free   []uint32
}

// number is the kind and the number in it.
type number uint32

func openArrays() Store[number] { return &arrays{} }

// Create takes free numbers first.
func (s *arrays) Create(dst []number, of Set) {
	which := of >> Velocity & 1
	k := &s.kinds[which]
	for i := range dst {
		var n uint32
		if last := len(k.free) - 1; last >= 0 {
			n = k.free[last]
			k.free = k.free[:last]
			k.has[n] = of
			for c := range Component(components) {
				if of>>c&1 != 0 {
					k.values[c][n] = initial(c)
				}
			}
		} else {
			n = uint32(len(k.has))
			k.has = append(k.has, of)
			for c := range Component(components) {
				if of>>c&1 != 0 {
					k.values[c] = append(k.values[c], initial(c))
				}
			}
		}
		dst[i] = number(n<<1 | uint32(which))
	}
}

// Destroy frees numbers.
func (s *arrays) Destroy(list []number) {
	for _, h := range list {
		k := &s.kinds[h&1]
		k.has[h>>1] = 0
		k.free = append(k.free, uint32(h>>1))
	}
}

// Add writes a value where it belongs.
func (s *arrays) Add(list []number, c Component) {
	v := initial(c)
	for _, h := range list {
		k := &s.kinds[h&1]
		if len(k.values[c]) < len(k.has) {
			k.values[c] = slices.Grow(k.values[c], len(k.has))[:len(k.has)]
		}
		k.values[c][h>>1] = v
		k.has[h>>1] |= 1 << c
	}
}

// Remove forgets a value.
func (s *arrays) Remove(list []number, c Component) {
	for _, h := range list {
		s.kinds[h&1].has[h>>1] &^= 1 << c
	}
}

// Run loops over the entities that were made with a velocity.
func (s *arrays) Run(of System) int {
	k := &s.kinds[1]
	p, v := k.values[Position], k.values[Velocity]
	switch of {
	case Move:
		addTwo(p, v)
	case Each:
		for i := range p {
			addTo(&p[i], &v[i])
		}
	default:
		panic("arrays: a system that they were not written for")
	}
	return len(k.has)
}

// Frame is not written but for a step without systems, which does nothing.
func (s *arrays) Frame(list []System) int {
	if len(list) > 0 {
		panic("arrays: a frame that they were not written for")
	}
	return 0
}

// Read indexes.
func (s *arrays) Read(list []number) (sum float64) {
	p := &s.kinds
	for _, h := range list {
		sum += p[h&1].values[Position][h>>1].X
	}
	return sum
}

// Count looks at all numbers.
func (s *arrays) Count() (entities, n int) {
	for _, k := range s.kinds {
		for _, has := range k.has {
			if has != 0 {
				entities++
			}
			for ; has != 0; has &= has - 1 {
				n++
			}
		}
	}
	return entities, n
}

// Close has nothing to do.
func (s *arrays) Close() {}
