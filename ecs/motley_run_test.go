package ecs_test

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

var (
	motleySeed = flag.Uint64("motley", 0, "the seed that TestMotley begins with")
	motleyTime = flag.Duration("motleys", 0, "how long TestMotley runs programs; 0: some")
)

// motleyOptions are ways to run a program. The first has the model beside it.
var motleyOptions = []struct {
	name  string
	o     ecs.Options
	tight bool // see motleyRoom: with the model, and rows in another order
}{
	{name: "1 worker", o: ecs.Options{Workers: 1}},
	{name: "3 workers", o: ecs.Options{Workers: 3, Record: true, TimeEvery: 2}},
	{name: "2 workers, no views", o: ecs.Options{Workers: 2, Views: ecs.Views{Off: true}}},
	{name: "8 workers, heap, views", o: ecs.Options{Workers: 8, Views: ecs.Views{Always: true}, Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}},
	{name: "shuffled, chunks that move", o: ecs.Options{Shuffle: 5, Memory: memmgr.Options{Stress: true}}},
	{name: "shuffled, short runs", o: ecs.WithRunLength(ecs.Options{Shuffle: 6, Memory: machines[1].of(memmgr.Options{})}, 1)},
	{name: "2 workers, all gathered", o: ecs.WithRunLength(ecs.Options{Workers: 2}, 1<<20)},
	{name: "1 worker, little room", o: ecs.Options{Workers: 1}, tight: true},
	{name: "3 workers, little room, heap", o: ecs.Options{Workers: 3, Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}}, tight: true},
}

const walkPieces = 4096 // about as many as usual

// motleyPlay runs the program of a seed in some ways, and returns the first difference.
func motleyPlay(seed uint64, frames int, ways []int, keep func(int) bool) (m *motley, err error) {
	var want []string
	for n, way := range ways {
		o := motleyOptions[way]
		// Handles of entities that are spawned follow from pieces, so these are the same.
		m = newMotley(seed, ecs.WithPieces(o.o, []int{1, 64, 300, walkPieces}[seed%4]), n == 0 || o.tight, o.tight, keep)
		err = m.play(frames)
		if e := m.end(); err == nil {
			err = e
		}
		if err != nil {
			return m, fmt.Errorf("%s: %w", o.name, err)
		}
		if n == 0 {
			want = m.trace
		}
		if n == 0 || o.tight {
			continue
		}
		for i, line := range want {
			if i >= len(m.trace) || line != m.trace[i] {
				return m, fmt.Errorf("%s: line %d is %q, and %q with %s", o.name, i, m.trace[min(i, len(m.trace)-1)], line, motleyOptions[ways[0]].name)
			}
		}
	}
	return m, nil
}

// motleyShrink leaves out systems and frames while the program fails.
func motleyShrink(seed uint64, frames int, ways []int) error {
	left := map[int]bool{}
	keep := func(i int) bool { return !left[i] }
	fails := func() error { _, err := motleyPlay(seed, frames, ways, keep); return err }
	err := fails()
	for ; err != nil && frames > 1; frames-- {
		frames--
		e := fails()
		frames++
		if e == nil {
			break
		}
		err = e
	}
	for i := range 16 {
		left[i] = true
		if e := fails(); e != nil {
			err = e
		} else {
			delete(left, i)
		}
	}
	if len(ways) > 2 {
		for _, way := range ways[1:] {
			was := ways
			ways = []int{was[0], way}
			if e := fails(); e != nil {
				err = e
				break
			}
			ways = was
		}
	}
	m, again := motleyPlay(seed, frames, ways, keep)
	err = errors.Join(err, again)
	text := ""
	for _, s := range m.specs {
		text += fmt.Sprintf("\n%s parallel %v, phase %v: %v\n%+v", s.name, s.parallel, s.phase, s.typ, *s)
	}
	for _, s := range m.steps {
		text += " " + s.name
	}
	for _, s := range slices.Sorted(mapsKeys(m.heard)) {
		text += " " + s
	}
	return fmt.Errorf("seed %d, %d frames, ways %v: %w\n%s", seed, frames, ways, err, text)
}

// TestMotley: programs of systems with structs made up at random end as a model of plain maps does, and in the same rows,
// handles and calls for any number of workers, order of pieces, way of storing in memory and place of chunks.
//
//	go test ./ecs -run TestMotley -motley 100 -motleys 5m -timeout 20m
func TestMotley(t *testing.T) {
	t.Parallel()
	seeds, ways := uint64(60), 4
	if testing.Short() {
		seeds, ways = 20, 3
	}
	if race.Enabled {
		seeds, ways = 6, 3
	}
	refused := map[string]int{}
	faults := 0
	for start, n := time.Now(), uint64(0); n < seeds || time.Since(start) < *motleyTime; n++ {
		seed := *motleySeed + n
		list := []int{0}
		for i := range ways - 1 {
			list = append(list, 1+int((seed*uint64(ways-1)+uint64(i))%uint64(len(motleyOptions)-1)))
		}
		m, err := motleyPlay(seed, 8, list, nil)
		for _, s := range m.refused {
			refused[s]++
		}
		if err != nil {
			t.Error(motleyShrink(seed, 8, list))
			if faults++; faults > 2 {
				break
			}
		}
	}
	if testing.Verbose() {
		for _, s := range slices.Sorted(mapsKeys(refused)) {
			t.Log(refused[s], s)
		}
	}
}
