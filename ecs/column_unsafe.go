package ecs

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// direct is a field that is filled with a chunk's own column: what a sweep needs of
// a column, and no more, since there may be hundreds of groups to sweep.
type direct struct {
	dir    *memmgr.Directory
	cell   *memmgr.Cell   // in a sequence of one chunk: that one's
	addr   unsafe.Pointer // and its address
	offset uint32
	write  bool
}

// directs is the columns as a sweep needs them.
func directs(columns []column) (ds []direct) {
	for _, c := range columns {
		ds = append(ds, direct{dir: c.pool.dir, offset: uint32(c.offset), write: c.write})
	}
	return ds
}

// column is a field that is filled with a component's values.
type column struct {
	pool     *pool
	offset   uintptr // of the field in the struct
	write    bool
	optional bool
	scratch  []uint64 // where rows that do not lie side by side are gathered
	presence []uint64 // a bit a row of the batch: has the component
}

// inPlace tells whether a sequence has the column for all its rows.
func (c *column) inPlace(s *memmgr.Sequence) bool {
	return c.pool.loose == s || c.pool.group != nil && c.pool.group.seq == s
}

// presenceField is a field of type Presence, and the column it belongs to.
type presenceField struct {
	offset uintptr
	column int
}

// Presence says which rows of a batch have an optional component. It is good as
// long as the batch.
type Presence struct{ bits []uint64 }

// Has tells whether row i has the component.
func (p Presence) Has(i int) bool { return p.bits[i/64]>>(i%64)&1 != 0 }

// header is a slice as it lies in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// gather copies the values of entities side by side into scratch; those that lack
// an optional component read as zero.
func (c *column) gather(handles []Entity) unsafe.Pointer {
	size := uintptr(c.pool.spec.Size)
	if words := (len(handles)*int(size) + 7) / 8; len(c.scratch) < max(words, 1) {
		c.scratch = make([]uint64, max(words, 1))
	}
	to := unsafe.Pointer(unsafe.SliceData(c.scratch))
	for i, e := range handles {
		at := unsafe.Add(to, uintptr(i)*size)
		if s := c.pool.slots.Load(e.Index()); slotIs(s, e) {
			chunk.CopyValue(at, c.pool.value(slotLoc(s)), c.pool.spec.Size)
		} else {
			chunk.Clear(at, size)
		}
	}
	return to
}

// scatter copies scratch back to where the values of entities lie.
func (c *column) scatter(handles []Entity, tick uint64) {
	size := uintptr(c.pool.spec.Size)
	from := unsafe.Pointer(unsafe.SliceData(c.scratch))
	for i, e := range handles {
		if s := c.pool.slots.Load(e.Index()); slotIs(s, e) {
			l := slotLoc(s)
			chunk.CopyValue(c.pool.value(l), unsafe.Add(from, uintptr(i)*size), c.pool.spec.Size)
			c.pool.dir.Cell(l.Chunk()).Stamp = tick
		}
	}
}

func (c *column) findPresence(handles []Entity) {
	c.presence = append(c.presence[:0], make([]uint64, (len(handles)+63)/64)...)
	for i, e := range handles {
		if c.pool.Has(e) {
			c.presence[i/64] |= 1 << (i % 64)
		}
	}
}
