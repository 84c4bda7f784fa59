package memmgr

import (
	"encoding/binary"
	"slices"

	"github.com/ashlar-go/ashlar/chunk"
)

// pattern fills a value, which differs from all others in each of its lanes.
func pattern(dst []byte, serial uint64, column int) {
	x := serial*0x9E3779B97F4A7C15 ^ uint64(column+1)*0xC2B2AE3D27D4EB4F
	x ^= x >> 29
	for k := 0; k < len(dst); k += 8 {
		if k == 64 && len(dst) > 256 { // the middle of wide values is left out
			k = len(dst) - 64
		}
		if len(dst)-k >= 8 {
			binary.LittleEndian.PutUint64(dst[k:], x+uint64(k)*0x9FB21C651E98DF25)
			continue
		}
		for i := k; i < len(dst); i++ {
			dst[i] = byte(x>>(8*(i-k))) + byte(i)
		}
	}
}

// wrong tells whether a value is not the one of a serial number.
func wrong(got []byte, serial uint64, column int) bool {
	var buf [256]byte
	if len(got) <= len(buf) {
		pattern(buf[:len(got)], serial, column)
		return string(buf[:len(got)]) != string(got)
	}
	want := make([]byte, len(got))
	pattern(want, serial, column)
	return string(want[:64]) != string(got[:64]) || string(want[len(got)-64:]) != string(got[len(got)-64:])
}

// wrongRow returns the first of some rows side by side that has a wrong value; -1 if
// none has.
func wrongRow(cols [][]byte, sizes []uint32, rows []uint64) (row, column int) {
	for i, size := range sizes {
		for k, serial := range rows {
			if wrong(cols[i][k*int(size):(k+1)*int(size)], serial, i) {
				return k, i
			}
		}
	}
	return -1, -1
}

// columnsOf returns the bytes of a chunk's columns.
func columnsOf(s *Sequence, sizes []uint32, id chunk.ID, rows int) (cols [][]byte) {
	for i, size := range sizes {
		cols = append(cols, bytesAt(s.directory(i).Addr(id), 0, rows*int(size)))
	}
	return cols
}

// write enters a new row at a location.
func (c *model) write(q *modelSequence, l Loc) {
	c.serial++
	for i, size := range q.sizes {
		pattern(bytesAt(q.directory(i).At(l, size), 0, int(size)), c.serial, i)
	}
	q.rows = append(q.rows, c.serial)
}

// settle ends the pins of a chunk that a row will be written to over one that they see.
func (c *model) settle(l Loc) {
	for _, p := range slices.Clone(c.pins) {
		if p.id == l.Chunk() && p.gen == c.m.Gen(p.id) && int(l.Row()) < len(p.rows) {
			c.unpin(p)
		}
	}
}

// settleTail is settle for the rows that come next.
func (c *model) settleTail(q *modelSequence) {
	if q.tail != 0 && q.next < q.end {
		c.settle(q.next)
	}
}

// verify compares a sequence with the model, every value of every column.
func (c *model) verify(q *modelSequence) {
	c.t.Helper()
	if q.Len() != len(q.rows) {
		c.fatal("%q has %d rows, want %d", q.Name(), q.Len(), len(q.rows))
	}
	at, i := 0, 0
	for id, n := range q.Chunks() {
		cols := columnsOf(q.Sequence, q.sizes, id, n)
		if row, column := wrongRow(cols, q.sizes, q.rows[at:at+n]); row >= 0 {
			c.fatal("%q: column %d of row %d of chunk %d is wrong", q.Name(), column, row, id)
		}
		if beside := q.Beside(i); beside > 1 { // the next in place is the next in order
			next, _ := q.Chunk(i + 1)
			for col, size := range q.sizes {
				if size != 0 && plus(q.directory(col).Addr(id), uint32(n)*size) != q.directory(col).Addr(next) {
					c.fatal("%q: chunks %d and %d do not lie side by side", q.Name(), id, next)
				}
			}
		}
		if c.m.Order(id) != i || c.m.Sequence(id) != q.Sequence {
			c.fatal("chunk %d: place %d of %q", id, c.m.Order(id), c.m.Sequence(id).Name())
		}
		at, i = at+n, i+1
	}
}

func (c *model) verifyAnnexes() {
	for id, a := range c.annexes {
		if c.m.table.in(id) == nil || c.m.annexBytes(id) == 0 {
			delete(c.annexes, id)
			continue
		}
		for k, slot := range a.slots {
			if wrong(slot, a.serial, k) {
				c.fatal("the annex of chunk %d has changed", id)
			}
		}
	}
}
