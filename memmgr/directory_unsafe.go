package memmgr

import (
	"fmt"
	"math/bits"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

func plus(p unsafe.Pointer, bytes uint32) unsafe.Pointer { return unsafe.Add(p, bytes) }

// Directory finds one column by chunk number: the address of its row 0 in each chunk that has
// it, and the stamp of the last write to it there. The manager keeps the addresses, and its
// user sets the stamps. The zero value is an empty directory. It must not be copied once a
// sequence uses it.
//
// A chunk's cell is the one at the low bits of its number, as many bits as it takes to tell
// this column's chunks apart. So a lookup is a mask and a load, and a column with a few chunks
// has a few cells however large their numbers are.
//
// Addresses are stored twice. Writers read them in the cells, beside the stamps. Lookups read
// them beside the chunks' numbers, because they may have to tell whether a chunk has the
// column at all.
//
// Rows that are found by key, as those of entities are, have entries: see Lookup.
type Directory struct {
	entries *entries       // of keys, by index
	places  unsafe.Pointer // places, one a cell; nowhere if there are no cells
	mask    uint64         // how many cells there are, less one
	cells   unsafe.Pointer // cells; nowhere if there are none
	now     *uint64        // Manager.mark, for LookupMarked
	last    uint32         // the entry for indexes from here on, always 0
	spec    chunk.Spec     // of the column
	named   uint32         // the call of MakeSequence that named it last
	book    *spot.Book     // of its manager; nil until a sequence uses it
	used    uint32         // how many chunks have a cell
	colour  uint32         // says where cells and places begin in their pages: see resize
}

// noEntry is the only entry where there are no others. It is never written.
var noEntry uint64

// entries are as many as anybody may have: on 64-bit machines one for each index, on others as many as
// memory has room for.
type entries [1 << (27 + 5*(^uint(0)>>63))]uint64

// Place is the result of a lookup for a chunk.
type Place struct {
	// Addr is the address of row 0 of the column.
	Addr unsafe.Pointer
	_    [2 - unsafe.Sizeof(uintptr(0))/4]uint32
	// chunk is the number of the chunk that the place is of, 0 if it is of none, and noChunk in the first place. The bit partly
	// is set where the column is partial. See Is and Key.
	chunk uint32
	key   uint32 // of the chunk's sequence
	// mark is that of the last Mark: the number of the chunk, and above it markOf the tick. Where the column is partial it is
	// the user's: see Own.
	mark uint64
}

// markOf is a tick as marks have it. Its highest bit is set, so that no address is a mark.
func markOf(tick uint64) uint64 { return 1<<63 | tick<<chunkBits }

// partly is the bit of places that Lookup passes over.
const partly = 1 << 31

// Is tells whether the place is of the chunk of a location, which may have other bits
// above its Loc.
func (p *Place) Is(l uint64) bool { return (p.chunk^uint32(l))<<(32-chunkBits) == 0 }

// Own is for the user's own address where the column is partial, and nil elsewhere: see ColumnSpec. It is 0 before it is
// set, and stays as long as the chunk has its number.
func (p *Place) Own() *uint64 {
	if p.chunk&partly != 0 {
		return &p.mark
	}
	return nil
}

// Key is the key of the sequence that the place's chunk is in: see Sequence.SetKey.
func (p *Place) Key() uint32 { return p.key }

func (p *Place) id() chunk.ID {
	if p.chunk == noChunk {
		return 0
	}
	return chunk.ID(p.chunk &^ partly)
}

// noChunk is in the place of chunk 0 while no other chunk has it, so that a location with chunk 0, which is none,
// finds nothing there.
const noChunk = maxChunks

// nowhere is the place, and the cell, of a directory without cells.
func nowhere() unsafe.Pointer { return unsafe.Pointer(&Place{chunk: noChunk}) }

// empty tells whether there are no cells.
func (d *Directory) empty() bool { return d.cells == d.places }

// Cell is the entry of a Directory for one chunk.
type Cell struct {
	// Addr is the address of row 0 of the column: good until the next safe point or structural
	// change of the sequence. It is for reading: lookups have their own.
	Addr unsafe.Pointer
	_    [2 - unsafe.Sizeof(uintptr(0))/4]uint32 // 16 bytes on 32-bit machines too
	// Stamp is the manager's tick at the last write to the column in this chunk. An earlier one than
	// before is set by Mark.
	Stamp uint64
}

const (
	cellBytes  = 16
	placeBytes = uint64(unsafe.Sizeof(Place{}))
)

// Lookups of other packages count in cells of this size.
var _ [cellBytes]byte = [unsafe.Sizeof(Cell{})]byte{}

// Place returns the place of the chunk of a location, which may have other bits above its Loc.
// If the chunk does not have the column, it returns the place of another chunk or of none.
// There must have been a sequence with the column. The result is good until the next chunk is
// added to one.
func (d *Directory) Place(l uint64) *Place {
	return (*Place)(unsafe.Add(d.places, l&d.mask*placeBytes))
}

// Find returns the address of row 0 of the column in the chunk of a location, which may have
// other bits above its Loc. For a chunk without the column the result is undefined. It costs
// one mask and one load, and is small enough to be inlined twice over.
func (d *Directory) Find(l uint64) unsafe.Pointer {
	return *(*unsafe.Pointer)(unsafe.Add(d.places, l&d.mask*placeBytes))
}

// Addr returns the address of row 0 of the column in a chunk that has the column.
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
	return (*Cell)(unsafe.Add(d.cells, uint64(l)&d.mask*cellBytes))
}

// Cells returns all cells, a power of two of them: a chunk's is at the low bits of its number. There
// is none before the first chunk. They are good until the next chunk is added.
func (d *Directory) Cells() []Cell {
	if d.empty() {
		return nil
	}
	return unsafe.Slice((*Cell)(d.cells), d.mask+1)
}

// At returns the address of a row's value; size is the column's.
func (d *Directory) At(l Loc, size uint32) unsafe.Pointer {
	if arena.Checked {
		d.mustHave(l.Chunk())
	}
	return unsafe.Add(d.Find(uint64(l)), uint64(l.Row())*uint64(size))
}

// SetEntries says where Lookup finds the entries of keys: in a list by index, behind which there
// is one more element that stays 0. It is good until the list moves, grows or is given back.
// Without a list Lookup always calls.
//
//go:nocheckptr
func (d *Directory) SetEntries(list []uint64) {
	d.last = uint32(len(list))
	if d.entries = (*entries)(unsafe.Pointer(unsafe.SliceData(list))); len(list) == 0 {
		d.entries = (*entries)(unsafe.Pointer(&noEntry))
	}
}

// LooksUp tells whether Lookup finds entries in a list, as SetEntries says.
func (d *Directory) LooksUp(list []uint64) bool {
	return int(d.last) == len(list) && (d.last == 0 || &d.entries[0] == &list[0] && d.entries[d.last] == 0)
}

// Entry returns the parts of a Lookup for a key: its entry, if there is one, the place of the
// entry's chunk, and whether there are entries at all.
func (d *Directory) Entry(key uint64) (entry uint64, at *Place, listed bool) {
	s := *(*uint64)(unsafe.Add(unsafe.Pointer(d.entries), 8*uintptr(min(uint32(key), d.last))))
	return s, d.Place(s), d.last > 0
}

// Lookup returns the address of a key's value, of size bytes. A key is a version, the bits above
// its LocBits low ones, which is never 0, and an index in the 32 lowest. The entry at its index is
// the Loc of its row below the same version; a Loc with chunk 0 is no row. Where the entries don't tell, or where the column is
// partial, Lookup calls slow. It costs three loads. (Its form fits the
// compiler's budget for inlining, as part of its callers. A call of a parameter is cheap there.)
func (d *Directory) Lookup(slow func(*Directory, uint64) unsafe.Pointer, key, size uint64) (p unsafe.Pointer) {
	s := d.entries[min(uint32(key), d.last)]
	p = unsafe.Add(d.places, s&d.mask*placeBytes)
	if s^key < 1<<LocBits && uint64((*Place)(p).chunk) == s&chunkMask {
		return unsafe.Add((*Place)(p).Addr, s>>chunkBits&rowMask*size)
	}
	return slow(d, key)
}

// Mirror has d find the rows that another directory finds, at addresses of its own: at is asked for that of row 0 of
// each chunk. It shares the other's entries. So it is good until these move, and until a chunk comes or goes. A
// directory that mirrors is used for nothing else, and its cells are empty.
func (d *Directory) Mirror(of *Directory, at func(id chunk.ID) unsafe.Pointer) {
	if d.places == nil || d.mask != of.mask {
		d.places, d.mask = unsafe.Pointer(unsafe.SliceData(make([]Place, of.mask+1))), of.mask
	}
	d.entries, d.last = of.entries, of.last
	for i := range of.mask + 1 {
		to := d.Place(i)
		if *to = *of.Place(i); to.id() != 0 {
			to.Addr = at(to.id())
		}
	}
}

// LookupMarked is Lookup for a value that is to be written. It finds values of chunks that are marked
// in this tick, and leaves to slow to Mark others.
func (d *Directory) LookupMarked(slow func(*Directory, uint64) unsafe.Pointer, key, size uint64) (p unsafe.Pointer) {
	s := d.entries[min(uint32(key), d.last)]
	p = unsafe.Add(d.places, s&d.mask*placeBytes)
	if s^key < 1<<LocBits && (*Place)(p).mark == s&chunkMask|*d.now {
		return unsafe.Add((*Place)(p).Addr, s>>chunkBits&rowMask*size)
	}
	return slow(d, key)
}

// Mark stamps a location's chunk. Unless the column is partial there, it has LookupMarked find the chunk's values as long as
// the tick is the current one.
func (d *Directory) Mark(l Loc, tick uint64) {
	d.CellOf(l).Stamp = tick
	if at := d.Place(uint64(l)); at.Own() == nil {
		at.mark = uint64(l)&chunkMask | markOf(tick)
	}
}

// MarkIn has LookupMarked find values that are marked in a tick that mark keeps, where code writes in a tick of its
// own; 0: in the manager's.
func (m *Manager) MarkIn(d *Directory, mark *uint64, tick uint64) {
	if d.now = &m.mark; tick > 0 {
		d.now, *mark = mark, markOf(tick)
	}
}

// has tells whether the directory has an address for a chunk.
func (d *Directory) has(id chunk.ID) bool {
	return id != 0 && d != nil && !d.empty() && d.Place(uint64(id)).id() == id
}

// mustHave panics for a chunk without the column, in checked builds. In others the
// result is undefined.
func (d *Directory) mustHave(id chunk.ID) {
	if !d.has(id) {
		panic(fmt.Sprintf("memmgr: chunk %d does not have this column, or is not in use any more: keep numbers of chunks only while their rows stay", id))
	}
}

// cell returns the cell at the low bits of a number. There must be cells.
func (d *Directory) cell(n uint64) *Cell { return (*Cell)(unsafe.Add(d.cells, n&d.mask*cellBytes)) }

// more is how many cells set would add for a chunk.
func (d *Directory) more(id chunk.ID) uint64 {
	if d.empty() {
		return 0
	}
	held := d.Place(uint64(id)).id()
	if held == 0 || held == id {
		return 0
	}
	return uint64(2)<<bits.TrailingZeros32(uint32(held^id)) - (d.mask + 1)
}

// set enters an address, the sequence's key, and whether the column is partial. Before that it
// doubles the cells until no two chunks want the same one: at worst to the next power of two
// above the largest number.
func (d *Directory) set(id chunk.ID, key uint32, partial bool, addr unsafe.Pointer) {
	if d.empty() {
		d.resize(1)
	}
	for held := d.Place(uint64(id)).id(); held != 0 && held != id; held = d.Place(uint64(id)).id() {
		d.resize(d.mask + 1 + d.more(id))
	}
	at := d.Place(uint64(id))
	if at.id() == 0 {
		d.used++
	}
	at.chunk, at.key, at.Addr, d.cell(uint64(id)).Addr = uint32(id), key, addr, addr
	if partial {
		at.chunk |= partly
	}
}

// nearlyFull reports whether a directory of more than a page is to be doubled before a chunk needs it.
// A smaller one is doubled in less time than its chunk takes.
func (d *Directory) nearlyFull() bool {
	return d.mask*cellBytes >= chunk.Page && uint64(d.used) > d.mask-d.mask/8
}

// A row that is written column by column reads a place and writes a cell of each directory, all of
// the same number. Lists of a power of two bytes begin at such distances that these would share one
// set of each cache, and of the table of pages: fifty columns would leave none of them there. So each
// list begins some lines later than the one before it, and is longer by as much:
//
//	directory 0   │ places ──────────│      │ cells ───────────│
//	directory 1   │·· places ──────────│    │··· cells ──────────│
//
// go test ./memmgr -run '^$' -bench AppendWide -benchtime 20000000x

// resize makes n cells, a power of two, and enters the old ones; more bits never
// make two chunks collide.
func (d *Directory) resize(n uint64) {
	const lines, perLine = chunk.Page / chunk.Line, chunk.Line / cellBytes // a line of cells is one and a half of places
	shifts := min(n/16, lines)                                             // of a line each: a quarter more cells at most
	at := func(colour uint32) uint64 { return uint64(colour) % max(shifts, 1) * perLine }
	old := *d
	cells, places := make([]Cell, n+shifts*perLine), make([]Place, n+shifts*perLine)
	d.cells, d.places = unsafe.Pointer(&cells[at(2*d.colour)]), unsafe.Pointer(&places[at(2*d.colour+1)])
	d.mask = n - 1
	d.Place(0).chunk = noChunk
	if old.empty() {
		return
	}
	for i := range old.mask + 1 {
		if at := old.Place(i); at.id() != 0 {
			*d.Place(uint64(at.chunk)), *d.cell(uint64(at.chunk)) = *at, *old.cell(i)
		}
	}
}

// clear forgets a chunk, which has a cell.
func (d *Directory) clear(id chunk.ID) {
	n := uint64(id)
	*d.Place(n), *d.cell(n) = Place{}, Cell{}
	if n&d.mask == 0 {
		d.Place(0).chunk = noChunk
	}
	d.used--
}

// reset forgets all: addresses must not outlive the mapping, in which Go may later
// place memory of its own.
func (d *Directory) reset() {
	*d = Directory{now: d.now, book: d.book, spec: d.spec, colour: d.colour}
	d.places = nowhere()
	d.cells = d.places
	d.SetEntries(nil)
}
