package memmgr

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// Idle memory of one range serves another at the limit: sequences with a full small
// chunk grow into memory that others have left, wherever that is.
func TestLimitUsesIdleMemory(t *testing.T) {
	const limit = 12 << 20
	for _, budget := range []bool{false, true} {
		t.Run(fmt.Sprintf("budget=%v", budget), func(t *testing.T) {
			o := Options{Arena: arena.Options{Limit: limit}}
			if budget {
				o.Arena = arena.Options{Budget: arena.NewBudget(limit)}
			}
			m := open(t, o)
			var seqs []*Sequence
			for i := range 100 {
				s, err := m.MakeSequence(fmt.Sprint("s", i), columns(8, 16))
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Append(); err != nil {
					t.Fatal(err)
				}
				seqs = append(seqs, s)
			}
			grown := 0
			for _, s := range seqs {
				for s.Len() < 1000 { // more than a small chunk holds
					_, _, err := s.AppendRun(1000 - s.Len())
					if err != nil {
						t.Fatalf("%d sequences have grown, %d bytes are committed to chunks, %d of them live: %v", grown, m.Arena().Stats().Committed, m.Arena().Stats().Live, err)
					}
				}
				grown++
				for range 2 { // checked builds hold slots back until then
					if err := m.SafePoint(); err != nil {
						t.Fatal(err)
					}
				}
			}
			var big []*Sequence // and dropped memory serves again
			for _, s := range seqs {
				s.Drop()
			}
			for range 2 {
				if err := m.SafePoint(); err != nil {
					t.Fatal(err)
				}
			}
			var err error
			for err == nil {
				s, err2 := m.MakeSequence(fmt.Sprint("big", len(big)), columns(8, 16))
				if err2 != nil {
					t.Fatal(err2)
				}
				for s.Len() < 100_000 && err == nil {
					_, _, err = s.AppendRun(100_000 - s.Len())
				}
				big = append(big, s)
			}
			if !errors.Is(err, arena.ErrLimit) {
				t.Fatal(err)
			}
			least := uint64(limit) * 9 / 10
			if m.Arena().Backend() == arena.Heap { // positions that others have left can't be given back
				least = limit * 7 / 10
			}
			if st := m.Arena().Stats(); st.Committed < limit-arena.RegionBytes || st.Live+st.Quarantined < least {
				t.Errorf("refused with %d bytes in use of %d", st.Live, limit)
			}
		})
	}
}

// The cost of a refused row does not grow with the free positions of sequences' regions.
func TestRefusedAppendIsCheap(t *testing.T) {
	m := open(t, Options{})
	var s *Sequence
	for i := range 20 {
		s = sequence(t, m, fmt.Sprint("s", i), 8, 8)
		fillRows(t, s, 12*s.Capacity())
	}
	safePoints(t, m, 5)
	if _, err := m.Reclaim(^uint64(0)); err != nil {
		t.Fatal(err)
	}
	m.Arena().SetLimit(m.Arena().Stats().Committed)
	for { // free slots of regions in use
		if _, _, err := s.AppendRun(s.Capacity()); err != nil {
			break
		}
	}
	before := m.Arena().Stats()
	allocs := testing.AllocsPerRun(10, func() {
		if _, err := s.Append(); !errors.Is(err, arena.ErrLimit) {
			t.Error(err)
		}
	})
	if most := 50.0; allocs > most {
		t.Errorf("a refused row costs %v allocations, want %v at most", allocs, most)
	}
	if after := m.Arena().Stats(); after != before {
		t.Errorf("a refused row changes\n%+v to\n%+v", before, after)
	}
}

// Sequences that have lost all rows make room for others at the limit, without a safe point.
func TestEmptiedSequencesMakeRoom(t *testing.T) {
	for _, rows := range []int{10, 1000, 60_000} { // in blocks, in slots and in regions
		m := open(t, Options{Arena: arena.Options{Limit: 16 << 20}})
		var seqs []*Sequence
		var err error
		for err == nil {
			s := sequence(t, m, fmt.Sprint("s", len(seqs)), 8, 24)
			seqs = append(seqs, s)
			for left := rows; left > 0 && err == nil; {
				var n int
				_, n, err = s.AppendRun(left)
				left -= n
			}
		}
		for _, s := range seqs {
			s.Truncate(0)
		}
		s := sequence(t, m, "other", 8, 24)
		for range 200_000 {
			if _, err := s.Append(); err != nil {
				t.Fatalf("%d sequences of %d rows were emptied, and after %d rows: %v", len(seqs), rows, s.Len(), err)
			}
		}
	}
}

// A sequence without rows keeps its chunk while more room is sought for that itself.
func TestEmptiedSequenceGrowsAtLimit(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Limit: arena.RegionBytes}})
	s, beside, other := sequence(t, m, "s", 8, 24), sequence(t, m, "beside", 8, 24), sequence(t, m, "other", 8, 24)
	fillRows(t, s, 1)
	fillRows(t, beside, 1)
	for { // until no slot is left
		if _, _, err := other.AppendRun(other.Capacity()); err != nil {
			break
		}
	}
	s.Truncate(0)
	l, n, err := s.AppendRun(s.Capacity())
	if err != nil || n < 1 || n != s.Len() {
		t.Fatalf("%d rows, %d in all: %v", n, s.Len(), err)
	}
	put(s, l, 7)
	if rows := rowsOf(s); rows[0] != 7 {
		t.Error(rows)
	}
}
