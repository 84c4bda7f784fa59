package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// unseen are rows of the commons with entities that nobody has seen, so that handles need no memory. These have
// indexes side by side, in the order of rows:
//
//	              entity column   record          span
//	seen          handle          version, row
//	unseen        not written     0               row, n, first: the handles are first, first+1, …
//
// Whoever reads the entity column calls see before, for the chunk: this writes handles and records, and all is as
// if it had been so from the beginning. A handle that comes from elsewhere, such as a saved one, is looked for among the spans
// where its record is 0. So results don't depend on who looks. A row that moves or goes is seen before, since that
// reads the column.
//
// Spans come when nobody shares the world, and may go while workers of Parallel systems read chunks. So bits are atomic, and
// the mutex guards spans, left, and the writes of see.
type unseen struct {
	mu    sync.Mutex
	bits  []uint64 // by chunk: it has spans
	spans map[chunk.ID][]unseenSpan
	left  int // rows
	// index says by index in which chunk a span is, or was: in ascending order, since no index was in reach before.
	index []unseenIndexes
}

// unseenIndexes are the indexes of a span, from one on.
type unseenIndexes struct {
	first uint32
	n     uint32
	chunk chunk.ID
}

// unseenSpan is n rows of a chunk.
type unseenSpan struct {
	row, n int
	first  Entity
}

// see makes sure that the handles of a chunk's rows are there.
func (s *Store) see(id chunk.ID) {
	if s.unseen != nil {
		s.unseen.see(s, id)
	}
}

// SeeChunk is see.
func (s *Store) SeeChunk(id chunk.ID) { s.see(id) }

// SeeAll is see for all chunks.
func (s *Store) SeeAll() {
	u := s.unseen
	if u == nil {
		return
	}
	u.mu.Lock()
	ids := slices.Collect(maps.Keys(u.spans))
	u.mu.Unlock()
	for _, id := range ids {
		u.see(s, id)
	}
}

// See is see for the chunks of a sequence from one up to another.
func (s *Store) See(seq *memmgr.Sequence, from, to int) {
	if s.unseen == nil {
		return
	}
	for i := from; i < to; i++ {
		id, _ := seq.Chunk(i)
		s.see(id)
	}
}

// Unseen is how many rows are.
func (s *Store) Unseen() int {
	if s.unseen == nil {
		return 0
	}
	return s.unseen.left
}

func (u *unseen) has(id chunk.ID) bool {
	i := int(id / 64)
	return i < len(u.bits) && atomic.LoadUint64(&u.bits[i])>>(id%64)&1 != 0
}

func (u *unseen) see(s *Store, id chunk.ID) {
	if !u.has(id) {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, x := range u.spans[id] { // none, if another worker was here meanwhile
		l := s.locAt(id, x.row)
		es := raw.Slice[Entity](s.IDs.At(l, 8), x.n)
		for i := range es {
			es[i] = x.first + Entity(i)
		}
		s.Commons.words.setRun(es, l)
		u.left -= x.n
	}
	delete(u.spans, id)
	atomic.AndUint64(&u.bits[id/64], ^(uint64(1) << (id % 64)))
}

// look is see for the row of the entity with an index whose record is 0; false if there is none.
func (u *unseen) look(s *Store, i uint32) bool {
	at, is := slices.BinarySearchFunc(u.index, i, func(x unseenIndexes, i uint32) int { return cmp.Compare(x.first, i) })
	if !is {
		at--
	}
	if at < 0 || i-u.index[at].first >= u.index[at].n {
		return false
	}
	u.see(s, u.index[at].chunk)
	return true
}

// add notes n rows of a chunk.
func (u *unseen) add(l memmgr.Loc, n int, first Entity) {
	id := l.Chunk()
	if i := int(id / 64); i >= len(u.bits) {
		u.bits = append(u.bits, make([]uint64, i+1-len(u.bits))...)
	}
	u.bits[id/64] |= 1 << (id % 64)
	u.spans[id] = append(u.spans[id], unseenSpan{int(l.Row()), n, first})
	u.index = append(u.index, unseenIndexes{first.Index(), uint32(n), id})
	u.left += n
}

// check proves that the entities of unseen rows have records of 0, and calls f with the other rows of a chunk.
func (u *unseen) check(s *Store, id chunk.ID, rows int, f func(l memmgr.Loc, n int) error) error {
	row := 0
	if u != nil {
		if u.has(id) != (len(u.spans[id]) > 0) {
			return fmt.Errorf("chunk %d has %d spans of unseen rows, and its bit says %v", id, len(u.spans[id]), u.has(id))
		}
		for _, x := range u.spans[id] {
			if x.row < row || x.row+x.n > rows {
				return fmt.Errorf("rows %d to %d of chunk %d are unseen, behind row %d of %d", x.row, x.row+x.n, id, row, rows)
			}
			for i := range uint32(x.n) {
				if r := s.Commons.words.flat[x.first.Index()+i]; r != 0 {
					return fmt.Errorf("row %d of chunk %d is unseen, and its record says %#x", x.row+int(i), id, r)
				}
			}
			if err := f(s.locAt(id, row), x.row-row); err != nil {
				return err
			}
			row = x.row + x.n
		}
	}
	return f(s.locAt(id, row), rows-row)
}
