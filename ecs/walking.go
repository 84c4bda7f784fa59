package ecs

import "slices"

// walking is an iteration that is under way. Those that are pulled may end in another
// order than they began, so each has a number to end it by.
type walking struct {
	number uint64
	name   string
}

// begin notes that something iterates and returns the number to end it by.
func (w *World) begin(name string) uint64 {
	w.begun++
	w.walking = append(w.walking, walking{w.begun, name})
	w.busy = name
	return w.begun
}

// end notes that an iteration is over.
func (w *World) end(number uint64) {
	i := len(w.walking) - 1
	if w.walking[i].number != number {
		i = slices.IndexFunc(w.walking, func(x walking) bool { return x.number == number })
	}
	w.walking = slices.Delete(w.walking, i, i+1)
	w.busy = ""
	if n := len(w.walking); n > 0 {
		w.busy = w.walking[n-1].name
	}
}
