package entities

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// TestReturn: handles that nobody has seen come next again, and the set is as if they had not been taken: the
// same versions, the same order. With FIFO the order may differ where a block has become empty.
func TestReturn(t *testing.T) {
	for _, fifo := range []bool{false, true} {
		t.Run(fmt.Sprint("FIFO ", fifo), func(t *testing.T) {
			a := open(t, arena.Options{Backend: arena.Heap})
			s := Make(a, Options{Max: 20000, FIFO: fifo})
			homes := make([]Home, 3)
			r := rand.New(rand.NewPCG(1, 2))
			alive := make([][]Entity, len(homes))
			check := func() {
				t.Helper()
				if err := s.Check(); err != nil {
					t.Fatal(err)
				}
			}
			take := func(h, n int) []Entity {
				dst := make([]Entity, n)
				if _, err := s.TakeN(&homes[h], dst); err != nil {
					t.Fatal(err)
				}
				return dst
			}
			for range 2000 {
				h := r.IntN(len(homes))
				switch n := 1 + r.IntN(300); {
				case r.IntN(2) == 0 && s.Len() < 9000:
					alive[h] = append(alive[h], take(h, n)...)
				case r.IntN(3) > 0:
					r.Shuffle(len(alive[h]), func(i, j int) { alive[h][i], alive[h][j] = alive[h][j], alive[h][i] })
					n = min(n, len(alive[h]))
					for _, e := range alive[h][:n] {
						s.Free(e)
					}
					alive[h] = slices.Clone(alive[h][n:])
				default:
					one, two := take(h, n), take((h+1)%3, n)
					used := r.IntN(n + 1)
					s.Return(two)
					check()
					s.Return(one[used:])
					alive[h] = append(alive[h], one[:used]...)
					check()
					want := one[used:]
					if len(want) == 0 || fifo {
						break
					}
					b := s.blockOf(want[0].Index())
					if s.blocks[b].home != &homes[h] {
						break // it has become empty, and others may come first
					}
					for i, e := range want {
						if s.blockOf(e.Index()) != b {
							want = want[:i]
							break
						}
					}
					again := take(h, n-used)
					if !slices.Equal(again[:len(want)], want) {
						t.Fatalf("took %v, want %v again", again, want)
					}
					s.Return(again)
				}
				check()
				n := 0
				for h := range alive {
					for _, e := range alive[h] {
						if n++; !s.Alive(e) {
							t.Fatalf("%v is dead", e)
						}
					}
				}
				if n != s.Len() {
					t.Fatalf("%d alive, want %d", s.Len(), n)
				}
			}
		})
	}
}
