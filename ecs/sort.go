package ecs

import (
	"fmt"
	"math"

	"github.com/ashlar-go/ashlar/ecs/internal/order"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// SortWay is how rows are sorted. It costs time or memory, and never changes the order that
// results. Sort and SortKey choose it unless a call names one: SortInPlace where all but one row in
// 16 are in order, or more; else SortByPermutation, or SortThroughEntries if that would take more than 1 GiB.
// First is a SortWay too: it sorts fewer rows.
type SortWay uint64

const (
	// SortInPlace leaves as many rows as it can where they are. It finds the positions of the
	// others among them, and swaps them. It takes 8 bytes of Go memory a row meanwhile,
	// none if all are in order. It costs a comparison or two a row, and some more and a swap
	// for each row that is out of order. Use it for rows that are nearly sorted.
	SortInPlace SortWay = iota + 1
	// SortByPermutation sorts copies of the values, or their keys, and then brings all columns
	// into that order, one after the other. It takes 16 to 64 bytes of Go memory a row
	// meanwhile, or 4 and the bytes of the widest column; by keys 20 bytes, or likewise. Values of
	// more than 32 bytes are compared in place, and take 28 bytes and that column.
	SortByPermutation
	// SortThroughEntries sorts the entities of the rows where they are noted. The entries that
	// say where their values are serve as notes, by which the values follow. It takes no
	// memory to speak of; each comparison looks up two entries. It is slow for many rows.
	SortThroughEntries
)

// firstShift is where a First has its number, plus one, in a SortWay.
const firstShift = 8

// First has Sort and SortKey sort the first n rows of each table, or the first n members of a
// group. The others stay where they are. It may stand beside another SortWay. It panics if n
// is negative.
func First(n int) SortWay {
	if n < 0 {
		panic(fmt.Sprintf("ecs: First with %d rows: give 0 or more", n))
	}
	return SortWay(min(uint64(n), 1<<40)+1) << firstShift
}

// sortWay is the way that a call was told, and how many rows it sorts.
func (w *World) sortWay(call string, how []SortWay) (way order.Way, n int) {
	w.mustIdle(call)
	ways, firsts := 0, 0
	n = math.MaxInt
	for _, h := range how {
		switch {
		case h>>firstShift > 0:
			firsts++
			n = int(h>>firstShift) - 1
		case h > SortThroughEntries:
			panic(fmt.Sprintf("ecs: %s with way %d, which is not a SortWay: give one of SortInPlace, SortByPermutation and SortThroughEntries", call, h))
		default:
			ways++
			way = order.Way(h)
		}
	}
	if ways > 1 || firsts > 1 {
		panic(fmt.Sprintf("ecs: %s with %d ways of sorting and %d First: give one of each, or none", call, ways, firsts))
	}
	return way, n
}

// sortRows sorts the rows of each table that has a component.
func (p *pool) sortRows(call string, compare func(a, b raw.Ptr) int, key func(raw.Ptr) uint64, how []SortWay) {
	way, n := p.made(call).world.sortWay(call, how)
	if compare == nil && key == nil {
		panic(fmt.Sprintf("ecs: %s of component %s with a nil function: pass the function that tells what rows are sorted by", call, p.component.Name))
	}
	by := order.By{Name: call + " of component " + p.component.Name, Comp: &p.component, Size: p.component.Size, Compare: compare, Key: key}
	if g := p.world.groupOf(p); g != nil && !g.ordered(call) {
		return
	}
	for _, t := range p.component.Tables() {
		order.Sort(&p.world.base, t, by, n, way)
	}
}

// Sort sorts rows by the values of the component, each table that has it, or the
// group that owns it, by itself. Afterwards rows are in ascending order by compare, and
// equal rows as they were. Rows that lack the component, where it is optional,
// follow the others. Whole rows are moved: other components of the table get the same
// order, and another Sort may replace it. The order lasts until rows come or go.
//
// Compare may read the world and must not change it, nor the values behind its arguments. For n rows it
// is called about n log n times, or n times if they are nearly sorted. See SortWay for the
// cost, and to overrule the choice.
func (p *Pool[T]) Sort(compare func(a, b *T) int, how ...SortWay) {
	p.core().sortRows("Sort", raw.Comparison(compare), nil, how)
}

// SortKey is Sort by an integer key of each value, in ascending order. Key is called once for
// each row, or more often if rows are nearly sorted, and must depend on the value alone. It is
// faster than Sort if rows are in no order: it makes one pass, and one for each 11 bits by
// which keys differ.
func (p *Pool[T]) SortKey(key func(v *T) uint64, how ...SortWay) {
	p.core().sortRows("SortKey", nil, raw.Key(key), how)
}

// Respect sorts rows once into the order of another component's rows. In each table with this
// component, entities that have both come first, in the order of other.All. The rest follow in
// their old order. It costs a look at an entry for each row of the other component and table,
// and a move of each column that is not in order.
func (p *Pool[T]) Respect(other AnyPool) { p.core().respect(other) }

func (p *pool) respect(other AnyPool) {
	w := p.made("Respect").world
	w.mustIdle("Respect")
	o := coreOf(other)
	switch {
	case o == nil:
		panic(fmt.Sprintf("ecs: Respect of component %s with a pool that is nil or the zero value: pools come from ecs.Register", p.component.Name))
	case w.refused != nil || o.world.refused != nil:
		return
	case o.world != w:
		panic(fmt.Sprintf("ecs: Respect of component %s with component %s of another world: take one of the same world", p.component.Name, o.component.Name))
	}
	if g := w.groupOf(p); g != nil && !g.ordered("Respect") {
		return
	}
	order.Respect(p.component.Tables(), order.Each(&w.base, o.component.Tables(), &o.component))
}

func (g *group) sort(call string, compare func(a, b Entity) int, how []SortWay) {
	way, n := g.world.sortWay(call, how)
	if compare == nil {
		panic(fmt.Sprintf("ecs: %s of group %s with a nil function: pass the function that tells which of two entities comes first", call, g.name))
	}
	by := order.By{Name: call + " of group " + g.name, Size: raw.Size[Entity](),
		Compare: raw.Comparison(func(a, b *Entity) int { return compare(*a, *b) })}
	if !g.ordered(call) {
		return
	}
	for _, t := range g.tables() {
		order.Sort(&g.world.base, t, by, n, way)
		n -= min(n, t.Seq.Len())
	}
}

func (g *group) sortAs(readers AnyGroup, n int) {
	w := g.world
	if w.refused != nil {
		return
	}
	w.mustIdle("SortAs")
	if !g.ordered("SortAs") {
		return
	}
	if readers == nil && n == 0 {
		w.sorters.Unset(g.owner)
		return
	}
	if n < 0 {
		panic(fmt.Sprintf("ecs: SortAs of group %s with %d rows a frame: give at least 1, or 0 to sort all at once; SortAs(nil, 0) ends it", g.name, n))
	}
	as := g.readers("SortAs", readers)
	if as.world.refused != nil || !as.ordered("SortAs") {
		return
	}
	if n == 0 {
		order.Respect(g.tables(), order.Each(&w.base, as.tables(), nil))
		return
	}
	for _, x := range []*group{g, as} {
		if x.dissolved() {
			panic(fmt.Sprintf("ecs: SortAs of group %s as group %s: group %s is dissolved; sort by a group that GroupOf has returned since", g.name, as.name, x.name))
		}
		if !x.level.Sole() {
			panic(fmt.Sprintf("ecs: SortAs of group %s as group %s: group %s shares its rows with groups within or around it, and SortAs can't keep shared rows in order; call SortAs with 0 rows when order matters", g.name, as.name, x.name))
		}
	}
	if !w.sorters.Set(g.owner, as.owner, n) {
		panic(fmt.Sprintf("ecs: SortAs of group %s as group %s, whose rows are sorted as these: end one of the two by SortAs(nil, 0)", g.name, as.name))
	}
}

// Sort sorts the members at once: afterwards they are in ascending order by compare,
// and equal ones as they were. Compare may read the world and not change it. The
// order lasts until members come or go; under SortAs it is replaced step by step. SortWay states the
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
