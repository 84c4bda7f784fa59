package memmgr

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// Directory finds one column by chunk number: the address of its row 0 in each
// chunk that has it, and the stamp of the last write to it there. The manager
// keeps the addresses, its user sets the stamps. The zero value is an empty
// directory; it must not be copied once a sequence uses it.
//
// A chunk's cell is the one at the low bits of its number, as many bits as it
// takes to tell this column's chunks apart. So a lookup is a mask and a load, and
// a column with a few chunks has a few cells however large their numbers are.
//
// The addresses are there twice: in the cells, beside the stamps, for those that
// write, and side by side for lookups, whose load then does the scaling.
type Directory struct {
	at   unsafe.Pointer // addresses, one a cell; nil if there are no cells
	p    unsafe.Pointer // cells
	mask uint64         // how many there are, less one
	ids  *chunk.ID      // the chunk of each cell; 0 if none
	m    *Manager       // whose it is; nil until a sequence uses it
	spec chunk.Spec     // of the column
}

// Cell is what a Directory knows of one chunk.
type Cell struct {
	// Addr is where row 0 of the column lies: good until the next safe point or
	// structural change of the sequence. It is for reading: lookups have their own.
	Addr unsafe.Pointer
	_    [2 - unsafe.Sizeof(uintptr(0))/4]uint32 // 16 bytes on 32-bit machines too
	// Stamp is the manager's tick at the last write to the column in this chunk.
	Stamp uint64
}

const (
	cellBytes = 16
	addrBytes = unsafe.Sizeof(uintptr(0))
)

var _ [cellBytes]byte = [unsafe.Sizeof(Cell{})]byte{} // lookups count in cells of this size

// Find returns where row 0 of the column lies in the chunk of a location, which
// may have other bits above its Loc. For a chunk without the column the result is
// undefined. One mask, one load; it is small enough to be inlined twice over.
func (d *Directory) Find(l uint64) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(d.at, l&d.mask*uint64(addrBytes)))
}

// Addr returns where row 0 of the column lies in a chunk that has the column.
func (d *Directory) Addr(id chunk.ID) unsafe.Pointer {
	if arena.Checked {
		d.mustHave(id)
	}
	return d.Find(uint64(id))
}

// Cell returns the cell of a chunk that has the column. It is good until the
// next chunk is added to a sequence with this column.
func (d *Directory) Cell(id chunk.ID) *Cell { return d.CellOf(Loc(id)) }

// CellOf is Cell for the chunk of a location.
func (d *Directory) CellOf(l Loc) *Cell {
	if arena.Checked {
		d.mustHave(l.Chunk())
	}
	return (*Cell)(unsafe.Add(d.p, uint64(l)&d.mask*cellBytes))
}

// At returns the address of a row's value; size is the column's.
func (d *Directory) At(l Loc, size uint32) unsafe.Pointer {
	if arena.Checked {
		d.mustHave(l.Chunk())
	}
	return unsafe.Add(d.Find(uint64(l)), uint64(l.Row())*uint64(size))
}

// Has tells whether the directory has an address for a chunk.
func (d *Directory) Has(id chunk.ID) bool {
	return id != 0 && d != nil && d.p != nil && *d.id(uint64(id)) == id
}

// mustHave panics for a chunk without the column, in checked builds: elsewhere what
// comes of it is undefined.
func (d *Directory) mustHave(id chunk.ID) {
	if !d.Has(id) {
		panic(fmt.Sprintf("memmgr: chunk %d does not have this column, or is not in use any more: keep numbers of chunks only while their rows stay", id))
	}
}

// id, cell and addr are what the low bits of a number stand for; there must be cells.
func (d *Directory) id(n uint64) *chunk.ID {
	return (*chunk.ID)(unsafe.Add(unsafe.Pointer(d.ids), n&d.mask*uint64(unsafe.Sizeof(chunk.ID(0)))))
}

func (d *Directory) cell(n uint64) *Cell { return (*Cell)(unsafe.Add(d.p, n&d.mask*cellBytes)) }

func (d *Directory) addr(n uint64) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(d.at, n&d.mask*uint64(addrBytes)))
}

// more is how many cells set would add for a chunk.
func (d *Directory) more(id chunk.ID) uint64 {
	if d.p == nil {
		return 0
	}
	held := *d.id(uint64(id))
	if held == 0 || held == id {
		return 0
	}
	return uint64(2)<<bits.TrailingZeros32(uint32(held^id)) - (d.mask + 1)
}

// set enters an address, and doubles the cells first until no two chunks want the
// same one: at worst to the next power of two above the largest number.
func (d *Directory) set(id chunk.ID, addr unsafe.Pointer) {
	if d.p == nil {
		d.resize(1)
	}
	for held := *d.id(uint64(id)); held != 0 && held != id; held = *d.id(uint64(id)) {
		d.resize(2 * (d.mask + 1))
	}
	d.enter(id, addr)
}

func (d *Directory) enter(id chunk.ID, addr unsafe.Pointer) {
	n := uint64(id)
	*d.id(n), d.cell(n).Addr, *d.addr(n) = id, addr, addr
}

// resize makes n cells, a power of two, and enters the old ones; more bits never
// make two chunks collide.
func (d *Directory) resize(n uint64) {
	old := *d
	d.p, d.at = unsafe.Pointer(unsafe.SliceData(make([]Cell, n))), unsafe.Pointer(unsafe.SliceData(make([]unsafe.Pointer, n)))
	d.ids, d.mask = unsafe.SliceData(make([]chunk.ID, n)), n-1
	if old.p == nil {
		return
	}
	for i := range old.mask + 1 {
		if id := *old.id(i); id != 0 {
			d.enter(id, *old.addr(i))
			d.cell(uint64(id)).Stamp = old.cell(i).Stamp
		}
	}
}

// clear forgets a chunk.
func (d *Directory) clear(id chunk.ID) {
	n := uint64(id)
	*d.id(n), *d.cell(n), *d.addr(n) = 0, Cell{}, nil
}

// reset forgets all: addresses must not outlive the mapping, in which Go may later
// place memory of its own.
func (d *Directory) reset() { *d = Directory{m: d.m, spec: d.spec} }
