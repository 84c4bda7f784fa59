package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Level is a group of an owner. An owner has one or several, each nested within the one before.
// Members of an inner level have all components of the outer ones, and more.
//
//	levels of an owner             its tables, by what their rows have and which levels these meet
//	bodies  {Pos}                  {Pos, Vel, Ai} 3   members of all
//	movers  {Pos, Vel}             {Pos, Vel}     3   of bodies and movers
//	hunters {Pos, Vel, Ai}         {Pos}          3   of bodies alone
//	        without Asleep         {Pos, Vel, Ai} 2   asleep: of bodies and movers
//	                               {Vel}          3   of none
//
// So members of an inner group are some of the tables of the outer one, and no row is in the
// way. What a level observes, other owners have; each row's table says how many levels, from
// the outermost on, have that met, its cap.
type Level struct {
	// Name is the group's.
	Name string
	// Main is a table of the members: of those that are in no inner group, as far as these
	// observe the same.
	Main *Table

	owner         *Owner
	fixed         []*Component // that members have here, and more if they are of inner ones
	opts          []*Component // optional ones that it was declared with
	with, without []*Component // that they have elsewhere, and lack
}

// Owner keeps the rows.
func (v *Level) Owner() *Owner { return v.owner }

// Owns are the components that it owns: those that all members have in their rows, in the
// order of their IDs, and the optional ones, of outer levels, too.
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

// index is the place of the level among the owner's; -1 if it was dissolved.
func (v *Level) index() int { return slices.Index(v.owner.levels, v) }

// Tables are those of the members, the innermost first: those of an inner level are the
// first of an outer one's. They are good until a table comes or goes.
func (v *Level) Tables() []*Table {
	o, i := v.owner, v.index()
	if i < 0 {
		return nil
	}
	if o.walked != o.s.layout() {
		o.walk = slices.Clone(o.tables)
		slices.SortFunc(o.walk, func(a, b *Table) int {
			return cmp.Or(cmp.Compare(b.level(), a.level()), cmp.Compare(a.Made, b.Made))
		})
		o.walked = o.s.layout()
	}
	n := len(o.walk)
	for n > 0 && o.walk[n-1].level() <= i {
		n--
	}
	return o.walk[:n]
}

// Within tells whether the level stands within another.
func (v *Level) Within(outer *Level) bool {
	return v.owner == outer.owner && outer.index() >= 0 && v.index() > outer.index()
}

// level is how many levels the table's rows are members of.
func (t *Table) level() (n int) {
	for n < t.family.cap && within(t.owner.levels[n].fixed, t.fixed) {
		n++
	}
	return n
}

// within tells whether a set is part of another.
func within(part, all []*Component) bool {
	return !slices.ContainsFunc(part, func(c *Component) bool { return !slices.Contains(all, c) })
}

// met tells whether an entity that has what has says is as the level observes.
func (v *Level) met(has func(*Component) bool) bool {
	return !slices.ContainsFunc(v.with, func(c *Component) bool { return !has(c) }) && !slices.ContainsFunc(v.without, has)
}

// cap is how many levels such an entity meets.
func (o *Owner) cap(has func(*Component) bool) (n int) {
	for n < len(o.levels) && o.levels[n].met(has) {
		n++
	}
	return n
}

// capOf is cap for an entity as it is.
func (o *Owner) capOf(e Entity) int {
	if !o.observes {
		return len(o.levels)
	}
	return o.cap(func(c *Component) bool { return c.Has(e) })
}

// stricter tells whether all members of the level would be members of another one.
func (v *Level) stricter(than *Level) bool {
	return within(than.fixed, v.fixed) && within(than.with, v.with) && within(than.without, v.without)
}

// find is the place for a new level of the owner: behind all outer ones.
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

// insert makes room for a level: tables whose rows meet inner levels meet this one, too. It
// returns whether others may.
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

// remove ends a level. Rows that it alone kept apart are in different tables still.
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

// relabel gives families other caps, and finds out which components are optional.
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
	o.epoch++
	o.s.rearranged()
}

// merge brings members together that a dissolved level has kept apart: rows of the family
// of a level's main table go there. Where memory is refused for that, they stay.
func (o *Owner) merge() {
	isMain := func(t *Table) bool {
		return slices.ContainsFunc(o.levels, func(v *Level) bool { return v.Main == t })
	}
	for _, v := range o.levels {
		f := v.Main.family
		if f.current = v.Main; f.stale(v.Main) || slices.ContainsFunc(o.opts, func(c *Component) bool { return v.Main.opt(c) == nil }) {
			continue // what it lacks, or has in vain, would keep rows from staying there
		}
		for _, t := range slices.Clone(f.tables) {
			if !isMain(t) && t.moveOut() == nil {
				o.s.dropTable(t)
			}
		}
	}
}

// recap moves rows that meet so many levels, and now one more, to tables where that is noted.
func (o *Owner) recap(cap int) error {
	for _, t := range slices.Clone(o.tables) {
		if t.family.cap != cap {
			continue
		}
		for i := t.Seq.Len() - 1; i >= 0; i-- {
			l := t.Seq.At(i)
			if e := o.s.entityAt(l); o.capOf(e) != cap {
				if err := t.setCap(e, l, o.capOf(e)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// setCap moves a row to the table of those that meet so many levels. A row goes that has nothing
// any more, since what was optional has gone.
func (t *Table) setCap(e Entity, l memmgr.Loc, cap int) error {
	k := edgeKey{id: uint32(cap) + 1, op: settling, held: t.held(l)}
	ed := t.edges[k]
	if ed == nil || ed.epoch != t.owner.epoch || len(t.opts) > mostHeld {
		var err error
		if ed, err = t.edgeTo(nil, settling, t.heldBy(l, nil, settling), cap); err != nil {
			return err
		}
		if t.edges == nil {
			t.edges = make(map[edgeKey]*edge)
		}
		t.edges[k] = ed
	}
	if ed.to == nil {
		t.leave(e)
		t.takeOut(e, l)
		return nil
	}
	_, err := t.move(e, l, ed, nil)
	return err
}
