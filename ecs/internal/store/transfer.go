package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// arrival is a row that an entity gets in a table, replacing the one it may have in another table of
// the same owner. Between transfer and arrive its values are there, and no entry names it. Such a row
// must not be seen by a query or a verb.
type arrival struct {
	e    Entity
	t    *Table
	at   memmgr.Loc
	opts []*Component // optional components of the entity; their bits are not set yet
}

// Values change owners in two steps, so that an error leaves everything as it was. transfer makes the
// new rows, and may be refused; arrive makes them the entities', and may not:
//
//	           commons        group       entry in the commons   entry in the group
//	before     a: Pos Vel                 → row                  none
//	transfer   a: Pos Vel     a: Pos      → row                  none
//	arrive     a: Pos Vel     a: Pos      → row                  → row
//	clean      a: Vel         a: Pos      → row                  → row

// transfer copies values of components to rows of another owner, for all entities that have some of
// them. Components that these entities have there already are copied, too, so the new row is complete.
//
//	owner's entry of e      old row    values, named by the entry until arrive
//	copied, without entry   new row    values of the old row and of comps
//
// Entities come in the order of components, tables and rows; seen has a bit by index, so that each
// comes once. Room for entries is made here, so that arrive can't fail. After an error there are no
// such rows.
func (s *Store) transfer(o *Owner, comps []*Component) (list []arrival, err error) {
	lens := make(map[*Table]int)
	seen := make([]uint64, s.Bound()/64+1)
	for _, c := range comps {
		for _, from := range slices.Clone(c.tables) {
			if from.owner == o {
				continue // a table of the new owner, made for the rows to come
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
		// All new rows have the same entries, so arrays have room for all with the largest index.
		last := slices.MaxFunc(list, func(a, b arrival) int { return int(a.e.Index()) - int(b.e.Index()) })
		if err := last.t.prepare(last.e, len(list)); err != nil {
			return nil, back(lens, err)
		}
		for _, a := range list {
			if err := a.t.prepare(a.e, len(list)); err != nil {
				return nil, back(lens, err)
			}
		}
	}
	return list, nil
}

// back shortens tables to their former lengths, and passes on the error. Truncate is enough: no bits
// are set and no entries name the rows.
func back(lens map[*Table]int, err error) error {
	for t, n := range lens {
		t.Seq.Truncate(n)
	}
	return err
}

// copyTo is transfer for one entity. It notes in lens how many rows each table had before its first
// arrival. Stamps of noted components follow the values, so a transfer is no change.
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
	// The row has its entity from now on, but the entity's entry still names the old row.
	s.putEntity(a.at, e)
	t.begun(a.at)
	for _, c := range slices.Concat(fixed, opts) {
		from := l
		if slices.Contains(comps, c) {
			from, _ = c.Loc(e)
		}
		raw.Copy(c.At(a.at), c.At(from), c.Size)
		if c.noted != nil {
			c.carried(from, a.at)
		}
	}
	return a, nil
}

// arrive gives the rows that transfer has filled to their entities, in place of the rows that they had
// there. The components must have their new owner by now, which clears the old rows. It needs no
// memory.
func (s *Store) arrive(list []arrival) {
	for _, a := range list {
		a.t.receiveRow(a.e, a.at, a.opts)
	}
}
