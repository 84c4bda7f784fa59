package questions

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/bench/internal/candidate"
	"github.com/ashlar-go/ashlar/bench/internal/referee"
)

// All entries of a question do the same work.
func TestEntriesDoTheSame(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Contests(true) {
		if seen[c.String()] || len(c.Entries) < 3 {
			t.Errorf("%s is there twice, or has %d entries", c, len(c.Entries))
		}
		seen[c.String()] = true
		found, err := referee.Run(t.Context(), c, referee.Options{Samples: 3, Seed: 1})
		if err != nil {
			t.Error(err)
		} else if found[0].Rows == 0 {
			t.Errorf("%s: nothing was visited", c)
		}
	}
}

// Bytes for each entity that has a value of 16: an array needs the least where all have one, and the most where few have. A sparse
// set has 8 bytes for each entity of a page that it uses. Ashlar and a map need little more than the values that are there, beside the entity itself.
func TestBytesByFill(t *testing.T) {
	if race.Enabled {
		t.Skip("race builds have chunks on the Go heap, by whole regions: a build without -race counts")
	}
	const n = 1_000_000
	bytes := map[string]map[int]float64{}
	for _, w := range ways {
		bytes[w.storage] = map[int]float64{}
		for _, percent := range []int{1, 10, 100} {
			some := chosen(n, percent)
			beside := held(t, func() filled { return w.open(n) }, nil)
			bytes[w.storage][percent] = (held(t, func() filled { return w.open(n) }, some) - beside) / float64(len(some))
			if w.storage == candidate.Arrays || w.storage == "map" { // room for all is made at first
				bytes[w.storage][percent] += beside / float64(len(some))
			}
		}
		t.Log(w.storage, fmt.Sprintf("1 %%: %.1f, 10 %%: %.1f, 100 %%: %.1f bytes for each", bytes[w.storage][1], bytes[w.storage][10], bytes[w.storage][100]))
	}
	array, ashlar, sparse := bytes[candidate.Arrays], bytes[candidate.Ashlar], bytes[candidate.Sparse]
	if array[1] < 1000 || array[100] > 20 || ashlar[1] > array[1]/4 || sparse[1] > array[1] || ashlar[100] > 40 {
		t.Error(bytes)
	}
}

// held is how many bytes are resident, or on the heap, while some have values.
func held(t *testing.T, open func() filled, some []int) float64 {
	t.Helper()
	heap := func() float64 {
		var s runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc)
	}
	before := heap()
	s := open()
	for _, i := range some {
		s.put(i)
	}
	n := heap() - before
	if s.outside != nil {
		if s.outside().Backend() != arena.OS {
			t.Skip("chunks are on the Go heap here, by whole regions: linux counts")
		}
		resident, err := s.outside().Resident()
		if err != nil {
			t.Skipf("resident memory can't be measured here; linux counts: %v", err)
		}
		n += float64(resident)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(some)
	if s.done != nil {
		s.done()
	}
	return n
}
