package source

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// A copy of a field can't stand for its component: a handle wants the whole value, side by side. So
// the handle gets the value itself, in its row, and both places are kept equal.
//
//	handle reads    a written copy goes to the row first
//	handle writes   likewise, and what the row has then is noted: a part
//	refresh         bytes of the row that differ from the note go to the copy
//
// The struct and the handle may both write between two accesses. Bytes that one of the two has changed
// are kept, and those that both have changed are the handle's. A part is refreshed by the next access
// to a lent component, by Refresh, and before the copies are put back.

// parts are the values of a batch that were handed out for writing, of which the batch has copies of
// fields. All is empty at the end of a batch.
type parts struct {
	list  []part
	at    map[partOf]int // of each in list: one value has one part, however often it is handed out
	fresh []int          // those in list that were handed out since the last refresh
	notes []byte         // room for part.was
}

// partOf is a row of a batch in a column.
type partOf struct {
	x   *source
	row int
}

// part is a field of a value that was handed out for writing.
type part struct {
	partOf
	place raw.Ptr // of the field, in the value that was handed out
	was   []byte  // the bytes there, when it was handed out or refreshed
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
		i, has := p.at[partOf{x, row}]
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
			i = p.add(partOf{x, row}, place)
		default:
			continue
		}
		p.fresh = append(p.fresh, i)
	}
}

// add notes a field of a value that is handed out.
func (p *parts) add(of partOf, place raw.Ptr) int {
	if p.at == nil {
		p.at = make(map[partOf]int)
	}
	from := len(p.notes)
	p.notes = append(p.notes, raw.Slice[byte](place, int(of.x.size))...)
	p.list = append(p.list, part{of, place, p.notes[from:len(p.notes):len(p.notes)]})
	p.at[of] = len(p.list) - 1
	return len(p.list) - 1
}

// take copies the bytes that were written to the value since it was handed out to the batch's copy.
func (p *part) take() {
	now, to := raw.Slice[byte](p.place, len(p.was)), raw.Slice[byte](p.x.copyAt(p.row), len(p.was))
	for i, b := range now {
		if b != p.was[i] {
			to[i], p.was[i] = b, b
		}
	}
}

// refresh takes what was written to the values that were handed out since the last refresh, or to all:
// an address may be used again.
func (p *parts) refresh(all bool) {
	if all {
		for i := range p.list {
			p.list[i].take()
		}
	} else {
		for _, i := range p.fresh {
			p.list[i].take()
		}
	}
	p.fresh = p.fresh[:0]
}

// has tells whether a value of a column was handed out.
func (p *parts) has(x *source) bool {
	for i := range p.list {
		if p.list[i].x == x {
			return true
		}
	}
	return false
}

func (p *parts) clear() {
	if len(p.list) > 0 {
		clear(p.at)
		clear(p.list)
		p.list, p.fresh, p.notes = p.list[:0], p.fresh[:0], p.notes[:0]
	}
}
