package epidemic

import (
	"testing"

	"github.com/ashlar-go/ashlar/bench/internal/twin"
)

// Agents fall ill, recover, and can fall ill again; some never do.
func TestAllHappens(t *testing.T) {
	m := newFlat(4000)
	caught := make([]int, len(m.place))
	for range 150 {
		old := append([]Health(nil), m.health...)
		m.step()
		for i, h := range m.health {
			if old[i].State != infected && h.State == infected {
				caught[i]++
			}
		}
	}
	var count [3]int
	for _, n := range caught {
		count[min(n, 2)]++
	}
	if count[1] == 0 || count[2] == 0 {
		t.Errorf("agents who fell ill never, once, more often: %v", count)
	}
	t.Log(count)
}

// The model on two cores comes to the same as on one, on Ashlar and in slices.
func TestHalvesAgree(t *testing.T) {
	const agents = 20_001
	stages := []twin.Stage{openSlices(agents), OpenHalves(agents), OpenShared(agents, 2)}
	for range 40 {
		for _, s := range stages {
			s.Frame()
		}
	}
	want := stages[0].Digest()
	for i, s := range stages {
		if got := s.Digest(); got != want {
			t.Errorf("stage %d has digest %#x, want %#x", i, got, want)
		}
	}
	twin.Check(stages[2].Close())
}
