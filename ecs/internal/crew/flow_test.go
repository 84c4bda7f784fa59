package crew

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// plan is tasks at random: which waits for which, and how many pieces each has.
type plan struct {
	waits  [][]int
	pieces []int
	whole  []bool
	idle   []bool
	turn   []bool
}

func planOf(r *rand.Rand, n int) (p plan) {
	for i := range n {
		var waits []int
		for range r.IntN(3) {
			if i > 0 {
				if on := r.IntN(i); !slices.Contains(waits, on) {
					waits = append(waits, on)
				}
			}
		}
		p.waits = append(p.waits, waits)
		p.pieces = append(p.pieces, r.IntN(12))
		p.whole, p.idle = append(p.whole, r.IntN(3) == 0), append(p.idle, r.IntN(9) == 0)
		p.turn = append(p.turn, r.IntN(3) == 0)
	}
	return p
}

// flow makes a flow of a plan. Do is called for each piece.
func (p *plan) flow(do func(c *Task, task, worker, piece int), begin, end func(task int)) *Flow {
	f := &Flow{Tasks: make([]Task, len(p.waits))}
	for i := range f.Tasks {
		t := &f.Tasks[i]
		t.Waits, t.Pieces, t.Whole, t.Idle = len(p.waits[i]), p.pieces[i], p.whole[i], p.idle[i]
		for _, on := range p.waits[i] {
			f.Tasks[on].Next = append(f.Tasks[on].Next, i)
		}
		t.Job.InTurn = p.turn[i]
		t.Job.Do = func(worker, piece int) { do(t, i, worker, piece) }
		t.Begin, t.End = func() { begin(i) }, func() { end(i) }
	}
	return f
}

// Each piece runs once, behind the tasks that its task waits for, between that task's Begin and End.
func TestFlow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, workers := range []int{1, 2, 3, 8, 64} {
		c := New(workers)
		for range 20 {
			p := planOf(r, 1+r.IntN(30))
			n := len(p.waits)
			begun, over := make([]atomic.Int32, n), make([]atomic.Int32, n)
			ran := make([][]atomic.Int32, n)
			for i := range ran {
				ran[i] = make([]atomic.Int32, p.pieces[i])
			}
			var wrong atomic.Int32
			within := 0 // Begin and End: one at a time
			runs := int32(0)
			f := p.flow(func(x *Task, task, worker, piece int) {
				ran[task][piece].Add(1)
				if begun[task].Load() != runs || over[task].Load() != runs-1 {
					wrong.Add(1)
				}
				for _, on := range p.waits[task] {
					if !p.idle[on] && over[on].Load() != runs {
						wrong.Add(1)
					}
				}
				if x.Job.InTurn && piece%5 == 4 {
					c.Alone(&x.Job, piece, func() {
						for k := range piece {
							if ran[task][k].Load() != runs {
								wrong.Add(1)
							}
						}
					})
				}
				if p.whole[task] && piece > 0 && ran[task][piece-1].Load() != runs {
					wrong.Add(1)
				}
			}, func(task int) {
				within++
				begun[task].Add(1)
			}, func(task int) {
				within++
				over[task].Add(1)
			})
			for k := range 10 {
				if runs++; workers == 1 && k%2 == 1 {
					c.ShuffleFlow(f, r)
				} else {
					c.RunFlow(f, Called)
				}
				for i := range ran {
					for k := range ran[i] {
						want := runs
						if p.idle[i] {
							want = 0
						}
						if n := ran[i][k].Load(); n != want {
							t.Fatalf("%d workers: piece %d of task %d ran %d times in %d runs", workers, k, i, n, runs)
						}
					}
					if f.Tasks[i].Fault() != nil || f.Tasks[i].Skipped() {
						t.Fatalf("task %d: %v", i, f.Tasks[i].Fault())
					}
				}
			}
			if wrong.Load() > 0 {
				t.Fatalf("%d workers: %d pieces ran too early or too late", workers, wrong.Load())
			}
			c.Rest()
		}
		c.Close()
	}
}

// Tasks behind one that panics are skipped, and the same ones are for any number of workers.
func TestFlowPanics(t *testing.T) {
	bad := errors.New("bad")
	for round := range uint64(30) {
		want := ""
		for _, workers := range []int{1, 2, 8} {
			r := rand.New(rand.NewPCG(round, 4))
			p := planOf(r, 12)
			c := New(workers)
			faulty, first, inBegin := r.IntN(12), r.IntN(12), r.IntN(12)
			var mu sync.Mutex
			ran := map[string]bool{}
			f := p.flow(func(_ *Task, task, _, piece int) {
				mu.Lock()
				ran[fmt.Sprint(task, ".", piece)] = true
				mu.Unlock()
				if task == faulty && piece >= first {
					panic(fmt.Errorf("%w: %d", bad, piece))
				}
			}, func(task int) {
				if task == inBegin {
					panic(bad)
				}
			}, func(int) {})
			for k := range 3 {
				if workers == 1 && k == 2 {
					c.ShuffleFlow(f, r)
				} else {
					c.RunFlow(f, Called)
				}
			}
			got := fmt.Sprint(ran)
			for i := range f.Tasks {
				x := &f.Tasks[i]
				got += fmt.Sprint(" ", x.Skipped())
				if fault := x.Fault(); fault != nil {
					if !errors.Is(fault, bad) {
						t.Errorf("task %d: %v", i, fault)
					}
					got += fmt.Sprint(" ", fault.Value)
				}
			}
			if c.Close(); want == "" {
				want = got
			}
			if got != want {
				t.Fatalf("%d workers:\n%s\n%s", workers, got, want)
			}
		}
	}
}

// A piece that ends its goroutine is a fault if it was a worker's. If it was the caller's, pieces that are left are
// not run, and nothing is left under way. The next run runs all pieces.
func TestFlowGoexit(t *testing.T) {
	for _, whole := range []bool{false, true} {
		for range 50 {
			c := New(3)
			var under, ran atomic.Int32
			f := &Flow{Tasks: make([]Task, 2)}
			var caller, again atomic.Bool
			f.Tasks[0].Next, f.Tasks[1].Waits = []int{1}, 1
			for i := range f.Tasks {
				x := &f.Tasks[i]
				x.Pieces, x.Whole = 20, whole
				x.Job.Do = func(worker, piece int) {
					under.Add(1)
					defer under.Add(-1)
					if again.Load() {
						ran.Add(1)
					} else if piece == 3 && i == 0 {
						caller.Store(worker == 0)
						runtime.Goexit()
					}
				}
			}
			returned := false
			done := make(chan bool)
			go func() {
				defer close(done)
				c.RunFlow(f, Called)
				returned = true
			}()
			<-done
			if returned == caller.Load() || under.Load() != 0 || f.left.Load() != 0 {
				t.Fatalf("returned %v, the caller's %v, under way %d, %d tasks left", returned, caller.Load(), under.Load(), f.left.Load())
			}
			if f.Tasks[0].Fault() == nil || returned && !f.Tasks[1].Skipped() {
				t.Fatalf("no fault")
			}
			again.Store(true)
			if c.RunFlow(f, Some); ran.Load() != 40 {
				t.Fatalf("the next run: %d pieces of 40", ran.Load())
			}
			c.Close()
		}
	}
}

// Steady runs allocate nothing.
func TestFlowAllocates(t *testing.T) {
	c := New(2)
	defer c.Close()
	p := planOf(rand.New(rand.NewPCG(1, 1)), 20)
	f := p.flow(func(*Task, int, int, int) {}, func(int) {}, func(int) {})
	c.RunFlow(f, Called)
	if n := testing.AllocsPerRun(100, func() { c.RunFlow(f, Some) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// A flow of small tasks costs the caller little for each.
func BenchmarkFlow(b *testing.B) {
	const tasks = 300
	c := New(2)
	defer c.Close()
	p := plan{waits: make([][]int, tasks), pieces: make([]int, tasks), whole: make([]bool, tasks), idle: make([]bool, tasks), turn: make([]bool, tasks)}
	for i := range p.pieces {
		p.pieces[i], p.whole[i] = 1, true
	}
	f := p.flow(func(*Task, int, int, int) {}, func(int) {}, func(int) {})
	for b.Loop() {
		c.RunFlow(f, Some)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tasks, "ns/task")
}

// An order by chance has each piece once, and is another one each time. In turn pieces keep theirs.
func TestShuffle(t *testing.T) {
	c, r := New(1), rand.New(rand.NewPCG(7, 7))
	var order []int
	j := &Job{Do: func(_, piece int) { order = append(order, piece) }}
	turn := &Job{Do: j.Do, InTurn: true}
	if c.Shuffle(j, 40, r); slices.IsSorted(order) {
		t.Error("the order is that of pieces")
	}
	first := order
	order = nil
	if c.Shuffle(j, 40, r); slices.Equal(order, first) {
		t.Error("the same order twice")
	}
	if slices.Sort(order); len(slices.Compact(order)) != 40 {
		t.Error("a piece was left out")
	}
	order = nil
	if c.Shuffle(turn, 40, r); !slices.IsSorted(order) || len(order) != 40 {
		t.Error("pieces in turn are out of turn")
	}
	bad := errors.New("bad")
	j = &Job{Do: func(_, piece int) {
		if piece > 5 {
			panic(bad)
		}
	}}
	if f := c.Shuffle(j, 40, r); f == nil || f.Piece != 6 || !errors.Is(f, bad) {
		t.Errorf("%v", f)
	}
}
