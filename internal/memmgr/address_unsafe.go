package memmgr

import "unsafe"

// address is an address in mapped memory. Only files ending in _unsafe.go read there.
type address = unsafe.Pointer

func plus(p address, bytes uint32) address { return unsafe.Add(p, bytes) }
