package source

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// A copy of a field can't stand for its component: a handle wants the whole value, side by side. So
// the handle gets the value itself, in its row, and both places are kept equal.
//
//	handle reads    a written copy goes to the row first
//	handle writes   likewise, and the value that the row has then is noted: a part
//	refresh         bytes of the row that differ from the note go to the copy
//
// The struct and the handle may both write between two accesses. Bytes that one of the two has changed
// are kept, and values that both have changed are the handle's. A part is refreshed by the next access
// to a lent component, by Refresh, and before the copies are put back.

// parts are the values of a batch that were handed out for writing, of which the batch has copies of
// fields. All is empty at the end of a batch.
type parts struct {
	list  []part
	at    map[partOf]int // of each in list: one value has one part, however often it is handed out
	fresh []int          // the ones in list that were handed out since the last refresh
	notes []byte         // room for part.was
}

// partOf is a row of a batch in a column.
type partOf struct{ column, row int }

// part is a field of a value that was handed out for writing.
type part struct {
	partOf
	place raw.Ptr // of the field, in the value that was handed out
	copy  raw.Ptr // in the batch
	was   []byte  // the bytes at place, when it was handed out or refreshed
}

// add notes a field of some bytes of a value that is handed out.
func (p *parts) add(of partOf, place, copied raw.Ptr, bytes int) int {
	if p.at == nil {
		p.at = make(map[partOf]int)
	}
	from := len(p.notes)
	p.notes = append(p.notes, raw.Slice[byte](place, bytes)...)
	p.list = append(p.list, part{of, place, copied, p.notes[from:len(p.notes):len(p.notes)]})
	p.at[of] = len(p.list) - 1
	return len(p.list) - 1
}

// take copies the bytes that were written to the value since it was handed out to the batch's copy.
func (p *part) take() {
	now, to := raw.Slice[byte](p.place, len(p.was)), raw.Slice[byte](p.copy, len(p.was))
	for i, b := range now {
		if b != p.was[i] {
			to[i], p.was[i] = b, b
		}
	}
}

// refresh takes the writes to the values that were handed out since the last refresh, or to all:
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
func (p *parts) has(column int) bool {
	return slices.ContainsFunc(p.list, func(x part) bool { return x.column == column })
}

func (p *parts) clear() {
	if len(p.list) > 0 {
		clear(p.at)
		clear(p.list)
		p.list, p.fresh, p.notes = p.list[:0], p.fresh[:0], p.notes[:0]
	}
}
