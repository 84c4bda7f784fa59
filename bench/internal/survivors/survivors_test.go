package survivors

import (
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// All that the game is about happens in it, at the scale of a test and at full scale.
func TestAllHappens(t *testing.T) {
	f := &flat{course: course{enemies: 1000}}
	var seen struct{ poison, slow, burn, far, near, orphans, escorts, kills, fired, drawn, pale int }
	was := map[uint32]foe{}
	for range 400 {
		f.step()
		for _, e := range f.enemies {
			old, known := was[e.Serial]
			for _, x := range []struct {
				yes bool
				n   *int
			}{
				{e.poison > 0, &seen.poison}, {e.slow > 0, &seen.slow}, {e.burn > 0, &seen.burn}, {e.far, &seen.far}, {known && old.far && !e.far, &seen.near},
				{known && old.guided && !e.guided, &seen.orphans}, {e.guided && !e.far, &seen.escorts}, {e.Kind == ghost && known && old.fade > e.fade, &seen.pale},
				{known && e.cool > old.cool, &seen.fired}, {known && e.sprite > old.sprite, &seen.drawn},
			} {
				if x.yes {
					*x.n++
				}
			}
			was[e.Serial] = e
		}
		seen.kills += int(f.tally.kills)
	}
	for name, n := range map[string]int{
		"poison": seen.poison, "slow": seen.slow, "burn": seen.burn, "far": seen.far, "near again": seen.near, "orphans": seen.orphans,
		"escorts": seen.escorts, "kills": seen.kills, "fired": seen.fired, "drawn": seen.drawn, "fading": seen.pale,
	} {
		if n == 0 {
			t.Errorf("%s: never", name)
		}
	}
	t.Logf("%+v", seen)
}

// The digest tells games apart by the components of a single enemy.
func TestStateHash(t *testing.T) {
	base := state{who: Enemy{7, 3}, guided: true}
	seen := map[uint64]int{base.hash(): -1}
	for i, change := range []func(*state){
		func(s *state) { s.who.Serial++ }, func(s *state) { s.who.Kind++ }, func(s *state) { s.at.X++ }, func(s *state) { s.at.Y++ },
		func(s *state) { s.speed.X++ }, func(s *state) { s.speed.Y++ }, func(s *state) { s.health++ }, func(s *state) { s.armor++ },
		func(s *state) { s.goal.X++ }, func(s *state) { s.goal.Y++ }, func(s *state) { s.sprite++ }, func(s *state) { s.cool++ },
		func(s *state) { s.fade++ }, func(s *state) { s.poison++ }, func(s *state) { s.slow++ }, func(s *state) { s.burn++ },
		func(s *state) { s.parent++ }, func(s *state) { s.far = true }, func(s *state) { s.guided = false },
	} {
		s := base
		change(&s)
		if other, taken := seen[s.hash()]; taken {
			t.Errorf("change %d has the digest of %d", i, other)
		}
		seen[s.hash()] = i
	}
	a, b := tally{1, 2, 3, 4}, tally{1, 2, 3, 5}
	if a.into(0) == b.into(0) || a.into(0) == a.into(1) || twin.Mix(1, 2) == twin.Mix(2, 1) {
		t.Error("stories that differ have the same digest")
	}
}
