package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Verbs note which entities have got a component that somebody asks about, and which lose it. When the
// verb has ended, and rows are in order again, the observer is told.
//
//	Add       give, came                            deliver, Done
//	Remove    went (which copies values), discard   deliver, Done      a refusal takes the note back
//	Destroy   leaves, deliver (nothing has gone yet), destroy, Done
//	lists     begin … each as above … end           deliver, Done
//
// A component that nobody asks about is not observed: verbs take their short ways.

// Observe makes the store tell an observer of the components that Tell names. There is one at most.
func (s *Store) Observe(o Observer) { s.telling = &telling{Observer: o} }

// Tell has the observer be told of a component, or of whole entities if c is nil, once more or once less.
func (s *Store) Tell(c *Component, more int) {
	t := s.telling
	if c == nil {
		t.wholes += more
	} else {
		c.told += more
		t.comps = t.comps[:0]
		for _, c := range s.comps {
			if c.told > 0 {
				t.comps = append(t.comps, c)
			}
		}
	}
	s.rewatch()
	s.rearranged() // bundles look again
}

// one is a list of an entity, good until the next call.
func (s *Store) one(e Entity) []Entity {
	t := s.telling
	t.single[0] = e
	return t.single[:]
}

// came notes that entities have got a component.
func (s *Store) came(c *Component, es []Entity) {
	t := s.telling
	t.note(c, false)
	t.add(es)
}

// went notes that entities lose a component, which all of them have.
func (s *Store) went(c *Component, es []Entity) {
	t := s.telling
	t.note(c, true)
	for len(es) > 0 {
		l, n := c.Run(es)
		t.take(c, l, n)
		t.add(es[:n])
		es = es[n:]
	}
}

// note begins a notice, or goes on with the last one if that is the same.
func (t *telling) note(c *Component, left bool) {
	if n := len(t.notices); n > 0 && t.notices[n-1].c == c && t.notices[n-1].left == left {
		return
	}
	t.bytes = (t.bytes + 7) &^ 7
	t.notices = append(t.notices, notice{c, left, len(t.entities), t.bytes})
}

func (t *telling) add(es []Entity) {
	t.entities = append(t.entities, es...)
	t.notices[len(t.notices)-1].end = len(t.entities)
}

// take copies n values from a row on.
func (t *telling) take(c *Component, l memmgr.Loc, n int) {
	bytes := uintptr(n) * c.Size
	t.values = raw.Room(t.values, t.bytes+bytes)
	if bytes > 0 {
		raw.CopyAll(raw.At(raw.Data(t.values), t.bytes), c.At(l), bytes)
		t.bytes += bytes
	}
}

// Run is where the first of entities has its value, and how many of them, from the first on, have values that
// follow each other. n is 0 if the first lacks the component.
func (c *Component) Run(es []Entity) (l memmgr.Loc, n int) {
	words := &c.owner.words
	switch {
	case c.plain:
	case c.way == Thin && !c.mixed():
		words = &c.own
	default:
		words = nil
	}
	if words == nil || len(es) == 1 {
		l, has := c.Loc(es[0])
		if !has {
			return 0, 0
		}
		return l, 1
	}
	w := words.Load(es[0].Index())
	if !Names(w, es[0]) || c.plain && !c.holds(w) {
		return 0, 0
	}
	l = locOf(w)
	return l, words.run(es[:min(len(es), c.s.tableAt(l).rowsFrom(l))], l)
}

// point is where notes are now, and cut takes back all behind it: the change was refused.
func (s *Store) point() (p point) {
	if t := s.telling; t != nil {
		p = point{len(t.notices), len(t.entities), t.bytes}
	}
	return p
}

func (s *Store) cut(p point) {
	t := s.telling
	if t == nil {
		return
	}
	t.notices, t.entities, t.bytes = t.notices[:p.notices], t.entities[:p.entities], p.bytes
	if p.notices > 0 {
		t.notices[p.notices-1].end = p.entities
	}
}

// begin and end are around calls that are one change. Pairs may stand within each other.
func (s *Store) begin() {
	if t := s.telling; t != nil {
		t.waits++
	}
}

func (s *Store) end() {
	if t := s.telling; t != nil {
		t.waits--
		s.done()
	}
}

// Together makes the verbs that f calls one change for observers.
func (s *Store) Together(f func()) {
	s.begin()
	defer s.end()
	f()
}

// done tells the observer, unless the verb is a part of a change.
func (s *Store) done() {
	if t := s.telling; t != nil && t.waits == 0 && !t.under {
		t.deliver()
		t.Done()
	}
}

// deliver tells the observer of all that is noted.
func (t *telling) deliver() {
	if len(t.notices) == 0 {
		return
	}
	t.under = true
	defer t.forget()
	from := 0
	for _, n := range t.notices {
		x := Told{Component: n.c, Left: n.left, Entities: t.entities[from:n.end:n.end]}
		if n.left && n.values < t.bytes {
			x.Values = raw.At(raw.Data(t.values), n.values)
		}
		t.Told(x)
		from = n.end
	}
}

func (t *telling) forget() {
	t.under = false
	t.notices, t.entities, t.bytes = t.notices[:0], t.entities[:0], 0
}

// tellsEnds tells whether somebody has to know of entities that are destroyed.
func (s *Store) tellsEnds() bool {
	t := s.telling
	return t != nil && (t.wholes > 0 || len(t.comps) > 0)
}

// leaves tells the observer of entities that are about to be destroyed. All of them are alive, no lock holds
// them, and none comes twice.
func (s *Store) leaves(es []Entity) {
	t := s.telling
	if len(es) == 0 {
		return
	}
	if t.wholes > 0 {
		t.note(nil, true)
		t.add(es)
	}
	for _, c := range t.comps {
		for i := 0; i < len(es); {
			l, n := c.Run(es[i:])
			if n > 0 {
				t.note(c, true)
				t.take(c, l, n)
				t.add(es[i : i+n])
			}
			i += max(n, 1)
		}
	}
	t.deliver()
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

// Spawned tells the observer of entities that Take or Reserve has made.
func (s *Store) Spawned(e Entity) {
	if t := s.telling; t != nil && t.wholes > 0 && s.Alive(e) {
		s.came(nil, s.one(e))
		s.done()
	}
}

// TellsSpawns tells whether Spawned does something.
func (s *Store) TellsSpawns() bool { return s.telling != nil && s.telling.wholes > 0 }
