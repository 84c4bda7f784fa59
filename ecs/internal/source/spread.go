package source

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// Values are spread where each is passed in its place, as far as they lie side by side. They are if
// the rows lie in long stretches in the owner's order, or if another walk under way has the
// component. Then all readers of a value see the same one. A field of a component can't be passed
// so. It is asked for value by value, and written back so.
//
//	rows of the batch     0 1 2 3 4 5
//	rows of the owner     7 8 9 3 4 0      calls: 0..2, 3..4, 5
//
// A row that lacks the component has a zero of scratch at its own number. Such rows side by side
// are a stretch, too.

// bringSpread is bring for a column that is spread or asked. It tells whether all rows have it that
// must. For a spread column it finds presence alone. Addresses are found by stretch, just before
// each call, so that no list of them is kept.
func (s *Set) bringSpread(x *source, c *Column, b *Batch) (all bool) {
	x.presence = match.Ones(x.presence[:0], b.N)
	for i, e := range b.Entities {
		if !x.of.Has(e) {
			x.presence[i/64] &^= 1 << (i % 64)
		}
	}
	if b.Guess && !c.Optional && !full(x.presence, b.N) {
		return false
	}
	x.base = x.room(b.N)
	clear(room(&x.scratch, b.N, x.size)) // for rows that lack it
	if x.now != asked {
		return true
	}
	for i, e := range b.Entities {
		if at := x.of.Reach(e, false); at != nil {
			raw.Copy(raw.At(x.base, uintptr(i)*x.size), raw.At(at, x.part), x.size)
		}
	}
	return true
}

// stretch takes the values of up to n rows of the batch, from one on, as far as they lie side by
// side. It returns how many they are. Addresses are compared as numbers, so a stretch may cross
// chunks that lie side by side. Written values are marked here, one row behind the stretch included:
// that row is passed next, unless the walk ends.
func (s *Set) stretch(x *source, b *Batch, row, n int) int {
	place := func(row int) raw.Ptr {
		if at := x.of.Reach(b.Entities[row], x.write); at != nil {
			return at
		}
		return raw.At(raw.Data(x.scratch), uintptr(row)*x.size) // zeros
	}
	x.base, x.skip = place(row), row
	for k := 1; k < n; k++ {
		if raw.Address(place(row+k)) != raw.Address(x.base)+uintptr(k)*x.size {
			return k
		}
	}
	return n
}

// putAsked writes fields back that were asked for. Reach finds the copy of an outer walk if there is
// one, so both walks go on with the same value.
func (s *Set) putAsked(x *source, b *Batch) {
	for i, e := range b.Entities {
		if at := x.of.Reach(e, true); at != nil {
			raw.Copy(raw.At(at, x.part), raw.At(x.base, uintptr(i)*x.size), x.size)
		}
	}
}
