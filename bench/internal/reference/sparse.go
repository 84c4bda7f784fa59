package reference

import "math/bits"

// Sparse is a store of sparse sets. It has the versions and masks of entities. Sets have values.
type Sparse struct {
	versions []uint32 // by index
	masks    []uint32 // by index: which sets have the entity
	free     []uint32
	sets     []part // by component
}

// Spawn makes an entity without components.
func (w *Sparse) Spawn() Entity {
	if n := len(w.free) - 1; n >= 0 {
		i := w.free[n]
		w.free = w.free[:n]
		return entity(i, w.versions[i])
	}
	w.versions, w.masks = append(w.versions, 1), append(w.masks, 0)
	return entity(uint32(len(w.versions)-1), 1)
}

// Destroy takes the entity out of all its sets. It reports whether the entity lived.
func (w *Sparse) Destroy(e Entity) bool {
	i := e.Index()
	if int(i) >= len(w.versions) || w.versions[i] != e.version() {
		return false
	}
	for m := w.masks[i]; m != 0; m &= m - 1 {
		w.sets[bits.TrailingZeros32(m)].Remove(e)
	}
	w.versions[i]++
	w.free = append(w.free, i)
	return true
}

// pageSlots is how many entities a page of a sparse array has.
const pageSlots = 4096

type page [pageSlots]slot

// slot has version 0 where the entity is not in the set.
type slot struct{ version, row uint32 }

// Set is the sparse set of a component. Values lie in no order.
type Set[T any] struct {
	pages    []*page // nil where no entity of the page was ever in the set
	values   []T
	entities []Entity
	masks    *[]uint32 // of the store; nil if the set belongs to none
	bit      uint32
	queries  []seat // that name the component
}

// SetOf adds a set to a store. Its component is the number of sets before it.
func SetOf[T any](w *Sparse) *Set[T] {
	s := &Set[T]{masks: &w.masks, bit: 1 << len(w.sets)}
	w.sets = append(w.sets, s)
	return s
}

// Values are the dense values. They and Entities are good until the set is changed.
func (s *Set[T]) Values() []T { return s.values }

// Entities has the entity of each value.
func (s *Set[T]) Entities() []Entity { return s.entities }

// Get returns the value of an entity, or nil.
func (s *Set[T]) Get(e Entity) *T {
	if n := e.Index() / pageSlots; int(n) < len(s.pages) {
		if p := s.pages[n]; p != nil {
			if at := p[e.Index()%pageSlots]; at.version == e.version() {
				return &s.values[at.row]
			}
		}
	}
	return nil
}

// Row is the row of an entity that the set has.
func (s *Set[T]) Row(e Entity) uint32 { return s.pages[e.Index()/pageSlots][e.Index()%pageSlots].row }

// Add gives a value to an entity that lives. It reports false if the entity has one.
func (s *Set[T]) Add(e Entity, v T) bool {
	n := int(e.Index() / pageSlots)
	for n >= len(s.pages) {
		s.pages = append(s.pages, nil)
	}
	if s.pages[n] == nil {
		s.pages[n] = new(page)
	}
	at := &s.pages[n][e.Index()%pageSlots]
	if at.version == e.version() {
		return false
	}
	*at = slot{e.version(), uint32(len(s.values))}
	s.values, s.entities = append(s.values, v), append(s.entities, e)
	switch {
	case s.masks == nil:
	case len(s.queries) == 0: // written out: a call costs a fifth of adding
		(*s.masks)[e.Index()] |= s.bit
	default:
		s.change(e, (*s.masks)[e.Index()]|s.bit)
	}
	return true
}

// Remove puts the last value in the place of the entity's. It reports false if the set has none.
func (s *Set[T]) Remove(e Entity) bool {
	n := int(e.Index() / pageSlots)
	if n >= len(s.pages) || s.pages[n] == nil {
		return false
	}
	at := &s.pages[n][e.Index()%pageSlots]
	if at.version != e.version() {
		return false
	}
	row, last := at.row, len(s.values)-1
	at.version = 0
	if moved := s.entities[last]; moved != e {
		s.values[row], s.entities[row] = s.values[last], moved
		s.pages[moved.Index()/pageSlots][moved.Index()%pageSlots].row = row
		s.moved(moved, row)
	}
	s.values, s.entities = s.values[:last], s.entities[:last]
	switch {
	case s.masks == nil:
	case len(s.queries) == 0:
		(*s.masks)[e.Index()] &^= s.bit
	default:
		s.change(e, (*s.masks)[e.Index()]&^s.bit)
	}
	return true
}

// Reserve makes room for n values.
func (s *Set[T]) Reserve(n int) {
	s.values = append(make([]T, 0, n), s.values...)
	s.entities = append(make([]Entity, 0, n), s.entities...)
}

// Alive is how many entities there are.
func (w *Sparse) Alive() int { return len(w.versions) - len(w.free) }
