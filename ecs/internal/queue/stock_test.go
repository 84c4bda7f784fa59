package queue

import (
	"errors"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// storeOf makes a store for so many entities, which is closed with the test.
func storeOf(t *testing.T, most uint32) *store.Store {
	t.Helper()
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return store.New(m, store.Options{MaxEntities: most})
}

// A grant's list of handles grows no more once it was large enough: it doubled whenever a small grant became a large one
// again, to gigabytes within minutes.
func TestGrantsStaySmall(t *testing.T) {
	s := storeOf(t, 1<<16)
	k := Stock{store: s}
	for range 40 {
		for _, n := range []int{2 * blockLen, blockLen} {
			g, err := k.grant(nil, 0, n)
			if err != nil || len(g.handles) != n || cap(g.handles) > 4*blockLen {
				t.Fatalf("%d handles of %d, room for %d, %v", len(g.handles), n, cap(g.handles), err)
			}
			k.End()
		}
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// Entities that pieces have not spawned go back up to the piece that has its turn: later ones may run.
func TestGrantsOfLaterPiecesStay(t *testing.T) {
	s := storeOf(t, 1<<16)
	k := Stock{store: s}
	for piece := range 3 {
		g, err := k.grant(nil, piece, blockLen)
		if err != nil {
			t.Fatal(err)
		}
		g.used = piece
	}
	k.giveBack(1)
	if n := s.Len(); n != 1+blockLen {
		t.Errorf("%d entities", n)
	}
	k.End()
	if err := s.Check(); err != nil || s.Len() != 1+2 {
		t.Errorf("%d entities, %v", s.Len(), err)
	}
}

// A piece has as many entities ahead as it spawned in the run before and some more, and shares none with others. The rest
// goes back.
func TestStock(t *testing.T) {
	s := storeOf(t, 1<<16)
	var k Stock
	var all []store.Entity
	for run := range 3 {
		k.Begin(s, 2)
		ahead := 0
		if run > 0 {
			ahead = blockFor(1) + blockFor(100)
		}
		if n := s.Len() - len(all); n != ahead {
			t.Errorf("run %d: %d entities are taken ahead, not %d", run, n, ahead)
		}
		for piece, n := range []int{1, 100} {
			for range n {
				var one [1]store.Entity
				if !k.Take(piece, nil, one[:]) {
					if run > 0 {
						t.Fatalf("run %d: piece %d has none left", run, piece)
					}
					if err := k.Refill(piece, nil, one[:]); err != nil {
						t.Fatal(err)
					}
				}
				all = append(all, one[0])
			}
		}
		k.End()
		if n := s.Len(); n != len(all) {
			t.Errorf("run %d: %d entities live, %d were spawned", run, n, len(all))
		}
	}
	slices.Sort(all)
	if n := len(all); len(slices.Compact(all)) != n || slices.ContainsFunc(all, func(e store.Entity) bool { return !s.Alive(e) }) {
		t.Errorf("of %d entities some are one, or dead", n)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}

// Where there is no room for a block ahead, pieces spawn as many as there may be, and then are refused with dst as it was.
func TestStockFull(t *testing.T) {
	const most = 100
	s := storeOf(t, most)
	var k Stock
	k.Begin(s, 2)
	for n := range most + 1 {
		one := [1]store.Entity{7}
		if !k.Take(1, nil, one[:]) {
			err := k.Refill(1, nil, one[:])
			if (n == most) != (err != nil) || err != nil && (one[0] != 7 || !errors.Is(err, arena.ErrFull)) {
				t.Fatalf("entity %d: %v, %v", n, one[0], err)
			}
		}
	}
	k.End()
	if err := s.Check(); err != nil || s.Len() != most {
		t.Errorf("%d entities, %v", s.Len(), err)
	}
	k.Begin(s, 2) // which would take more ahead than an eighth of none
	if s.Len() != most {
		t.Errorf("%d entities with those ahead", s.Len())
	}
	k.End()
}

// A piece that spawns nothing is left out of the stock of others: its grant goes back once it has ended, and a grant that is used
// again is of one piece alone.
func TestStockOfTwo(t *testing.T) {
	const most = 2048
	s := storeOf(t, most)
	b := s.NewBundle(nil, nil)
	var k Stock
	spawn := func(piece int) error {
		var one [1]store.Entity
		if k.Take(piece, nil, one[:]) {
			return nil
		}
		return k.Refill(piece, nil, one[:])
	}
	k.Begin(s, 2)
	if !k.Take(0, nil, nil) || k.Take(0, nil, make([]store.Entity, 1)) {
		t.Error("nothing is refused, or something taken before there is a stock")
	}
	for piece := range 2 {
		if err := spawn(piece); err != nil {
			t.Fatal(err)
		}
	}
	if k.Take(0, b, make([]store.Entity, 1)) {
		t.Error("entities of a bundle come from the stock of bare ones")
	}
	k.End()
	n := testing.AllocsPerRun(10, func() {
		k.Begin(s, 2)
		if err := spawn(1); err != nil {
			t.Fatal(err)
		}
		k.End()
	})
	if n > 0 {
		t.Errorf("%v allocations with spare grants", n)
	}
	before, spawned := s.Len(), 0
	k.Begin(s, 2)
	for ; ; spawned++ {
		if err := spawn(1); errors.Is(err, arena.ErrFull) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if spawned != most-before {
		t.Errorf("the last piece is refused behind %d entities, and %d are not there", spawned, most-before)
	}
	k.End()
	for e := range s.All() {
		if s.Len() > most/2 {
			if err := s.Destroy(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	k.Begin(s, 2) // more were wanted than an eighth of the rest
	if s.Len() != most/2 {
		t.Errorf("%d entities, %d of them ahead", s.Len(), s.Len()-most/2)
	}
	if err := spawn(0); err != nil || k.Take(1, nil, make([]store.Entity, 1)) {
		t.Errorf("a piece takes from another one's grant, %v", err)
	}
	k.End()
	if err := s.Check(); err != nil {
		t.Error(err)
	}
}
