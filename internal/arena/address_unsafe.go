package arena

import "unsafe"

// address is where something lies; only files ending in _unsafe.go look there.
type address = unsafe.Pointer

func plus(p address, bytes uint64) address { return unsafe.Add(p, bytes) }
