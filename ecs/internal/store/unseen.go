package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// See makes sure that the handles of a chunk's rows are there: see the type unseen.
func (s *Store) See(id chunk.ID) {
	if s.unseen != nil {
		s.unseen.see(s, id)
	}
}

// SeeAll is See for all chunks.
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

// SeeChunks is See for the chunks of a sequence from one up to another.
func (s *Store) SeeChunks(seq *memmgr.Sequence, from, to int) {
	if s.unseen == nil {
		return
	}
	for i := from; i < to; i++ {
		id, _ := seq.Chunk(i)
		s.See(id)
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
		records := s.Commons.words.flat[x.first.Index():][:x.n]
		for i, es := 0, raw.Slice[Entity](s.IDs.At(x.at, 8), x.n); i < x.n; i++ {
			es[i] = x.first + Entity(i)
			records[i] = entities.Word(es[i], uint64(x.at.Plus(uint32(i))))
		}
		u.left -= x.n
	}
	delete(u.spans, id)
	atomic.AndUint64(&u.bits[id/64], ^(uint64(1) << (id % 64)))
}

// look is See for the row of the entity with an index whose record is 0; false if there is none.
func (u *unseen) look(s *Store, i uint32) bool {
	at, is := slices.BinarySearchFunc(u.index, i, func(x unseenSpan, i uint32) int { return cmp.Compare(x.first.Index(), i) })
	if !is {
		at-- // there is one: no record before the first is 0
	}
	if int(i-u.index[at].first.Index()) >= u.index[at].n {
		return false
	}
	u.see(s, u.index[at].at.Chunk())
	return true
}

// add notes a span.
func (u *unseen) add(x unseenSpan) {
	id := x.at.Chunk()
	if i := int(id / 64); i >= len(u.bits) {
		u.bits = append(u.bits, make([]uint64, i+1-len(u.bits))...)
	}
	u.bits[id/64] |= 1 << (id % 64)
	u.spans[id] = append(u.spans[id], x)
	u.index = append(u.index, x)
	u.left += x.n
}

// check proves that the entities of unseen rows have records of 0, and calls f with the other rows of a chunk.
func (u *unseen) check(s *Store, id chunk.ID, rows int, f func(l memmgr.Loc, n int) error) error {
	row := 0
	if u != nil {
		if u.has(id) != (len(u.spans[id]) > 0) {
			return fmt.Errorf("chunk %d has %d spans of unseen rows, and its bit says %v", id, len(u.spans[id]), u.has(id))
		}
		for _, x := range u.spans[id] {
			at := int(x.at.Row())
			if at < row || at+x.n > rows {
				return fmt.Errorf("rows %d to %d of chunk %d are unseen, behind row %d of %d", at, at+x.n, id, row, rows)
			}
			for i, r := range s.Commons.words.flat[x.first.Index():][:x.n] {
				if r != 0 {
					return fmt.Errorf("row %d of chunk %d is unseen, and its record says %#x", at+i, id, r)
				}
			}
			if err := f(memmgr.MakeLoc(id, uint32(row)), at-row); err != nil {
				return err
			}
			row = at + x.n
		}
	}
	return f(memmgr.MakeLoc(id, uint32(row)), rows-row)
}
