package entities

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// Flags of many entities equal the flags that single calls set and tell, if they are in
// blocks of the Kin that is asked for, in any order.
func TestFlagsOfMany(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	s := Make(open(t, arena.Options{}), Options{Max: 3000})
	a, b := Home{Kin: 7}, Home{Kin: 9}
	ours, others := take(t, &s, &a, 700), take(t, &s, &b, 40)
	for _, order := range []string{"upwards", "backwards", "any"} {
		for _, kin := range []uint32{0, 7} {
			es := slices.Concat(ours, others)
			switch order {
			case "backwards":
				slices.Reverse(es)
			case "any":
				r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
			}
			want := slices.IndexFunc(es, func(e Entity) bool { return kin != 0 && s.Kin(e.Index()) != kin })
			if want < 0 {
				want = len(es)
			}
			if n := s.SetFlagN(es, 4, kin); n != want {
				t.Fatalf("%s, kin %d: %d, want %d", order, kin, n, want)
			}
			for i, e := range es {
				if (s.Flags(e) == 4) != (i < want) || !s.Alive(e) {
					t.Fatalf("%s, kin %d: entity %d of %d has flags %d", order, kin, i, want, s.Flags(e))
				}
			}
			if s.OnlyFlagN(es, 4, kin) != (want == len(es)) || !s.OnlyFlagN(es[:want], 4, kin) || want > 0 && s.OnlyFlagN(es[:want], 2, kin) {
				t.Errorf("%s, kin %d: OnlyFlagN of %d and of all", order, kin, want)
			}
			for _, odd := range []int{0, want / 2, want - 1} {
				if want == 0 {
					continue
				}
				s.SetFlag(es[odd], 2)
				if s.OnlyFlagN(es[:want], 4, kin) {
					t.Errorf("%s, kin %d: entity %d has another flag", order, kin, odd)
				}
				s.ClearFlag(es[odd], 2)
				stale := slices.Clone(es[:want])
				stale[odd] += 1 << VersionShift
				if s.OnlyFlagN(stale, 4, kin) {
					t.Errorf("%s, kin %d: entity %d is stale", order, kin, odd)
				}
			}
			for _, e := range es[:want] {
				s.ClearFlag(e, 4)
			}
		}
	}
	if s.OnlyFlagN([]Entity{ours[0], 1<<VersionShift | 2999}, 0, 0) || !s.OnlyFlagN(nil, 4, 7) {
		t.Error("an index that was never in reach is alive, or none is not")
	}
}

// Entities that are taken many at a time have flags to begin with where they are in blocks of
// the Kin, and so have entities that were freed before, upwards or backwards. Handles have none.
func TestTakeNGivesFlags(t *testing.T) {
	s := Make(open(t, arena.Options{}), Options{Max: 1023})
	a, b := Home{Kin: 7}, Home{Kin: 9}
	took := func(h *Home, n int, kin uint32, all bool) []Entity {
		es := make([]Entity, n)
		if got, flagged, err := s.TakeN(h, es, 4, kin); got != n || flagged != all || err != nil {
			t.Fatalf("%d of %d, all have the flag: %v, %v", got, n, flagged, err)
		}
		for i, e := range es {
			want := Flags(4)
			if kin != 0 && s.Kin(e.Index()) != kin {
				want = 0
			}
			if !s.Alive(e) || s.Flags(e) != want || e&flagMask != 0 {
				t.Fatalf("entity %d, %v, has flags %d, want %d", i, e, s.Flags(e), want)
			}
		}
		return es
	}
	for range 3 {
		s.FreeN(took(&a, 700, 7, true))
	}
	if es := took(&a, 1000, 0, true); !s.OnlyFlagN(es, 4, 7) {
		t.Error("not all are in blocks of the home that took them first")
	} else {
		s.FreeN(es[:500])
	}
	own := false
	for _, e := range took(&b, 500, 9, false) { // in part from blocks that the other home has lost
		own = own || s.Flags(e) == 4
	}
	if !own {
		t.Error("none is in a block of the home's own")
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}
