package caches

import (
	"encoding/binary"
	"syscall"
)

// sysctl returns the kernel's own.
func sysctl() func(name string) (uint64, bool) {
	return func(name string) (uint64, bool) {
		text, err := syscall.Sysctl(name)
		if err != nil || len(text) > 8 {
			return 0, false
		}
		// A number comes as its bytes, 4 or 8 of them, the last one dropped if it
		// is 0.
		var raw [8]byte
		copy(raw[:], text)
		return binary.LittleEndian.Uint64(raw[:]), true
	}
}
