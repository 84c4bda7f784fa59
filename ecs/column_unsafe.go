package ecs

import (
	"slices"
	"unsafe"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/views"
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
		ds = append(ds, direct{dir: &c.pool.c.Dir, offset: uint32(c.offset), write: c.write})
	}
	return ds
}

// column is a field that is filled with a component's values, or with a field of them.
type column struct {
	name     string // the Go field's
	pool     *pool
	part     part
	offset   uintptr // of the field in the query's struct
	write    bool
	optional bool
	source   views.Source   // where values are gathered from
	scratch  []uint64       // where they are gathered to
	presence []uint64       // a bit a row of the batch: has the component
	data     unsafe.Pointer // the values for the chunk under way; nil under an alias
}

// whole tells whether the field stands for the whole component.
func (c *column) whole() bool { return c.part.path == "" }

// inPlace tells whether the rows of a source that match have the column, the query's j-th.
func (c *column) inPlace(s *source, j int) bool {
	return c.whole() && s.has(j, c.optional)
}

// has tells whether the rows of a source that match have the query's j-th column.
func (s *source) has(j int, may bool) bool {
	return s.place[j] == fixedIn || s.place[j] == optional && !may
}

// find makes the source ready for a walk, during which no chunk comes or goes.
func (c *column) find() {
	p := c.pool
	c.source = views.Source{
		Words: p.c.Words.Flat(), Rare: p.c.Words.Rare(), Cells: views.Cells(&p.c.Dir), Mark: store.Mark,
		Stride: p.spec.Size, Offset: uint32(c.part.offset), Size: uint32(c.part.size),
	}
	if !p.c.Certain() {
		c.source.Places = p.c.Dir.Places()
	}
}

// pick copies the values of some rows of a chunk side by side into scratch.
func (c *column) pick(base unsafe.Pointer, rows []uint16) unsafe.Pointer {
	to := c.room(len(rows))
	raw.Pick(raw.Data(to), base, rows, c.pool.size)
	return raw.Data(to)
}

// putBack copies what pick has copied back to the rows.
func (c *column) putBack(cell *memmgr.Cell, rows []uint16, tick uint64) {
	raw.Put(cell.Addr, raw.Data(c.room(len(rows))), rows, c.pool.size)
	cell.Stamp = tick
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
func (p Presence) Has(i int) bool {
	if i/64 >= len(p.bits) {
		panic(noRow{})
	}
	return p.bits[i/64]>>(i%64)&1 != 0
}

// noRow is what Presence.Has panics with beyond the batch.
type noRow struct{}

func (noRow) Error() string {
	return "ecs: Presence.Has of a row that the batch does not have: ask for rows of the slices beside it, in the call that it was passed to"
}

// header is a slice as it lies in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// room returns n rows of scratch.
func (c *column) room(n int) []byte {
	words := (n*int(c.part.size) + 7) / 8
	if len(c.scratch) < max(words, 1) {
		c.scratch = make([]uint64, max(words, 1))
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(c.scratch))), n*int(c.part.size))
}

// gather copies the values of entities side by side into scratch; those that lack
// the component read as zero, and have no bit in presence.
func (c *column) gather(handles []Entity) unsafe.Pointer {
	to := c.room(len(handles))
	c.presence = slices.Grow(c.presence[:0], (len(handles)+63)/64)[:(len(handles)+63)/64]
	c.source.Gather(to, words(handles), views.Found{Presence: c.presence})
	return unsafe.Pointer(unsafe.SliceData(c.scratch))
}

// scatter copies scratch back to where the values of entities lie.
func (c *column) scatter(handles []Entity, tick uint64) {
	c.source.Scatter(c.room(len(handles)), words(handles), tick)
}

// full tells whether all of n bits are set.
func full(bits []uint64, n int) bool {
	for ; n >= 64; n -= 64 {
		if bits[0] != ^uint64(0) {
			return false
		}
		bits = bits[1:]
	}
	return n == 0 || bits[0] == 1<<n-1
}

// words is handles as the numbers that they are.
func words(handles []Entity) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.SliceData(handles)), len(handles))
}

func (c *column) findPresence(handles []Entity) {
	c.presence = append(c.presence[:0], make([]uint64, (len(handles)+63)/64)...)
	for i, e := range handles {
		if c.pool.c.Has(e) {
			c.presence[i/64] |= 1 << (i % 64)
		}
	}
}
