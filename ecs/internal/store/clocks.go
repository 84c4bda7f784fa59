package store

import "github.com/ashlar-go/ashlar/memmgr/clock"

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
	s.m.Shift()
}

// Shifts returns the clock of all rows of the store. It moves when addresses of values change:
// rows move or go, components are removed or change over, chunks move. While it stands, each
// address of a value stays good, and each entity keeps its components. Additions do not move it.
func (s *Store) Shifts() *clock.Rows { return (*clock.Rows)(s.m.Shifts()) }

// Places is the clock of all chunks: it moves when one is made, freed or moved.
func (s *Store) Places() clock.Places { return clock.Places(s.m.Layout()) }
