package source

import (
	"fmt"
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
//	a field of it  is written to its row first; to write the component by handle is refused
//
// A field is always a copy, however components are stored. So the refusal doesn't depend on that.
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

// lent is what a set lends.
type lent struct {
	store.Lender
	on      bool   // components are lent
	batch   *Batch // the one under way, if it has copies; nil between batches
	written []loan // by handle, of columns that the struct only reads
	wrote   bool   // something was written by handle since settle, to a component that is lent
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
	if s.finding != nil {
		return // nothing else may write these, nor read what is written
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
}

// settle puts back what was written by handle, after a batch. It runs behind putBack. Views that
// serve the table are told, because the value may be of a component that they keep.
func (s *Set) settle() {
	s.lent.batch = nil
	for _, l := range s.lent.written {
		if at, has := l.x.of.Loc(l.entity); has {
			raw.Copy(l.x.of.At(at), raw.At(l.x.base, uintptr(l.row)*l.x.size), l.x.size)
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
	return slices.ContainsFunc(s.lent.written, func(l loan) bool { return l.x == &s.sources[j] })
}

// copyOf is where the batch under way has an entity's value of a component; nil if it has no copy
// of it. The store calls it, as the Lender's Copy, for each access by handle to a lent component.
//
// Columns are searched in order, since a struct may have several fields of one component. A copy of
// a whole component is returned. A written copy of a field goes to its row first, and nil then
// sends the reader to that row, which is up to date.
func (s *Set) copyOf(of *store.Component, e store.Entity, write bool) (at raw.Ptr) {
	b, row := s.lent.batch, -1
	s.lent.wrote = s.lent.wrote || write
	for j := range s.sources {
		x := &s.sources[j]
		if x.of != of {
			continue
		}
		if !s.f.Columns[j].Whole() && write {
			panic(fmt.Sprintf("ecs: component %q is written by handle or by a query within, while %s goes over copies of its field %s: let the struct of %[2]s have the whole component, or make the change in another system", of.Name, s.name, s.f.Columns[j].Part.Path))
		}
		if b == nil || x.now == inPlace || x.now == spread || x.now == zeros || x.now == asked {
			continue
		}
		if row < 0 {
			if row = s.rowOf(b, e); row < 0 {
				continue
			}
		}
		value := raw.At(x.base, uintptr(row)*x.size)
		switch {
		case s.f.Columns[j].Whole():
			if write && !x.write {
				s.lent.written = append(s.lent.written, loan{x, e, row})
			}
			return value
		case x.write: // the row has to be as it would be by now
			if l, has := of.Loc(e); has {
				raw.Copy(raw.At(of.At(l), x.part), value, x.size)
			}
		}
	}
	return nil
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
