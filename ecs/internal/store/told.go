package store

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Verbs note which entities come under a subject that somebody asks about, and which leave it. When the
// verb has ended, and rows are in order again, the observer is told.
//
//	Add       give, came                            tell, Done
//	Remove    went (which copies values), discard   tell, Done         a refusal takes the note back
//	Destroy   leaves, tell (nothing has gone yet), destroy, Done
//	Set       Sets, the value is written            TellSets, Done     later, while something iterates
//	lists     begin … each as above … end           tell, Done
//
// A component that nobody asks about is not observed: verbs take their short ways. So do Add and Remove of one entity
// in a plain column, and tell at once.

// Observe makes the store tell an observer of the subjects that Tell names. There is one at most.
func (s *Store) Observe(o Observer) { s.telling = &telling{Observer: o} }

// one is a list of an entity, good until the next call.
func (s *Store) one(e Entity) []Entity {
	t := s.telling
	t.single[0] = e
	return t.single[:]
}

// came notes that entities have got a component.
func (s *Store) came(c *Component, es []Entity) {
	t := s.telling
	if t.note(c.having, false) {
		t.add(es)
	}
	for _, x := range c.joining {
		if !t.still {
			t.follow(x, es, turn{goes: []*Component{c}}, turn{})
		}
	}
}

// comes is came before they get it.
func (s *Store) comes(c *Component, es []Entity) {
	t := s.telling
	if t.note(c.having, false) {
		t.add(es)
	}
	for _, x := range c.joining {
		t.follow(x, es, turn{}, turn{comes: []*Component{c}})
	}
}

// went notes that entities lose a component, which all of them have.
func (s *Store) went(c *Component, es []Entity) {
	t := s.telling
	for _, x := range c.joining {
		if !t.still {
			t.follow(x, es, turn{}, turn{goes: []*Component{c}})
		}
	}
	s.wakes(c, es)
	if t.note(c.having, true) {
		t.takeAll(c, es)
	}
}

// wakes notes entities that have a component disabled, before they lose it.
func (s *Store) wakes(c *Component, es []Entity) {
	t := s.telling
	for i := 0; i < len(es) && c.disabling != nil && c.disabled.n > 0; i++ {
		if c.disabled.has(es[i].Index()) && t.note(c.disabling, true) {
			t.takeAll(c, es[i:i+1])
		}
	}
}

// switched notes that an entity has a component disabled from now on, or not any more; nil: the entity as a whole.
func (s *Store) switched(c *Component, e Entity, on bool) {
	t := s.telling
	if t == nil {
		return
	}
	x := t.asleep
	if c != nil {
		x = c.disabling
	}
	switch {
	case !t.note(x, on):
	case on && c != nil:
		t.takeAll(c, s.one(e))
	default:
		t.add(s.one(e))
	}
}

// note begins a notice, or goes on with the last one if that is the same. It tells whether somebody asks.
func (t *telling) note(x *Subject, left bool) bool {
	if x == nil || x.asks[sideOf(left)] == 0 {
		return false
	}
	if n := len(t.notices); n > 0 && t.notices[n-1].of == x && t.notices[n-1].left == left {
		return true
	}
	t.bytes = (t.bytes + 7) &^ 7
	t.notices = append(t.notices, notice{x, left, len(t.entities), t.bytes})
	return true
}

func (t *telling) add(es []Entity) {
	t.entities = append(t.entities, es...)
	t.notices[len(t.notices)-1].end = len(t.entities)
}

// takeAll adds entities that lose a component, with their values.
func (t *telling) takeAll(c *Component, es []Entity) {
	for len(es) > 0 {
		l, n := c.Run(es)
		t.take(c, l, n)
		t.add(es[:n])
		es = es[n:]
	}
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
	return l, words.run(es[:min(len(es), c.store.tableAt(l).rowsFrom(l))], l)
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
	if t := s.telling; t != nil && t.waits == 0 {
		t.tell()
		t.Done()
	}
}

// tell tells the observer of values that were set, and of all that is noted. All is logged before functions of the
// program are called, since one may panic.
func (t *telling) tell() {
	if sets := t.logSets(); !sets && len(t.notices) == 0 {
		return
	}
	t.logNotices()
	t.waits++
	defer t.forget()
	t.tellSets()
	t.deliver()
}

// got is came and done of an entity.
func (s *Store) got(c *Component, e Entity) {
	t := s.telling
	if x := c.solely; x != nil && t.waits == 0 {
		t.single[0] = e
		t.tellOne(x, 0)
	} else {
		s.came(c, s.one(e))
		s.done()
	}
}

// loses is went of an entity that has its value at l, and lost is done.
func (s *Store) loses(c *Component, e Entity, l memmgr.Loc) {
	t := s.telling
	if x := c.solely; x != nil && t.waits == 0 {
		t.single[0] = e
		if x.asks[1] > 0 {
			raw.Copy(x.sides[1].now.Values, c.At(l), c.Size)
		}
	} else {
		s.went(c, s.one(e))
	}
}

func (s *Store) lost(c *Component) {
	t := s.telling
	if x := c.solely; x != nil && t.waits == 0 {
		t.tellOne(x, 1)
	} else {
		s.done()
	}
}

// tellOne tells one side of the entity of single.
func (t *telling) tellOne(x *Subject, side int) {
	d := &x.sides[side]
	if x.Logged {
		x.Log(&d.now)
	}
	if d.first != nil && t.call(d) {
		t.Done()
	}
}

// logNotices logs all that is noted, notice by notice.
func (t *telling) logNotices() {
	from := 0
	for i := range t.notices {
		n := &t.notices[i]
		if n.of.Logged {
			t.now = t.alone(n, from)
			t.now.Of.Log(&t.now)
		}
		from = n.end
	}
}

// alone is a notice, the entities of which begin at from.
func (t *telling) alone(n *notice, from int) (x Told) {
	x = Told{Of: n.of, Left: n.left, Entities: t.entities[from:n.end:n.end]}
	if n.left && n.values < t.bytes {
		x.Values = raw.At(raw.Data(t.values), n.values)
	}
	return x
}

// deliver tells the observer of all that is noted. Notices of one subject are one call, in the place of the first.
func (t *telling) deliver() {
	from := 0
	for i := range t.notices {
		n := &t.notices[i]
		if x := t.toldOf(i, from); x.Of != nil {
			t.callAll(x)
		}
		from = n.end
	}
}

// toldOf is the i-th notice, the entities of which begin at from, with those behind it that are of the same.
func (t *telling) toldOf(i, from int) (x Told) {
	n := &t.notices[i]
	if x = t.alone(n, from); n.of == nil {
		return x
	}
	m, bytes := &t.merged, uintptr(0)
	more := false
	for j := i + 1; j < len(t.notices); j++ {
		d := &t.notices[j]
		if d.of != n.of || d.left != n.left {
			continue
		}
		if !more {
			more = true
			m.entities = append(m.entities[:0], x.Entities...)
			bytes = m.keep(0, x.Values, n.of.Size*uintptr(len(x.Entities)))
		}
		es := t.entities[t.notices[j-1].end:d.end]
		m.entities = append(m.entities, es...)
		if n.left {
			bytes = m.keep(bytes, raw.At(raw.Data(t.values), d.values), n.of.Size*uintptr(len(es)))
		}
		d.of = nil
	}
	if more {
		x.Entities = m.entities
		if x.Values != nil {
			x.Values = raw.Data(m.values)
		}
	}
	return x
}

// keep appends values behind so many bytes; nil: there are none.
func (m *merged) keep(bytes uintptr, v raw.Ptr, n uintptr) uintptr {
	if v == nil || n == 0 {
		return bytes
	}
	m.values = raw.Room(m.values, bytes+n)
	raw.CopyAll(raw.At(raw.Data(m.values), bytes), v, n)
	return bytes + n
}

func (t *telling) forget() {
	t.waits--
	t.forgetSets()
	t.lately.Met(len(t.entities))
	t.notices, t.entities, t.bytes = t.notices[:0], t.entities[:0], 0
}

// settle ends a frame: lists that were not needed of late go back to the Go heap.
func (t *telling) settle() {
	if t.lately.EndFrame(); len(t.notices) == 0 && t.lately.Excess(cap(t.entities), raw.Size[Entity]()) {
		t.notices, t.entities, t.values, t.merged = nil, nil, nil, merged{}
	}
	for _, x := range t.setting {
		x.lately.EndFrame()
		for _, l := range [...]*setList{&x.setList, &x.told} {
			if len(l.set) == 0 && x.lately.Excess(cap(l.set), raw.Size[Entity]()+x.Size) {
				*l = setList{}
			}
		}
	}
}

// Spawned tells the observer of entities that Take or Reserve has made.
func (s *Store) Spawned(e Entity) {
	if t := s.telling; t != nil && s.Alive(e) && t.note(t.alive, false) {
		t.add(s.one(e))
		s.done()
	}
}

// TellsSpawns tells whether Spawned does something.
func (s *Store) TellsSpawns() bool { return s.telling != nil && s.telling.alive != nil }
