package store

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr"
)

func (w Way) String() string {
	return [...]string{"fixed", "optional", "thin"}[w]
}

// policies are ways as the policy has them.
var policies = [...]policy.Way{Fixed: policy.Fixed, Optional: policy.Optional, Thin: policy.Thin}

// settled sets the fields that follow from the way: plain, those of shortWays, alone and the
// directory's entries. Each change of way or owner ends with it, and each change-over begins with it.
func (c *Component) settled() {
	c.plain = c.way == Fixed && !c.mixed()
	c.shortWays()
	c.alone = alone{}
	c.point()
}

// shortWays sets quick, flips and lone, by which verbs choose their short ways. It follows each change of
// plain, watch or observed.
func (c *Component) shortWays() {
	c.quick = c.plain && len(c.watch) == 0
	c.flips = c.way == Optional && !c.mixed() && !c.observed
	c.lone = c.way == Thin && !c.mixed() && !c.observed
}

// Owner returns the owner of the tables that have the component.
func (c *Component) Owner() *Owner { return c.owner }

// Way is how new values are stored. While the component changes over, some values are still stored
// otherwise.
func (c *Component) Way() Way { return c.way }

// Stated tells whether code has said how it is stored: it stays so.
func (c *Component) Stated() bool { return c.stated }

// Has tells whether an entity is alive and has the component.
func (c *Component) Has(e Entity) bool {
	_, has := c.Loc(e)
	return has
}

// Loc returns the location of an entity's value, and whether it has one. The owner's row comes first,
// then a thin row. That order is right during a change-over, too, because no value is stored twice. A
// stale handle finds nothing: entries have the version.
func (c *Component) Loc(e Entity) (memmgr.Loc, bool) {
	w := c.owner.words.Load(e.Index())
	if Names(w, e) && c.holds(w) {
		return locOf(w), true
	}
	if c.thin != nil {
		w = c.own.Load(e.Index())
		return locOf(w), Names(w, e)
	}
	return 0, false
}

// holds tells whether the owner's row that an entry names has the component. It costs one cell of the
// directory, and one more load for a bit if the column is optional.
func (c *Component) holds(w uint64) bool {
	at := c.Dir.Place(w)
	if !at.Is(w) || at.Own() == nil {
		return at.Is(w)
	}
	return bitOf(at, w)
}

// Resolve returns the entry of the row where an entity has the component, or 0. It is given the
// owner's entry of the entity, or 0 if that is not known.
func (c *Component) Resolve(e Entity, w uint64) uint64 {
	if w != 0 && c.holds(w) {
		return w
	}
	if l, has := c.Loc(e); has {
		return word(e, l)
	}
	return 0
}

// Stays tells whether it is and will always be a fixed column: code says so.
func (c *Component) Stays() bool { return c.stated && c.way == Fixed }

// Len is the number of entities that have the component. It costs a look at each table
// that has it.
func (c *Component) Len() (n int) {
	for _, t := range c.tables {
		n += t.Count(c)
	}
	return n
}

// ThinRows tells whether some have the component in rows of its own, or may have.
func (c *Component) ThinRows() bool { return c.thin != nil }

// Tables returns the tables with a column of the component, in the order in which they were
// made. They are good until a table comes or goes.
func (c *Component) Tables() []*Table { return c.tables }

// Home is the entries of the component's owner.
func (c *Component) Home() *Words { return &c.owner.words }

// Entries name all rows that have the component: an entity has it if its entry names a chunk with a
// column of it. nil means that no such entries are kept. An optional component is found by its bit,
// and one that is changing over in one place or another.
func (c *Component) Entries() *Words {
	switch {
	case c.plain:
		return &c.owner.words
	case c.way == Thin && !c.mixed():
		return &c.own
	}
	return nil
}

// mixed tells whether the component changes over, so that values may be stored in several ways.
func (c *Component) mixed() bool { return slices.Contains(c.store.moving, c) }

// Certain tells whether each entry of Entries that names an entity says that it has the
// component: no row that they name lacks it. It costs a look at the owner's tables.
func (c *Component) Certain() bool {
	if c.way == Thin {
		return true
	}
	for _, t := range c.owner.tables {
		if t.Seq.Len() > 0 && !t.Has(c) {
			return false
		}
	}
	return true
}

// failed is an error of a component's change.
func (c *Component) failed(err error) error { return fmt.Errorf("component %q: %w", c.Name, err) }

// lacks is the error for an entity that lacks a component.
func (s *Store) lacks(e Entity) error {
	if !s.Alive(e) {
		return ErrStale
	}
	return ErrAbsent
}

// home is the presence in the row of a component's owner that an entry names, and whether its bit is
// set. The Opt is nil if the row's table has no optional column for it.
func (c *Component) home(w uint64) (h presence, has bool) {
	at := c.Dir.Place(w)
	if !at.Is(w) || at.Own() == nil {
		return presence{}, false
	}
	t := c.store.tables[at.Key()]
	for _, x := range t.opts {
		if x.C == c {
			h = x.presence(at, locOf(w))
			return h, x.has(h.at, h.mask)
		}
	}
	return presence{}, false
}

// Rows returns the entries that name the row of each entity that may have the component: the owner's,
// or its own if it is thin; nil while it changes over. Whether such a row has it, InRow tells.
func (c *Component) Rows() *Words {
	switch {
	case c.mixed():
		return nil
	case c.way == Thin:
		return &c.own
	}
	return &c.owner.words
}

// InRow tells whether the row that an entry of Rows names has the component.
func (c *Component) InRow(w uint64) bool { return c.way == Thin || c.holds(w) }
