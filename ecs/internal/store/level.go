package store

import (
	"cmp"
	"fmt"
	"slices"
)

// Owner keeps the rows.
func (v *Level) Owner() *Owner { return v.owner }

// Owns are the components that the level owns: first the fixed ones by ID, then the optional ones.
// Optional ones of outer levels are among them, because members have those columns as well.
func (v *Level) Owns() []*Component {
	var opts []*Component
	for _, x := range v.owner.levels[:v.index()+1] {
		for _, c := range x.opts {
			opts = with(opts, c)
		}
	}
	return slices.Concat(v.fixed, opts)
}

// Sole tells whether the owner has no other level.
func (v *Level) Sole() bool { return len(v.owner.levels) == 1 }

// index is the place of the level among the owner's, 0 for the outermost; -1 if it was dissolved.
// Levels move when others come or go, so callers do not keep it.
func (v *Level) index() int { return slices.Index(v.owner.levels, v) }

// Tables are the members' tables, the innermost first. So the tables of an inner level are a prefix
// of an outer one's list, and one sorted list serves all levels of an owner.
//
//	walk   {Pos, Vel, Ai}  {Pos, Vel}  {Pos}  {Vel}
//	       hunters ──────┤
//	       movers ───────────────────┤
//	       bodies ────────────────────────────┤
//
// The list is good until a table comes or goes. Sorting is repeated then, on the next call.
func (v *Level) Tables() []*Table {
	o, i := v.owner, v.index()
	if i < 0 {
		return nil
	}
	if o.store.ways.Stale(o.walked) {
		o.walk = slices.Clone(o.tables)
		slices.SortFunc(o.walk, func(a, b *Table) int {
			return cmp.Or(cmp.Compare(b.level(), a.level()), cmp.Compare(a.Made, b.Made))
		})
		o.walked = o.store.ways
	}
	n := len(o.walk)
	for n > 0 && o.walk[n-1].level() <= i {
		n--
	}
	return o.walk[:n]
}

// level is how many levels the table's rows are members of, from the outermost on: 0 for rows that
// lack a component of it. It is at most the cap of the family.
func (t *Table) level() (n int) {
	for n < t.family.cap && within(t.owner.levels[n].fixed, t.fixed) {
		n++
	}
	return n
}

// find is the index for a new level among the owner's: behind all outer ones. Levels must be nested,
// so the new one is comparable with each. Nothing is changed.
func (o *Owner) find(v *Level) (i int, err error) {
	for _, x := range o.levels {
		switch out, in := v.stricter(x), x.stricter(v); {
		case out && in:
			return 0, fmt.Errorf("it has the same members as group %q: use that", x.Name)
		case out:
			i++
		case !in:
			return 0, fmt.Errorf("it shares components with group %q, and neither is nested within the other: an inner group has all components of the outer one, with its With and Without, and more", x.Name)
		}
	}
	return i, nil
}

// insert makes room for a level. Rows with a cap beyond its index satisfy the level too, because inner
// levels observe all that it does.
//
//	cap before, new level at 1      0    1                   2
//	cap after                       0    2 if implied or 1   3
//
// A level that observes no more than the next outer one is implied. Otherwise insert returns true, and
// recap must look at rows with a cap equal to the index.
func (o *Owner) insert(v *Level, at int) (others bool) {
	outer := &Level{}
	if at > 0 {
		outer = o.levels[at-1]
	}
	implied := within(v.with, outer.with) && within(v.without, outer.without)
	o.levels = slices.Insert(o.levels, at, v)
	o.relabel(func(cap int) int {
		if cap > at || cap == at && implied {
			return cap + 1
		}
		return cap
	})
	return !implied
}

// remove ends a level. Rows that it alone kept apart are still in different tables, until merge. It
// also undoes insert.
func (o *Owner) remove(v *Level) {
	at := v.index()
	o.levels = slices.Delete(o.levels, at, at+1)
	o.relabel(func(cap int) int {
		if cap > at {
			return cap - 1
		}
		return cap
	})
}

// relabel gives families other caps, and finds out which components are optional. Families are made
// anew, because the cap is part of their key. Families of a group have no home of their own, so the
// old ones leave nothing behind.
func (o *Owner) relabel(cap func(int) int) {
	o.observes = slices.ContainsFunc(o.levels, func(v *Level) bool { return len(v.with)+len(v.without) > 0 })
	o.opts = nil
	for _, v := range o.levels {
		for _, c := range v.opts {
			o.opts = with(o.opts, c)
		}
	}
	o.families = make(map[string]*family)
	for _, t := range o.tables {
		was := t.family
		f := o.family(t.fixed, cap(was.cap))
		if f.current == nil || was.current == t {
			f.current = t
		}
		f.tables = append(f.tables, t)
		t.family = f
	}
	o.ways++
	o.store.rearranged()
}

// merge brings members together that a dissolved level has kept apart: rows of the family of a level's
// main table go there. Where memory is refused for that, they stay, and queries still find them.
func (o *Owner) merge() {
	isMain := func(t *Table) bool {
		return slices.ContainsFunc(o.levels, func(v *Level) bool { return v.Main == t })
	}
	for _, v := range o.levels {
		f := v.Main.family
		if f.current = v.Main; f.stale(v.Main) || slices.ContainsFunc(o.opts, func(c *Component) bool { return v.Main.opt(c) == nil }) {
			continue // rows would not stay in a table that lacks a column or has one in vain
		}
		for _, t := range slices.Clone(f.tables) {
			if !isMain(t) && t.moveOut() {
				o.store.dropTable(t)
			}
		}
	}
}

// recap moves rows with the given cap that now satisfy one level more to tables of that cap. It goes
// from the last row to the first, because rows that fill holes were looked at already. After an error
// some rows have moved.
func (o *Owner) recap(cap int) error {
	for _, t := range slices.Clone(o.tables) {
		if t.family.cap != cap {
			continue
		}
		for i := t.Seq.Len() - 1; i >= 0; i-- {
			l := t.Seq.At(i)
			if e := o.store.entityAt(l); o.capOf(e) != cap {
				if err := t.setCap(e, l, o.capOf(e)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
