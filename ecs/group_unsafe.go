package ecs

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

func trailingZeros(set uint64) int { return bits.TrailingZeros64(set) }

// group is what all groups have in common: pools that it owns, and one sequence
// with a column each behind the entities'.
type group struct {
	w     *World
	name  string
	pools []*pool
	need  []uint64 // the owned components, by plane of the set
	first uint64   // need[0]
	cols  []groupColumn
	ready uint32 // entities below have slots in all pools, flat ones, and one plane
	seq   *memmgr.Sequence
}

// groupColumn is what the loops over a group's columns need of each, side by side.
type groupColumn struct {
	base  unsafe.Pointer // the slots, where they are flat; nil until they are known to be
	slots *arena.Array[uint64]
	dir   *memmgr.Directory
	size  uint32
}

// slot is the slot of an entity that has one.
func (c *groupColumn) slot(index uint32) *uint64 {
	if c.base != nil {
		return (*uint64)(unsafe.Add(c.base, uintptr(index)*8))
	}
	return c.slots.Ptr(index)
}

// at is where the value of a row lies.
func (c *groupColumn) at(id chunk.ID, row uint32) unsafe.Pointer {
	return unsafe.Add(c.dir.Addr(id), row*c.size)
}

// copyValue is chunk.CopyValue without a call for the most usual size.
func copyValue(dst, src unsafe.Pointer, size uint32) {
	if size == 16 {
		*(*[2]uint64)(dst) = *(*[2]uint64)(src)
	} else {
		chunk.CopyValue(dst, src, size)
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
// first plane. The caller clears the set.
func (g *group) destroy(e Entity) {
	g.dropRow(slotLoc(*g.cols[0].slot(e.Index())))
	for i := range g.cols {
		*g.cols[i].slot(e.Index()) = 0
	}
}

// ownsRow tells whether a location is in the group's sequence.
func (g *group) ownsRow(l memmgr.Loc) bool { return g.w.m.Sequence(l.Chunk()) == g.seq }

// enter moves an entity's loose values into a new row of the group; v is the value
// of the component last, which the entity is about to get.
func (g *group) enter(e Entity, last *pool, v unsafe.Pointer) error {
	l, ok := g.seq.TryAppend()
	if !ok {
		var err error
		if l, err = g.seq.Append(); err != nil {
			return err
		}
	}
	g.w.putEntity(l, e)
	s, id, row := makeSlot(e, l), l.Chunk(), l.Row()
	for i, p := range g.pools {
		c := &g.cols[i]
		slot := c.slot(e.Index())
		if p == last {
			copyValue(c.at(id, row), v, c.size)
		} else {
			loose := slotLoc(*slot)
			copyValue(c.at(id, row), c.at(loose.Chunk(), loose.Row()), c.size)
			p.dropLoose(loose)
		}
		*slot = s
	}
	return nil
}

// leave moves an entity's values, except that of component first, which it is about
// to lose, from its row of the group to loose rows. first is nil for none.
func (g *group) leave(e Entity, first *pool) error {
	for i, p := range g.pools {
		if p == first {
			continue
		}
		var err error
		if p.loose == nil {
			err = p.looseRows()
		}
		if err == nil {
			if _, ok := p.loose.TryAppend(); !ok {
				_, err = p.loose.Append()
			}
		}
		if err != nil {
			for _, q := range g.pools[:i] { // take back the rows made so far
				if q != first {
					q.loose.DropLast()
				}
			}
			return err
		}
	}
	from := slotLoc(*g.cols[0].slot(e.Index()))
	id, row := from.Chunk(), from.Row()
	for i, p := range g.pools {
		if p == first {
			continue
		}
		c, to := &g.cols[i], p.loose.Last()
		g.w.putEntity(to, e)
		copyValue(c.at(to.Chunk(), to.Row()), c.at(id, row), c.size)
		*c.slot(e.Index()) = makeSlot(e, to)
	}
	g.dropRow(from)
	return nil
}

// dropRow removes a row of the group: the last one moves into the hole.
func (g *group) dropRow(l memmgr.Loc) {
	last := g.seq.Last()
	tail := g.w.ids.Cell(last.Chunk())
	tail.Stamp = g.w.m.Tick()
	if l != last {
		moved := *(*Entity)(unsafe.Add(tail.Addr, uintptr(last.Row())*8))
		g.w.putEntity(l, moved)
		s, to, from, row, tailRow := makeSlot(moved, l), l.Chunk(), last.Chunk(), l.Row(), last.Row()
		for i := range g.cols {
			c := &g.cols[i]
			copyValue(c.at(to, row), c.at(from, tailRow), c.size)
			*c.slot(moved.Index()) = s
		}
	}
	g.seq.DropLast()
}

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
	if slices.ContainsFunc(w.groups, func(g *group) bool { return g.name == name }) {
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
		g.cols = append(g.cols, groupColumn{slots: p.slots, dir: p.dir, size: p.spec.Size})
	}
	var err error
	if g.seq, err = w.m.NewSequence(name, columns, 0); err != nil {
		return nil, err
	}
	for i, p := range pools {
		p.group, p.column = g, i+1
	}
	if err := g.admitAll(); err != nil {
		for i := g.seq.Len() - 1; i >= 0; i-- { // back to loose rows, which are there still
			if err := g.leave(w.entityAt(g.seq.Last()), nil); err != nil {
				return nil, fmt.Errorf("undoing a group that found no room: %w", err)
			}
		}
		for _, p := range pools {
			p.group = nil
		}
		g.seq.Drop()
		return nil, err
	}
	w.groups = append(w.groups, g)
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
type Group[S any] struct {
	*group
	offsets []uintptr // of each pool's value in S
}

// GroupOf makes a group that owns the components of the fields of S: by type, or
// by the name in a tag `ashlar:"name"`. Entities that have them all already enter
// at once. It is refused if a component is owned by another group, or if the row
// does not fit in a chunk. Owning gives the components in field order instead.
// The error is also returned by every Run until it is mended.
func GroupOf[S any](w *World, name string, owned ...AnyPool) (*Group[S], error) {
	g, err := groupOf[S](w, name, owned)
	if err != nil {
		err = fmt.Errorf("ecs: group %q: %w", name, err)
		w.errs = append(w.errs, err)
		return nil, err
	}
	return g, nil
}

func groupOf[S any](w *World, name string, owned []AnyPool) (*Group[S], error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	pools, offsets, err := w.valueFields(typeFor[S](), owned)
	if err != nil {
		return nil, err
	}
	g, err := w.newGroup(name, pools)
	if err != nil {
		return nil, err
	}
	return &Group[S]{g, offsets}, nil
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

// Spawn makes an entity with the group's components. Errors are the arena's;
// nothing has changed then. It allocates nothing on the Go heap.
func (g *Group[S]) Spawn(v S) (Entity, error) {
	if g.w.busy != "" {
		g.w.mustIdle("Spawn")
	}
	e, r, err := g.w.create()
	if err != nil {
		return 0, err
	}
	if err = g.fill(e, r, unsafe.Pointer(&v), g.offsets); err != nil {
		g.w.release(r)
		e = 0
	}
	return e, err
}

// prepare makes an entity's slots and places in the set.
func (g *group) prepare(e Entity) error {
	ready := ^uint32(0)
	for i, p := range g.pools {
		if err := p.prepare(e, false); err != nil {
			return err
		}
		base, n := p.slots.Base()
		g.cols[i].base, ready = base, min(ready, n)
	}
	if len(g.need) == 1 {
		g.ready = ready
	}
	return nil
}

// fill gives a new entity the group's components, whose values lie at offsets of v.
func (g *group) fill(e Entity, r *record, v unsafe.Pointer, offsets []uintptr) error {
	if e.Index() >= g.ready {
		if err := g.prepare(e); err != nil {
			return err
		}
	}
	l, ok := g.seq.TryAppend()
	if !ok {
		var err error
		if l, err = g.seq.Append(); err != nil {
			return err
		}
	}
	g.w.putEntity(l, e)
	s, id, row := makeSlot(e, l), l.Chunk(), l.Row()
	for i := range g.cols {
		c := &g.cols[i]
		copyValue(c.at(id, row), unsafe.Add(v, offsets[i]), c.size)
		*c.slot(e.Index()) = s
	}
	r.set |= g.need[0]
	for n, need := range g.need[1:] {
		*g.w.planes[n].Ptr(e.Index()) |= need
	}
	return nil
}
