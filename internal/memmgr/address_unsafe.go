package memmgr

import "unsafe"

// address is where something lies; only files ending in _unsafe.go look there.
type address = unsafe.Pointer

func plus(p address, bytes uint32) address { return unsafe.Add(p, bytes) }
