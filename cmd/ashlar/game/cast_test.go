package game

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena/race"
)

// All that a cast does happens, and contracts of long-lived things stabilise: from 600 frames on
// at most one access in 1,000 finds its row elsewhere.
func TestCast(t *testing.T) {
	if race.Enabled {
		t.Skip("a thousand frames; a run without -race has them, and TestDigest has fewer")
	}
	g := open(t, Options{Entities: 6000, Seed: 4, Cast: true})
	asleep, awake, held := 0, 0, 0
	for range 3 * tidePeriod {
		if err := g.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
		n := g.Cast()
		asleep, awake, held = max(asleep, n.Asleep), max(awake, n.Members-n.Asleep), max(held, n.Held)
	}
	if err := g.World.Check(); err != nil {
		t.Error(err)
	}
	n := g.Cast()
	if asleep == 0 || awake == 0 || held == 0 || n.Swaps < 100 || n.Kept == 0 || n.Members < castSize-1 {
		t.Errorf("%+v; at most %d slept, %d were awake and %d were held", n, asleep, awake, held)
	}
	young, old := n.Ages[0], n.Ages[2]
	_, youngest := young.PerThousand()
	looks, oldest := old.PerThousand()
	if old.Uses < 10_000 || oldest > 1 || young.Refreshes == 0 || youngest < oldest {
		t.Errorf("refreshes by age: %+v", n.Ages)
	}
	for _, a := range n.Ages { // rows of every table move in most frames, and a contract looks once a frame at most
		if a.Rechecks < a.Refreshes || a.Rechecks > a.Uses {
			t.Errorf("rechecks by age: %+v", n.Ages)
		}
	}
	if looks < 100 {
		t.Errorf("%.0f rechecks in 1,000 accesses of the oldest: %+v", looks, n.Ages)
	}
	t.Logf("%+v", n)
	if _, is := g.cast.members.Get(&g.cast.player.self); !is {
		t.Error("the player is gone")
	}
	if h := open(t, Options{Entities: 10}); h.CastDigest() != 0 || h.Cast() != (CastCounts{}) {
		t.Error("a game without a cast has one")
	}
}
