package views

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// Cells returns all cells of a directory, a power of two of them; none if no chunk
// has the column yet. They are good until the next chunk is added. It costs a step
// for each doubling.
func Cells(d *memmgr.Directory) []memmgr.Cell {
	cells := d.Cells() // cell 0 may be no chunk's
	first := cells.Of(0)
	n := uint64(1)
	for first != nil && cells.Of(n) != first { // numbers wrap at the number of cells
		n *= 2
	}
	if first == nil {
		return nil
	}
	return unsafe.Slice(first, n)
}
