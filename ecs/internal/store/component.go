package store

import (
	"fmt"
	"slices"

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
	// Words say where the value of an entity is, if the directory has that chunk. They are nil
	// while the component is sealed.
	Words *Words
	words *Words // the same, sealed or not
	// Dir has the addresses of the component's columns.
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
	stated   bool   // by code: the policy leaves it
	was      Way    // of a group's component: how it was registered
	own      *Words // its own entries; nil while the owner's serve
	kept     Words  // what own points to
	place    place  // of entities with a thin row; none until there is one
	partial  *index // own entries are being made
	tables   []*Table
	thin     *Table
	alone    alone
	disabled disabled
	watch    []*Owner // whose groups depend on which entities have it
	noted    *noted   // nil: no query asks what has changed

	writtenRows, addedRows *rowTicks // nil: no query asks for single rows

	among int // rows of the tables that it lay in, when it lay in tables last
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
	c.setWords(&c.owner.words)
	if way != Fixed {
		c.ownWords()
		c.setWords(c.own)
	}
}

// ownWords gives the component entries of its own, without any to begin with.
func (c *Component) ownWords() {
	if !c.kept.made {
		c.kept = makeWords(c.s.m.Arena(), c.s.indexes())
	}
	c.kept.reset()
	c.own = &c.kept
	c.tracked()
}

// tracked tells tables whether they have to write the component's own entries.
func (c *Component) tracked() {
	for _, t := range c.tables {
		t.tracks = slices.ContainsFunc(t.fixed, func(c *Component) bool { return c.own != nil && c.own != t.words })
		t.findBare()
	}
}

// Owner is whose tables have the component.
func (c *Component) Owner() *Owner { return c.owner }

// Way is how it is stored now; values that were stored otherwise are on their way.
func (c *Component) Way() Way { return c.way }

// Stated tells whether code has said how it is stored: it stays so.
func (c *Component) Stated() bool { return c.stated }

// Has tells whether an entity is alive and has the component.
func (c *Component) Has(e Entity) bool {
	w := c.words.Load(e.Index())
	return Names(w, e) && c.Dir.Place(w).Is(w)
}

// Loc returns the location of an entity's value, and whether it has one.
func (c *Component) Loc(e Entity) (memmgr.Loc, bool) {
	w := c.words.Load(e.Index())
	return locOf(w), Names(w, e) && c.Dir.Place(w).Is(w)
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

// Certain tells whether each entry of Words that names an entity says that it has the
// component: no row that they name lacks it. It costs a look at the owner's tables.
func (c *Component) Certain() bool {
	if c.words == c.own {
		return true
	}
	for _, t := range c.owner.tables {
		if t.Seq.Len() > 0 && !t.Has(c) {
			return false
		}
	}
	return true
}

// note writes the component's own entry of an entity, if it has some.
func (c *Component) note(e Entity, l memmgr.Loc) {
	if c.own != nil {
		c.noteOwn(e, word(e, l))
	}
}

func (c *Component) noteOwn(e Entity, w uint64) {
	if c.own.rare == nil && !c.own.covers(e.Index()) { // they are being made, and have not come so far
		if c.own.ensure(e.Index(), c.s.Bound(), 1) != nil {
			c.giveUp()
			return
		}
	}
	c.own.set(e.Index(), w)
}

// giveUp ends the making of the component's own entries, for which there is no memory.
func (c *Component) giveUp() {
	c.kept.reset()
	c.partial, c.own = nil, nil
	c.tracked()
	c.s.moving = slices.DeleteFunc(slices.Clone(c.s.moving), func(d *Component) bool { return d == c })
}

// forget is note for an entity that loses the component.
func (c *Component) forget(e Entity) {
	if c.own != nil {
		c.own.set(e.Index(), 0)
	}
}

// prepare makes sure that the entry of an entity, one of so many that get the component, can
// be written: the component's own.
func (c *Component) prepare(e Entity, more int) error {
	if c.own == nil {
		return nil
	}
	if err := c.own.ensure(e.Index(), c.s.Bound(), more); err != nil {
		return fmt.Errorf("component %q: %w", c.Name, err)
	}
	return nil
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
