package store

import (
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/internal/chunk"
	"github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// Owner keeps the rows of the components that it owns. In its tables an entity has at most
// one row.
type Owner struct {
	// Name is the group's; "" is the commons'.
	Name string
	// Main is the table of the members of the group that was declared first, as long as none
	// are of inner ones; nil in the commons.
	Main *Table

	s        *Store
	comps    []*Component
	opts     []*Component // optional ones among these
	levels   []*Level     // groups, the outermost first; the commons have none
	observes bool         // some level depends on what others own
	walk     []*Table     // of members, the innermost first
	walked   uint64       // for which layout
	words    Words
	place    place // of entities with a row here; the commons have none
	tables   []*Table
	families map[string]*family
	epoch    uint64        // counts what makes edges out of date; at least 1
	home     entities.Home // of entities that are spawned into a group
}

// family is the tables that have the same fixed components.
type family struct {
	owner   *Owner
	fixed   []*Component
	cap     int // how many levels its rows meet in what these observe
	tables  []*Table
	current *Table
	home    entities.Home // of entities that are spawned into it, in the commons
}

// Tables are the owner's, in the order in which they were made.
func (o *Owner) Tables() []*Table { return o.tables }

// Comps are what it owns, in the order in which they were declared.
func (o *Owner) Comps() []*Component { return o.comps }

// point has all components look their values up through the owner's entries.
func (o *Owner) point() {
	for _, c := range o.s.comps {
		if c.owner == o {
			c.point()
		}
	}
}

// row is an entity's home, and whether it has one.
func (o *Owner) row(e Entity) (t *Table, l memmgr.Loc, ok bool) {
	w := o.words.Load(e.Index())
	if !Names(w, e) {
		return nil, 0, false
	}
	return o.s.tableAt(locOf(w)), locOf(w), true
}

// family returns the tables of a set, none to begin with, whose rows meet so many levels.
func (o *Owner) family(fixed []*Component, cap int) *family {
	k := familyKey(fixed, cap)
	f := o.families[k]
	if f == nil {
		f = &family{owner: o, fixed: fixed, cap: cap}
		o.families[k] = f
	}
	return f
}

func familyKey(fixed []*Component, cap int) string { return key(fixed) + string(rune(cap)) }

// drop ends a family that has no table.
func (f *family) drop() {
	delete(f.owner.families, familyKey(f.fixed, f.cap))
	f.owner.s.ids.Drop(&f.home)
}

// table returns a family's current table, which has at least the given optional
// components. If that needs a new one, it has those that are in use in the present one, too.
func (f *family) table(opts []*Component) (*Table, error) {
	if t := f.current; t != nil {
		missing := f.stale(t)
		for _, c := range opts {
			missing = missing || t.opt(c) == nil
		}
		if !missing {
			return t, nil
		}
		for _, c := range t.inUse() {
			opts = with(opts, c)
		}
	}
	for _, t := range f.tables { // one that was current once
		if slices.EqualFunc(t.opts, opts, func(x *Opt, c *Component) bool { return x.C == c }) {
			f.current = t
			f.owner.epoch++
			return t, nil
		}
	}
	t, err := f.owner.s.newTable(f, opts)
	if err != nil {
		return nil, err
	}
	if f.current != nil {
		f.owner.epoch++
	}
	t.family = f
	f.tables = append(f.tables, t)
	f.current = t
	return t, nil
}

// stale tells whether a table has a column of a component that was optional once, and is owned
// elsewhere by now.
func (f *family) stale(t *Table) bool {
	o := f.owner
	return slices.ContainsFunc(t.opts, func(x *Opt) bool {
		return o == o.s.Commons && x.C.owner != o || o != o.s.Commons && !slices.Contains(o.opts, x.C)
	})
}

// newTable makes a table of a family.
func (s *Store) newTable(f *family, opts []*Component) (*Table, error) {
	o := f.owner
	t := &Table{s: s, owner: o, words: &o.words, place: o.place, fixed: f.fixed}
	if err := s.addTable(t, s.freeName(f.name(opts)), f.fixed, opts); err != nil {
		return nil, err
	}
	o.tables = append(o.tables, t)
	return t, nil
}

// addTable makes a table's sequence and enters it where tables are found.
func (s *Store) addTable(t *Table, name string, fixed, opts []*Component) error {
	columns := []memmgr.Column{{Spec: chunk.Spec{Size: 8, Align: 8}, Directory: &s.IDs}}
	for _, c := range fixed {
		columns = append(columns, memmgr.Column{Spec: c.Spec, Directory: &c.Dir})
	}
	for _, c := range opts {
		columns = append(columns, memmgr.Column{Spec: c.Spec, Directory: &c.Dir, Partial: true})
	}
	seq, err := s.m.NewSequence(name, columns)
	if err != nil {
		return err
	}
	t.Seq, t.stride = seq, (seq.Capacity()+63)/64
	for _, c := range opts {
		t.opts = append(t.opts, &Opt{C: c})
	}
	t.lanes, t.fixedSet, t.optSet = lanesOf(fixed), setOf(fixed), setOf(opts)
	t.watched = watchedOf(t.fixed, t.opts)
	t.key = uint32(len(s.tables))
	if n := len(s.freeKeys); n > 0 {
		t.key = s.freeKeys[n-1]
		s.freeKeys = s.freeKeys[:n-1]
		s.tables[t.key] = t
	} else {
		s.tables = append(s.tables, t)
	}
	seq.SetKey(t.key)
	for _, c := range fixed {
		c.tables = append(c.tables, t)
	}
	for _, c := range opts {
		c.tables = append(c.tables, t)
	}
	t.findBare()
	s.made++
	t.Made = s.made
	return nil
}

// name is what a table's sequence is called: a group's name, or one that says which components
// its rows have, of which group.
func (f *family) name(opts []*Component) string {
	o := f.owner
	for _, v := range o.levels {
		if f.cap == len(o.levels) && slices.Equal(v.fixed, f.fixed) {
			return v.Name // the innermost of those that have the same would be as good
		}
	}
	return profile.TableName{Group: o.Name, Fixed: names(f.fixed), Optional: names(opts)}.String()
}

// freeName is a name, or the first one that has a number behind it, that no sequence has: a
// user's may, and tables of levels that were dissolved.
func (s *Store) freeName(name string) string {
	free := name
	for n := 2; s.m.Named(free) != nil; n++ {
		free = fmt.Sprint(name, ".", n)
	}
	return free
}

// names are what components are called.
func names(comps []*Component) (list []string) {
	for _, c := range comps {
		list = append(list, c.Name)
	}
	return list
}
