package epidemic

import "testing"

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
