package ecs

import "github.com/ashlar-go/ashlar/ecs/internal/walk"

// unmade is the panic of a call on a nil pointer, or on the zero value of a type with
// a constructor in this package.
type unmade struct{ typ, call string }

func (u unmade) Error() string {
	by := "ecs.New"
	switch u.typ {
	case "Pool":
		by = "ecs.Register"
	case "Split":
		by = "ecs.RegisterSplit"
	case "Group":
		by = "ecs.GroupOf"
	case "Spawner":
		by = "ecs.SpawnerOf or ecs.GroupOf"
	case "Lock":
		by = "World.NewLock"
	case "Schema":
		by = "ecs.SchemaOf or ecs.SchemaOfPools; a contract is made by Schema.Bind"
	case "Field":
		by = "ecs.FieldOf, and a contract by Schema.Bind"
	case "Query":
		by = "ecs.QueryOf"
	case "Selection":
		by = "World.Select"
	case "Batch":
		by = "ranging over Selection.All"
	case "Events", "WriteEvents":
		by = "ecs.EventsOf, or by ecs.System for the struct of a system"
	case "Res", "WriteRes", "Look", "Prior", "Local":
		by = "ecs.System, for the struct of a system"
	case "Arrived", "Left":
		by = "ecs.System or ecs.Observe, for the struct"
	case "Random":
		by = "World.Random, or by ecs.System for the struct of a system"
	case "Later":
		by = "Pool.Later, or by ecs.System for the struct of a system"
	case "LaterSpawner":
		by = "Spawner.Later"
	case "LaterExchange":
		by = "Exchange.Later"
	case "Commands":
		by = "its World: call World.Commands, or take the field of type *ecs.Commands of a system's struct"
	}
	return "ecs: " + u.call + " of a " + u.typ + " that is nil or the zero value: it is made by " + by
}

// made returns the world if New has made it, and panics if not.
func (w *World) made(call string) *World {
	if w == nil || w.base.M == nil {
		panic(unmade{"World", call})
	}
	return w
}

func (c *Commands) made(call string) *Commands {
	if c == nil || c.w == nil {
		panic(unmade{"Commands", call})
	}
	return c
}

func (q *query) made(call string) *query {
	if q == nil || q.c == nil {
		panic(unmade{"Query", call})
	}
	return q
}

func (s *Selection) made(call string) *walk.Cursor {
	if s == nil || s.c == nil {
		panic(unmade{"Selection", call})
	}
	return s.c
}

func (p *pool) made(call string) *pool {
	if p == nil || p.w == nil {
		panic(unmade{"Pool", call})
	}
	return p
}

func (g *group) made(call string) *group {
	if g == nil {
		panic(unmade{"Group", call})
	}
	return g
}

// The methods below belong to the common part of pools and groups. The pool or group may
// be a nil pointer or a zero value.

// Name is the component's name.
func (p *Pool[T]) Name() string { return p.core().name() }

func (p *pool) name() string { return p.made("Name").c.Name }

// Len is the number of entities that have the component.
func (p *Pool[T]) Len() int { return p.core().len() }

func (p *pool) len() int { return p.made("Len").c.Len() }

// Clear takes the component from all entities that have it. Locked entities are
// passed over, and the error is the first one's LockedError. It returns the arena's error if
// rows that move to another table find no room. Entities that lost it by then stay without it.
func (p *Pool[T]) Clear() error { return p.core().clear() }

func (p *pool) clear() error {
	w := p.made("Clear").w
	if w.refused != nil {
		return w.refused
	}
	if w.closed {
		return w.over()
	}
	w.enter(callClear)
	err := w.base.S.ClearComponent(&p.c)
	w.exit()
	return w.inEcs(err)
}

// coreOf is the common part of a pool that Register has made; nil of others.
func coreOf(any AnyPool) *pool {
	if any == nil {
		return nil
	}
	if p := any.core(); p != nil && p.w != nil {
		return p
	}
	return nil
}

// Len is the number of members.
func (g *Group[S]) Len() int { return g.asGroup().made("Len").len() }

// Except returns the group without the members of a group within it, for OnlyIn, Members, Len
// and the like: the difference of both. It panics if the other one does not stand within
// this one.
func (g *Group[S]) Except(inner AnyGroup) *Group[S] {
	b, rest := g.asGroup().made("Except").exceptOf(g.spawner, inner)
	return &Group[S]{&Spawner[S]{spawner: b}, rest}
}

// Dissolve ends the group. Components that it owned alone belong to no group then, and are stored as they
// were registered. Components of groups around or within it stay there. The group has no members from then
// on, and its name is free. It costs a move of the rows of its own, if it has any. Dissolve is refused for the first
// of several groups within each other, as long as there are others, or if memory is refused. Nothing
// has changed then. A system that goes over it with OnlyIn has no rows from then on.
func (g *Group[S]) Dissolve() error { return g.asGroup().made("Dissolve").dissolve() }

// Members appends the members to dst in row order and returns it: members of groups within
// come first.
func (g *Group[S]) Members(dst []Entity) []Entity { return g.asGroup().made("Members").members(dst) }

// Sort sorts the members at once: afterwards they are in ascending order by compare,
// and equal ones as they were. Compare may read the world and not change it. The
// order holds until members come or go; under SortAs it is replaced step by step. SortWay states the
// costs, and overrules the choice. To sort by values that the
// group owns, use Sort or SortKey of their pool, which are faster.
func (g *Group[S]) Sort(compare func(a, b Entity) int, how ...SortWay) {
	g.asGroup().made("Sort").sort("Sort", compare, how)
}

// SortAs gives the members the order of their readers, from now on, at the end of every
// frame of World.Run: members that readers have come first, in the readers' order, the
// others behind them in the order that this leaves. A frame swaps at most n rows and
// looks at 16 times as many of the readers', at most to the last; the next frame goes on
// there, and keeps the order as entities come and go. Rows that stay as they are cost a look at
// a stamp a chunk. The order is the same on every machine. A second call replaces the
// first, and SortAs(nil, 0) ends it: rows stay where they are by then. As any call of SortAs, it gives
// the group rows of its own.
//
// If n is 0, all members get that order at once and once: later members do not follow.
// That costs a look at an entry for each reader, and a move of each column.
//
// It panics if n is negative, or if readers are of another world or are themselves
// sorted as these rows.
func (g *Group[S]) SortAs(readers AnyGroup, n int) { g.asGroup().made("SortAs").sortAs(readers, n) }

func (g *Group[S]) asGroup() *group {
	if g == nil {
		return nil
	}
	return g.group
}
