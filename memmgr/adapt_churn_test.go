package memmgr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
)

// churn lets thirty groups grow and shrink in waves for some frames, and returns
// the mean of resident chunk memory over payload, in percent, of the second half.
func churn(t *testing.T, m *Manager, c *clock, frames int) (percent uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	var seqs []*Sequence
	for i := range 30 {
		seqs = append(seqs, sequence(t, m, fmt.Sprintf("g%d", i), 8, 16, 16))
	}
	var serial, sum, n uint64
	goal := make([]int, len(seqs))
	for f := range frames {
		for i, s := range seqs {
			if r.IntN(200) == 0 || f == 0 {
				goal[i] = []int{50, 500, 2000, 20000, 60000}[r.IntN(5)]
			}
			if d := goal[i] - s.Len(); d > 0 {
				appendRows(t, s, min(d, 1000), &serial)
			} else {
				for range min(-d, 1000) {
					s.SwapRemove(s.At(r.IntN(s.Len())))
				}
			}
		}
		c.now = c.now.Add(16 * time.Millisecond)
		if err := errors.Join(m.SafePoint(), m.SafePoint(), m.CloseFrame()); err != nil {
			t.Fatal(err)
		}
		if f > frames/2 && f%50 == 0 {
			resident, err := m.Arena().Resident()
			if errors.Is(err, errors.ErrUnsupported) {
				resident, err = m.Arena().DirtyBy(arena.PurposeChunks), nil
			}
			if err != nil {
				t.Fatal(err)
			}
			sum, n = sum+resident*100/m.Stats().Payload, n+1
		}
	}
	return sum / n
}

// Under churn, adapting keeps less memory than giving whole regions back does.
func TestChurn(t *testing.T) {
	frames := 4000
	if testing.Short() {
		frames = 2000
	}
	if race.Enabled {
		frames = 1000
	}
	for _, backend := range []arena.Backend{arena.OS, arena.Heap} {
		t.Run(backend.String(), func(t *testing.T) {
			o := Options{Arena: arena.Options{Backend: backend}}
			c := ticking(5 * time.Microsecond)
			off := open(t, o)
			off.Adapt(AdaptOptions{Off: true, Clock: c.tick})
			kept := churn(t, off, c, frames)

			c = ticking(5 * time.Microsecond)
			on := open(t, o)
			on.Adapt(AdaptOptions{Clock: c.tick, Decay: time.Second})
			keptOn := churn(t, on, c, frames)
			t.Logf("resident memory is %d %% of payload without adapting, %d %% with", kept, keptOn)
			t.Logf("%+v", adapting(t, on))
			if keptOn > kept {
				t.Error("adapting keeps more")
			}
		})
	}
}
