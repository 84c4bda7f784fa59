package store

// Observers hear of entities that are about to be destroyed while all is readable: see told.go.

// TellsEnds tells whether somebody has to know of entities that are destroyed. A change of many tells of all its ends
// at once, before the first.
func (s *Store) TellsEnds() bool {
	t := s.telling
	return t != nil && (t.alive != nil || t.asleep != nil || len(t.comps)+len(t.joining) > 0)
}

// leaving tells the observer of entities, and destroys them. They are destroyed also if an observer panics, because
// others were told.
func (s *Store) leaving(es []Entity, destroy func()) {
	s.begin()
	defer s.end()
	defer destroy()
	s.telling.ending = es
	defer s.telling.ended()
	defer s.leaves(es) // also if one of values that were set before panics
	s.telling.tell()
}

// ends tells whether an entity is about to be destroyed. The first question marks all that are: observers seldom lock.
func (s *Store) ends(e Entity) bool {
	t := s.telling
	if t == nil || len(t.ending) == 0 {
		return false
	}
	if t.marks.n == 0 {
		for _, e := range t.ending {
			t.marks.set(e.Index(), s.Bound(), true)
		}
	}
	return t.marks.has(e.Index())
}

// ended is called when observers have heard of ends.
func (t *telling) ended() {
	if t.ending = nil; t.marks.n > 0 {
		t.marks = indexSet{}
	}
}

// leaves tells the observer of entities that are about to be destroyed. All of them are alive, no lock holds
// them, and none comes twice.
func (s *Store) leaves(es []Entity) {
	t := s.telling
	if len(es) == 0 {
		return
	}
	if t.note(t.alive, true) {
		t.add(es)
	}
	if s.asleep.n > 0 {
		for i, e := range es {
			if s.asleep.has(e.Index()) && t.note(t.asleep, true) {
				t.add(es[i : i+1])
			}
		}
	}
	for _, x := range t.joining {
		for i, e := range es {
			if x.holds(e, turn{}) && t.note(x, true) {
				t.gather(x, e)
				t.add(es[i : i+1])
			}
		}
	}
	for _, c := range t.comps {
		s.wakes(c, es)
	}
	for _, c := range t.comps {
		for i := 0; i < len(es); {
			_, n := c.Run(es[i:])
			if n > 0 && t.note(c.having, true) {
				t.takeAll(c, es[i:i+n])
			}
			i += max(n, 1)
		}
	}
	t.tell()
}

// dying are the entities of a list that Destroy would destroy, each once.
func (s *Store) dying(es []Entity) (list []Entity) {
	s.met = fit(s.met, int(s.Bound()+63)/64)
	for _, e := range es {
		at, bit := e.Index()/64, uint64(1)<<(e.Index()%64)
		if !s.Alive(e) || s.met[at]&bit != 0 || s.guards(e) && s.locked(nil, e) != nil {
			continue
		}
		s.met[at] |= bit
		list = append(list, e)
	}
	for _, e := range list {
		s.met[e.Index()/64] = 0
	}
	return list
}
