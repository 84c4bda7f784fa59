package chunk

import "unsafe"

// Slice returns n values of type T from byte offset on of the chunk at base. The
// caller vouches that they lie within the chunk and are aligned. It lives as long
// as the chunk stays where it is: until the next safe point or structural change.
func Slice[T any](base unsafe.Pointer, offset uint32, n int) []T {
	return unsafe.Slice((*T)(unsafe.Add(base, offset)), n)
}
