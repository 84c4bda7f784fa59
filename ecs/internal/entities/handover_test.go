package entities

import (
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// A block that a home of another Kin takes is noted, with the Kin that it had: whole ones and
// parts, in both orders. One that its own Kin takes again is not, and neither is one that had
// none.
func TestHandovers(t *testing.T) {
	for _, fifo := range []bool{false, true} {
		s := Make(open(t, arena.Options{}), Options{Max: 1 << 16, FIFO: fifo})
		a, b, none := &Home{Kin: 1}, &Home{Kin: 2}, &Home{}
		noted := func(what string, want ...Handover) {
			t.Helper()
			var got []Handover
			for s.Handovers() > 0 {
				got = append(got, s.TakeHandover())
			}
			slices.SortFunc(got, func(x, y Handover) int { return int(x.Index) - int(y.Index) })
			if !slices.Equal(got, want) {
				t.Errorf("fifo %v, %s: %v, want %v", fifo, what, got, want)
			}
		}
		keep := take(t, &s, a, 64) // of the first two parts
		es := take(t, &s, a, 511-64+2*pageLen)
		noted("fresh blocks")
		s.FreeN(es)
		es = take(t, &s, a, 511-64+2*pageLen)
		noted("its own again")
		s.FreeN(es)
		s.FreeN(keep)
		es = take(t, &s, b, 64+2*pageLen)
		if !fifo {
			noted("whole blocks and parts", Handover{1, 1}, Handover{1, 128}, Handover{1, pageLen}, Handover{1, 2 * pageLen})
		} else if n := s.Handovers(); n < 3 {
			t.Errorf("fifo: %d are noted", n)
		}
		s.FreeN(es)
		for s.Handovers() > 0 {
			s.TakeHandover()
		}
		es = take(t, &s, none, 3*pageLen)
		for s.Handovers() > 0 {
			if h := s.TakeHandover(); h.Kin != 1 && h.Kin != 2 {
				t.Errorf("fifo %v, by a home without a Kin: %v", fifo, h)
			}
		}
		s.FreeN(es)
		take(t, &s, b, pageLen)
		noted("from homes without a Kin")
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}

// No more are noted than there is room for.
func TestHandoversMost(t *testing.T) {
	const n = (handoversMost + 8) * pageLen
	s := Make(open(t, arena.Options{}), Options{Max: n})
	a, b := &Home{Kin: 1}, &Home{Kin: 2}
	s.FreeN(take(t, &s, a, n))
	take(t, &s, b, n)
	if got := s.Handovers(); got != handoversMost {
		t.Errorf("%d are noted, want %d", got, handoversMost)
	}
}
