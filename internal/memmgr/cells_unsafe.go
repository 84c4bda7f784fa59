package memmgr

import "unsafe"

// Cells is a directory's cells by value, for those that need several with stores in
// between: it stays in registers, where a Directory would be read again. It is good as
// long as a Cell.
type Cells struct {
	p    unsafe.Pointer
	mask uint64
}

// Cells returns the directory's cells as they are now.
func (d *Directory) Cells() Cells { return Cells{d.p, d.mask} }

// Of returns the cell of the chunk of a location, which may have other bits above its
// Loc.
func (c Cells) Of(l uint64) *Cell { return (*Cell)(unsafe.Add(c.p, l&c.mask*cellBytes)) }
