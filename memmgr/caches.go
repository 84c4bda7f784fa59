package memmgr

import (
	"sync"

	"github.com/ashlar-go/ashlar/arena/caches"
)

// Caches are a processor's caches of data: bytes of each level, as one processor sees it. A level that it lacks has
// the bytes of the level below.
type Caches struct {
	L1, L2, L3 uint64
	// Sharing is how many processors share the last level.
	Sharing int
}

// usual is for processors that say nothing, or hide some of it.
var usual = Caches{L1: 32 << 10, L2: 512 << 10, L3: 8 << 20, Sharing: 1 << 10}

// detected are the caches of a manager. stated are a program's.
type detected struct {
	stated, found Caches
	once          sync.Once
}

// Caches returns the processor's caches, or the ones that Options state. They are found at the first call, which takes
// some 30 µs on amd64 and a millisecond where the kernel is asked. Any goroutine may call it.
func (m *Manager) Caches() Caches {
	c := &m.caches
	c.once.Do(func() {
		if c.found = c.stated; !c.found.whole() {
			c.found = c.stated.or(cachesOf(caches.Detect()))
		}
	})
	return c.found
}

// whole tells whether all figures are known.
func (c Caches) whole() bool { return c.L1 > 0 && c.L2 > 0 && c.L3 > 0 && c.Sharing > 0 }

// or returns the figures that are known, and others for the rest.
func (c Caches) or(other Caches) Caches {
	if c.L1 == 0 {
		c.L1 = other.L1
	}
	if c.L2 == 0 {
		c.L2 = max(c.L1, other.L2)
	}
	if c.L3 == 0 {
		c.L3 = max(c.L2, other.L3)
	}
	if c.Sharing <= 0 {
		c.Sharing = other.Sharing
	}
	return c
}

// cachesOf reads a list. Figures that it lacks are usual ones. If it has a second level and no third, there is none.
func cachesOf(list []caches.Cache) (c Caches) {
	for _, x := range list {
		switch x.Level {
		case 1:
			c.L1 = x.Bytes
		case 2:
			c.L2, c.L3, c.Sharing = x.Bytes, x.Bytes, x.Shared
		default:
			c.L3, c.Sharing = max(c.L3, x.Bytes), x.Shared
		}
	}
	return c.or(usual)
}
