package memmgr

import "unsafe"

// Bytes is a row's value in column i, as bytes.
func Bytes(s *Sequence, i int, l Loc) []byte {
	size := s.Layout().Spec(i).Size
	return unsafe.Slice((*byte)(s.directory(i).At(l, size)), size)
}

// bytesAt are n bytes from an offset on.
func bytesAt(base unsafe.Pointer, offset uint32, n int) []byte {
	return unsafe.Slice((*byte)(unsafe.Add(base, offset)), n)
}
