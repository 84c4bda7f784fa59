package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Bundle is components that entities are spawned with, and where in a struct their values
// are. Which tables that fills is looked up once.
type Bundle struct {
	s     *Store
	comps []*Component
	at    []uintptr
	parts []part
	valid uint64 // of what the parts are
	alone *part  // the only part, if it is plain
	home  *entities.Home
	homed uint64 // of what the home is
}

// part is a table that gets a row for each entity, and what goes into it.
type part struct {
	t       *Table
	fixed   []piece
	opts    []piece
	watched []*Component   // of the bundle's, those of which changes are noted
	plain   bool           // all components are fixed
	flag    entities.Flags // see Table.flag
	kin     uint32
}

// piece is a value in a struct, and where it goes.
type piece struct {
	lane
	c    *Component
	from uintptr
}

func pieceOf(c *Component, from uintptr) piece {
	return piece{laneOf(c), c, from}
}

// NewBundle makes a bundle of components whose values are at the given offsets. A component
// comes once.
func (s *Store) NewBundle(comps []*Component, at []uintptr) *Bundle {
	return &Bundle{s: s, comps: comps, at: at}
}

// ready looks up which tables the bundle fills. Ways and tables may have changed.
func (b *Bundle) ready() error {
	s := b.s
	b.valid = 0
	b.parts = b.parts[:0]
	for i, c := range b.comps {
		if c.way == Thin {
			if c.thin == nil {
				if err := s.makeThin(c); err != nil {
					return c.failed(err)
				}
			}
			b.parts = append(b.parts, part{t: c.thin, fixed: []piece{pieceOf(c, b.at[i])}, kin: noKin})
			continue
		}
		if seen := b.of(c.owner, i); seen {
			continue
		}
		var fixed, opts []*Component
		for _, d := range b.comps {
			if d.owner != c.owner {
				continue
			}
			switch d.way {
			case Fixed:
				fixed = with(fixed, d)
			case Optional:
				opts = with(opts, d)
			}
		}
		t, err := c.owner.family(fixed, c.owner.cap(b.has)).table(opts)
		if err != nil {
			return c.failed(err)
		}
		p := part{t: t}
		p.flag, p.kin = t.flag()
		for j, d := range b.comps {
			if d.owner == c.owner && d.way != Thin {
				if d.way == Fixed {
					p.fixed = append(p.fixed, pieceOf(d, b.at[j]))
				} else {
					p.opts = append(p.opts, pieceOf(d, b.at[j]))
				}
			}
		}
		p.plain = len(p.opts) == 0
		b.parts = append(b.parts, p)
	}
	for i := range b.parts {
		p := &b.parts[i]
		for _, x := range slices.Concat(p.fixed, p.opts) {
			if x.c.noted != nil {
				p.watched = append(p.watched, x.c)
			}
		}
	}
	if b.alone = nil; len(b.parts) == 1 && b.parts[0].plain && len(b.parts[0].t.watched) == 0 {
		b.alone = &b.parts[0]
	}
	b.valid = s.layout()
	b.where()
	return nil
}

// has tells whether a component is in the bundle.
func (b *Bundle) has(c *Component) bool { return slices.Contains(b.comps, c) }

// of tells whether a component before the i-th is in a table of the same owner.
func (b *Bundle) of(o *Owner, i int) bool {
	for _, c := range b.comps[:i] {
		if c.owner == o && c.way != Thin {
			return true
		}
	}
	return false
}

// layout counts what decides in which tables rows belong.
func (s *Store) layout() uint64 { return s.made + s.Dropped + s.changes + 1 }

// Version changes when components change over, or are declared to be a group's: then what
// was found out about tables does not hold any more. That tables come and go does not
// change it.
func (s *Store) Version() uint64 { return s.changes + 1 }

// rearranged notes that what was found out about tables no longer holds, nor what was found
// out from it about where values are.
func (s *Store) rearranged() {
	s.changes++
	s.m.Shift()
}

// Shifts returns a pointer to a count of all that changes addresses of values. These are rows
// that move or go, components that are removed or change over, and chunks that move. While it
// does not change, each address of a value stays good, and each entity keeps its components.
// Additions do not count. It is never 0.
func (s *Store) Shifts() *uint64 { return s.m.Shifts() }

// Places changes when a chunk is made, freed or moved. It is never 0 once there is a chunk.
func (s *Store) Places() uint64 { return s.m.Layout() }

// Layout changes when tables come or go, or when Version does.
func (s *Store) Layout() uint64 { return s.layout() }

// Made is how many tables were ever made.
func (s *Store) Made() uint64 { return s.made }

// where returns the home whose blocks the bundle's entities have their indexes from. It is
// that of the first group that owns one of its components, otherwise of the family in the
// commons that they make. Of thin components alone it is the common one.
func (b *Bundle) where() *entities.Home {
	s := b.s
	if b.homed == s.layout() {
		return b.home
	}
	b.home, b.homed = s.ids.Common(), s.layout()
	var fixed []*Component
	tables := false
	for _, c := range b.comps {
		if c.owner != s.Commons {
			b.home = &c.owner.home
			return b.home
		}
		tables = tables || c.way != Thin
		if c.way == Fixed {
			fixed = with(fixed, c)
		}
	}
	if tables {
		b.home = &s.Commons.family(fixed, 0).home
	}
	return b.home
}

// Take makes an entity that has nothing yet. Its index is beside those of entities that were
// spawned from the bundle. Errors are those of Store.Spawn.
func (b *Bundle) Take() (Entity, error) { return b.s.ids.Take(b.where()) }

// Spawn makes an entity with values that are in the struct at v. Errors are the arena's. After
// one nothing has changed except versions.
func (b *Bundle) Spawn(v raw.Ptr) (Entity, error) {
	s := b.s
	if p := b.alone; p != nil && s.hooks == nil && b.valid == s.layout() && p.owns(s.ids.KinOf(b.home)) {
		if e := s.ids.TryTake(b.home, p.flag); e != 0 {
			if !p.t.words.covers(e.Index()) {
				return b.filled(e, v)
			}
			l := p.t.Seq.TryAppend()
			if l == 0 {
				return b.filled(e, v)
			}
			p.put(e, l, v)
			if s.Warms() {
				s.ahead(b.home, p.t.words)
			}
			return e, nil
		}
	}
	if s.hooks != nil && s.tells() {
		return b.toldSpawn(v)
	}
	if b.valid != s.layout() {
		if err := b.ready(); err != nil {
			return 0, err
		}
	}
	e, err := s.ids.Take(b.home)
	if err != nil {
		return 0, err
	}
	return b.filled(e, v)
}

// filled gives an entity that was just made the components, or it is no more.
func (b *Bundle) filled(e Entity, v raw.Ptr) (Entity, error) {
	if err := b.fillAll(e, b.s.ids.KinOf(b.home), v); err != nil {
		b.s.ids.Free(e)
		return 0, err
	}
	return e, nil
}

// toldSpawn is Spawn with hooks. (It is apart because defer costs each call.)
func (b *Bundle) toldSpawn(v raw.Ptr) (Entity, error) {
	defer b.s.quiet()
	e, err := b.Spawn(v)
	if err == nil {
		b.told(e)
	}
	return e, err
}

// Fill gives an entity that has none of them the components of the bundle. After an error
// nothing has changed.
func (b *Bundle) Fill(e Entity, v raw.Ptr) error {
	if b.s.hooks != nil && b.s.tells() {
		defer b.s.quiet()
		err := b.fillWatched(e, v)
		if err == nil {
			b.told(e)
		}
		return err
	}
	if b.valid != b.s.layout() {
		if err := b.ready(); err != nil {
			return err
		}
	}
	return b.fillAll(e, b.s.ids.Kin(e.Index()), v)
}

// fillAll is Fill once the tables are known, for an entity whose index is in a block of a Kin.
func (b *Bundle) fillAll(e Entity, kin uint32, v raw.Ptr) error {
	for i := range b.parts {
		p := &b.parts[i]
		t, l := p.t, memmgr.Loc(0)
		own := p.owns(kin)
		if own && p.plain && t.words.covers(e.Index()) {
			l = t.Seq.TryAppend()
		}
		if l == 0 {
			var err error
			if l, err = p.makeRow(e); err != nil {
				b.undo(b.parts[:i], e)
				return err
			}
		}
		if own {
			b.s.ids.SetFlag(e, p.flag)
		} else {
			t.enter(e)
		}
		p.put(e, l, v)
		for j := range p.opts {
			x := &p.opts[j]
			t.receive(x.c, l, raw.At(v, x.from))
		}
		if len(t.watched) > 0 {
			t.begun(l)
			p.got(l, 1)
		}
	}
	return nil
}

// got notes that the entities of n rows from l on have got what the bundle has.
func (p *part) got(l memmgr.Loc, n int) {
	for _, c := range p.watched {
		c.got(l, n)
	}
}

// owns tells whether nothing but a flag says that an entity of a Kin is in the table.
func (p *part) owns(kin uint32) bool { return p.kin == 0 || p.kin == kin }

// put makes a row an entity's and writes the fixed values. It calls nothing: all that it
// needs stays in registers.
func (p *part) put(e Entity, l memmgr.Loc, v raw.Ptr) {
	t := p.t
	t.s.putEntity(l, e)
	t.words.set(e.Index(), word(e, l))
	fixed := p.fixed
	for i := range fixed {
		x := &fixed[i]
		raw.Copy(x.at(l), raw.At(v, x.from), x.size())
	}
}

// makeRow makes a row of a part for an entity, and all that can be refused. After an error
// nothing has changed.
func (p *part) makeRow(e Entity) (memmgr.Loc, error) {
	if err := p.t.prepare(e, 1); err != nil {
		return 0, err
	}
	return p.t.row()
}

// undo removes the rows that an entity has of parts.
func (b *Bundle) undo(parts []part, e Entity) {
	for i := range parts {
		t := parts[i].t
		l := locOf(t.words.Load(e.Index()))
		t.leave(e)
		t.takeOut(e, l)
	}
}

// Any tells whether an entity has some component of the bundle, or a row in a table that
// the bundle would make one in.
func (b *Bundle) Any(e Entity) bool {
	for _, c := range b.comps {
		if _, _, home := c.owner.row(e); home || c.Has(e) {
			return true
		}
	}
	return false
}

// Names are those of the components.
func (b *Bundle) Names() (names []string) {
	for _, c := range b.comps {
		names = append(names, c.Name)
	}
	return names
}

// Pieces calls f with each component and where its value is in the struct at v.
func (b *Bundle) Pieces(v raw.Ptr, f func(c *Component, v raw.Ptr) error) error {
	for i, c := range b.comps {
		if err := f(c, raw.At(v, b.at[i])); err != nil {
			return err
		}
	}
	return nil
}
