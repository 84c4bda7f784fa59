package memmgr

import (
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr/plan"
)

// planned has a manager carry out actions, as if they had been planned.
func planned(m *Manager, o AdaptOptions, actions ...plan.Action) *adapter {
	if o.Clock == nil {
		o.Clock = ticking(time.Microsecond).tick
	}
	o.Every = 1 << 30
	m.Adapt(o)
	m.adapt.queue, m.adapt.seqs = actions, slices.Clone(m.live())
	return m.adapt
}

// placeOf is where a chunk is.
func placeOf(m *Manager, s *Sequence, order int) plan.Place {
	r, n := m.arena.PlaceOf(m.table.at(s.chunks[order]).spot.slot)
	return plan.Place{Range: r, N: n}
}

// A move waits three safe points for a place that is in quarantine, and is skipped then.
func TestMoveWaitsForItsPlace(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "s", 8, 8000)
	fillRows(t, s, 2*s.Capacity())
	slot, ok, err := m.arena.AllocAt(arena.Normal, 20)
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	m.arena.Quarantine(slot)
	a := planned(m, AdaptOptions{}, plan.Action{Kind: plan.Evacuate, Moves: []plan.Move{
		{Order: 0, From: placeOf(m, s, 0), To: plan.Place{Range: arena.Normal, N: 20}},
		{Order: 1, From: placeOf(m, s, 1), To: plan.Place{Range: arena.Normal, N: 21}},
	}})
	for n, want := range []AdaptStats{{}, {}, {}, {Skipped: 1, Moves: 1}} {
		safePoints(t, m, 1)
		if a.stats.Skipped != want.Skipped || a.stats.Moves != want.Moves {
			t.Errorf("safe point %d: %d moves skipped, %d made; want %d and %d", n+1, a.stats.Skipped, a.stats.Moves, want.Skipped, want.Moves)
		}
	}
	if placeOf(m, s, 1).N != 21 || placeOf(m, s, 0).N == 20 {
		t.Errorf("chunks are at %v and %v", placeOf(m, s, 0), placeOf(m, s, 1))
	}
	m.arena.Free(slot)
}

// What giving back takes counts, refused or not.
func TestTimeOfGivingBack(t *testing.T) {
	m := open(t, Options{Arena: arena.Options{Fault: arena.FailNth(arena.OpDecommit, 1)}})
	if m.Arena().Backend() != arena.OS {
		t.Skip("the heap back end asks for nothing")
	}
	s := sequence(t, m, "s", 8, 1000)
	fillRows(t, s, 64*s.Capacity())
	s.Truncate(0)
	safePoints(t, m, 2)
	m.Adapt(AdaptOptions{Decay: -1, Clock: ticking(time.Microsecond).tick})
	for turn, refused := range []bool{true, false} {
		before := m.adapt.stats.Time
		if err := m.EndFrame(); (err != nil) != refused {
			t.Fatalf("frame %d: %v", turn, err)
		}
		if m.adapt.stats.Time == before || m.adapt.stats.Longest == 0 {
			t.Errorf("frame %d took no time: %+v", turn, m.adapt.stats)
		}
	}
}

// A move whose place is taken is skipped; where a region is to be emptied the chunk goes
// elsewhere, but not on its way back.
func TestPlaceIsTaken(t *testing.T) {
	for _, c := range []struct{ empties, back bool }{{false, false}, {true, true}, {true, false}} {
		goes := c.empties && !c.back
		m := open(t, Options{})
		s := sequence(t, m, "s", 8, 8000)
		fillRows(t, s, 2*s.Capacity())
		from, taken := placeOf(m, s, 0), placeOf(m, s, 1)
		x := plan.Action{Kind: plan.Evacuate, Moves: []plan.Move{{Order: 0, From: from, To: taken}}}
		if c.empties {
			x.Empties = []plan.RegionID{{Range: arena.Cold, Number: 3}}
		}
		a := planned(m, AdaptOptions{}, x)
		a.begin()
		a.job.backward = c.back
		safePoints(t, m, 1)
		if now := placeOf(m, s, 0); (now != from) != goes || now == taken || placeOf(m, s, 1) != taken {
			t.Errorf("%+v: the chunk went from %v to %v", c, from, now)
		}
		if (a.stats.Moves == 1) != goes || (a.stats.Skipped == 0) != goes {
			t.Errorf("%+v: %+v", c, a.stats)
		}
		if !slices.Equal(rowsOf(s), numbers(0, s.Len())) {
			t.Error("rows differ")
		}
	}
}
