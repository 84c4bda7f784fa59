package ecs

import (
	"bytes"
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// run is rows side by side in one chunk.
type run struct {
	at memmgr.Loc
	n  int
}

// SpawnN makes len(dst) entities with equal values and writes their handles to
// dst. Either all are made, or an error is returned, dst is zeroed and nothing has
// changed. Recycled indexes come first, in the order of Options.Recycle.
func (g *Group[S]) SpawnN(dst []Entity, v S) error {
	return g.spawnBatch(dst, unsafe.Pointer(&v), 0)
}

// SpawnEach makes an entity from each of values and writes their handles to dst,
// which must be as long. Either all are made, or an error is returned, dst is
// zeroed and nothing has changed.
func (g *Group[S]) SpawnEach(dst []Entity, values []S) error {
	if len(dst) != len(values) {
		panic("ecs: SpawnEach with fewer or more handles than values: dst must be as long as values")
	}
	return g.spawnBatch(dst, unsafe.Pointer(unsafe.SliceData(values)), unsafe.Sizeof(*new(S)))
}

// spawnBatch makes everything that can fail first: records, slots, rows. Values
// lie at v, stride bytes apart.
func (g *group) spawnBatch(dst []Entity, v unsafe.Pointer, stride uintptr) error {
	w := g.w
	w.mustIdle("Spawn")
	rows := g.seq.Len()
	err := w.createBatch(dst, g.need[0])
	if err == nil {
		err = g.reserve(dst)
	}
	if err != nil {
		g.seq.Truncate(rows)
		for i := len(dst) - 1; i >= 0; i-- { // the free list is as before then, for LIFO
			if dst[i] != 0 {
				w.release(w.records.Ptr(dst[i].Index()))
			}
		}
		clear(dst)
		return err
	}
	tick := w.m.Tick()
	done := uintptr(0)
	for _, r := range w.runs {
		handles, v := dst[:r.n], unsafe.Add(v, stride*done) // never beyond the values
		cell := w.ids.CellOf(r.at)
		cell.Stamp = tick
		copy(unsafe.Slice((*Entity)(unsafe.Add(cell.Addr, r.at.Index()*8)), r.n), handles)
		for i := range g.cols {
			c := &g.cols[i]
			c.pointSlots(handles, r.at, g.cols[0].base)
			fillColumn(c.at(cell.Addr, r.at.Index()), unsafe.Add(v, c.field), stride, c.size, r.n)
		}
		dst = dst[r.n:]
		done += uintptr(r.n)
	}
	return nil
}

// createBatch makes entities whose set begins with the given bits.
func (w *World) createBatch(dst []Entity, set uint64) error {
	clear(dst)
	n, head := 0, w.freeHead
	for n < len(dst) && head != 0 {
		// What was freed in a batch is linked up or down: the next index is then known
		// without waiting for this record's link.
		link := w.recordAt(head).id.Index()
		step := link - head
		if step != 1 {
			step = ^uint32(0)
		}
		for {
			r := w.recordAt(head)
			e := r.id>>versionShift<<versionShift | Entity(head)
			link = r.id.Index()
			r.id, r.set = e, set
			dst[n] = e
			n++
			if head += step; head != link || head == 0 || n == len(dst) {
				break
			}
		}
		head = link
	}
	w.freeHead = head
	w.alive += uint32(n)
	for ; n < len(dst); n++ {
		e, r, err := w.create()
		if err != nil {
			return err
		}
		dst[n], r.set = e, set
	}
	return nil
}

// prepareAll is prepare for many.
func (g *group) prepareAll(handles []Entity) error {
	last := Entity(0)
	for _, e := range handles {
		last = max(last, e&(1<<indexBits-1))
	}
	if last != 0 { // all before it too, where slots are flat
		if err := g.prepare(last); err != nil {
			return err
		}
	}
	for _, p := range g.pools {
		if p.plane > 0 || !p.slots.Flat() {
			for _, e := range handles {
				if err := p.prepare(e, false); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// reserve makes slots and rows for entities and sets their bits beyond the first
// plane; w.runs tells where the rows are.
func (g *group) reserve(handles []Entity) error {
	w := g.w
	w.runs = w.runs[:0]
	if w.next > g.ready {
		if err := g.prepareAll(handles); err != nil {
			return err
		}
	}
	for left := len(handles); left > 0; {
		l, n, err := g.seq.AppendRun(left)
		if err != nil {
			return err
		}
		w.runs = append(w.runs, run{l, n})
		left -= n
	}
	g.findSlots()
	for n, need := range g.need[1:] {
		if need == 0 {
			continue // nobody has made places in that plane
		}
		for _, e := range handles {
			*w.planes[n].Ptr(e.Index()) |= need
		}
	}
	return nil
}

// pointSlots points the slots of entities at consecutive rows. first is where the
// slots of the group's first column are, if flat: they are written before the others
// and equal them.
func (c *groupColumn) pointSlots(handles []Entity, l memmgr.Loc, first unsafe.Pointer) {
	switch {
	case c.base == nil:
		for _, e := range handles {
			*c.pool.slots.Ptr(e.Index()) = makeSlot(e, l)
			l = l.Plus(1)
		}
	case c.base == first || first == nil:
		for _, e := range handles {
			*(*uint64)(unsafe.Add(c.base, uintptr(e.Index())*8)) = makeSlot(e, l)
			l = l.Plus(1)
		}
	default:
		for _, e := range handles {
			at := uintptr(e.Index()) * 8
			*(*uint64)(unsafe.Add(c.base, at)) = *(*uint64)(unsafe.Add(first, at))
		}
	}
}

// clearSlots empties the slots of entities.
func (c *groupColumn) clearSlots(handles []Entity) {
	if c.base == nil {
		for _, e := range handles {
			*c.pool.slots.Ptr(e.Index()) = 0
		}
		return
	}
	for _, e := range handles {
		*(*uint64)(unsafe.Add(c.base, uintptr(e.Index())*8)) = 0
	}
}

// releaseBatch is release for many.
func (w *World) releaseBatch(handles []Entity) {
	if w.freeHead == 0 && len(handles) > 0 {
		w.release(w.recordAt(handles[0].Index()))
		handles = handles[1:]
	}
	if w.options.Recycle != LIFO {
		for _, e := range handles {
			w.release(w.recordAt(e.Index()))
		}
		return
	}
	head := w.freeHead
	for _, e := range handles {
		r := w.recordAt(e.Index())
		r.id = e.next()>>versionShift<<versionShift | flagFree | Entity(head)
		r.set = 0
		head = e.Index()
	}
	w.freeHead = head
	w.alive -= uint32(len(handles))
}

// recordAt is the record of an index that is in use or was.
func (w *World) recordAt(index uint32) *record {
	if w.first != nil {
		return (*record)(unsafe.Add(unsafe.Pointer(w.first), uintptr(index)*unsafe.Sizeof(record{})))
	}
	return w.records.Ptr(index)
}

// fillColumn writes n values, at least one, of size bytes side by side, read stride
// bytes apart. It never has an address beyond the last one, which may be the end of its
// memory: the garbage collector and race builds take such a one for another object's.
func fillColumn(to, from unsafe.Pointer, stride, size uintptr, n int) {
	if stride == 0 { // the first value, and then what there is once more until all is full
		column := unsafe.Slice((*byte)(to), size*uintptr(n))
		for have := copy(column, unsafe.Slice((*byte)(from), size)); have < len(column); {
			have += copy(column[have:], column[:have])
		}
		return
	}
	chunk.CopyValue(to, from, uint32(size))
	for range n - 1 {
		to, from = unsafe.Add(to, size), unsafe.Add(from, stride)
		chunk.CopyValue(to, from, uint32(size))
	}
}

// DestroyBatch destroys entities and returns how many: handles that are not alive,
// or come twice, are passed over. Entities that are the last rows of a group, in
// row order, and have nothing else go as a block.
func (w *World) DestroyBatch(handles []Entity) (destroyed int) {
	w.mustIdle("Destroy")
	if g := w.tailOf(handles); g != nil {
		for i := range g.cols {
			g.cols[i].clearSlots(handles)
		}
		w.releaseBatch(handles)
		g.seq.Truncate(g.seq.Len() - len(handles))
		return len(handles)
	}
	for _, e := range handles {
		if w.Destroy(e) == nil {
			destroyed++
		}
	}
	return destroyed
}

// tailOf returns the group of which the handles are the last rows, each with the
// group's components and no others; nil if there is none.
func (w *World) tailOf(handles []Entity) *group {
	if len(handles) == 0 || len(w.planes) > 0 {
		return nil
	}
	r := w.record(handles[0])
	if r == nil || r.set == 0 {
		return nil
	}
	g := w.pools[trailingZeros(r.set)].group
	if g == nil || r.set != g.need[0] || len(handles) > g.seq.Len() {
		return nil
	}
	rest, set := handles, r.set
	for i := g.seq.Len() - len(handles); len(rest) > 0; {
		l := g.seq.At(i)
		_, rows := g.seq.Chunk(w.m.Order(l.Chunk()))
		n := min(rows-int(l.Row()), len(rest))
		row, want := (*byte)(w.ids.At(l, 8)), (*byte)(unsafe.Pointer(&rest[0]))
		if !bytes.Equal(unsafe.Slice(row, n*8), unsafe.Slice(want, n*8)) {
			return nil
		}
		rest, i = rest[n:], i+n
	}
	for _, e := range handles {
		if w.recordAt(e.Index()).set != set {
			return nil
		}
	}
	return g
}

// AddBatch adds the component with one value to entities and returns how many: it
// passes over those that are not alive or have it already. After an error, which
// is the arena's, those before it have the component and those after it do not.
func (p *Pool[T]) AddBatch(handles []Entity, v T) (added int, err error) {
	p.w.mustIdle("Add")
	for _, e := range handles {
		switch err := p.Add(e, v); err {
		case nil:
			added++
		case ErrStale, ErrPresent:
		default:
			return added, err
		}
	}
	return added, nil
}

// RemoveBatch removes the component from entities and returns how many: it passes
// over those that are not alive or lack it. Errors are as for AddBatch.
func (p *pool) RemoveBatch(handles []Entity) (removed int, err error) {
	p.w.mustIdle("Remove")
	for _, e := range handles {
		switch err := p.Remove(e); err {
		case nil:
			removed++
		case ErrStale, ErrAbsent:
		default:
			return removed, err
		}
	}
	return removed, nil
}
