package ecs

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// AnyGroup is a group of any shape, as OnlyIn takes it.
type AnyGroup interface{ asGroup() *group }

// asGroup is for groups that are no Group[S].
func (g *group) asGroup() *group { return g }

// setApart gives a group rows of its own, and moves the values there that entities have already, in the
// order of their rows.
func (g *group) setApart() error {
	if g.level != nil {
		return nil
	}
	level, err := g.world.base.Store.DeclareLevel(g.declared)
	if err == nil {
		g.level, g.owner = level, level.Owner()
		g.world.names.addOwner(g.owner)
	}
	return err
}

// ordered is setApart for a call that orders rows and returns no error: a refusal is a mistake. It tells
// whether there are such rows.
func (g *group) ordered(call string) bool {
	w := g.world
	if w.refused != nil {
		return false
	}
	err := g.setApart()
	if err != nil {
		err = fmt.Errorf("it gets rows of its own by that: %w", err)
	}
	return w.constructed(mistake{kind: call, says: call + " of group", name: g.name, err: err}) == nil
}

// owned are the components of the group: first the fixed ones by ID, then the optional ones.
func (g *group) owned() []*store.Component {
	if g.level != nil {
		return g.level.Owns()
	}
	return g.declared.Owns()
}

// owns is the names of the components that the group owns.
func (g *group) owns() (list []string) {
	for _, c := range g.owned() {
		list = append(list, c.Name)
	}
	return list
}

// has tells whether all members have a component that the group owns.
func (g *group) has(c *store.Component) bool {
	if g.level != nil {
		return g.level.Main.Has(c)
	}
	return slices.Contains(g.declared.Fixed, c)
}

func (g *group) shown() string {
	return g.name + "(" + strings.Join(g.owns(), ", ") + ")"
}

// runs goes over the members, those of groups within first. The slices are good until rows change.
func (g *group) runs() iter.Seq[[]Entity] {
	if g.level == nil {
		return g.world.base.Store.Having(g.declared.Fixed)
	}
	return func(yield func([]Entity) bool) {
		for _, t := range g.tables() {
			for id, n := range t.Seq.Chunks() {
				if !yield(g.world.base.Store.Entities(id, n)) {
					return
				}
			}
		}
	}
}

// tables are the tables of the members of a group that is apart. Groups within come first.
func (g *group) tables() []*store.Table { return g.level.Tables() }

// shares tells whether some rows may be those of both groups. Each level of a chain of groups has a
// table, empty or not, so the answer does not depend on the rows.
func (g *group) shares(x *group) bool {
	list := x.tables()
	return slices.ContainsFunc(g.tables(), func(t *store.Table) bool { return slices.Contains(list, t) })
}

func (g *group) len() (n int) {
	if g.level == nil {
		return g.world.base.Store.HavingLen(g.declared.Fixed)
	}
	for es := range g.runs() {
		n += len(es)
	}
	return n
}

// members appends the members to dst in row order.
func (g *group) members(dst []Entity) []Entity {
	for es := range g.runs() {
		dst = append(dst, es...)
	}
	return dst
}

// readers is the group that is given to a call.
func (g *group) readers(call string, readers AnyGroup) *group {
	var as *group
	if readers != nil {
		as = readers.asGroup()
	}
	if as == nil {
		panic(fmt.Sprintf("ecs: %s of group %s as readers that are nil or the zero value: readers are a *Group from GroupOf", call, g.name))
	}
	if as.world != g.world && as.world.refused == nil {
		panic(fmt.Sprintf("ecs: %s of group %s as group %s of another world: take readers of the same world", call, g.name, as.name))
	}
	return as
}

// groupOf is the group that owns a component: of several, which stand within each other, the
// one that was declared first. It is nil if none does.
func (w *World) groupOf(p *pool) *group {
	for _, g := range w.names.groups {
		if slices.Contains(g.owned(), &p.component) {
			return g
		}
	}
	return nil
}
