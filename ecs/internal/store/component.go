package store

import (
	"slices"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Way is how a component is stored.
type Way uint8

const (
	// Fixed is a column of the tables whose set has the component.
	Fixed Way = iota
	// Optional is a column that a table has for all its rows, with a bit a row.
	Optional
	// Thin is a table of its own.
	Thin
)

func (w Way) String() string {
	return [...]string{"fixed", "optional", "thin"}[w]
}

// policies are ways as the policy has them.
var policies = [...]policy.Way{Fixed: policy.Fixed, Optional: policy.Optional, Thin: policy.Thin}

// Component is what the store knows of a component. Its user makes it, and gives it to
// Register.
type Component struct {
	// Dir has the addresses of the component's columns, and the owner's entries. It comes first:
	// see Find.
	Dir memmgr.Directory

	// Name, Spec and Size are what it was registered with.
	Name string
	Spec chunk.Spec
	Size uintptr
	// ID is its number in the order of registration.
	ID uint32

	// Lent is how many walks are under way that have values of it gathered, and Sealed how many
	// of these write them.
	Lent, Sealed int

	s        *Store
	owner    *Owner
	way      Way
	plain    bool  // all values are in fixed columns
	stated   bool  // by code: the policy leaves it
	was      Way   // of a group's component: how it was registered
	own      Words // entries of thin rows
	place    place // of entities with a thin row; none until there is one
	tables   []*Table
	thin     *Table
	alone    alone
	disabled disabled
	watch    []*Owner // whose groups depend on which entities have it
	noted    *noted   // nil: no query asks what has changed

	writtenRows, addedRows *rowTicks // nil: no query asks for single rows

	among int // rows of the tables that it lay in, when it lay in tables last

	reads atomic.Uint64 // values that Find has counted
}

// Register makes a component of the commons. Stated says that the way is the code's: it
// stays.
func (s *Store) Register(c *Component, name string, spec chunk.Spec, way Way, stated bool) {
	c.s, c.Name, c.Spec, c.Size, c.ID = s, name, spec, uintptr(spec.Size), uint32(len(s.comps))
	c.owner, c.way, c.stated = s.Commons, way, stated
	s.m.Prepare(&c.Dir, spec)
	s.comps = append(s.comps, c)
	s.policy.Add()
	if stated {
		s.policy.State(int(c.ID), policies[way])
	}
	c.settled(way == Fixed)
}

// settled notes whether all values are in fixed columns.
func (c *Component) settled(plain bool) {
	c.plain = plain
	c.alone = alone{}
	c.point()
}

// point has the directory look values up where it can find some.
func (c *Component) point() { c.Dir.SetEntries(c.lookedUp()) }

// lookedUp is the entries by which most values are found: the owner's, or its own if it is thin.
func (c *Component) lookedUp() []uint64 {
	switch {
	case c.Sealed > 0 || c.s.counting:
		return nil
	case c.way == Thin:
		return c.own.flat
	}
	return c.owner.words.flat
}

// Owner is whose tables have the component.
func (c *Component) Owner() *Owner { return c.owner }

// Way is how it is stored now; values that were stored otherwise are on their way.
func (c *Component) Way() Way { return c.way }

// Stated tells whether code has said how it is stored: it stays so.
func (c *Component) Stated() bool { return c.stated }

// Has tells whether an entity is alive and has the component.
func (c *Component) Has(e Entity) bool {
	_, has := c.Loc(e)
	return has
}

// Loc returns the location of an entity's value, and whether it has one.
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

// holds tells whether the owner's row that an entry names has the component.
func (c *Component) holds(w uint64) bool {
	at := c.Dir.Place(w)
	if !at.Is(w) || !at.Partial() {
		return at.Is(w)
	}
	return c.s.tables[at.Key()].present(c, w)
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

// At returns the address of a row's value. The row's chunk must have the column.
func (c *Component) At(l memmgr.Loc) raw.Ptr {
	return raw.At(c.Dir.Find(uint64(l)), l.Index()*c.Size)
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

// Tables are those that have a column of the component, in the order in which they were
// made. They are good until a table comes or goes.
func (c *Component) Tables() []*Table { return c.tables }

// Home is the entries of the component's owner.
func (c *Component) Home() *Words { return &c.owner.words }

// Entries are those that name all rows that have the component: an entity has it if its entry
// names a chunk with a column of it. They are nil while no such entries are kept: an optional
// component is found by its bit, and one that is changing over in one place or another.
func (c *Component) Entries() *Words {
	switch {
	case c.plain:
		return &c.owner.words
	case c.way == Thin && !c.mixed():
		return &c.own
	}
	return nil
}

// mixed tells whether values may be stored in several ways.
func (c *Component) mixed() bool { return slices.Contains(c.s.moving, c) }

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

// byID orders components.
func byID(a, b *Component) int { return int(a.ID) - int(b.ID) }

// with returns a set with another component in it, and without one without it. Sets are in
// the order of IDs and are never written again.
func with(set []*Component, c *Component) []*Component {
	i, found := slices.BinarySearchFunc(set, c, byID)
	if found {
		return set
	}
	return slices.Insert(slices.Clone(set), i, c)
}

func without(set []*Component, c *Component) []*Component {
	i, found := slices.BinarySearchFunc(set, c, byID)
	if !found {
		return set
	}
	return slices.Delete(slices.Clone(set), i, i+1)
}

// key is a set as a map's key.
func key(set []*Component) string {
	b := make([]byte, 0, 4*len(set))
	for _, c := range set {
		b = append(b, byte(c.ID), byte(c.ID>>8), byte(c.ID>>16), byte(c.ID>>24))
	}
	return string(b)
}
