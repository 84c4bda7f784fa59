package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// AddBatch and RemoveBatch go column by column over entities of the same fate:
//
//	sift      flips the bit in the sets of those that it concerns, and tells those that
//	          enter or leave the owner from those that have loose rows
//	reserve   appends rows where values will go; all that can fail has been done then
//	copy      values to there, as far as they lie side by side in one piece
//	drop      the old rows, in the order of the handles, as calls one by one would
//	point     slots at the new rows
//
// Where reserving fails, nothing has changed, and calls one by one find out which is the
// first that there is no room for.

// AddBatch adds the component with one value to entities and returns how many: it
// passes over those that are not alive or have it already. After an error, which
// is the arena's, those before it have the component and those after it do not.
func (p *Pool[T]) AddBatch(handles []Entity, v T) (added int, err error) {
	p.made("AddBatch").w.mustIdle("Add")
	if added, ok := p.addAll(handles, unsafe.Pointer(&v)); ok {
		return added, nil
	}
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
	if removed, ok := p.removeAll(handles); ok {
		return removed, nil
	}
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

// addAll is AddBatch as a whole. If it is not ok, nothing has changed.
func (p *pool) addAll(handles []Entity, v unsafe.Pointer) (added int, ok bool) {
	if len(handles) < spanMin || p.prepareAll(handles) != nil {
		return 0, false
	}
	w, g := p.w, p.group
	members, loose := p.sift(handles, 0)
	w.runs = w.runs[:0]
	ok = len(loose) == 0 || p.reserveLoose(len(loose))
	first := len(w.runs)
	if ok && len(members) > 0 && !w.reserve(g.seq, len(members)) {
		w.dropLast(p.loose, len(loose))
		ok = false
	}
	if !ok {
		p.flip(members)
		p.flip(loose)
		return 0, false
	}
	own := p.alone()
	eachRun(w.runs[:first], loose, func(l memmgr.Loc, handles []Entity) {
		w.putEntities(l, handles)
		fillColumn(p.value(l), v, 0, p.size, len(handles))
		point(own[:], handles, l)
	})
	if len(members) == 0 {
		return len(loose), true
	}
	g.findSlots()
	eachRun(w.runs[first:], members, func(l memmgr.Loc, handles []Entity) {
		w.putEntities(l, handles)
		fillColumn(p.value(l), v, 0, p.size, len(handles))
		for _, q := range g.pools {
			if q != p {
				q.copyValues(q.value(l), handles)
			}
		}
	})
	for _, q := range g.pools {
		if q != p {
			q.dropLooseRows(members)
		}
	}
	eachRun(w.runs[first:], members, func(l memmgr.Loc, handles []Entity) { point(g.cols, handles, l) })
	return len(members) + len(loose), true
}

// removeAll is RemoveBatch as a whole. If it is not ok, nothing has changed.
func (p *pool) removeAll(handles []Entity) (removed int, ok bool) {
	if len(handles) < spanMin {
		return 0, false
	}
	w, g := p.w, p.group
	members, loose := p.sift(handles, p.bit)
	w.runs = w.runs[:0]
	if len(members) > 0 {
		if !g.reserveLoose(p, len(members)) {
			p.flip(members)
			p.flip(loose)
			return 0, false
		}
		w.eachLoose(g, p, members, func(q *pool, l memmgr.Loc, handles []Entity) {
			w.putEntities(l, handles)
			q.copyValues(q.value(l), handles)
		})
		g.dropRows(p, members)
		w.eachLoose(g, p, members, func(q *pool, l memmgr.Loc, handles []Entity) {
			own := q.alone()
			point(own[:], handles, l)
		})
		p.clearSlots(members)
	}
	if len(loose) > 0 {
		p.dropLooseRows(loose)
		p.clearSlots(loose)
	}
	return len(members) + len(loose), true
}

// sift flips the component's bit in the sets of those entities that are alive and whose
// bit is had: 0 or the bit. It returns them in order: first those that have all other
// components of the owner. What it returns is good until the next call.
func (p *pool) sift(handles []Entity, had uint64) (members, loose []Entity) {
	w, g := p.w, p.group
	members, loose = handlesOf(w.sifted[0], len(handles)), handlesOf(w.sifted[1], len(handles))
	w.sifted = [2][]Entity{members, loose}
	done, n, m := p.siftNear(handles, had, members, loose)
	for _, e := range handles[done:] {
		r := w.record(e)
		if r == nil {
			continue
		}
		set := p.set(r, e)
		if set == nil || *set&p.bit != had {
			continue
		}
		*set ^= p.bit
		if g != nil && g.lacksOnly(e, r, p) {
			members[n] = e
			n++
		} else {
			loose[m] = e
			m++
		}
	}
	return members[:n], loose[:m]
}

// siftNear is sift as far as the short way is open, in a loop without a call. It returns
// for how many handles that was so, and how many are members and loose.
func (p *pool) siftNear(handles []Entity, had uint64, members, loose []Entity) (done, n, m int) {
	records, bit, near := unsafe.Pointer(p.w.first), p.bit, p.near
	rest := bit // of the owner's set; of no set that lacks the bit, where there is no owner
	if p.group != nil {
		rest = p.group.first &^ bit
	}
	for done < len(handles) {
		e := handles[done]
		if e.Index() >= near {
			break
		}
		done++
		r := (*record)(unsafe.Add(records, uintptr(e.Index())*unsafe.Sizeof(record{})))
		set := r.set
		if !r.is(e) || set&bit != had {
			continue
		}
		r.set = set ^ bit
		if set&^bit&rest == rest {
			members[n] = e
			n++
		} else {
			loose[m] = e
			m++
		}
	}
	return done, n, m
}

// handlesOf is a slice of n handles, s itself if that is large enough.
func handlesOf(s []Entity, n int) []Entity {
	if cap(s) < n {
		return make([]Entity, n)
	}
	return s[:n]
}

// flip undoes sift.
func (p *pool) flip(handles []Entity) {
	for _, e := range handles {
		*p.set(p.w.recordAt(e.Index()), e) ^= p.bit
	}
}

// set is the part of an entity's set that has the component's bit, or nil if there is no
// place for it yet.
func (p *pool) set(r *record, e Entity) *uint64 {
	if p.plane == 0 {
		return &r.set
	}
	return p.w.planes[p.plane-1].Ptr(e.Index())
}

// prepareAll is prepare for those that are alive.
func (p *pool) prepareAll(handles []Entity) error {
	if _, ready := p.slots.Base(); p.plane == 0 && ready >= p.w.next {
		return nil
	}
	for _, e := range handles {
		if p.w.record(e) != nil {
			if err := p.prepare(e, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// reserve appends n rows to a sequence, and to w.runs where they are. If there is no room
// for all, there are as many as before.
func (w *World) reserve(s *memmgr.Sequence, n int) bool {
	for left := n; left > 0; {
		l, k, err := s.AppendRun(left)
		if err != nil {
			w.dropLast(s, n-left)
			return false
		}
		w.runs = append(w.runs, run{l, k})
		left -= k
	}
	return true
}

// reserveLoose is reserve for loose rows.
func (p *pool) reserveLoose(n int) bool {
	if p.loose == nil {
		if p.looseRows() != nil {
			return false
		}
		p.settle()
	}
	return p.w.reserve(p.loose, n)
}

// reserveLoose is reserve for n loose rows of each component but one.
func (g *group) reserveLoose(but *pool, n int) bool {
	for i, p := range g.pools {
		if p == but || p.reserveLoose(n) {
			continue
		}
		for _, q := range g.pools[:i] {
			if q != but {
				g.w.dropLast(q.loose, n)
			}
		}
		return false
	}
	return true
}

// eachRun calls with each run of rows and the entities that they are for.
func eachRun(runs []run, handles []Entity, do func(l memmgr.Loc, handles []Entity)) {
	for _, r := range runs {
		do(r.at, handles[:r.n])
		handles = handles[r.n:]
	}
}

// eachLoose is eachRun for the runs that g.reserveLoose has appended.
func (w *World) eachLoose(g *group, but *pool, handles []Entity, do func(p *pool, l memmgr.Loc, handles []Entity)) {
	runs := w.runs
	for _, p := range g.pools {
		for rest := handles; p != but && len(rest) > 0; runs = runs[1:] {
			do(p, runs[0].at, rest[:runs[0].n])
			rest = rest[runs[0].n:]
		}
	}
}

// putEntities is putEntity for consecutive rows of a chunk.
func (w *World) putEntities(l memmgr.Loc, handles []Entity) {
	c := w.ids.CellOf(l)
	c.Stamp = w.m.Tick()
	copy(unsafe.Slice((*Entity)(unsafe.Add(c.Addr, l.Index()*8)), len(handles)), handles)
}

// follow returns where the first entity's value is, and how many of those after it have
// theirs right behind it. All must have the component.
func (p *pool) follow(handles []Entity) (l memmgr.Loc, n int) {
	l = slotLoc(p.slots.Load(handles[0].Index()))
	base, _ := p.slots.Base()
	next := l
	for n = 1; n < len(handles); n++ {
		e, s := handles[n], uint64(0)
		if base != nil {
			s = *slotAt(base, e)
		} else {
			s = p.slots.Load(e.Index())
		}
		if next = next.Plus(1); s != makeSlot(e, next) {
			break
		}
	}
	return l, n
}

// copyValues copies the values of entities side by side.
func (p *pool) copyValues(to unsafe.Pointer, handles []Entity) {
	for {
		l, n := p.follow(handles)
		if n == 1 {
			copyValue(to, p.value(l), p.size)
		} else {
			chunk.CopyBytes(to, p.value(l), uintptr(n)*p.size)
		}
		if handles = handles[n:]; len(handles) == 0 {
			return
		}
		to = unsafe.Add(to, uintptr(n)*p.size) // never beyond the values
	}
}

// alone is the component as what a group's loops over columns go over.
func (p *pool) alone() [1]groupColumn {
	base, _ := p.slots.Base()
	return [1]groupColumn{{base: base, pool: p, dir: p.dir, size: p.size}}
}

// clearSlots empties the slots of entities.
func (p *pool) clearSlots(handles []Entity) {
	c := p.alone()
	for len(handles) > 0 {
		s := spanOf(handles)
		c[0].clearSlots(s, handles)
		handles = handles[s.n:]
	}
}

// dropLooseRows is dropLoose for entities, one after the other.
func (p *pool) dropLooseRows(handles []Entity) {
	own := p.alone()
	for len(handles) > 0 {
		l, n := p.followRows(p.loose, handles)
		if n == 1 {
			p.dropLoose(l)
		} else {
			p.w.dropRun(p.loose, own[:], l, n)
		}
		handles = handles[n:]
	}
}

// dropRows is dropRow for entities, one after the other; slots of p tell their rows.
func (g *group) dropRows(p *pool, handles []Entity) {
	for len(handles) > 0 {
		l, n := p.followRows(g.seq, handles)
		if n == 1 {
			g.dropRow(l)
		} else {
			g.w.dropRun(g.seq, g.cols, l, n)
		}
		handles = handles[n:]
	}
}

// followRows is follow along the rows of a sequence, from chunk to chunk.
func (p *pool) followRows(s *memmgr.Sequence, handles []Entity) (l memmgr.Loc, n int) {
	l, n = p.follow(handles)
	end := int(l.Row()) + n
	for i := p.w.m.Order(l.Chunk()); n < len(handles); i++ {
		if _, rows := s.Chunk(i); end < rows || i+1 == s.ChunkCount() {
			break
		}
		id, _ := s.Chunk(i + 1)
		if slotLoc(p.slots.Load(handles[n].Index())) != memmgr.MakeLoc(id, 0) {
			break
		}
		_, end = p.follow(handles[n:])
		n += end
	}
	return l, n
}

// dropRun removes n rows from l on, first to last: each time the last row of the sequence
// moves into the hole. So the last rows come to lie there backwards, as many as are
// behind the run and no more than it has:
//
//	a  b [c  d  e] f  g      without c, d, e:  a  b  g  f
func (w *World) dropRun(s *memmgr.Sequence, cols []groupColumn, l memmgr.Loc, n int) {
	at := w.m.Order(l.Chunk())
	behind := s.Len() - at*int(s.Layout().Capacity()) - int(l.Row()) - n
	for moves := min(n, behind); moves > 0; {
		_, rows := s.Chunk(at)
		k := min(moves, s.TailLen(), rows-int(l.Row()))
		w.moveBackwards(cols, l, s.Last(), k)
		w.dropLast(s, k)
		moves, n = moves-k, n-k
		if l = l.Plus(uint32(k)); int(l.Row()) == rows && moves > 0 {
			at++
			id, _ := s.Chunk(at)
			l = memmgr.MakeLoc(id, 0)
		}
	}
	w.dropLast(s, n)
}

// moveBackwards copies the last row to l, the one before it to the row after l, and so
// on, n rows, and points their slots there.
func (w *World) moveBackwards(cols []groupColumn, l, last memmgr.Loc, n int) {
	back := func(to, from unsafe.Pointer, size uintptr) { fillColumn(to, from, -size, size, n) }
	for i := range cols {
		p := cols[i].pool
		back(p.value(l), p.value(last), p.size)
	}
	cell := w.ids.CellOf(l)
	cell.Stamp = w.m.Tick()
	to := unsafe.Add(cell.Addr, l.Index()*8)
	back(to, w.ids.At(last, 8), 8)
	point(cols, unsafe.Slice((*Entity)(to), n), l)
}

// dropLast removes the last n rows, whose slots point elsewhere.
func (w *World) dropLast(s *memmgr.Sequence, n int) {
	for n > 0 {
		k := min(n, s.TailLen())
		w.ids.CellOf(s.Last()).Stamp = w.m.Tick()
		s.DropTail(k)
		n -= k
	}
}
