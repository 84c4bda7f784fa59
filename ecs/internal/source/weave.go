package source

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// A slice of a split component has whole values, and its fields are components with columns of their
// own. Each field is a column of the set, brought as any other one. Its values are woven into values of
// the whole, which the struct gets, and taken out of them again:
//
//	column At      a0 a1 a2           ┐
//	column Scale   s0 s1 s2           ├─ weave ─►  a0 s0 m0 │ a1 s1 m1 │ a2 s2 m2
//	column Mode    m0 m1 m2           ┘ ◄─ unweave, of written ones
//
// A column of the table costs one copy each way. Handles find the value in the whole: see copyAt.

// weft is where a column's values stand among those of the whole. Columns of one field share wide.
type weft struct {
	wide   *wide
	offset uintptr // of the column's value in a whole one, in bytes
}

// wide is the values of the whole for the batch under way.
type wide struct {
	scratch []uint64
	size    uintptr // of a value, in bytes
}

// at is the address of the whole value of a row of the batch.
func (w *weft) at(row int) raw.Ptr {
	return raw.At(raw.Data(w.wide.scratch), uintptr(row)*w.wide.size)
}

// warp makes the weft of the j-th column, if it has one.
func (s *Set) warp(j int) {
	c := &s.fields.Columns[j]
	if c.Woven.Size == 0 {
		return
	}
	s.weaves = true
	w := &wide{size: c.Woven.Size}
	for i := range s.sources[:j] {
		if x := &s.sources[i]; x.weft != nil && x.field == uint32(c.Offset) {
			w = x.weft.wide
		}
	}
	s.sources[j].weft = &weft{w, c.Woven.Offset}
}

// weave copies the values that Bring has found to the whole ones.
func (s *Set) weave(b *Batch) {
	for j := range s.sources {
		x := &s.sources[j]
		if x.weft == nil {
			continue
		}
		w := x.weft
		room(&w.wide.scratch, b.N, w.wide.size)
		to := raw.At(w.at(0), w.offset)
		switch {
		case x.now != picked:
			raw.Stride(to, x.base, w.wide.size, x.size, x.size, b.N)
		case b.Rows == nil:
			_, first := s.rows(b, x)
			raw.Stride(to, first, w.wide.size, x.size, x.size, b.N)
		default:
			_, first := s.rows(b, x)
			for k, row := range b.Rows {
				raw.Copy(raw.At(to, uintptr(k)*w.wide.size), raw.At(first, uintptr(row)*x.size), x.size)
			}
		}
	}
}

// unweave copies the fields of whole values that are written back to where weave had them from.
func (s *Set) unweave(b *Batch) {
	for j := range s.sources {
		x := &s.sources[j]
		if x.weft == nil || !x.write {
			continue
		}
		w := x.weft
		from := raw.At(w.at(0), w.offset)
		switch {
		case x.now != picked:
			raw.Stride(x.base, from, x.size, w.wide.size, x.size, b.N)
		case b.Rows == nil:
			_, first := s.rows(b, x)
			raw.Stride(first, from, x.size, w.wide.size, x.size, b.N)
		default:
			_, first := s.rows(b, x)
			for k, row := range b.Rows {
				raw.Copy(raw.At(first, uintptr(row)*x.size), raw.At(from, uintptr(k)*w.wide.size), x.size)
			}
		}
	}
}
