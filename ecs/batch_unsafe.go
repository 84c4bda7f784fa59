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
	return g.made("SpawnN").spawnBatch(dst, unsafe.Pointer(&v), 0)
}

// SpawnEach makes an entity from each of values and writes their handles to dst,
// which must be as long. Either all are made, or an error is returned, dst is
// zeroed and nothing has changed.
func (g *Group[S]) SpawnEach(dst []Entity, values []S) error {
	if len(dst) != len(values) {
		panic("ecs: SpawnEach with fewer or more handles than values: dst must be as long as values")
	}
	return g.made("SpawnEach").spawnBatch(dst, unsafe.Pointer(unsafe.SliceData(values)), unsafe.Sizeof(*new(S)))
}

// spawnBatch makes everything that can fail first: records, slots, rows. Values
// lie at v, stride bytes apart.
func (g *group) spawnBatch(dst []Entity, v unsafe.Pointer, stride uintptr) error {
	w := g.w
	w.mustIdle("Spawn")
	rows := g.seq.Len()
	made, err := w.createBatch(dst, g.need[0])
	if err == nil {
		err = g.reserve(dst)
	}
	if err != nil {
		g.seq.Truncate(rows)
		for i := made - 1; i >= 0; i-- { // the free list is as before then, for LIFO
			w.release(w.records.Ptr(dst[i].Index()))
		}
		clear(dst)
		return err
	}
	done := uintptr(0)
	for _, r := range w.runs {
		handles, v := dst[:r.n], unsafe.Add(v, stride*done) // never beyond the values
		w.putEntities(r.at, handles)
		point(g.cols, handles, r.at)
		for i := range g.cols {
			c := &g.cols[i]
			fillColumn(c.at(r.at), unsafe.Add(v, c.field), stride, c.size, r.n)
		}
		dst = dst[r.n:]
		done += uintptr(r.n)
	}
	return nil
}

// createBatch makes entities whose set begins with the given bits, and returns how
// many it made before it failed.
func (w *World) createBatch(dst []Entity, set uint64) (n int, err error) {
	n = w.recycle(dst, set)
	for n < len(dst) {
		if w.records.Ptr(w.next) == nil {
			if err := w.growRecords(); err != nil {
				return n, err
			}
		}
		fresh, e := w.records.Span(w.next), w.firstHandle()
		fresh = fresh[:min(len(fresh), len(dst)-n)]
		for i := range fresh {
			fresh[i] = record{e, set}
			dst[n] = e
			n++
			e++
		}
		w.next += uint32(len(fresh))
		w.alive += uint32(len(fresh))
	}
	return n, nil
}

// recycle makes entities of free records, as many as there are, and returns how many.
func (w *World) recycle(dst []Entity, set uint64) int {
	head, rest := w.freeHead, dst
	for len(rest) > 0 && head != 0 {
		r := w.recordAt(head)
		link := r.id.Index()
		used := (r.id>>versionShift<<versionShift | Entity(head)) - r.id // makes a handle of a link
		step := link - head
		if step != 1 && step != ^uint32(0) {
			*r = record{r.id + used, set}
			rest[0], head = r.id, link
			rest = rest[1:]
			continue
		}
		// What was freed in a batch is linked up or down: the next record is then known
		// without waiting for this one's link.
		n, stride := 0, int(int32(step))*int(unsafe.Sizeof(*r))
		for ; n < len(rest) && r.id.Index() == link; n++ {
			*r = record{r.id + used, set}
			rest[n] = r.id
			link += step
			r = (*record)(unsafe.Add(unsafe.Pointer(r), stride))
		}
		head, rest = link-step, rest[n:]
	}
	n := len(dst) - len(rest)
	w.freeHead = head
	w.alive += uint32(n)
	return n
}

// prepareAll is prepare for many.
func (g *group) prepareAll(handles []Entity) error {
	last := Entity(0)
	for _, e := range handles {
		last = max(last, e&(1<<indexBits-1))
	}
	if last == 0 {
		return nil
	}
	return g.prepare(last) // and so all before it
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

// recordAt is the record of an index that is in use or was.
func (w *World) recordAt(index uint32) *record {
	return (*record)(unsafe.Add(unsafe.Pointer(w.first), uintptr(index)*unsafe.Sizeof(record{})))
}

// fillColumn writes n values, at least one, of size bytes side by side, read stride
// bytes apart. It never has an address beyond the last one, which may be the end of its
// memory: the garbage collector and race builds take such a one for another object's.
func fillColumn(to, from unsafe.Pointer, stride, size uintptr, n int) {
	switch {
	case stride == 0: // the first value, and then what there is once more until all is full
		column := unsafe.Slice((*byte)(to), size*uintptr(n))
		for have := copy(column, unsafe.Slice((*byte)(from), size)); have < len(column); {
			have += copy(column[have:], column[:have])
		}
	case stride == size:
		chunk.CopyBytes(to, from, size*uintptr(n))
	case size == 4:
		fillEach[[4]byte](to, from, stride, n)
	case size == 8:
		fillEach[[8]byte](to, from, stride, n)
	case size == 12:
		fillEach[[12]byte](to, from, stride, n)
	case size == 16:
		fillEach[[16]byte](to, from, stride, n)
	default:
		for i := range uintptr(n) {
			chunk.CopyValue(unsafe.Add(to, i*size), unsafe.Add(from, i*stride), uint32(size))
		}
	}
}

// fillEach is fillColumn for values of a size that the compiler knows.
func fillEach[V any](to, from unsafe.Pointer, stride uintptr, n int) {
	column := unsafe.Slice((*V)(to), n)
	for i := range column {
		column[i] = *(*V)(unsafe.Add(from, uintptr(i)*stride))
	}
}

// DestroyBatch destroys entities and returns how many: handles that are not alive,
// or come twice, are passed over. Entities that are the last rows of a group, in
// row order, and have nothing else go as a block.
func (w *World) DestroyBatch(handles []Entity) (destroyed int) {
	w.made("DestroyBatch").mustIdle("Destroy")
	if g := w.tailOf(handles); g != nil && w.releaseAll(handles, g.first) {
		rest := handles
		for _, s := range w.spans {
			for i := range g.cols {
				g.cols[i].clearSlots(s, rest)
			}
			rest = rest[s.n:]
		}
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

// releaseAll is release for entities that have one set; if the set of any is another, it
// changes nothing and returns false. w.spans tells what the handles are made of.
func (w *World) releaseAll(handles []Entity, set uint64) bool {
	head, tail := w.freeHead, w.freeTail
	w.spans = w.spans[:0]
	for done := 0; done < len(handles); {
		s := spanOf(handles[done:])
		n := w.releaseSpan(s, handles[done:], set)
		if done += n; n < s.n {
			w.recall(handles[:done], set, head, tail)
			return false
		}
		w.spans = append(w.spans, s)
	}
	return true
}

// tailOf returns the group of which the handles are the last rows, each with the
// group's components and no others; nil if there is none.
func (w *World) tailOf(handles []Entity) *group {
	if len(handles) < 2 || len(w.planes) > 0 { // one alone is less work than looking
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
	rest := handles
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
	return g
}
