package main

import "unsafe"

// velocities is positions seen as velocities, of the same shape.
func velocities(p []Position) []Velocity {
	return unsafe.Slice((*Velocity)(unsafe.Pointer(unsafe.SliceData(p))), len(p))
}
