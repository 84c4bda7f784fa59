package store

import (
	"unsafe"

	"github.com/ashlar-go/ashlar/memmgr"
)

// Find returns the address of the value that an entity has in a directory of a Component; nil if it
// has none. Pool.Get calls it where an entry alone does not tell. The directory must be the first
// field of its component: the address of one is the address of the other. The result is good until
// rows move.
func Find(d *memmgr.Directory, e uint64) unsafe.Pointer {
	c := (*Component)(unsafe.Pointer(d))
	w, at, listed := d.Entry(e)
	if at.Is(w) && w^e < 1<<VersionShift { // written out, for speed
		switch {
		case at.Own() == nil: // Lookup has found it
		case bitOf(at, w):
			return unsafe.Add(at.Addr, locOf(w).Index()*c.Size)
		case c.thin == nil:
			return nil
		}
		return c.find(Entity(e))
	}
	if listed && c.plain && (w != 0 || c.store.unseen == nil) { // the entity lacks it
		return nil
	}
	return c.find(Entity(e))
}

// bitOf tells whether the row that an entry names has a component by its bit. Precondition: the place is of the row's chunk,
// where the column is partial. An address of 32 bits is the first half of Own: no target of that kind is big-endian.
func bitOf(at *memmgr.Place, w uint64) bool {
	row := locOf(w).Index()
	return *(*uint64)(unsafe.Add(*(*unsafe.Pointer)(unsafe.Pointer(at.Own())), row/64*8))>>(row%64)&1 != 0
}

// presence is the bit of a row, by the place of its chunk: callers have that in a register. It is good until rows move.
func (x *Opt) presence(at *memmgr.Place, l memmgr.Loc) presence {
	row, first := l.Index(), uint64(uintptr(unsafe.Pointer(unsafe.SliceData(x.Bits))))
	return presence{x, l, int((*at.Own()-first)/8) + int(row/64), 1 << (row % 64)}
}

// placeBits has places of an optional component say where bits of a table are: of its last chunks, up to one that says so.
// Chunks that were there before are right unless the bits have moved, and then all are wrong. The collector knows the bits
// by the Opt, which stands as long as the chunks.
func (t *Table) placeBits(x *Opt) {
	for i := t.Seq.ChunkCount() - 1; i >= 0; i-- {
		own, bits := t.placed(x, i)
		if *own == bits {
			return
		}
		*own = bits
	}
}

// placed is what the place of the i-th chunk says of its bits, and what is right.
func (t *Table) placed(x *Opt, i int) (own *uint64, bits uint64) {
	id, _ := t.Seq.Chunk(i)
	return x.C.Dir.Place(uint64(id)).Own(), uint64(uintptr(unsafe.Pointer(&x.Bits[i*t.stride])))
}

// FindHas is Find for code that asks only whether there is a value: it returns an address that is nil if
// there is none, and counts no read.
func FindHas(d *memmgr.Directory, e uint64) unsafe.Pointer {
	c := (*Component)(unsafe.Pointer(d))
	w, at, listed := d.Entry(e)
	switch {
	case at.Own() == nil || !at.Is(w) || w^e >= 1<<VersionShift: // Lookup has found that the owner's row lacks it
		if listed && c.plain && (w != 0 || c.store.unseen == nil) {
			return nil
		}
	case bitOf(at, w):
		return unsafe.Pointer(d)
	case c.thin == nil:
		return nil
	}
	if c.Has(Entity(e)) {
		return unsafe.Pointer(d)
	}
	return nil
}

// FindUncounted is Find for code whose reads are not counted by handle.
func FindUncounted(d *memmgr.Directory, e uint64) unsafe.Pointer {
	return (*Component)(unsafe.Pointer(d)).Reach(Entity(e), false)
}

// FindMut is Find for a value that is to be written: its chunk is stamped. For a fixed column that nobody
// has copies of, the chunk is marked, so that Pool.Mut finds its values without a call.
func FindMut(d *memmgr.Directory, e uint64) unsafe.Pointer {
	c := (*Component)(unsafe.Pointer(d))
	w, at, _ := d.Entry(e)
	if w == 0 || w^e >= 1<<VersionShift || !at.Is(w) || c.AsksRows() {
		return c.counted(c.Reach(Entity(e), true))
	}
	l := locOf(w)
	switch {
	case at.Own() == nil:
		d.Mark(l, c.now())
	case bitOf(at, w):
		d.CellOf(l).Stamp = c.now()
	default:
		return c.Reach(Entity(e), true)
	}
	return unsafe.Add(at.Addr, l.Index()*c.Size)
}

// find is Find for all cases: values in lenders' copies and thin rows, counted reads, and
// change-overs.
func (c *Component) find(e Entity) unsafe.Pointer { return c.counted(c.Reach(e, false)) }

// counted counts a value that was found by handle, while that is counted.
func (c *Component) counted(at unsafe.Pointer) unsafe.Pointer {
	if at != nil && c.store.counting {
		c.reads.Add(1)
		if now := uintptr(at); !near(now, uintptr(c.last.Swap(uint64(now)))) {
			c.jumps.Add(1)
		}
	}
	return at
}

// near tells whether two values lie so close that the machine fetches the second one ahead: within some
// cache lines.
func near(a, b uintptr) bool { return a-b+nearBytes <= 2*nearBytes }

// nearBytes is how far a value lies from the one that was read before, at most, if it counts as near: 16
// cache lines (go -C bench run . -layouts -rows '^references').
const nearBytes = 1 << 10

var _ [0]byte = [unsafe.Offsetof(Component{}.Dir)]byte{} // so that Find has the component

// Reads counts values that were read or written by handle.
type Reads struct {
	Values    uint64
	Far       uint64 // of them, those that did not lie near the one before
	Contracts uint64 // further values, by contract: each contract counts once between two calls of TakeReads
}

// CountReads begins or ends to count values that are read or written by handle. Meanwhile no directory has entries, so that
// code that is inlined elsewhere and looks values up calls Find, which counts. That takes several
// times as long as a read, and finds the same.
func (s *Store) CountReads(on bool) {
	s.counting = on
	for _, c := range s.comps {
		c.point()
	}
	s.lookAgain()
}

// Counting tells whether reads by handle are counted.
func (s *Store) Counting() bool { return s.counting }

// Give counts a value that a contract gives. The caller has seen that reads are counted.
func (c *Component) Give() { c.given.Add(1) }

// TakeReads passes on the reads of each component since the last call, while they were counted.
func (s *Store) TakeReads(note func(c *Component, n Reads)) {
	for _, c := range s.comps {
		if n := (Reads{c.reads.Swap(0), c.jumps.Swap(0), c.given.Swap(0)}); n.Values+n.Contracts > 0 {
			note(c, n)
		}
	}
	s.lookAgain()
}

// lookAgain has each contract look at its entity once more, which is where it is counted.
func (s *Store) lookAgain() {
	if s.counting {
		s.clocks.move()
	}
}
