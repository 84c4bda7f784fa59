package store

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
)

// An owner finds tables by way of families:
//
//	owner      the commons
//	family     {Pos, Vel}, by its fixed components and cap
//	tables     {Pos, Vel}      {Pos, Vel} + Poison
//	           former          current: new rows come here
//
// A table never gets a column after it was made. A new optional component makes a new current
// table instead, and rows follow at the ends of frames (settle.go).

// family returns the family of a set of fixed components and a cap. It makes one without tables if
// there is none. The slice fixed must not be written afterwards.
func (o *Owner) family(fixed []*Component, cap int) *family {
	f := o.known(fixed, cap)
	if f == nil {
		f = &family{owner: o, fixed: slices.Clip(fixed), cap: cap}
		o.families[string(o.store.familyKey(fixed, cap))] = f
	}
	return f
}

// known returns such a family; nil if there is none. It never makes one, so it is right for questions
// such as the policy's.
func (o *Owner) known(fixed []*Component, cap int) *family {
	return o.families[string(o.store.familyKey(fixed, cap))]
}

// familyKey returns the key of a family, in scratch: good until the next call. The cap comes first, so
// families of the same set and other caps differ.
func (s *Store) familyKey(fixed []*Component, cap int) []byte {
	s.key = appendKey(binary.AppendUvarint(s.key[:0], uint64(cap)), fixed)
	return s.key
}

// drop ends a family that has no table. Indexes of its home stay with their entities, and the home's
// blocks go to the common one.
func (f *family) drop() {
	delete(f.owner.families, string(f.owner.store.familyKey(f.fixed, f.cap)))
	f.owner.store.ids.Drop(&f.home)
}

// table returns a family's current table, and makes sure that it has at least the optional components
// opts. The slice must be sorted by ID, without doubles.
//
//	current has all of opts        it is returned
//	a former table has exactly     that one becomes current again
//	opts and the ones in use
//	otherwise                      a new table becomes current
//
// Rows of the former current table stay there, and settle in later frames. The owner's ways move
// whenever current changes, because edges lead to current tables. After an error the current table is
// the same as before.
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
			f.owner.ways++
			return t, nil
		}
	}
	t, err := f.owner.store.newTable(f, opts)
	if err != nil {
		return nil, err
	}
	if f.current != nil {
		f.owner.ways++
	}
	t.family = f
	f.tables = append(f.tables, t)
	f.current = t
	return t, nil
}

// stale tells whether a table has a column of a component that the owner no longer has as optional. A
// group may have taken it from the commons, or a level that declared it was dissolved.
func (f *family) stale(t *Table) bool {
	o := f.owner
	return slices.ContainsFunc(t.opts, func(x *Opt) bool {
		return o == o.store.Commons && x.C.owner != o || o != o.store.Commons && !slices.Contains(o.opts, x.C)
	})
}

// newTable makes a table of a family, in the list of the owner. The caller, family.table, enters it in
// the family.
func (s *Store) newTable(f *family, opts []*Component) (*Table, error) {
	o := f.owner
	t := &Table{store: s, owner: o, words: &o.words, place: o.place, fixed: f.fixed}
	if err := s.addTable(t, s.freeName(f.name(opts)), f.fixed, opts); err != nil {
		return nil, err
	}
	o.tables = append(o.tables, t)
	return t, nil
}

// addTable makes a table's sequence and enters the table in each list from which it is found:
// Store.tables by its key, and Component.tables of each column. It moves the ways of the store, so
// plans of queries take the table in.
//
// Columns come in this order, which comps repeats: entities, fixed ones by ID, optional ones by ID.
// Keys of dropped tables are used again, because the array of tables is indexed by them on each
// look-up. After an error nothing was entered.
func (s *Store) addTable(t *Table, name string, fixed, opts []*Component) error {
	columns := append(s.columns[:0], memmgr.ColumnSpec{Spec: chunk.Spec{Size: 8, Align: 8}, Directory: &s.IDs})
	for _, c := range fixed {
		columns = append(columns, memmgr.ColumnSpec{Spec: c.Spec, Directory: &c.Dir})
	}
	for _, c := range opts {
		columns = append(columns, memmgr.ColumnSpec{Spec: c.Spec, Directory: &c.Dir, Partial: true})
	}
	s.columns = columns
	s.left -= policy.CostMake
	seq, err := s.manager.MakeSequence(name, columns)
	if err != nil {
		return err
	}
	t.Seq, t.stride = seq, (seq.Capacity()+63)/64
	for _, c := range opts {
		t.opts = append(t.opts, &Opt{C: c, table: t, part: partOf(t.stride)})
	}
	t.lanes, t.fixedSet, t.optSet = lanesOf(fixed), setOf(fixed), setOf(opts)
	t.watched = t.watchedComps()
	t.key = uint32(len(s.tables))
	if n := len(s.freeKeys); n > 0 {
		t.key = s.freeKeys[n-1]
		s.freeKeys = s.freeKeys[:n-1]
		s.tables[t.key] = t
	} else {
		s.tables = append(s.tables, t)
	}
	seq.SetKey(t.key)
	seq.CountIn((*uint64)(&s.clocks[uint8(t.key)]))
	for _, c := range t.comps() {
		c.tables = append(c.tables, t)
	}
	t.findBare()
	s.made, s.ways = s.made+1, s.ways+1
	t.Made = s.made
	return nil
}

// name returns the name of a table's sequence: the name of a group, or one that lists the components
// of the rows and the group. Reports and profiles show it.
func (f *family) name(opts []*Component) string {
	o := f.owner
	for _, v := range o.levels {
		if f.cap == len(o.levels) && slices.Equal(v.fixed, f.fixed) {
			return v.Name // any level with the same components would be as good
		}
	}
	fixed := appendNames(o.store.names[:0], f.fixed)
	o.store.names = appendNames(fixed, opts)
	return profile.TableName{Group: o.Name, Fixed: fixed, Optional: o.store.names[len(fixed):]}.String()
}

// freeName is the name, or the name with the first free number behind it. A sequence of a user may
// have the name already, and so may tables of dissolved levels.
func (s *Store) freeName(name string) string {
	free := name
	for n := 2; s.manager.Named(free) != nil; n++ {
		free = fmt.Sprint(name, ".", n)
	}
	return free
}
