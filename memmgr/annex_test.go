package memmgr

import (
	"errors"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

func TestAnnex(t *testing.T) {
	both(t, func(t *testing.T, o Options) {
		m := open(t, o)
		s := sequence(t, m, "late", 8, 100)
		for range 2 * s.shape.Full.Capacity() {
			if _, err := s.Append(); err != nil {
				t.Fatal(err)
			}
		}
		first, _ := s.Chunk(0)
		second, _ := s.Chunk(1)
		check := func(want int) {
			t.Helper()
			if err := m.Check(); err != nil || m.Stats().Annexes != want {
				t.Fatalf("%d annexes, want %d, %v", m.Stats().Annexes, want, err)
			}
		}
		a, err := m.Annex(first, 1)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Annex(second, 1)
		if err != nil || a == b {
			t.Fatal(a, b, err)
		}
		check(2)
		if _, err := m.Move(first); err != nil {
			t.Fatal(err)
		}
		if again, err := m.Annex(first, 1); again != a || err != nil {
			t.Error("an annex moved with its chunk")
		}
		check(2)
		s.Truncate(int(s.shape.Full.Capacity())) // the second chunk is a spare, and then none
		for range 3 {
			if err := m.SafePoint(); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := m.Reclaim(0); err != nil {
			t.Fatal(err)
		}
		check(1)
		m.DropAnnex(first)
		m.DropAnnex(first)
		check(0)
	})
}

func TestAnnexRefused(t *testing.T) {
	m := open(t, Options{})
	s := sequence(t, m, "late", 8, 8000)
	l, err := s.Append()
	if err != nil {
		t.Fatal(err)
	}
	a := m.Arena()
	for a.Stats().Committed > a.Stats().Live { // no slot is left
		slot, err := a.Alloc(arena.Normal)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Free(slot)
	}
	a.SetLimit(a.Stats().Committed)
	if _, err := m.Annex(l.Chunk(), 1); !errors.Is(err, arena.ErrLimit) || m.Stats().Annexes != 0 {
		t.Errorf("%v, %d annexes", err, m.Stats().Annexes)
	}
}
