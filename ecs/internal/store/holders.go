package store

import "slices"

// Most entities that are held at all have one hold, so the holds of an entity are a list, which is
// looked through. Some are held by thousands: a house by all that live there. Their list has a map
// beside it, and gaps where holds have ended:
//
//	list   A by x │ gap │ B by y │ C by z       at   {A, x} → 0   {B, y} → 2   {C, z} → 3
//
// Gaps keep the order of the others, which errors and listings show, and the places in the map.

// holdersMany is how many holds of one entity are looked through one by one (TestManyHolders).
const holdersMany = 32

// holdAt is the place of a hold in the list of an index; -1 if there is none. Up to holdersMany holds
// are compared one by one.
func (s *Store) holdAt(index uint32, l *Lock, name string) int {
	m := s.many[index]
	if m == nil {
		return slices.IndexFunc(s.held[index], func(h Hold) bool { return h.Lock == l && h.Holder == name })
	}
	if i, is := m.at[holder{l, name}]; is {
		return i
	}
	return -1
}

// addHold appends a hold to the list of an index. The order of the list is that in which holds were
// taken, which errors and listings show.
func (s *Store) addHold(index uint32, h Hold) {
	if s.held == nil {
		s.held = make(map[uint32][]Hold)
	}
	s.held[index] = append(s.held[index], h)
	if m, n := s.many[index], len(s.held[index]); m != nil {
		m.at[holder{h.Lock, h.Holder}] = n - 1
	} else if n > holdersMany {
		s.closeGaps(index)
	}
}

// dropHold takes a hold out of the list of an index, and the list away with the last one. In a long
// list it leaves a gap, a Hold without a Lock. Gaps are closed once they are more than half, so a
// Release costs the same on average.
func (s *Store) dropHold(index uint32, i int) {
	list := s.held[index]
	if m := s.many[index]; m != nil {
		delete(m.at, holder{list[i].Lock, list[i].Holder})
		list[i] = Hold{}
		if m.gaps++; m.gaps > len(list)/2 {
			s.closeGaps(index)
		}
		return
	}
	if list = slices.Delete(list, i, i+1); len(list) > 0 {
		s.held[index] = list
	} else {
		delete(s.held, index)
	}
}

// closeGaps closes the gaps in the list of an index. It makes the map of places anew, or drops it if
// few holds are left.
func (s *Store) closeGaps(index uint32) {
	list := slices.DeleteFunc(s.held[index], func(h Hold) bool { return h.Lock == nil })
	s.held[index] = list
	if len(list) <= holdersMany {
		delete(s.many, index)
		return
	}
	m := &holders{at: make(map[holder]int, len(list))}
	for i, h := range list {
		m.at[holder{h.Lock, h.Holder}] = i
	}
	if s.many == nil {
		s.many = make(map[uint32]*holders)
	}
	s.many[index] = m
}
