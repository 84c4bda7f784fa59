package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// SpawnAll is SpawnBatch of n entities, and leaves out their handles. Where a bundle has one plain part in the commons, most
// of them are unseen: all but those on pages of indexes that others use, too. After an error nothing has changed except versions:
// these are as SpawnBatch leaves them, which is tried where the rows find no room.
func (b *Bundle) SpawnAll(n int, v raw.Ptr, stride uintptr) error {
	s := b.store
	if n == 0 {
		return nil
	}
	if s.ways.Stale(b.valid) {
		if err := b.ready(); err != nil {
			return err
		}
	}
	p := b.alone
	if p == nil || p.kin != 0 || n < arena.PageLen || n > s.Spare() {
		return b.SpawnBatch(make([]Entity, n), v, stride)
	}
	t := p.t
	was := t.Seq.Len()
	t.Seq.SmallPages(true)
	runs, err := t.reserve(n)
	t.Seq.SmallPages(false)
	if err != nil {
		return b.SpawnBatch(make([]Entity, n), v, stride)
	}
	if done, err := b.people(t, runs); err != nil {
		es := make([]Entity, 0, n)
		for _, r := range runs {
			es = append(es, s.entitiesAt(r.at, min(r.n, done-len(es)))...)
		}
		t.Seq.Truncate(was)
		slices.Reverse(es) // as after SpawnBatch
		s.unmake(es)
		return err
	}
	t.fillAll(incoming{p.pieces, v, stride}, runs)
	return nil
}

// people gives new rows their entities, and returns how many have one: all, but for an error.
func (b *Bundle) people(t *Table, runs []run) (done int, err error) {
	s := b.store
	left := 0
	for _, r := range runs {
		left += r.n
	}
	var few [arena.PageLen]Entity // that are seen
	for r := runs[0]; left > 0; {
		first, n := s.ids.TakeUnseen(b.home, left)
		s.grown()
		seen := n == 0
		if seen {
			if n, err = s.takeN(b.home, few[:min(left, max(s.ids.Left(b.home), 1), len(few))]); err != nil {
				return done, err // at most one was wanted
			}
		}
		left, done = left-n, done+n
		for es := few[:]; n > 0; {
			k := min(n, r.n)
			if seen {
				t.nameRun(r.at, es[:k])
				es = es[k:]
			} else {
				s.unsee(r.at, k, first)
				first += Entity(k)
			}
			n -= k
			if r = (run{r.at.Plus(uint32(k)), r.n - k}); r.n == 0 {
				if runs = runs[1:]; len(runs) > 0 {
					r = runs[0]
				}
			}
		}
	}
	return done, nil
}

// unsee notes that n rows of a chunk are unseen, of entities from one on.
func (s *Store) unsee(l memmgr.Loc, n int, first Entity) {
	if s.unseen == nil {
		s.unseen = &unseen{spans: make(map[chunk.ID][]unseenSpan)}
	}
	s.unseen.add(unseenSpan{l, n, first})
	s.stampRow(l)
}
