package memmgr

import (
	"runtime"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/chunk"
)

// modelPin is a reader's copy of pinned rows.
type modelPin struct {
	id    chunk.ID
	gen   uint32
	sizes []uint32
	cols  [][]byte
	rows  []uint64
	done  chan struct{} // closed when it has unpinned; nil: the model unpins
}

type modelAnnex struct {
	serial uint64
	slots  [][]byte
}

func (c *model) pin(q *modelSequence) {
	if q.ChunkCount() == 0 {
		return
	}
	i := c.in.n(q.ChunkCount())
	id, n := q.Chunk(i)
	from := i * q.Capacity()
	p := &modelPin{id, c.m.Gen(id), q.sizes, columnsOf(q.Sequence, q.sizes, id, n), slices.Clone(q.rows[from : from+n]), nil}
	c.m.pin(id)
	line := c.m.table.at(id) // found here: the table is its owner's alone, and grows
	c.pins = append(c.pins, p)
	if !c.async || c.in.n(4) == 0 {
		return
	}
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		for range 3 {
			c.read(p)
			runtime.Gosched()
		}
		line.pins.Add(-1)
	}()
}

func (c *model) read(p *modelPin) {
	if row, column := wrongRow(p.cols, p.sizes, p.rows); row >= 0 {
		c.t.Errorf("column %d of row %d of chunk %d changed while it was pinned", column, row, p.id)
	}
}

// unpin ends a pin, or waits until its reader has.
func (c *model) unpin(p *modelPin) {
	if p.done == nil {
		c.read(p)
		c.m.unpin(p.id)
	} else {
		<-p.done
	}
	c.pins = slices.DeleteFunc(c.pins, func(o *modelPin) bool { return o == p })
}

// ended forgets the pins that readers have taken back.
func (c *model) ended() {
	c.pins = slices.DeleteFunc(c.pins, func(p *modelPin) bool {
		select {
		case <-p.done: // never ready where it is nil
			return true
		default:
			return false
		}
	})
}

func (c *model) annex(q *modelSequence) {
	if q.ChunkCount() == 0 {
		return
	}
	id, _ := q.Chunk(c.in.n(q.ChunkCount()))
	if c.in.n(4) == 0 {
		_, _, err := c.m.DropAnnex(id)
		c.refusal(err)
		delete(c.annexes, id)
		return
	}
	bytes := uint32(1 + c.in.n(3*chunk.Bytes))
	at, err := c.m.Annex(id, bytes)
	if c.refusal(err) {
		return
	}
	if has := c.m.annexBytes(id); has < bytes {
		c.fatal("an annex of %d bytes has %d", bytes, has)
	}
	c.serial++
	a := modelAnnex{serial: c.serial}
	for k := uint32(0); k < c.m.annexBytes(id); k += chunk.Bytes {
		a.slots = append(a.slots, bytesAt(at, k, chunk.Bytes))
		pattern(a.slots[len(a.slots)-1], a.serial, int(k/chunk.Bytes))
	}
	c.annexes[id] = a
}

// mustPanic runs a function that must panic with given words, and checks that all is as before.
func (c *model) mustPanic(words string, f func()) {
	defer func() {
		v := recover()
		if s, ok := v.(string); !ok || !strings.Contains(s, words) {
			c.fatal("%v, want a panic with %q", v, words)
		}
		c.panics++
		if err := c.m.Check(); err != nil {
			c.fatal("after the panic %q: %v", v, err)
		}
	}()
	f()
}

func (c *model) misuse(q *modelSequence) {
	switch c.in.n(5) {
	case 0:
		c.mustPanic("the number can't be negative", func() { q.Truncate(-1 - c.in.n(9)) })
	case 1:
		c.mustPanic("does not have: keep locations only while their rows stay", func() { q.SwapRemove(MakeLoc(q.tail.Chunk(), q.tailRows())) })
	case 2:
		c.mustPanic("which has", func() { q.At(q.Len()) })
	case 3:
		c.mustPanic("the number can't be negative", func() { q.DropFirst(-1 - c.in.n(9)) })
	case 4:
		other := c.seqs[c.in.n(len(c.seqs))]
		if other != q && other.Len() > 0 {
			c.mustPanic("does not have: keep locations only while their rows stay", func() { q.SwapRemove(other.Last()) })
		}
	}
}
