package walk

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// total is the sum told of a sequence, or passed of it.
type total struct{ rows, chunks int }

// Walks are told as they passed, table by table: rows that come, go, and move from
// one table to another while all together stay as many, and walks between which nothing happens.
func TestTallies(t *testing.T) {
	for seed := range uint64(6) {
		s := newStage(t, seed, memmgr.Options{Stress: seed%2 == 1}, 32)
		r := rand.New(rand.NewPCG(seed, 5))
		for _, c := range s.comps {
			q := s.one(c, false)
			x := NewCursor(NewPlan(&s.Base, q))
			passed, told := map[*memmgr.Sequence]total{}, map[*memmgr.Sequence]total{}
			seqs, ids := map[chunk.ID]*memmgr.Sequence{}, map[chunk.ID]bool{} // of this walk
			x.Fn = func(p raw.Ptr) {
				for _, v := range raw.As[probe](p).Values[0] {
					l, _ := c.Loc(store.Entity(v[0] / 16))
					ids[l.Chunk()] = true
					n := passed[seqs[l.Chunk()]]
					n.rows++
					passed[seqs[l.Chunk()]] = n
				}
			}
			x.Visit = func(s *memmgr.Sequence, rows, chunks, _ int) {
				if s == nil || rows <= 0 || chunks <= 0 {
					t.Errorf("%d rows in %d chunks are told of %v", rows, chunks, s)
				}
				told[s] = total{told[s].rows + rows, told[s].chunks + chunks}
			}
			call := func(p raw.Ptr) bool { x.Fn(p); return true }
			for round := range 60 {
				switch r.IntN(5) {
				case 0:
					s.change(r, 1+r.IntN(30))
				case 1: // rows come, and none goes
					e, err := s.Store.Spawn()
					if err != nil {
						t.Fatal(err)
					}
					s.es = append(s.es, e)
					s.add(c, e)
				case 2: // a table is empty for some rounds
					for _, e := range s.es {
						if round%20 == 9 && c.Has(e) {
							if err := s.Store.Remove(c, e); err != nil {
								t.Fatal(err)
							}
						}
					}
				case 3: // and then gone, so that others have its number
					for range 300 * (1 - min(round%10, 1)) {
						s.Store.EndFrame()
					}
				}
				if err := s.Manager.SafePoint(); err != nil {
					t.Fatal(err)
				}
				list := x.Tables()
				for i := range list {
					for id := range list[i].Seq.Chunks() {
						seqs[id] = list[i].Seq
					}
				}
				clear(ids)
				x.Each(raw.Of(&probe{}), call)
				for id := range ids {
					n := passed[seqs[id]]
					n.chunks++
					passed[seqs[id]] = n
				}
				for seq := range passed {
					if _, known := told[seq]; !known {
						t.Fatalf("%s, round %d: nothing was told of %s at once", c.Name, round, seq.Name())
					}
				}
				if r.IntN(9) == 0 {
					x.Tell()
					if !maps.Equal(told, passed) {
						t.Fatalf("%s, round %d: told %v, passed %v", c.Name, round, told, passed)
					}
				}
			}
			x.Tell()
			x.Tell()
			if !maps.Equal(told, passed) {
				t.Fatalf("%s: told %v, passed %v", c.Name, told, passed)
			}
		}
	}
}

// Walks that are the same as the one before are not told one by one, but often enough for
// sums to have room.
func TestTalliesAreToldInTime(t *testing.T) {
	if !wholeTables {
		t.Skip("whole tables alone are counted so")
	}
	s := newStage(t, 1, memmgr.Options{}, 32)
	x := NewCursor(NewPlan(&s.Base, s.one(s.comps[6], false)))
	calls, rows := 0, 0
	x.Visit = func(_ *memmgr.Sequence, n, _, _ int) { calls, rows = calls+1, rows+n }
	x.Fn = func(raw.Ptr) {}
	walk := func(n int) {
		for range n {
			x.Each(raw.Of(&probe{}), nil)
		}
	}
	walk(1)
	first, once := calls, rows
	if walk(tellEvery - 2); first == 0 || calls != first {
		t.Errorf("%d calls at once, then %d", first, calls-first)
	}
	if walk(1); calls == first || rows != tellEvery*once {
		t.Errorf("%d rows are told after %d walks, want %d", rows, tellEvery, tellEvery*once)
	}
}

// Tables are told of in the order in which a cursor passes them first, tables of one chunk among
// tables of several.
func TestTalliesComeInOrder(t *testing.T) {
	s := newStage(t, 1, memmgr.Options{}, 32)
	for range 5000 { // a table of several chunks
		e, err := s.Store.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		s.add(s.comps[1], e)
	}
	x := NewCursor(NewPlan(&s.Base, s.one(s.comps[1], false)))
	var want, told []*memmgr.Sequence
	some := map[bool]bool{}
	for i := range x.Tables() {
		if seq := x.Tables()[i].Seq; seq.Len() > 0 {
			want = append(want, seq)
			some[seq.ChunkCount() > 1] = true
		}
	}
	x.Visit = func(seq *memmgr.Sequence, _, _, _ int) { told = append(told, seq) }
	if x.Each(raw.Of(&probe{}), func(raw.Ptr) bool { return true }); !slices.Equal(told, want) || len(some) < 2 {
		t.Errorf("told of %d tables, want %d in their order, of one chunk and of several", len(told), len(want))
	}
}

// A walk that its function ends calls no more, whether tables are noted or not.
func TestWalkOfNotesEnds(t *testing.T) {
	s := newStage(t, 1, memmgr.Options{}, 32)
	for most := range 6 {
		x := NewCursor(NewPlan(&s.Base, s.one(s.comps[1], false)))
		for round := range 4 {
			calls := 0
			x.Each(raw.Of(&probe{}), func(raw.Ptr) bool {
				calls++
				return round == 2 || calls <= most // the whole walk is noted from then on
			})
			if round != 2 && calls != most+1 || calls < 6 && round == 2 {
				t.Errorf("round %d: %d calls, want %d", round, calls, most+1)
			}
		}
	}
}
