package arena

import "unsafe"

// address is an address in mapped memory. Only files ending in _unsafe.go read there.
type address = unsafe.Pointer

func plus(p address, bytes uint64) address { return unsafe.Add(p, bytes) }
