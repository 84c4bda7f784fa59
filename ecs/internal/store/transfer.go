package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// arrival is a row that an entity gets in a table, replacing the one it may have in another
// table of the same owner. Its values are there, and its entry is not.
type arrival struct {
	e    Entity
	t    *Table
	at   memmgr.Loc
	opts []*Component // that it has, of the table's optional ones
}

// transfer copies values of components to rows of another owner, for all entities that have
// some of them, with those that these have there already. No entries name the rows until arrive
// is called. After an error there are no such rows.
func (s *Store) transfer(o *Owner, comps []*Component) (list []arrival, err error) {
	lens := make(map[*Table]int)
	seen := make([]uint64, s.Bound()/64+1)
	for _, c := range comps {
		for _, from := range slices.Clone(c.tables) {
			if from.owner == o {
				continue // a table that is there for what is to come
			}
			x := from.opt(c)
			for id, n := range from.Seq.Chunks() {
				for row, e := range s.Entities(id, n) {
					if x != nil {
						if at, mask := from.bit(s.locAt(id, row)); !x.has(at, mask) {
							continue
						}
					}
					i := e.Index()
					if seen[i/64]>>(i%64)&1 != 0 {
						continue
					}
					seen[i/64] |= 1 << (i % 64)
					a, err := s.copyTo(o, comps, e, lens)
					if err != nil {
						return nil, back(lens, err)
					}
					list = append(list, a)
				}
			}
		}
	}
	if len(list) > 0 {
		last := slices.MaxFunc(list, func(a, b arrival) int { return int(a.e.Index()) - int(b.e.Index()) })
		if err := last.t.prepare(last.e, len(list)); err != nil {
			return nil, back(lens, err)
		}
	}
	return list, nil
}

// back makes tables as long as they were, because of an error.
func back(lens map[*Table]int, err error) error {
	for t, n := range lens {
		t.Seq.Truncate(n)
	}
	return err
}

// copyTo is transfer for one entity. Lens are how many rows tables had before.
func (s *Store) copyTo(o *Owner, comps []*Component, e Entity, lens map[*Table]int) (a arrival, err error) {
	old, l, home := o.row(e)
	var fixed, opts []*Component
	if home {
		fixed, opts = old.fixed, old.heldBy(l, nil, settling)
	}
	for _, c := range comps {
		switch {
		case !c.Has(e):
		case slices.Contains(o.opts, c):
			opts = with(opts, c)
		default:
			fixed = with(fixed, c)
		}
	}
	t, err := o.family(fixed, o.capOf(e)).table(opts)
	if err != nil {
		return a, err
	}
	if _, known := lens[t]; !known {
		lens[t] = t.Seq.Len()
	}
	a = arrival{e: e, t: t, opts: opts}
	if a.at, err = t.row(); err != nil {
		return a, err
	}
	s.putEntity(a.at, e)
	t.begun(a.at)
	for _, c := range slices.Concat(fixed, opts) {
		from := l
		if slices.Contains(comps, c) {
			from, _ = c.Loc(e)
		}
		copyOf(c, a.at, c.At(from))
		if c.noted != nil {
			c.carried(from, a.at)
		}
	}
	return a, nil
}

// arrive has entries say that rows are where transfer has copied them, in place of those that
// the entities have had there. What has come is the owner's by now.
func (s *Store) arrive(list []arrival) {
	for _, a := range list {
		t := a.t
		if old, l, home := t.owner.row(a.e); home {
			old.takeOut(a.e, l)
		} else {
			t.enter(a.e)
		}
		t.words.set(a.e.Index(), word(a.e, a.at))
		at, mask := t.bit(a.at)
		for _, c := range a.opts {
			if x := t.opt(c); x != nil {
				x.set(at, mask)
			}
		}
	}
}

// tellArrived tells that values have been brought together.
func (s *Store) tellArrived(list []arrival) {
	if s.hooks == nil {
		return
	}
	for _, a := range list {
		if _, l, home := a.t.owner.row(a.e); home {
			s.moved(a.e, 0, l)
		}
	}
}
