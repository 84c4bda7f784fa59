package store

import (
	"math/rand/v2"

	"github.com/ashlar-go/ashlar/memmgr/clock"
)

// Layout changes when tables come or go, or when Version does. It is never 0, so a cache may use 0 for
// no reading.
func (s *Store) Layout() uint64 { return uint64(s.ways) }

// Version changes when components change over, or become a group's. Facts about the tables that a
// cache has kept are stale then. A table that comes or goes does not change it: the difference of the
// counters stays the same.
func (s *Store) Version() uint64 { return uint64(s.ways) - s.made - s.Dropped }

// Made is the number of tables that were ever made.
func (s *Store) Made() uint64 { return s.made }

// rearranged notes that plans, bundles and addresses of values which were found before are stale.
func (s *Store) rearranged() {
	s.ways++
	s.finding++
	s.clocks.move()
}

// RowClocks are the clocks of the rows of tables, by the low bits of their keys. So tables with keys that
// differ by a multiple of the length share a clock, which costs looks and nothing else.
//
// A table's clock moves when addresses of its values change: rows move or go, a component is removed
// from one, or its chunks move. All move when components change over. While it stands, each address
// of a value of the table stays good, and each entity there keeps its components. Additions do not
// move it. No clock is ever 0, and the highest bit stays 0. They begin at random, so two stores differ, and
// are far apart, so two tables do.
type RowClocks [1 << 8]clock.Rows

// move moves all clocks.
func (c *RowClocks) move() {
	for i := range c {
		c[i]++
	}
}

// Finding moves when values are stored otherwise, when Plain changes, and when writes begin to be noted row by row. It is
// never 0.
func (s *Store) Finding() clock.Ways { return s.finding }

// Plain tells whether nothing is disabled and nothing lent: each value is in its row, and an entity that
// has all that is required matches.
func (s *Store) Plain() bool { return s.disabledAll+s.lending == 0 }

// Lends tells whether some component may be lent: Component.MayLend of one.
func (s *Store) Lends() bool { return s.lending > 0 }

// plainly changes a count that Plain asks about.
func (s *Store) plainly(count *int, by int) {
	was := s.Plain()
	if *count += by; s.Plain() != was {
		s.finding++
	}
}

// RowClocks returns the clocks. They have the same address as long as the store.
func (s *Store) RowClocks() *RowClocks { return s.clocks }

// RowClock is the number of the clock of the row that an entry names.
func (s *Store) RowClock(w uint64) uint8 { return uint8(s.IDs.Place(w).Key()) }

func newRowClocks() *RowClocks {
	all := new(RowClocks)
	from := rand.Uint64()
	for i := range all {
		all[i] = clock.Rows((from+uint64(i)<<56)>>2 + 1) // as far apart as can be
	}
	return all
}

// Places is the clock of all chunks: it moves when one is made, freed or moved.
func (s *Store) Places() clock.Places { return clock.Places(s.manager.Layout()) }
