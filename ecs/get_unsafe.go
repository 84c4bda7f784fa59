package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

const (
	versionShift = store.VersionShift
	chunkBits    = memmgr.LocBits - 13
	rowMask      = chunk.MaxRows - 1
)

// Get returns the value of an entity's component for reading, or nil if the
// entity is not alive or lacks it. The address is good until the next safe point
// or structural change. It costs three loads, however the component is stored. (Its form
// is what fits the compiler's budget for inlining, and why it is here and not in package
// raw: one call more is above it.)
func (p *Pool[T]) Get(e Entity) (v *T) {
	s := p.c.Words.Load(uint32(e))
	at := p.c.Dir.Place(s)
	if (s^uint64(e))>>versionShift == store.Mark && (at.Chunk^s)<<(64-chunkBits) == 0 {
		v = (*T)(unsafe.Add(at.Addr, s>>chunkBits&rowMask*uint64(unsafe.Sizeof(*v))))
	}
	return
}

// inlined is called by nobody. A program that uses this package can inline what Get calls in
// packages that it does not import itself, only because something here that is not generic
// does so, too: that is when the compiler passes their bodies on.
func inlined(p *pool, e Entity) *memmgr.Place { return p.c.Dir.Place(p.c.Words.Load(uint32(e))) }

var _ = inlined
