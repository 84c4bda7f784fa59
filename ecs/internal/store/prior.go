package store

import (
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Prior is the values of a component as they were when Begin was called, once copied, chunk by chunk. They are found by handle as those
// of the component are, by a directory that mirrors its:
//
//	entries ──► places of c.Dir ──► chunks     ▓▓▓▓░ ▓▓▓▓░ ▓▓░
//	       └──► places of dir   ──► values     ▓▓▓▓  ▓▓▓▓  ▓▓
//
// It is good until the structure of the store changes. Begin and Copy change it.
type Prior struct {
	dir    memmgr.Directory // the first field: see FindPrior
	c      *Component
	values []uint64
	at     []raw.Ptr // by the number of a chunk
	copies []copied
}

// copied is a chunk's values of before and of now.
type copied struct {
	to, from raw.Ptr
	bytes    uintptr
}

// NewPrior returns one that has no values.
func NewPrior(c *Component) *Prior {
	b := &Prior{c: c}
	b.Begin()
	b.Copy(0, 1)
	return b
}

// Begin makes room for the values of now, and returns how many bytes they are. Each part of them has to be copied then. It
// allocates where there are more of them than ever, or less than a quarter of that.
func (b *Prior) Begin() (bytes uintptr) {
	b.chunks(func(_ chunk.ID, n int) { bytes += room(n, b.c.Size) })
	if words := uintptr(len(b.values)); words*8 <= bytes || words > 64+bytes/2 {
		b.values = make([]uint64, 1+bytes/8+bytes/64)
	}
	clear(b.at)
	b.copies = b.copies[:0]
	to := raw.Data(b.values)
	b.chunks(func(id chunk.ID, n int) {
		for int(id) >= len(b.at) {
			b.at = append(b.at[:cap(b.at)], nil)
		}
		b.at[id] = to
		b.copies = append(b.copies, copied{to, b.c.Dir.Addr(id), uintptr(n) * b.c.Size})
		to = raw.At(to, room(n, b.c.Size))
	})
	b.dir.Mirror(&b.c.Dir, func(id chunk.ID) raw.Ptr {
		if int(id) >= len(b.at) { // it waits for rows
			return nil
		}
		return b.at[id]
	})
	return bytes
}

// Copy copies the i-th of some parts of the values. Parts may be copied at the same time, by any goroutines.
func (b *Prior) Copy(i, parts int) {
	n := len(b.copies)
	for _, x := range b.copies[i*n/parts : (i+1)*n/parts] {
		raw.CopyAll(x.to, x.from, x.bytes)
	}
}

// Rows returns the address of the values of entities, side by side: the copies, or where these do not lie so, room. An entity
// without one has a zero. Rows of a table or group, as they are passed, cost a look for each chunk. Others cost a look and a
// copy each.
func (b *Prior) Rows(es []Entity, scratch *[]uint64) raw.Ptr {
	size := b.c.Size
	if size == 0 {
		return raw.Data(b.values) // of any value
	}
	first, n := b.run(es)
	if n == len(es) && first != nil {
		return first
	}
	at, to := 0, raw.Ptr(nil)
	for at < len(es) {
		from, n := b.run(es[at:])
		if to == nil && (from == nil || from != raw.At(first, uintptr(at)*size)) { // the copies part here
			*scratch = raw.Room(*scratch, uintptr(len(es))*size)
			to = raw.Data(*scratch)
			raw.CopyAll(to, first, uintptr(at)*size)
		}
		switch {
		case to == nil:
		case from == nil:
			clear(raw.Slice[byte](raw.At(to, uintptr(at)*size), int(size)))
		default:
			raw.CopyAll(raw.At(to, uintptr(at)*size), from, uintptr(n)*size)
		}
		at += n
	}
	if to == nil {
		return first
	}
	return to
}

// run returns the address of the value of the first entity, and of how many from it on the values lie side by side; nil: it
// has none.
func (b *Prior) run(es []Entity) (first raw.Ptr, n int) {
	if len(es) == 0 {
		return nil, 0
	}
	l, has := b.c.Loc(es[0])
	if !has {
		return nil, 1
	}
	ids := b.c.store.IDs.Addr(l.Chunk())
	if b.dir.Place(uint64(l)).Own() == nil && raw.Data(es) == raw.At(ids, l.Index()*raw.Size[Entity]()) {
		n = min(len(es), b.c.store.tableAt(l).Seq.Capacity()-int(l.Row()))
	}
	return b.dir.At(l, uint32(b.c.Size)), max(n, 1)
}

// Name is the component's.
func (b *Prior) Name() string { return b.c.Name }

// Values are the copies, for reading.
func (b *Prior) Values() []byte { return raw.Slice[byte](raw.Data(b.values), len(b.values)*8) }

// chunks yields the chunks that have a column of the component, and how many rows they have.
func (b *Prior) chunks(yield func(id chunk.ID, n int)) {
	for _, t := range b.c.tables {
		for i := range t.Seq.ChunkCount() {
			yield(t.Seq.Chunk(i))
		}
	}
}

// room is the bytes of so many values, in whole words.
func room(n int, size uintptr) uintptr { return (uintptr(n)*size + 7) &^ 7 }
