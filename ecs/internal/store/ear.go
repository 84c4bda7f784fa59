package store

// Ears hang on the sides of subjects, in the order in which they are called. One that is taken out while it is called still
// leads to the next one.
//
//	subject   come   ear → ear → ear      in the order of Listen
//	          go     ear → ear → ear      in reverse

// Listen has an ear hear which entities come under a subject, behind all others; with left, which leave it, before them.
func (s *Store) Listen(x *Subject, left bool, y *Ear) {
	d := &x.sides[sideOf(left)]
	at := &d.first
	for !left && *at != nil {
		at = &(*at).next
	}
	y.next, *at = *at, y
	d.answers = d.answers || y.Asks
}

// Deafen ends Listen.
func (s *Store) Deafen(x *Subject, left bool, y *Ear) {
	d := &x.sides[sideOf(left)]
	for at := &d.first; *at != nil; at = &(*at).next {
		if *at == y {
			*at = y.next
			return
		}
	}
}

// Hearing is the ear that is called with a change; nil: none is.
func (s *Store) Hearing() *Ear {
	if s.telling == nil {
		return nil
	}
	return s.telling.hearing
}

// Now is the change that an ear of the side is called with.
func (x *Subject) Now(left bool) *Told { return &x.sides[sideOf(left)].now }

// call calls the ears of a side, and tells whether Done has something to do.
func (t *telling) call(d *side) (done bool) {
	defer t.called()
	for y := d.first; y != nil; y = y.next {
		t.hearing = y
		y.Fn(y.Into)
	}
	t.hearing = nil
	return d.answers
}

// called ends call. An ear that has panicked is in hearing still.
func (t *telling) called() {
	if t.hearing != nil {
		t.hearing = nil
		t.Panicked()
	}
}

// callAll is call with entities that are not in single.
func (t *telling) callAll(x Told) {
	d := &x.Of.sides[sideOf(x.Left)]
	if d.first == nil {
		return
	}
	one := d.now
	defer func() { d.now = one }()
	d.now = x
	t.call(d)
}
