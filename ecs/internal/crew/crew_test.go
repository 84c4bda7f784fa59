package crew

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var sizes = []int{1, 2, 3, 8, 64}

// A worker is awake from its call to the end of the frame, or until it has found nothing for long.
func TestAwake(t *testing.T) {
	c := New(2)
	if c.Awake() {
		t.Error("awake before the first job")
	}
	j := &Job{Do: func(int, int) {}}
	for n := 0; !c.Awake(); n++ {
		if c.Run(j, 10, Called); n > 1000 {
			t.Fatal("never awake")
		}
	}
	c.Rest()
	for n := 0; c.Awake() && n < 1000; n++ {
		time.Sleep(time.Millisecond)
	}
	if c.Awake() {
		t.Error("awake in a rest")
	}
	c.Close()
}

// TestRun: each piece runs once, whatever the number of workers and of pieces, and whoever is called.
func TestRun(t *testing.T) {
	for _, n := range sizes {
		c := New(n)
		var ran [300]atomic.Int32
		j := &Job{Do: func(worker, piece int) {
			if worker < 0 || worker >= n {
				t.Errorf("worker %d of %d", worker, n)
			}
			ran[piece].Add(1)
		}}
		for round := range 200 {
			pieces := round % 300
			if f := c.Run(j, pieces, Help(round%3)); f != nil {
				t.Fatal(f)
			}
			for i := range ran {
				if got := ran[i].Swap(0); got != 1 && i < pieces || got != 0 && i >= pieces {
					t.Fatalf("%d workers: piece %d of %d ran %d times", n, i, pieces, got)
				}
			}
			if round%20 == 0 {
				c.Rest()
			}
		}
		c.Close()
	}
}

// TestNone: without help the caller runs all, in order.
func TestNone(t *testing.T) {
	c := New(8)
	defer c.Close()
	var order []int
	j := &Job{Do: func(worker, piece int) {
		if worker != 0 {
			t.Errorf("worker %d", worker)
		}
		order = append(order, piece)
	}}
	c.Run(j, 100, None)
	if !slices.IsSorted(order) || len(order) != 100 || c.started {
		t.Errorf("ran %v", order)
	}
}

// TestHelps: a called worker takes pieces, and all workers of a crew are called.
func TestHelps(t *testing.T) {
	c := New(4)
	defer c.Close()
	var seen [4]atomic.Bool
	j := &Job{Do: func(worker, piece int) {
		seen[worker].Store(true)
		for from := time.Now(); time.Since(from) < 5*time.Second; runtime.Gosched() {
			if seen[0].Load() && seen[1].Load() && seen[2].Load() && seen[3].Load() {
				return
			}
		}
		t.Errorf("worker %d waits for the others", worker)
	}}
	c.Run(j, 4, Called)
}

// TestLabels: a called worker has the labels of a job while it runs pieces, and none in the next job without some.
func TestLabels(t *testing.T) {
	c := New(2)
	defer c.Close()
	labels := pprof.WithLabels(t.Context(), pprof.Labels("system", "of the test"))
	for _, j := range []*Job{{Labels: labels}, {}} {
		var both sync.WaitGroup // the caller has labels of its own, so only the other one is asked
		both.Add(2)
		j.Do = func(worker, piece int) {
			both.Done()
			both.Wait()
			if worker == 0 {
				return
			}
			var b strings.Builder
			if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
				t.Error(err)
			}
			if has := strings.Contains(b.String(), `"system":"of the test"`); has != (j.Labels != nil) {
				t.Errorf("a goroutine has the labels: %v, want %v", has, j.Labels != nil)
			}
		}
		c.Run(j, 2, Called)
	}
}

// TestTakes: a worker goes through its range from the front, and thieves take from the far end.
func TestTakes(t *testing.T) {
	j := &Job{ranges: make([]span, 3), near: 3}
	fill := func() {
		for i := range j.ranges {
			j.ranges[i].word.Store(uint64(4*i)<<32 | uint64(4*i+4))
		}
	}
	takes := func(worker int) (list []int) {
		for {
			piece, ok := j.next(worker)
			if !ok {
				return list
			}
			list = append(list, piece)
		}
	}
	for _, tt := range []struct {
		worker int
		inTurn bool
		want   string
	}{
		{0, false, "[0 1 2 3 7 6 5 4 11 10 9 8]"},
		{1, false, "[4 5 6 7 11 10 9 8 3 2 1 0]"},
		{2, false, "[8 9 10 11 3 2 1 0 7 6 5 4]"},
		{0, true, "[0 1 2 3 4 5 6 7 8 9 10 11]"},
		{1, true, "[4 5 6 7 11 10 9 8 3 2 1 0]"},
	} {
		fill()
		if j.InTurn = tt.inTurn; fmt.Sprint(takes(tt.worker)) != tt.want {
			fill()
			t.Errorf("worker %d, in turn %v: took %v, want %s", tt.worker, tt.inTurn, takes(tt.worker), tt.want)
		}
	}
}

// TestFaults: the panic of the lowest piece is returned with its stack, and the other pieces run. A piece
// that ends its goroutine is one, too, and the crew has as many workers as before.
func TestFaults(t *testing.T) {
	bad := errors.New("bad")
	for _, n := range sizes {
		c := New(n)
		var ran atomic.Int32
		j := &Job{Do: func(worker, piece int) {
			ran.Add(1)
			switch {
			case piece%7 == 3:
				panic(fmt.Errorf("%w: %d", bad, piece))
			case piece == 1 && worker > 0:
				runtime.Goexit()
			}
		}}
		for range 50 {
			ran.Store(0)
			f := c.Run(j, 100, Called)
			switch {
			case f == nil || ran.Load() != 100:
				t.Fatalf("%d workers: fault %v, %d ran", n, f, ran.Load())
			case f.Piece == 1 && strings.Contains(f.Error(), "Goexit"):
			case f.Piece != 3 || !errors.Is(f, bad) || f.Value.(error).Error() != "bad: 3" || !strings.Contains(f.Error(), "crew_test.go"):
				t.Fatalf("%d workers: %v", n, f)
			}
		}
		c.Close()
		if c.busy.Load() != 0 || c.held.Load() != 0 {
			t.Errorf("%d busy, %d held", c.busy.Load(), c.held.Load())
		}
	}
}

// TestExit: if a piece ends the caller's goroutine, no piece runs when it is gone.
func TestExit(t *testing.T) {
	c := New(3)
	var ran atomic.Int32
	gone := make(chan bool)
	go func() {
		defer close(gone)
		c.Run(&Job{Do: func(worker, piece int) {
			if worker == 0 {
				runtime.Goexit()
			}
			ran.Add(1)
			time.Sleep(time.Millisecond)
			ran.Add(-1)
		}}, 50, Called)
		t.Error("it has returned")
	}()
	<-gone
	if ran.Load() != 0 {
		t.Errorf("%d pieces run", ran.Load())
	}
	c.Close()
}

// TestAlone: pieces that ask for it do something alone, in their order, while no other piece runs, whatever the number of workers.
func TestAlone(t *testing.T) {
	for _, n := range sizes {
		c := New(n)
		var order []int
		var within atomic.Int32
		j := &Job{InTurn: true}
		var x int // raced for, unless they are alone
		j.Do = func(worker, piece int) {
			within.Add(1)
			for range piece % 3 {
				c.Alone(j, piece, func() {
					order = append(order, piece)
					x++
				})
			}
			within.Add(-1)
			if piece%11 == 0 {
				panic("some panic")
			}
			if piece%13 == 5 {
				c.Alone(j, piece, func() {
					order = append(order, piece)
					panic("alone")
				})
			}
		}
		for range 30 {
			order, x = order[:0], 0
			if f := c.Run(j, 120, Called); f == nil || f.Piece != 0 {
				t.Fatal(f)
			}
			if !slices.IsSorted(order) || x != 120 || len(order) < 125 {
				t.Fatalf("%d workers: %v, %d", n, order, x)
			}
		}
		c.Close()
	}
}

// TestClose: no goroutine is left, whether workers were parked, resting or never started.
func TestClose(t *testing.T) {
	for i := range 20 {
		c := New(8)
		if i > 0 {
			c.Run(&Job{Do: func(int, int) {}}, 16, Called)
		}
		if i%3 == 1 {
			c.Rest()
		}
		if i%3 == 2 {
			time.Sleep(time.Millisecond)
		}
		c.Close()
	}
	for n := 0; workers() > 0 && n < 1000; n++ {
		time.Sleep(time.Millisecond)
	}
	if n := workers(); n > 0 {
		t.Errorf("%d goroutines are left", n)
	}
}

// workers counts the goroutines of crews alone: others of this process come and go.
func workers() int {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	return bytes.Count(stacks, []byte("created by github.com/ashlar-go/ashlar/ecs/internal/crew.(*"))
}

// TestDropped: a crew that is done and is dropped without Close goes, with the jobs, flows and goroutines that it had.
func TestDropped(t *testing.T) {
	drop := func(exits bool) (gone *atomic.Bool) {
		c := New(8)
		owner := new([64]int) // as a world is: its jobs lead to it, and it has the crew
		gone = new(atomic.Bool)
		runtime.AddCleanup(owner, func(gone *atomic.Bool) { gone.Store(true) }, gone)
		do := func(worker, piece int) {
			_, _ = c.Workers(), owner[piece]
			if exits && worker > 0 {
				runtime.Goexit() // another goroutine takes the worker's place
			}
		}
		c.Neighbours = func() int { return len(owner) }
		c.Run(&Job{Do: do}, 16, Called)
		f := &Flow{Tasks: make([]Task, 2)}
		for i := range f.Tasks {
			f.Tasks[i].Job.Do, f.Tasks[i].Pieces = do, 16
		}
		c.RunFlow(f, Called)
		c.Done()
		return gone
	}
	for _, exits := range []bool{false, true} {
		gone := drop(exits)
		for n := 0; (!gone.Load() || workers() > 0) && n < 400; n++ {
			runtime.GC()
			time.Sleep(5 * time.Millisecond)
		}
		if !gone.Load() || workers() > 0 {
			t.Errorf("goroutines that exit: %v; the owner is gone: %v, %d goroutines are left", exits, gone.Load(), workers())
		}
	}
}

// TestSteady: a run allocates nothing once it is warm.
func TestSteady(t *testing.T) {
	c := New(2)
	defer c.Close()
	j := &Job{Do: func(int, int) {}, InTurn: true}
	c.Run(j, 64, Called)
	if n := testing.AllocsPerRun(100, func() { c.Run(j, 64, Called) }); n > 0 {
		t.Errorf("%v allocations a run", n)
	}
}

// BenchmarkEmpty is the caller's time for two empty pieces: within a frame, where the worker looks for work, and first
// in a frame, where it is called and comes too late.
func BenchmarkEmpty(b *testing.B) {
	c := New(2)
	defer c.Close()
	j := &Job{Do: func(int, int) {}}
	b.Run("within", func(b *testing.B) {
		for b.Loop() {
			c.Run(j, 2, Called) // a worker that is awake is not called
		}
	})
	b.Run("first", func(b *testing.B) {
		var took []time.Duration
		for b.Loop() {
			c.Rest()
			time.Sleep(5 * time.Millisecond) // the worker parks, and its thread does
			from := time.Now()
			c.Run(j, 2, Called)
			took = append(took, time.Since(from))
		}
		slices.Sort(took)
		b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "ns/median")
		b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "ns/p99")
	})
}
