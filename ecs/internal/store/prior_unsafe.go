package store

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/memmgr"
)

// FindPrior is what Lookup calls for a handle whose value the entries don't tell. The directory is a Prior's.
func FindPrior(d *memmgr.Directory, e uint64) unsafe.Pointer {
	b := (*Prior)(unsafe.Pointer(d))
	l, has := b.c.Loc(Entity(e))
	if !has {
		return nil
	}
	return b.dir.At(l, uint32(b.c.Size))
}

var _ [0]byte = [unsafe.Offsetof(Prior{}.dir)]byte{} // so that FindPrior has the Prior
