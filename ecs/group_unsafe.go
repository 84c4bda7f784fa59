package ecs

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"github.com/ashlar-go/ashlar/memmgr"
)

func trailingZeros(set uint64) int { return bits.TrailingZeros64(set) }

// group is what all groups have in common: pools that it owns, and one sequence
// with a column each behind the entities'.
type group struct {
	w      *World
	name   string
	pools  []*pool
	need   []uint64 // the owned components, by plane of the set
	first  uint64   // need[0]
	cols   []groupColumn
	ready  uint32 // entities below have slots in all pools, and one plane
	seq    *memmgr.Sequence
	guests []*system // that go over its rows, with views for what they read beside them
	views  []*view
	laid   int // how often room for views was looked for
}

// groupColumn is what the loops over a group's columns need of each, side by side.
type groupColumn struct {
	base  unsafe.Pointer // the slots; nil before there are any, and for a pool on its own
	pool  *pool
	dir   *memmgr.Directory // the pool's
	size  uintptr
	field uintptr // where the value is in the struct that members are spawned from
}

// slot is the slot of an entity that has one.
func (c *groupColumn) slot(index uint32) *uint64 {
	if c.base != nil {
		return (*uint64)(unsafe.Add(c.base, uintptr(index)*8))
	}
	return c.pool.slots.Ptr(index)
}

// at is where the value of a row lies.
func (c *groupColumn) at(l memmgr.Loc) unsafe.Pointer {
	return unsafe.Add(c.dir.Find(uint64(l)), l.Index()*c.size)
}

// copyValue is chunk.CopyValue without a call in it, which keeps the loops over
// columns in registers: 16 bytes as one move, the rest in a loop. (Wide values would
// gain from memmove; rows of them are bound by memory anyway.)
func copyValue(dst, src unsafe.Pointer, n uintptr) {
	if n == 16 {
		a, b := *(*uint64)(src), *(*uint64)(unsafe.Add(src, 8))
		*(*uint64)(dst), *(*uint64)(unsafe.Add(dst, 8)) = a, b
		return
	}
	i := uintptr(0)
	for ; i+8 <= n; i += 8 { // never an address beyond the values, which may end their memory
		*(*uint64)(unsafe.Add(dst, i)) = *(*uint64)(unsafe.Add(src, i))
	}
	for ; i < n; i++ {
		*(*byte)(unsafe.Add(dst, i)) = *(*byte)(unsafe.Add(src, i))
	}
}

// has tells whether an entity is in the group.
func (g *group) has(e Entity, r *record) bool {
	if r.set&g.first != g.first {
		return false
	}
	for n, need := range g.need[1:] {
		if g.w.planes[n].Load(e.Index())&need != need {
			return false
		}
	}
	return true
}

// lacksOnly tells whether p is the one owned component that an entity lacks.
func (g *group) lacksOnly(e Entity, r *record, p *pool) bool {
	if len(g.need) == 1 {
		return (r.set|p.bit)&g.first == g.first
	}
	for n, need := range g.need {
		set := r.set
		if n > 0 {
			set = g.w.planes[n-1].Load(e.Index())
		}
		if n == p.plane {
			set |= p.bit
		}
		if set&need != need {
			return false
		}
	}
	return true
}

// destroy removes a member that has nothing but the group's components, all in the
// first plane. The caller clears the set. It is dropRow and the clearing of slots in
// one loop.
func (g *group) destroy(e Entity) {
	w, cols, last := g.w, g.cols, g.seq.Last()
	l := slotLoc(*cols[0].slot(e.Index()))
	tail := w.ids.CellOf(last)
	tail.Stamp = w.m.Tick()
	if l != last {
		moved := *(*Entity)(unsafe.Add(tail.Addr, last.Index()*8))
		w.putEntity(l, moved)
		s := makeSlot(moved, l)
		for i := range cols {
			c := &cols[i]
			copyValue(c.at(l), c.at(last), c.size)
			if c.base != nil {
				*(*uint64)(unsafe.Add(c.base, uintptr(moved.Index())*8)) = s
				*(*uint64)(unsafe.Add(c.base, uintptr(e.Index())*8)) = 0
			} else {
				*c.slot(moved.Index()), *c.slot(e.Index()) = s, 0
			}
		}
	} else {
		for i := range cols {
			*cols[i].slot(e.Index()) = 0
		}
	}
	g.seq.DropAt(last)
}

// append adds a row where TryAppend finds no room for one. Slots are there by then,
// and stay where they are.
func (g *group) append() (memmgr.Loc, error) {
	g.findSlots()
	return g.seq.Append()
}

func (g *group) findSlots() {
	for i := range g.cols {
		c := &g.cols[i]
		c.base, _ = c.pool.slots.Base()
	}
}

// ownsRow tells whether a location is in the group's sequence.
func (g *group) ownsRow(l memmgr.Loc) bool { return g.w.m.Sequence(l.Chunk()) == g.seq }

// newGroup makes a group of pools and takes in the entities that have them all,
// in the order of the smallest pool's rows.
func (w *World) newGroup(name string, pools []*pool) (*group, error) {
	if w.closed {
		return nil, ErrClosed
	}
	w.mustIdle("GroupOf")
	if len(pools) == 0 {
		return nil, fmt.Errorf("it owns no component")
	}
	if w.groupNames[name] {
		return nil, fmt.Errorf("the name is taken by another group")
	}
	g := &group{w: w, name: name, pools: pools, need: make([]uint64, 1)}
	columns := []memmgr.Column{{Spec: entitySpec(), Directory: &w.ids}}
	for i, p := range pools {
		if p.group != nil {
			return nil, fmt.Errorf("component %q is owned by group %q: a component has one owner; let this group read it through a query instead", p.name, p.group.name)
		}
		if slices.Contains(pools[:i], p) {
			return nil, fmt.Errorf("component %q is named twice", p.name)
		}
		for len(g.need) <= p.plane {
			g.need = append(g.need, 0)
		}
		g.need[p.plane] |= p.bit
		g.first = g.need[0]
		columns = append(columns, memmgr.Column{Spec: p.spec, Directory: p.dir})
		g.cols = append(g.cols, groupColumn{pool: p, dir: p.dir, size: p.size})
	}
	var err error
	if g.seq, err = w.m.NewSequence(name, columns); err != nil {
		return nil, err
	}
	for i, p := range pools {
		p.group, p.column = g, i+1
		p.settle()
	}
	if err := g.admitAll(); err != nil {
		for i := g.seq.Len() - 1; i >= 0; i-- { // back to loose rows, which are there still
			if err := g.leave(w.entityAt(g.seq.Last()), g.seq.Last(), nil); err != nil {
				return nil, fmt.Errorf("undoing a group that found no room: %w", err)
			}
		}
		for _, p := range pools {
			p.group = nil
			p.settle()
		}
		g.seq.Drop()
		return nil, err
	}
	w.groups = append(w.groups, g)
	if w.groupNames == nil {
		w.groupNames = make(map[string]bool)
	}
	w.groupNames[name] = true
	for _, p := range pools {
		g.guests = append(g.guests, p.guests...)
	}
	slices.SortFunc(g.guests, func(a, b *system) int { return a.number - b.number })
	w.layViews(g)
	return g, nil
}

// admitAll takes in the entities that have all components already.
func (g *group) admitAll() error {
	smallest := slices.MinFunc(g.pools, func(a, b *pool) int { return a.Len() - b.Len() })
	if smallest.loose == nil {
		return nil
	}
	var members []Entity
	for id, n := range smallest.loose.Chunks() {
		for _, e := range unsafe.Slice((*Entity)(g.w.ids.Addr(id)), n) {
			if g.has(e, g.w.records.Ptr(e.Index())) {
				members = append(members, e)
			}
		}
	}
	for _, e := range members {
		if err := g.enter(e, nil, nil); err != nil {
			return err
		}
	}
	return nil
}

// Group is a group whose members are spawned from values of type S, a struct with
// a field for each owned component. It lives as long as its world.
type Group[S any] struct{ *group }

// GroupOf makes a group that owns the components of the fields of S: by type, or
// by the name in a tag `ashlar:"name"`. Entities that have them all already enter
// at once. It is refused if a component is owned by another group, or if the row
// does not fit in a chunk. Owning gives the components in field order instead.
// The error is also returned by every Run, until GroupOf succeeds under the same name.
func GroupOf[S any](w *World, name string, owned ...AnyPool) (*Group[S], error) {
	if w == nil || w.m == nil {
		return nil, fmt.Errorf("ecs: group %q: %w", name, errNoWorld)
	}
	g, err := groupOf[S](w, name, owned)
	if err != nil {
		err = fmt.Errorf("ecs: group %q: %w", name, err)
	}
	return g, w.registered("group", name, err)
}

func groupOf[S any](w *World, name string, owned []AnyPool) (*Group[S], error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	pools, fields, err := w.valueFields(typeFor[S](), owned)
	if err != nil {
		return nil, err
	}
	g, err := w.newGroup(name, pools)
	if err != nil {
		return nil, err
	}
	for i := range g.cols {
		g.cols[i].field = fields[i]
	}
	return &Group[S]{g}, nil
}

// Name is the group's name.
func (g *group) Name() string { return g.name }

// Len is the number of members.
func (g *group) Len() int { return g.seq.Len() }

// Sequence returns the rows of the group, column 0 being the entities and the
// others the owned components in field order: for statistics and placement.
func (g *group) Sequence() *memmgr.Sequence { return g.seq }

// Members appends the members to dst in row order and returns it.
func (g *group) Members(dst []Entity) []Entity {
	dst = slices.Grow(dst, g.seq.Len())
	for id, n := range g.seq.Chunks() {
		dst = append(dst, unsafe.Slice((*Entity)(g.w.ids.Addr(id)), n)...)
	}
	return dst
}

// Sorted appends the members to dst in ascending order of their index and
// returns it.
func (g *group) Sorted(dst []Entity) []Entity {
	n := len(dst)
	dst = g.Members(dst)
	slices.SortFunc(dst[n:], func(a, b Entity) int { return int(a.Index()) - int(b.Index()) })
	return dst
}

func (g *group) String() string {
	names := make([]string, len(g.pools))
	for i, p := range g.pools {
		names[i] = p.name
	}
	return g.name + "(" + strings.Join(names, ", ") + ")"
}
