package source

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// lane is a field of a struct of pointers and the column of the chunk that it goes along.
type lane struct {
	field, size uintptr // offset of the field; from one value to the next
	first       uintptr // address of the value of the chunk's row 0; 0: there is none
	next        uintptr // and of the row that is filled next
}

// EachRow fills a struct of pointers for each row of a batch of one chunk, and calls, until call
// returns false. Values are passed where they lie. A pointer is nil if the row lacks the component.
//
// Nothing is copied, so there is no Bring before it and no Put after it. The cost for each row is
// an addition and a store for each lane. Columns that are not lanes cost a look-up by handle. A
// pointer is good for its call alone: the next row overwrites the field.
//
// The loop keeps few variables, because each is loaded again after the call. So rows that need more
// than steps are set up by pointRow, and the steps are the same for all.
func (s *Set) EachRow(b *Batch, into raw.Ptr, call func(raw.Ptr) bool) (more bool) {
	s.lanes = s.lay(b, s.lanes[:0])
	lanes := s.lanes
	far := len(lanes) < len(s.sources)
	steps := b.Rows == nil && !far && len(s.marks) == 0 && s.fields.Entities < 0
	for i := range b.N {
		if !steps {
			s.pointRow(b, i, far, into)
		}
		for j := range lanes {
			l := &lanes[j]
			at := l.next
			l.next = at + l.size
			raw.SetAddress(raw.At(into, l.field), at)
		}
		if !call(into) {
			return false
		}
	}
	return true
}

// pointRow has the values of the i-th row of a batch beyond a step of each lane. Rows given by number have
// the lanes jump to theirs. It fills the fields that do not go along columns, and notes that the row
// is passed.
func (s *Set) pointRow(b *Batch, i int, far bool, into raw.Ptr) {
	row := i
	if b.Rows != nil {
		row = int(b.Rows[i])
		for j := range s.lanes {
			l := &s.lanes[j]
			l.next = l.first + uintptr(row)*l.size
		}
	}
	e := raw.Slice[store.Entity](raw.At(s.store.IDs.Addr(b.ID), uintptr(row)*8), 1)
	if s.fields.Entities >= 0 {
		*raw.As[store.Entity](raw.At(into, uintptr(s.fields.Entities))) = e[0]
	}
	if s.Mark(e); !far {
		return
	}
	for j := range s.sources {
		if x := &s.sources[j]; x.kind != zeros && !s.along(x) {
			point(x.of, &s.fields.Columns[j], e[0], into)
		}
	}
}

// lay finds the columns that rows of a batch go along, and marks the written ones. A column
// of zeros is a lane too, with a step and an address of 0: its pointer is nil in each row.
func (s *Set) lay(b *Batch, lanes []lane) []lane {
	tick := s.tick()
	for j := range s.sources {
		switch x := &s.sources[j]; {
		case x.kind == zeros:
			lanes = append(lanes, lane{field: uintptr(x.field)})
		case s.along(x):
			cell := x.of.Dir.Cell(b.ID)
			at := raw.Address(cell.Addr) + x.part
			lanes = append(lanes, lane{uintptr(x.field), x.of.Size, at, at})
			if x.write {
				cell.Stamp = tick
			}
		}
	}
	return lanes
}

// along tells whether all rows that match have a column of the table, where nobody else passes it.
func (s *Set) along(x *source) bool { return x.kind <= picked && !x.gaps }

// Point fills a struct of pointers for one entity that matches. It needs no set and no walk, and
// costs a look-up for each column. The pointers are good until rows change.
func (f *Fields) Point(e store.Entity, into raw.Ptr) {
	for j := range f.Columns {
		point(f.Columns[j].Comp, &f.Columns[j], e, into)
	}
	if f.Entities >= 0 {
		*raw.As[store.Entity](raw.At(into, uintptr(f.Entities))) = e
	}
}

// point fills a column's field for one entity: nil where it lacks the component. Reach finds the
// copy instead of the row while a walk passes copies, and marks values that are to be written.
func point(of *store.Component, c *Column, e store.Entity, into raw.Ptr) {
	at := of.Reach(e, c.Write)
	if at != nil {
		at = raw.At(at, c.Part.Offset)
	}
	*raw.As[raw.Ptr](raw.At(into, c.Offset)) = at
}
