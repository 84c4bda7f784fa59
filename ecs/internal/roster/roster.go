// Package roster keeps lists of members that come and go one by one: systems, and readers of a view.
//
// # Picture
//
//	Add      1 2 3 4 5
//	Remove   1 · 3 · 5     a hole each: nothing moves
//	All      1 3 5         holes are closed before the list is read
//
// A program may remove thousands of systems from the middle, one after another. To close each hole at
// once would move all behind it every time. Lists are read as a whole, so the reader closes them all in
// one pass, which costs no more than its own pass.
//
// # Invariants
//
//   - Members are in the order of their numbers, in which they came.
//   - At most half of a list and one more are holes, so it takes no memory for members that have gone.
package roster

import "slices"

// List is members in the order of their numbers. The zero value is an empty list.
type List[T comparable] struct {
	numbers []int // ascending, including holes
	members []T   // the zero value: a hole
	holes   int
}

// Add appends a member. Its number is larger than any before.
func (l *List[T]) Add(number int, member T) {
	l.numbers, l.members = append(l.numbers, number), append(l.members, member)
}

// Find returns the member of a number; the zero value if there is none. It costs a binary search.
func (l *List[T]) Find(number int) (member T) {
	if i, is := slices.BinarySearch(l.numbers, number); is {
		member = l.members[i]
	}
	return member
}

// Remove takes out the member of a number, and tells whether there was one. It costs a binary search,
// and a pass over the list once for half of its members.
func (l *List[T]) Remove(number int) (was bool) {
	var none T
	i, is := slices.BinarySearch(l.numbers, number)
	if !is || l.members[i] == none {
		return false
	}
	l.members[i] = none
	if l.holes++; l.holes > 1+len(l.members)/2 {
		l.close()
	}
	return true
}

// Len is how many members there are.
func (l *List[T]) Len() int { return len(l.members) - l.holes }

// All are the members. The slice is good until the next change, and is not to be written. It costs a
// pass over the list if some were removed.
func (l *List[T]) All() []T {
	if l.holes > 0 {
		l.close()
	}
	return l.members
}

// close moves the members together.
func (l *List[T]) close() {
	var none T
	n := 0
	for i, x := range l.members {
		if x != none {
			l.members[n], l.numbers[n] = x, l.numbers[i]
			n++
		}
	}
	clear(l.members[n:])
	l.members, l.numbers, l.holes = l.members[:n], l.numbers[:n], 0
}
