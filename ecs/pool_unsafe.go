package ecs

import (
	"iter"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Pool is the storage of one component: a sparse set from entity to row, and the
// rows, which lie in the chunks of the group that owns the component or in the
// pool's own loose chunks. A Pool comes from Register and lives as long as its
// world. Its methods tell stale, null and foreign handles from live ones.
type Pool[T any] struct {
	slots arena.Array[uint64]
	dir   memmgr.Directory
	pool
}

const rowMask = chunk.MaxRows - 1

// Get returns the value of an entity's component for reading, or nil if the
// entity is not alive or lacks it. The address is good until the next safe point
// or structural change. It costs three loads. (Its form is what fits the
// compiler's budget for inlining.)
func (p *Pool[T]) Get(e Entity) *T {
	if s := p.slots.Load(uint32(e)); (s^uint64(e))>>versionShift == slotMark {
		return (*T)(unsafe.Add(p.dir.Find(s), s>>23&rowMask*uint64(unsafe.Sizeof(*new(T)))))
	}
	return nil
}

// Mut is Get for writing: it marks the chunk's column as changed. It panics while a
// system or query goes over gathered values of the component: whether that would see
// the change, or undo it, would depend on how they were gathered.
func (p *Pool[T]) Mut(e Entity) *T {
	if p == nil {
		panic(unmade{"Pool", "Mut"})
	}
	s := p.slots.Load(uint32(e))
	if !slotIs(s, e) {
		return nil
	}
	if p.lent > 0 {
		p.mustNotBeLent()
	}
	l := slotLoc(s)
	c := p.dir.Cell(l.Chunk())
	c.Stamp = p.w.m.Tick()
	return (*T)(unsafe.Add(c.Addr, uintptr(l.Row())*unsafe.Sizeof(*new(T))))
}

// Set writes the value of a component that the entity has. It returns ErrStale or
// ErrAbsent otherwise.
func (p *Pool[T]) Set(e Entity, v T) error {
	if q := p.Mut(e); q != nil {
		*q = v
		return nil
	}
	if p.made("Set").w.record(e) == nil {
		return ErrStale
	}
	return ErrAbsent
}

// Has tells whether an entity is alive and has the component.
func (p *Pool[T]) Has(e Entity) bool { return slotIs(p.slots.Load(e.Index()), e) }

// Add gives an entity the component. If it then has all components of the group
// that owns this one, it enters the group. It returns ErrStale, ErrPresent (the
// old value stays), or the arena's error; nothing has changed then.
//
// What is most common is done here: a loose row in a chunk that has room. All else is
// add's.
func (p *Pool[T]) Add(e Entity, v T) error {
	if p == nil {
		panic(unmade{"Pool", "Add"})
	}
	w := p.w
	if e.Index() >= p.near || w.busy != "" {
		return p.addSlow(e, v)
	}
	r, slot, rows := w.nearRecord(e), slotAt(p.base, e), p.loose
	if r.id != e || *slot != 0 {
		return p.addSlow(e, v)
	}
	if g := p.group; g != nil {
		if (r.set|p.bit)&g.first == g.first {
			r.set |= p.bit
			return p.addMember(e, v)
		}
		if rows == nil {
			return p.addSlow(e, v)
		}
	}
	if !rows.HasRoom() {
		return p.addSlow(e, v)
	}
	l := rows.Push()
	w.putEntity(l, e)
	*(*T)(unsafe.Add(p.dir.Find(uint64(l)), l.Index()*unsafe.Sizeof(v))) = v
	*slot = makeSlot(e, l)
	r.set |= p.bit
	return nil
}

// addSlow keeps the address of v out of Add, where v stays in registers.
//
//go:noinline
func (p *Pool[T]) addSlow(e Entity, v T) error { return p.made("Add").add(e, unsafe.Pointer(&v)) }

// addMember is Add where the entity enters the group, the short way, and has the bit in
// its set already: what need not be known after a call need not be kept over it.
//
//go:noinline
func (p *Pool[T]) addMember(e Entity, v T) error {
	err := p.group.enter(e, &p.pool, unsafe.Pointer(&v))
	if err != nil {
		p.w.nearRecord(e).set ^= p.bit
	}
	return err
}

// Remove takes the component from an entity; its last row moves into the hole. It
// returns ErrStale or ErrAbsent, or the arena's error where the entity leaves a
// group and its other values find no room; nothing has changed then.
func (p *Pool[T]) Remove(e Entity) error {
	if p == nil {
		panic(unmade{"Pool", "Remove"})
	}
	w := p.w
	if e.Index() >= p.near || w.busy != "" {
		return p.made("Remove").Remove(e)
	}
	base := p.base
	s := *slotAt(base, e)
	if !slotIs(s, e) {
		return p.pool.Remove(e)
	}
	if g := p.group; g != nil && w.nearRecord(e).set&g.first == g.first {
		*slotAt(base, e) = 0
		w.nearRecord(e).set ^= p.bit
		err := g.leave(e, slotLoc(s), &p.pool)
		if err != nil {
			*slotAt(p.base, e) = s
			p.w.nearRecord(e).set |= p.bit
		}
		return err
	}
	*slotAt(base, e) = 0
	w.nearRecord(e).set ^= p.bit
	// The rest is dropLoose for values of a known size.
	rows, l, tick, cells := p.loose, slotLoc(s), w.m.Tick(), w.ids.Cells()
	last := rows.Last()
	tail := cells.Of(uint64(last))
	tail.Stamp = tick
	rows.DropAt(last)
	if l != last {
		hole := cells.Of(s)
		hole.Stamp = tick
		size := unsafe.Sizeof(*new(T))
		copyValue(unsafe.Add(p.dir.Find(s), l.Index()*size), unsafe.Add(p.dir.Find(uint64(last)), last.Index()*size), size)
		moved := *(*Entity)(unsafe.Add(tail.Addr, last.Index()*8))
		*(*Entity)(unsafe.Add(hole.Addr, l.Index()*8)) = moved
		*slotAt(base, moved) = makeSlot(moved, l)
	}
	return nil
}

// All iterates over entities and values, for reading: group rows first, then
// loose ones. Structural changes meanwhile panic.
func (p *Pool[T]) All() iter.Seq2[Entity, *T] {
	p.made("All")
	return func(yield func(Entity, *T) bool) {
		defer p.w.end(p.w.begin("Pool(" + p.name + ").All"))
		for s := range p.sequences() {
			for id, n := range s.Chunks() {
				es := unsafe.Slice((*Entity)(p.w.ids.Addr(id)), n)
				vs := unsafe.Slice((*T)(p.dir.Addr(id)), n)
				for i := range es {
					if !yield(es[i], &vs[i]) {
						return
					}
				}
			}
		}
	}
}

// add is Add for every case, from where the value lies.
func (p *pool) add(e Entity, v unsafe.Pointer) error {
	w := p.w
	if w.busy != "" {
		w.mustIdle("Add")
	}
	r := w.records.Ptr(e.Index())
	if r == nil || !r.is(e) {
		return ErrStale
	}
	slot, g := p.slots.Ptr(e.Index()), p.group
	if slot != nil && slotIs(*slot, e) {
		return ErrPresent
	}
	enters := g != nil && g.lacksOnly(e, r, p)
	if e.Index() >= p.near || p.loose == nil && !enters {
		if err := p.prepare(e, !enters); err != nil {
			return err
		}
	}
	if enters {
		if err := g.enter(e, p, v); err != nil {
			return err
		}
	} else if err := p.addLoose(e, v); err != nil {
		return err
	}
	if p.plane == 0 {
		r.set |= p.bit
		return nil
	}
	return p.mark(r, e, true) // the place is there, since prepare: it can't fail
}

// short is what the short way of Add and Remove needs: slots, and that all components
// that have a say are in the first plane.
type short struct {
	base unsafe.Pointer // slots[0]
	near uint32         // it is open for entities below; 0: for none
}

// settle opens the short way as far as it goes, and tells the owner where slots are. It
// is called when slots or loose rows were made, when slots may have moved, and when the
// owner changes.
func (p *pool) settle() {
	p.short = short{}
	g := p.group
	base, slots := p.slots.Base()
	if g != nil {
		g.cols[p.column-1].base = base
	}
	if p.plane == 0 && (g == nil && p.loose != nil || g != nil && len(g.need) == 1) {
		p.short = short{base, min(slots, p.w.records.Len())}
	}
}

// slotAt is the slot of an entity that has one.
func slotAt(base unsafe.Pointer, e Entity) *uint64 {
	return (*uint64)(unsafe.Add(base, uintptr(e.Index())*8))
}

// nearRecord is the record of an entity that is alive or was.
func (w *World) nearRecord(e Entity) *record {
	return (*record)(unsafe.Add(unsafe.Pointer(w.first), uintptr(e.Index())*unsafe.Sizeof(record{})))
}

// appendLoose appends a loose row and makes the rows' sequence first if need be.
func (p *pool) appendLoose() (memmgr.Loc, error) {
	if err := p.looseRows(); err != nil {
		return 0, err
	}
	return p.loose.Append()
}

// addLoose appends a loose row and points the slot at it.
func (p *pool) addLoose(e Entity, v unsafe.Pointer) error {
	l, err := p.appendLoose()
	if err != nil {
		return err
	}
	p.w.putEntity(l, e)
	copyValue(p.value(l), v, p.size)
	*p.slots.Ptr(e.Index()) = makeSlot(e, l)
	return nil
}

// value is where the value of a row lies.
func (p *pool) value(l memmgr.Loc) unsafe.Pointer { return p.dir.At(l, p.spec.Size) }

// dropLoose removes a loose row: the last one moves into the hole, and its slot
// with it, keeping its own version.
func (p *pool) dropLoose(l memmgr.Loc) {
	w, last := p.w, p.loose.Last()
	tail := w.ids.CellOf(last)
	tail.Stamp = w.m.Tick()
	if l != last {
		moved := *(*Entity)(unsafe.Add(tail.Addr, last.Index()*8))
		w.putEntity(l, moved)
		copyValue(p.value(l), p.value(last), p.size)
		*p.slots.Ptr(moved.Index()) = makeSlot(moved, l)
	}
	p.loose.DropAt(last)
}

// entityAt returns whose row a location is.
func (w *World) entityAt(l memmgr.Loc) Entity { return *(*Entity)(w.ids.At(l, 8)) }

// putEntity writes whose row a location is, and stamps that column: it is what
// changes with membership and order.
func (w *World) putEntity(l memmgr.Loc, e Entity) {
	c := w.ids.CellOf(l)
	c.Stamp = w.m.Tick()
	*(*Entity)(unsafe.Add(c.Addr, l.Index()*8)) = e
}

// strip removes the components of one plane of an entity's set, group by group
// and then one by one. The caller clears the set.
func (w *World) strip(e Entity, set uint64, plane int) {
	for set != 0 {
		p := w.pools[plane*64+trailingZeros(set)]
		slot := p.slots.Ptr(e.Index())
		l := slotLoc(*slot)
		if *slot == 0 {
			set &^= p.bit // gone with its group, from another plane
			continue
		}
		if g := p.group; g != nil && g.ownsRow(l) {
			g.dropRow(l)
			for _, q := range g.pools {
				*q.slots.Ptr(e.Index()) = 0
				if q.plane == plane {
					set &^= q.bit
				}
			}
			continue
		}
		p.dropLoose(l)
		*slot = 0
		set &^= p.bit
	}
}
