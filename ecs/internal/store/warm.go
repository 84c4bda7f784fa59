package store

import (
	"math"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/tune"
	"github.com/ashlar-go/ashlar/views"
)

// WarmMost is how many entities are worth warming at a time: a core waits for about as many
// lines of memory at once.
const WarmMost = 16

// Warms tells whether Warm pays. The records and entries of fewer indexes stay in a core's second-level cache, so it
// depends on how large that is. It is asked for each entity that is spawned.
func (s *Store) Warms() bool { return s.ids.Bound() >= s.warm.from && (s.warm.known || s.findWarm()) }

// findWarm finds from how many indexes on it does, and returns whether there are as many.
func (s *Store) findWarm() bool {
	from := tune.Of(s.manager.Caches()).WarmFrom
	s.warm = warm{uint32(min(from, math.MaxUint32)), true}
	return s.ids.Bound() >= s.warm.from
}

// Warm loads the first words that a change reads of each entity, dead or alive: its record, and its
// entry of the group for which its index was taken. Call it with up to
// WarmMost entities that are about to change one after the other: the loads wait for memory
// together. It changes nothing, and returns the sum of its loads, without which the
// compiler would leave the loads out. It costs about 4 ns each where they are in a cache.
//
//go:noinline
func (s *Store) Warm(es []Entity) (sum uint64) {
	for _, e := range es {
		i := e.Index()
		kin, record := s.ids.Look(i)
		sum += record
		if kin == 0 {
			continue
		}
		if w := &s.groups[kin-1].words; w.covers(i) {
			sum += w.flat[i]
		}
	}
	return sum
}

// ahead prefetches the first words that the next spawn from a home reads: its record, and its entry of the table's
// group, if that is given.
func (s *Store) ahead(h *entities.Home, t *Table) {
	i, record := s.ids.Next(h)
	if record == nil {
		return
	}
	views.Prefetch(raw.Of(record), chunk.Line)
	if t != nil && t.place.plane != nil && t.words.covers(i) {
		views.Prefetch(raw.Of(&t.words.flat[i]), chunk.Line)
	}
}
