// Package crew shares pieces of work among goroutines that help the one that runs a frame.
//
// # Words
//
// A [Crew] is a number of workers. Worker 0 is the caller, and the others are goroutines of the crew. A
// [Job] is pieces of work, numbered from 0, that may run at the same time. A [Flow] is jobs that wait for each other. A range is the pieces that a
// worker takes unasked. A thief is a worker that takes pieces of another one's range.
//
// # Picture
//
//	pieces     0 1 2 3 4 5 | 6 7 8 9 10 11
//	           worker 0 →    worker 1 →       each from the front of its range
//	                   ← 1            ← 0     a thief from the far end of another range, a neighbour's first
//
//	worker     parked ─rouse→ looks for work ─takes→ runs a piece ─┐
//	              ▲                ▲                               │
//	              └─spun too long──┴──────────────done─────────────┘
//
// The rest of a range is one atomic word. So a piece is taken by one compare-and-swap. A worker
// that comes late finds nothing and disturbs nobody. The caller waits for pieces alone that others
// have taken.
//
// A parked goroutine starts some 70 to 105 µs after it is called. So workers are called once, at
// the first job of a frame. They spin for a short time between jobs, and park afterwards.
//
// # Invariants
//
//   - Each piece runs once. Which worker runs it is nobody's business.
//   - Run returns when all pieces of its job have ended. Nothing of the crew touches the caller's memory
//     between two calls of Run.
//   - All words that synchronise are on the Go heap.
//   - A piece that panics ends. The others run, and Run returns the panic of the lowest one.
//   - No goroutine of the crew is left when Close returns.
//   - Behind Done, goroutines hold the floor alone, which refers to nothing of the caller. So a crew that is dropped
//     without Close is garbage with all that has it, and its goroutines end then.
package crew

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// spinFor is how long a worker looks for work before it parks. A worker that spins starts a piece within half a
// microsecond, and one that is parked after 70 and more (BenchmarkEmpty).
const spinFor = 40 * time.Microsecond

// Crew is workers. Run, Rest and Close belong to one goroutine, the caller.
//
//	made     no goroutine yet: the first Run that shares starts them
//	awake    resting false: workers look for work, or park one by one when there is none for long
//	resting  resting true: all park
//	closed   the goroutines are gone
type Crew struct {
	// Neighbours, unless it is nil, returns how many workers share a cache, 1 at least. It is called by the caller, when
	// work is shared for the first time. It decides who takes a piece, and no result.
	Neighbours func() int

	sharing int // of Neighbours; 0: it was not asked
	started bool
	cleanup runtime.Cleanup // ends the goroutines of a crew that is dropped
	*floor
}

// floor is all of a crew that its goroutines hold, and refers to nothing of the caller but a job or flow. Run and
// RunFlow bring these, Done takes them away. Workers change counts and their members, Close and end the rest.
type floor struct {
	workers int      // workers, the caller among them
	members []member // of the workers but the caller
	job     atomic.Pointer[Job]
	flow    atomic.Pointer[Flow]
	resting atomic.Bool
	closed  atomic.Bool
	gone    sync.WaitGroup

	busy atomic.Int32 // workers that run pieces, and do not wait in Alone
	held atomic.Int32 // workers that wait in Alone: nobody but the caller takes a piece
}

// member is a worker that is not the caller.
type member struct {
	parked atomic.Bool
	call   chan struct{}
	_      [64]byte // the next one's words are written by others
}

// New returns a crew of so many workers, at least one. Goroutines are not started before they are needed.
func New(workers int) *Crew {
	return &Crew{floor: &floor{workers: max(workers, 1)}}
}

// Workers is how many there are, the caller among them.
func (c *Crew) Workers() int { return c.workers }

// neighbours is how many workers share a cache.
func (c *Crew) neighbours() int {
	if c.sharing == 0 {
		if c.sharing = c.workers; c.workers > 1 && c.Neighbours != nil {
			c.sharing = c.Neighbours()
		}
	}
	return c.sharing
}

// Awake tells whether a worker looks for work, one that helps without a call.
func (c *Crew) Awake() bool {
	for i := range c.members {
		if !c.members[i].parked.Load() {
			return true
		}
	}
	return false
}

// start starts the goroutines, parked.
func (c *Crew) start() {
	c.started = true
	l := c.floor
	l.members = make([]member, l.workers-1)
	for i := range l.members {
		m := &l.members[i]
		m.call = make(chan struct{}, 1)
		m.parked.Store(true)
		l.gone.Add(1)
		go l.work(i + 1)
	}
	c.cleanup = runtime.AddCleanup(c, (*floor).end, l)
}

// call calls a worker if it is parked. It never waits. It costs some 10 µs, so the caller calls one worker,
// and each calls two others.
func (l *floor) call(worker int) {
	if worker >= l.workers {
		return
	}
	m := &l.members[worker-1]
	if m.parked.Load() && m.parked.CompareAndSwap(true, false) {
		m.call <- struct{}{}
	}
}

// Crowded tells whether there are more workers than goroutines may run at the same time: one that spins is in the way of
// others then.
func (l *floor) Crowded() bool { return l.workers > runtime.GOMAXPROCS(0) }

// Done lets go of the job and the flow: the frame is at its end.
func (c *Crew) Done() {
	c.job.Store(nil)
	c.flow.Store(nil)
}

// Rest has all workers park: no work will come for long. It waits for none.
func (c *Crew) Rest() {
	if c.started {
		c.resting.Store(true)
	}
}

// Close ends the goroutines, and waits until they are gone. No Run may be under way.
func (c *Crew) Close() {
	if c.closed.Store(true); !c.started {
		return
	}
	c.cleanup.Stop()
	c.end()
	c.gone.Wait()
}

// end has the goroutines end, and waits for none.
func (l *floor) end() {
	l.closed.Store(true)
	for i := range l.members {
		l.call(i + 1)
	}
}

// work is the life of a worker. A piece that ends the goroutine (runtime.Goexit) has another one take
// the worker's place.
func (l *floor) work(i int) {
	m := &l.members[i-1]
	ended := false
	defer func() {
		if !ended {
			if m.parked.Store(true); !l.closed.Load() {
				go l.work(i)
				return
			}
		}
		l.gone.Done()
	}()
	for {
		<-m.call
		l.call(2 * i)
		l.call(2*i + 1)
		l.spin(i)
		if m.parked.Store(true); l.closed.Load() { // else Close sees that it is parked
			break
		}
	}
	ended = true
}

// spin looks for work until there was none for some time, or the crew rests.
func (l *floor) spin(i int) {
	crowded := l.Crowded()
	for from, n := time.Now(), 1; ; n++ {
		if j := l.job.Load(); j != nil && l.help(j, i) {
			from, n = time.Now(), 0
			continue
		}
		if f := l.flow.Load(); f != nil && l.helpFlow(f, i) {
			from, n = time.Now(), 0
			continue
		}
		if l.resting.Load() || l.closed.Load() {
			return
		}
		if n%64 == 0 {
			if time.Since(from) > spinFor {
				return
			}
			if crowded {
				runtime.Gosched()
			}
		}
	}
}
