package arena

import "unsafe"

// address is an address in mapped memory. Only files ending in _unsafe.go read there.
type address = unsafe.Pointer

// mapping is a reservation as the operating system gave it.
type mapping struct {
	start unsafe.Pointer
	bytes uintptr
}

func plus(p address, bytes uint64) address { return unsafe.Add(p, bytes) }
