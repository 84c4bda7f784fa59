package memmgr

import (
	"sync"

	"github.com/ashlar-go/ashlar/arena/caches"
)

// cacheSizes are a processor's caches of data, as one processor sees them: bytes of the first level and of the second.
// A level that it lacks has the bytes of the level below. sharing is how many processors share the last level.
type cacheSizes struct {
	l1, l2  uint64
	sharing int
}

// usual is for processors that say nothing, or hide some of it.
var usual = cacheSizes{l1: 32 << 10, l2: 512 << 10, sharing: 1 << 10}

// detected are the caches of a manager. stated are a test's.
type detected struct {
	stated, found cacheSizes
	once          sync.Once
	_             [2]uint64 // with it a removal touches two cache lines less of what New allocates together
}

// Caches returns bytes of the first two levels of the processor's caches, and how many processors share the last level.
// They are found at the first call, which takes some 30 µs on amd64 and a millisecond where the kernel is asked. Any
// goroutine may call it.
func (m *Manager) Caches() (l1, l2 uint64, sharing int) {
	c := &m.caches
	c.once.Do(func() {
		if c.found = c.stated; !c.found.whole() {
			c.found = c.stated.or(cachesOf(caches.Detect()))
		}
	})
	return c.found.l1, c.found.l2, c.found.sharing
}

// whole tells whether all figures are known.
func (c cacheSizes) whole() bool { return c.l1 > 0 && c.l2 > 0 && c.sharing > 0 }

// or returns the figures that are known, and others for the rest.
func (c cacheSizes) or(other cacheSizes) cacheSizes {
	if c.l1 == 0 {
		c.l1 = other.l1
	}
	if c.l2 == 0 {
		c.l2 = max(c.l1, other.l2)
	}
	if c.sharing <= 0 {
		c.sharing = other.sharing
	}
	return c
}

// cachesOf reads a list. Figures that it lacks are usual ones.
func cachesOf(list []caches.Cache) (c cacheSizes) {
	for _, x := range list {
		switch x.Level {
		case 1:
			c.l1 = x.Bytes
		case 2:
			c.l2, c.sharing = x.Bytes, x.Shared
		default:
			c.sharing = x.Shared
		}
	}
	return c.or(usual)
}
