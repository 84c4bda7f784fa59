package chunk

import "unsafe"

// Slice returns n values of type T from byte offset on of the chunk at base. They must be
// within the chunk and aligned. The slice is good until the next safe point or structural
// change.
func Slice[T any](base unsafe.Pointer, offset uint32, n int) []T {
	return unsafe.Slice((*T)(unsafe.Add(base, offset)), n)
}
