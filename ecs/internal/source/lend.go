package source

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// While a batch has copies of values, these stand for the values. The set is the lender of its
// components until the table is left. An access by handle asks the set first, and gets the address
// in the copy. So all see the same, as if the values were passed in place.
//
//	handle reads   the address in the copy
//	handle writes  likewise; a copy that the struct only reads is put back, too
//	a field of it  see parts.go
//
// A handle finds a copy by its entity. The table tells the entity's row, and the row's number is
// searched in the batch. The copy is at that position of the scratch. Nothing is noted for
// each row, so lending costs the same for any batch.
//
//	handle ─► Component.Reach ─► Lender.Copy ─► rowOf ─► base + row × size
//	                                              └ no row of the batch: the value in its row
//
// Components stay lent from the first copy to the end of the table. A Lend and Unlend for each
// batch would make contracts look again each time. Between batches, batch is nil.

// lent has the copies that a set lends.
type lent struct {
	store.Lender
	on      bool   // components are lent
	batch   *Batch // the one under way, if it has copies; nil between batches
	written []loan // by handle, of columns that the struct only reads
	wrote   bool   // something was written by handle since settle, to a component that is lent
	parts   parts
}

// loan is a value of a copy that was written by handle. It is noted only where Put would not copy
// the value back, since the struct does not write the column.
type loan struct {
	x      *source
	entity store.Entity
	row    int // of the batch
}

// lend notes that a batch has copies. It is called by Bring, after all columns are found: from here
// on, addresses of copies are final for the batch.
func (s *Set) lend(b *Batch) {
	if s.finding != nil && len(s.copied) == 0 {
		return // nothing else may write these, nor read written values
	}
	if s.lent.batch = b; s.lent.on {
		return
	}
	s.lent.on = true
	for j := range s.sources {
		if s.lends(&s.sources[j]) {
			s.sources[j].of.Lend(&s.lent.Lender)
		}
	}
}

// lends tells whether batches of the table may have copies of a column. It depends only on fields
// that Enter sets, so that unlend ends exactly what lend began.
func (s *Set) lends(x *source) bool {
	if s.finding != nil && !slices.Contains(s.copied, x.of) {
		return false
	}
	return x.kind != zeros && x.kind != spread && (x.kind != inPlace || s.tested)
}

// unlend ends that, at the end of a table.
func (s *Set) unlend() {
	if !s.lent.on {
		return
	}
	for j := range s.sources {
		if s.lends(&s.sources[j]) {
			s.sources[j].of.Unlend(&s.lent.Lender)
		}
	}
	s.lent.on, s.lent.batch, s.lent.written = false, nil, s.lent.written[:0]
	s.lent.parts.clear()
}

// settle puts back values that were written by handle, after a batch. It runs behind putBack. Views that
// serve the table are told, because the value may be of a component that they keep.
func (s *Set) settle() {
	for _, l := range s.lent.written {
		if at, has := l.x.of.Loc(l.entity); has {
			raw.Copy(l.x.of.At(at), l.x.copyAt(l.row), l.x.size)
		}
	}
	s.lent.written = s.lent.written[:0]
	if s.lent.wrote && s.serving != nil {
		s.serving.Again()
	}
	s.lent.wrote = false
}

// Written tells whether values of the j-th column were written by handle in the batch under way.
func (s *Set) Written(j int) bool {
	x := &s.sources[j]
	return slices.ContainsFunc(s.lent.written, func(l loan) bool { return l.x == x }) || s.lent.parts.has(j)
}

// Copied tells whether values of the j-th column may be copies of a walk around this one, which may write them.
func (s *Set) Copied(j int) bool { return s.sources[j].alias && s.sources[j].of.Lent() }

// copyOf is where the batch under way has an entity's value of a component, or at if it has no copy
// of the whole. The store calls it, as the Lender's Copy, for each access by handle to a lent component.
//
// A struct may have several fields of one component, and the whole as well if none is written. The
// copy of the whole is the value then, and the fields go by it.
func (s *Set) copyOf(of *store.Component, e store.Entity, at raw.Ptr, write bool) raw.Ptr {
	b := s.lent.batch
	s.lent.wrote = s.lent.wrote || write
	s.lent.parts.refresh(false)
	if b == nil {
		return at
	}
	row, fields := -1, false
	for j := range s.sources {
		x := &s.sources[j]
		if x.of != of || x.now == inPlace || x.now == spread || x.now == zeros {
			continue
		}
		if row < 0 {
			if row = s.rowOf(b, e); row < 0 {
				return at
			}
		}
		if !x.stands() {
			fields = true
			continue
		}
		if at = x.copyAt(row); write && !x.write {
			s.lent.written = append(s.lent.written, loan{x, e, row})
		}
	}
	if fields {
		s.syncParts(of, row, at, write)
	}
	return at
}

// syncParts makes the value of a row, which is at an address, and the batch's copies of its fields
// equal. With write it notes them: the value will be written. It costs a copy of each field, and a
// look-up in a map while some values are handed out.
func (s *Set) syncParts(of *store.Component, row int, at raw.Ptr, write bool) {
	p := &s.lent.parts
	for j := range s.sources {
		x := &s.sources[j]
		if x.of != of || x.now == inPlace || x.now == spread || x.now == zeros || x.stands() {
			continue
		}
		i, has := p.at[partOf{j, row}]
		if has {
			p.list[i].take()
		}
		place := raw.At(at, x.part)
		if x.write {
			raw.Copy(place, x.copyAt(row), x.size)
		}
		switch {
		case has:
			copy(p.list[i].was, raw.Slice[byte](place, int(x.size)))
		case write:
			i = p.add(partOf{j, row}, place, x.copyAt(row), int(x.size))
		default:
			continue
		}
		p.fresh = append(p.fresh, i)
	}
}

// stands tells whether copies stand for values: if they have all of these. Copies that were asked for go back
// by handle, so it is a field even then.
func (x *source) stands() bool { return x.size == x.of.Size && x.now != asked }

// copyAt is the address of the copy of a row of the batch.
func (x *source) copyAt(row int) raw.Ptr {
	if x.weft != nil {
		return raw.At(x.weft.at(row), x.weft.offset)
	}
	return raw.At(x.base, uintptr(row)*x.size)
}

// rowOf is the row of a batch that an entity has; -1 if it has none. The batch counts rows from its
// first chunk on. A batch of numbers costs a binary search.
func (s *Set) rowOf(b *Batch, e store.Entity) int {
	row := s.table.Row(e) - b.Chunk*s.table.Seq.Capacity()
	if b.Rows == nil {
		if row -= b.First; row < 0 || row >= b.N {
			return -1
		}
		return row
	}
	if row < 0 || row >= 1<<16 {
		return -1
	}
	i, has := slices.BinarySearch(b.Rows, uint16(row))
	if !has {
		return -1
	}
	return i
}
