package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// NewBundle makes a bundle of components whose values are at the given offsets, in bytes. A component
// comes once. Tables are looked up by the first spawn, so the bundle makes none here. Both slices
// belong to the bundle from then on.
func (s *Store) NewBundle(comps []*Component, at []uintptr) *Bundle {
	return &Bundle{store: s, comps: comps, at: at}
}

// ready looks up which tables the bundle fills, and makes the missing ones. It runs again after
// each change of the ways of the store. The bundle is valid only after the last step, so an error
// leaves it stale.
//
//	components   Pos Vel (commons, fixed)   Ai (group)   Quest (thin)
//	parts        {Pos, Vel}                 {Ai}         Quest
//
// There is one part for each owner, with one row for an entity, and one for each thin component.
func (b *Bundle) ready() error {
	b.valid = 0
	b.parts = b.parts[:0]
	for i, c := range b.comps {
		if c.way != Thin && slices.ContainsFunc(b.comps[:i], func(d *Component) bool { return d.owner == c.owner && d.way != Thin }) {
			continue // that part is there
		}
		p, err := b.partOf(i)
		if err != nil {
			return c.failed(err)
		}
		p.kin = p.t.notes()
		p.plain = len(p.t.watched) == 0 && !slices.ContainsFunc(p.pieces, func(x piece) bool { return x.c.way == Optional })
		b.parts = append(b.parts, p)
	}
	b.told = b.store.TellsSpawns() || slices.ContainsFunc(b.comps, func(c *Component) bool { return c.told })
	if b.alone = nil; len(b.parts) == 1 && b.parts[0].plain && !b.told {
		b.alone = &b.parts[0]
	}
	// partOf may have made tables, so the reading is taken after the last of them.
	b.valid = b.store.ways
	b.where()
	return nil
}

// partOf is the part of the i-th component: its table, with all components of the bundle that share
// the row. Fixed pieces come before optional ones.
func (b *Bundle) partOf(i int) (p part, err error) {
	c := b.comps[i]
	if c.way == Thin {
		p.t, err = b.store.thinOf(c)
		p.pieces = []piece{pieceOf(c, b.at[i])}
		return p, err
	}
	var sets [2][]*Component // fixed, optional
	for _, w := range []Way{Fixed, Optional} {
		for j, d := range b.comps {
			if d.owner == c.owner && d.way == w {
				sets[w] = with(sets[w], d)
				p.pieces = append(p.pieces, pieceOf(d, b.at[j]))
			}
		}
	}
	p.t, err = c.owner.family(sets[Fixed], c.owner.cap(b.has)).table(sets[Optional])
	return p, err
}

// has tells whether a component is in the bundle.
func (b *Bundle) has(c *Component) bool { return slices.Contains(b.comps, c) }

// where returns the home from which the bundle's entities have their indexes. It is that of the
// first group that owns one of its components, otherwise of the family in the commons that they make.
// Bundles of thin components alone use the common home. The result is cached by the ways of the store,
// apart from parts: Take needs it before any table exists.
func (b *Bundle) where() *entities.Home {
	s := b.store
	if !s.ways.Stale(b.homed) {
		return b.home
	}
	b.home, b.homed = s.ids.Common(), s.ways
	var fixed []*Component
	tables := false
	for _, c := range b.comps {
		// Members of a group go over its entries most, so their indexes should be side by side there.
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
// spawned from the bundle. Errors are as from Store.Spawn.
func (b *Bundle) Take() (Entity, error) { return b.store.take(b.where()) }

// Spawn makes an entity with values that are in the struct at v. Errors are the arena's. After one
// nothing has changed except versions.
//
// The short way needs one plain part with a row that needs no note, and nobody to be told. Any other case goes
// through filled.
func (b *Bundle) Spawn(v raw.Ptr) (Entity, error) {
	s := b.store
	if p := b.alone; p != nil && !s.ways.Stale(b.valid) && p.owns(s.ids.KinOf(b.home)) {
		if e := s.ids.TryTake(b.home); e != 0 {
			if l := p.next(e); l != 0 {
				p.put(e, l, v)
				if s.Warms() {
					s.ahead(b.home, p.t)
				}
				return e, nil
			}
			return b.filled(e, v)
		}
	}
	e, err := b.Take()
	if err == nil {
		e, err = b.filled(e, v)
	}
	if err == nil && b.told {
		b.tell(s.one(e), true)
	}
	return e, err
}

// tell tells the observer that entities have got the bundle's components, and that they were spawned.
func (b *Bundle) tell(es []Entity, spawned bool) {
	s := b.store
	t := s.telling
	for _, c := range b.comps {
		if t.note(c.having, false) {
			t.add(es)
		}
	}
	for _, x := range t.joining {
		if slices.ContainsFunc(b.comps, func(c *Component) bool { return slices.Contains(c.joining, x) }) {
			t.follow(x, es, turn{goes: b.comps}, turn{})
		}
	}
	if spawned && t.note(t.alive, false) {
		t.add(es)
	}
	s.done()
}

// filled gives an entity that was just made the components, or frees it. Its handle is stale then,
// which is the change of versions.
func (b *Bundle) filled(e Entity, v raw.Ptr) (Entity, error) {
	if err := b.fill(e, v); err != nil {
		b.store.unmake([]Entity{e})
		return 0, err
	}
	return e, nil
}

// unmake frees entities that were just made, and have no rows any more.
func (s *Store) unmake(es []Entity) {
	for i := 0; i < len(es) && s.others.n > 0; i++ {
		s.others.set(es[i].Index(), 0, false)
	}
	s.ids.FreeN(es)
}

// Fill gives an entity that has none of them the components of the bundle. Callers ask Any first.
// After an error nothing has changed. The entity may have components that groups of the bundle
// observe, and other groups may observe the components of the bundle.
func (b *Bundle) Fill(e Entity, v raw.Ptr) error {
	if err := b.fill(e, v); err != nil {
		return err
	}
	if b.store.watches {
		if err := b.regroup(e); err != nil {
			return err
		}
	}
	if b.told {
		b.tell(b.store.one(e), false)
	}
	return nil
}

// fill is Fill for an entity that no group observes. Parts are filled in order, and undone together if
// one fails.
func (b *Bundle) fill(e Entity, v raw.Ptr) error {
	s := b.store
	if s.ways.Stale(b.valid) {
		if err := b.ready(); err != nil {
			return err
		}
	}
	kin := s.ids.Kin(e.Index())
	for i := range b.parts {
		if err := b.parts[i].fill(e, kin, v); err != nil {
			b.undo(b.parts[:i], e)
			return err
		}
	}
	return nil
}

// fill gives an entity, whose index is in a block of a Kin, its row of the part.
func (p *part) fill(e Entity, kin uint32, v raw.Ptr) error {
	if p.plain && p.owns(kin) {
		if l := p.next(e); l != 0 {
			p.put(e, l, v)
			return nil
		}
	}
	return p.t.giveRow(e, incoming{pieces: p.pieces, v: v})
}

// next appends a row for an entity if no memory is needed: there is an entry for its index, and room
// in the last chunk. Otherwise it returns 0, and giveRow does both.
func (p *part) next(e Entity) memmgr.Loc {
	if p.kin != 0 && !p.t.words.covers(e.Index()) {
		return 0
	}
	return p.t.Seq.TryAppend()
}

// owns tells whether a row of this part needs no note for an entity of a Kin. Then no set of
// places has to be written. It is never true for thin components.
func (p *part) owns(kin uint32) bool { return p.kin == 0 || p.kin == kin }

// put makes a row of a plain part an entity's and writes the values. It calls nothing that is not
// inlined: all that it needs stays in registers. Plain means that there are no presence bits and no
// stamps to write.
func (p *part) put(e Entity, l memmgr.Loc, v raw.Ptr) {
	p.t.name(e, l)
	pieces := p.pieces
	for i := range pieces {
		x := &pieces[i]
		raw.Copy(x.at(l), raw.At(v, x.from), x.size())
	}
}

// undo removes the rows that an entity has of parts. All of them were filled by this bundle, so
// takeRow finds each by its entry. It needs no memory.
func (b *Bundle) undo(parts []part, e Entity) {
	for i := range parts {
		t := parts[i].t
		t.takeRow(e, locOf(t.words.Load(e.Index())), nil)
	}
}

// SpawnBatch makes an entity for each element of dst, with values at v that are stride bytes apart. It
// makes all or none. After an error dst is zeroed, and nothing has changed except versions. Rows of
// each part are adjacent, in the order of dst.
func (b *Bundle) SpawnBatch(dst []Entity, v raw.Ptr, stride uintptr) error {
	if len(dst) == 0 {
		return nil
	}
	s := b.store
	n, err := s.takeN(b.where(), dst)
	if err == nil {
		err = b.fillBatch(dst, v, stride)
	}
	if err != nil {
		// Freed indexes are by default used last in, first out.
		slices.Reverse(dst[:n]) // so that they come in this order again
		s.unmake(dst[:n])
		clear(dst)
	} else if b.told {
		b.tell(dst, true)
	}
	return err
}

// fillBatch is Fill for entities that were just made. An error in a later part takes the rows of the parts before
// it back, one by one.
func (b *Bundle) fillBatch(es []Entity, v raw.Ptr, stride uintptr) error {
	if b.store.ways.Stale(b.valid) {
		if err := b.ready(); err != nil {
			return err
		}
	}
	for i := range b.parts {
		p := &b.parts[i]
		if err := p.t.giveRows(es, &incoming{p.pieces, v, stride}); err != nil {
			for _, e := range es {
				b.undo(b.parts[:i], e)
			}
			return err
		}
	}
	return nil
}

// Any tells whether an entity has some component of the bundle, or a row of an owner in which the
// bundle would make one. Fill needs it to be false, because giveRow would replace the entry of such a
// row.
func (b *Bundle) Any(e Entity) bool {
	for _, c := range b.comps {
		if _, _, home := c.owner.row(e); home || c.Has(e) {
			return true
		}
	}
	return false
}

// Names returns the names of the components.
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

// regroup moves the rows of an entity that has got a bundle's components. Two kinds of owners are
// asked: those with groups that observe these components, and those of these that observe others.
// After an error the entity has none of the components, and its rows are where they were.
func (b *Bundle) regroup(e Entity) error {
	var owners []*Owner
	for _, c := range b.comps {
		owners = append(owners, c.watch...)
		if c.owner.observes {
			owners = append(owners, c.owner)
		}
	}
	for _, o := range owners {
		if err := o.follow(e, nil, false); err != nil {
			b.undo(b.parts, e)
			for _, o := range owners {
				_ = o.follow(e, nil, false)
			}
			return err
		}
	}
	return nil
}

// Reserve makes entities that have nothing yet, as so many calls of Take would, or of Store.Spawn where there
// is no bundle. It makes all or none. Return undoes it for those that nobody has seen.
func (s *Store) Reserve(b *Bundle, dst []Entity) error {
	home := s.ids.Common()
	if b != nil {
		home = b.where()
	}
	n, err := s.takeN(home, dst)
	if err != nil {
		s.ids.Return(dst[:n])
	}
	return err
}

// Return undoes Reserve: see entities.Set.Return.
func (s *Store) Return(es []Entity) { s.ids.Return(es) }
