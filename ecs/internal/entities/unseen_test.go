package entities

import (
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// Whole pages of indexes are taken unseen, up to the last one that fits, and none where others come first.
func TestTakeUnseen(t *testing.T) {
	for _, x := range []struct {
		most, n uint32
		first   Entity
		taken   int
	}{
		{1 << 16, 5000, 512, 4608},
		{1 << 16, 512, 512, 512},
		{1 << 16, 511, 0, 0},
		{2047, 5000, 512, 1536}, // with index 0, four pages
		{2046, 5000, 512, 1024},
		{511, 5000, 0, 0},
		{100, 5000, 0, 0},
	} {
		s := Make(open(t, arena.Options{}), Options{Max: x.most, Tag: 1})
		h := &Home{Kin: 7}
		if first, n := s.TakeUnseen(h, 5000); n != 0 {
			t.Fatalf("%d from %v, without a page", n, first)
		}
		seen := make([]Entity, min(511, x.most))
		if _, err := s.TakeN(h, seen); err != nil {
			t.Fatal(err)
		}
		first, taken := s.TakeUnseen(h, int(x.n))
		if taken != x.taken || taken > 0 && first != s.firstOf(uint32(x.first)) || s.Len() != len(seen)+taken || s.Bound() != uint32(len(seen)+taken+1) {
			t.Errorf("%d of at most %d: %d from %v, %d alive below %d; want %d from %d", x.n, x.most, taken, first, s.Len(), s.Bound(), x.taken, x.first)
		}
		if taken > 0 && (s.Alive(first) || s.Kin(first.Index()) != 7) {
			t.Errorf("%v is alive: %v, of kin %d", first, s.Alive(first), s.Kin(first.Index()))
		}
		if err := s.Check(); err != nil {
			t.Error(err)
		}
		s.Free(seen[3])
		if _, n := s.TakeUnseen(h, 5000); n != 0 {
			t.Errorf("%d are taken where one is free", n)
		}
		s.Close()
	}
}
