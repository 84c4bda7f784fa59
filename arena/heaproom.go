package arena

import (
	"fmt"
	"runtime"
)

// The Go runtime ends the process if the system refuses memory. So under a limit on address
// space (RLIMIT_AS, ulimit -v) the heap back end looks before it allocates.
const (
	// heapStep is by how much Go's heap takes address space, on 64 bit.
	heapStep = 64 << 20
	// heapSpare is the address space that is left to the rest of the process.
	heapSpare = 64 << 20
	// heapFreeMin is how much the heap must have free beside twice an object, so that a hole for
	// it is there without more address space.
	heapFreeMin = 32 << 20
)

// heapHas decides whether the Go heap, of which free bytes are unused, can hold an object of so
// many bytes.
func heapHas(m machine, bytes, free uint64) bool {
	left := m.limit - min(m.limit, m.used)
	steps := (bytes + heapStep - 1) / heapStep * heapStep
	return m.limit == 0 || left >= steps+heapSpare || free >= 2*bytes+heapFreeMin
}

// heapRoom returns an error if the Go heap may not be able to hold an object of so many bytes.
// Without a limit it costs a microsecond; with one, it reads a file. If the limit is near, it
// collects garbage once after the arena has dropped memory.
func (a *Arena) heapRoom(bytes uint64) error {
	m := sysMachine()
	if heapHas(m, bytes, 0) || heapHas(m, bytes, heapFree()) {
		return nil
	}
	if a.garbage {
		a.garbage = false
		runtime.GC()
		if heapHas(m, bytes, heapFree()) {
			return nil
		}
	}
	a.stats.refused[OpCommit]++
	return fmt.Errorf("the limit on the address space of this process is near: %d of %d bytes are used, %d more wanted, and Go's own heap needs some: raise the limit (ulimit -v), or free something first", m.used, m.limit, bytes)
}

// heapFree is how much of the address space that the Go heap has taken is unused. It stops the process for some
// microseconds: only a limit that is near asks for it. (Package runtime/metrics would not, but costs each process 60 µs as it starts.)
func heapFree() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapIdle
}
