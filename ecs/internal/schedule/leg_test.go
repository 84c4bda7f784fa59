package schedule

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/crew"
	"github.com/ashlar-go/ashlar/ecs/internal/legs"
)

// The longest chain of systems that wait for each other has the work of all of them.
func TestLongestChain(t *testing.T) {
	for _, c := range []struct {
		work  []int
		waits [][]int // on which
		want  int
	}{
		{[]int{5, 3, 2}, [][]int{{}, {}, {}}, 5},
		{[]int{5, 3, 2}, [][]int{{}, {0}, {1}}, 10},
		{[]int{5, 3, 2, 4}, [][]int{{}, {}, {0, 1}, {1}}, 7},
		{[]int{5, 3, 2, 6}, [][]int{{}, {}, {1, 0}, {1}}, 9},
	} {
		n := len(c.work)
		l := &leg{systems: make([]*System, n), work: c.work, waits: make([][]legs.Wait, n), runs: make([]bool, n), timed: make([]bool, n), paths: make([]int, n), flow: crew.Flow{Tasks: make([]crew.Task, n)}}
		for i, on := range c.waits {
			for _, j := range on {
				l.waits[i] = append(l.waits[i], legs.Wait{On: j})
			}
		}
		if longest, may := l.ready(nil, 1, 2); longest != c.want || !may {
			t.Errorf("work %v, which waits for %v: %d, want %d", c.work, c.waits, longest, c.want)
		}
	}
}
