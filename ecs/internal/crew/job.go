package crew

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"sync"
	"sync/atomic"
)

// Job is pieces of work that may run at the same time. Do and Labels are set before its first run and
// stay, because a worker that comes late may look at a job whenever it likes.
type Job struct {
	// Do runs a piece, as a worker.
	Do func(worker, piece int)
	// Labels are a goroutine's while it runs pieces; nil: it keeps its own.
	Labels context.Context
	// InTurn says that pieces may call Alone.
	InTurn bool

	pieces int
	ranges []span          // by worker; nil before the first run that is shared
	near   int             // workers that share a cache, made with ranges
	left   atomic.Int64    // pieces that have not ended
	ended  []atomic.Uint32 // with InTurn, by piece: the run in which it ended last
	run    uint32
	last   func() // called behind the last piece; nil: nothing is

	mu    sync.Mutex
	fault *Fault // of the lowest piece that has panicked in the run under way
}

// span is the rest of a range: the first above the end, in 32 bits each.
type span struct {
	word atomic.Uint64
	_    [56]byte // a cache line: its worker takes from it all the time
}

// take takes a piece from the front or from the far end; ok is false if none is left.
func (r *span) take(far bool) (piece int, ok bool) {
	for {
		w := r.word.Load()
		first, end := w>>32, w&(1<<32-1)
		if first >= end {
			return 0, false
		}
		piece, then := first, w+1<<32
		if far {
			piece, then = end-1, w-1
		}
		if r.word.CompareAndSwap(w, then) {
			return int(piece), true
		}
	}
}

// Fault is the panic of a piece. To errors.Is and errors.As it is the value of the panic, if that
// is an error.
type Fault struct {
	Piece int
	// Value is the panic's.
	Value any
	// Stack is that of the goroutine.
	Stack []byte
}

func (f *Fault) Error() string {
	return fmt.Sprintf("%v\n\nin a piece of work, on this stack:\n%s", f.Value, f.Stack)
}

func (f *Fault) Unwrap() error {
	err, _ := f.Value.(error)
	return err
}

// FaultOf is deferred. It has a panic go on as that of a piece, so its value does not tell how work was cut.
func FaultOf() {
	v := recover()
	if v == nil {
		return
	}
	if _, is := v.(*Fault); !is {
		v = &Fault{0, v, debug.Stack()}
	}
	panic(v)
}

// goexit is the value of a Fault where a piece has ended its goroutine.
type goexit struct{}

func (goexit) Error() string {
	return "a piece of work has called runtime.Goexit, as testing.T.FailNow does: return from it, or panic"
}

// Help says who runs the pieces of a job.
type Help uint8

const (
	// None: the caller runs all, in their order.
	None Help = iota
	// Some: workers that are awake may take some.
	Some
	// Called: likewise, and workers that are parked are called.
	Called
)

// Run runs the pieces of a job, and returns when all have ended. Steady runs allocate nothing.
func (c *Crew) Run(j *Job, pieces int, help Help) *Fault {
	j.prepare(pieces)
	if c.workers == 1 || help == None || pieces < 2 {
		c.runAlone(j)
		return j.fault
	}
	j.room(c)
	j.share()
	if !c.started {
		c.start()
	}
	c.resting.Store(false)
	if c.job.Store(j); help == Called {
		c.call(1)
	}
	c.finish(j)
	return j.fault
}

// prepare prepares a run with so many pieces. None can be taken before share.
func (j *Job) prepare(pieces int) {
	j.pieces, j.fault = pieces, nil
	j.run++
	for j.InTurn && len(j.ended) < pieces {
		j.ended = make([]atomic.Uint32, pieces+pieces/2)
	}
	j.left.Store(int64(pieces))
}

// room makes room for ranges, before workers see the job for the first time.
func (j *Job) room(c *Crew) {
	if j.ranges == nil {
		j.ranges, j.near = make([]span, c.workers), c.neighbours()
	}
}

// share gives each worker a range of the pieces.
func (j *Job) share() {
	n := len(j.ranges)
	for i := range j.ranges {
		first, end := uint64(i*j.pieces/n), uint64((i+1)*j.pieces/n)
		j.ranges[i].word.Store(first<<32 | end)
	}
}

// runAlone runs all pieces in their order, by the caller. No worker can take one, not even one that comes late to an
// earlier run.
func (c *Crew) runAlone(j *Job) {
	c.busy.Add(1)
	defer c.busy.Add(-1)
	for piece := range j.pieces {
		j.do(0, piece)
	}
}

// finish takes the rest of a job, and waits for pieces that others have taken. If a piece ends the
// caller's goroutine, nobody runs those that are left.
func (c *Crew) finish(j *Job) {
	returned := false
	defer func() {
		for ok := !returned; ok; {
			var piece int
			if piece, ok = j.next(0); ok {
				j.end(piece)
			}
		}
		for n := 0; j.left.Load() > 0; n++ {
			wait(n)
		}
	}()
	for n := 0; j.left.Load() > 0; n++ {
		if wait(n); c.help(j, 0) {
			n = 0
		}
	}
	returned = true
}

// wait passes some time, in the n-th turn of a loop that waits for another goroutine.
func wait(n int) {
	if n > 64 {
		runtime.Gosched()
	}
}

// help takes a piece of a job and runs it. It tells whether there was one.
//
// Nobody but the caller takes a piece while a worker waits in Alone, and nobody at all while one is alone. The
// order matters: a worker is busy before it looks, and one that waits is noted before it looks whether
// others are busy.
func (l *floor) help(j *Job, worker int) bool {
	if !j.some() {
		return false
	}
	defer l.busy.Add(-1)
	if l.busy.Add(1) > alone || worker > 0 && l.held.Load() > 0 {
		return false
	}
	piece, ok := j.next(worker)
	if ok {
		j.do(worker, piece)
	}
	return ok
}

// some tells whether a piece may be left to take.
func (j *Job) some() bool {
	for i := range j.ranges {
		if w := j.ranges[i].word.Load(); w>>32 < w&(1<<32-1) {
			return true
		}
	}
	return false
}

// next takes a piece for a worker: the next of its range, then of others'. The caller takes the lowest piece
// that is left if pieces may wait for their turn. So all pieces before its own are taken, and one of these
// never waits: see Alone.
func (j *Job) next(worker int) (piece int, ok bool) {
	if worker == 0 && j.InTurn {
		for i := range j.ranges {
			if piece, ok = j.ranges[i].take(false); ok {
				return piece, true
			}
		}
		return 0, false
	}
	n := len(j.ranges)
	if piece, ok = j.ranges[worker].take(false); ok {
		return piece, true
	}
	for i := 1; i < n; i++ {
		if piece, ok = j.ranges[victim(worker, i, n, j.near)].take(true); ok {
			return piece, true
		}
	}
	return 0, false
}

// victim is the i-th worker that a thief takes from, i from 1 on: each of the others once. Workers share caches by near,
// in their order, as ranges are. So a thief takes first what its own cache may have
// (go test -run - -bench Neighbours ./ecs/internal/crew).
func victim(thief, i, workers, near int) int {
	first := thief / near * near
	if near = min(near, workers-first); i < near {
		return first + (thief-first+i)%near
	}
	return (first + i) % workers
}

// do runs a piece. A panic, or the end of the goroutine, is the piece's end.
func (j *Job) do(worker, piece int) {
	if j.Labels != nil && (worker > 0 || j.last != nil) { // else the caller has them
		pprof.SetGoroutineLabels(j.Labels)
		defer pprof.SetGoroutineLabels(context.Background())
	}
	returned := false
	defer func() {
		if v := recover(); v != nil {
			j.fail(&Fault{piece, v, debug.Stack()})
		} else if !returned {
			j.fail(&Fault{piece, goexit{}, debug.Stack()})
		}
		j.end(piece)
	}()
	j.Do(worker, piece)
	returned = true
}

// end notes the end of a piece.
func (j *Job) end(piece int) {
	if j.InTurn {
		j.ended[piece].Store(j.run)
	}
	if j.left.Add(-1) == 0 && j.last != nil {
		j.last()
	}
}

// faulty tells whether a piece has panicked in the run under way.
func (j *Job) faulty() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.fault != nil
}

// fail notes a fault, if it is of the lowest piece.
func (j *Job) fail(f *Fault) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.fault == nil || f.Piece < j.fault.Piece {
		j.fault = f
	}
}

// Alone is called within a piece of a job in turn. It runs f when all pieces before this one have ended, and
// while no other piece runs. So the effects of f follow from the order of pieces. It is for what happens
// seldom: others that run pieces end these first.
//
// It ends, because the caller takes no piece while an earlier one is left. Hence the lowest piece that has not
// ended runs, or will be run by the caller.
func (c *Crew) Alone(j *Job, piece int, f func()) {
	c.held.Add(1)
	defer c.held.Add(-1)
	c.busy.Add(-1)
	for n := 0; !j.turn(piece) || !c.busy.CompareAndSwap(0, alone+1); n++ {
		wait(n)
	}
	defer c.busy.Add(-alone)
	f()
}

// alone is added to Crew.busy while a worker is alone. No crew has so many.
const alone = 1 << 24

// turn tells whether all pieces before one have ended.
func (j *Job) turn(piece int) bool {
	for i := range piece {
		if j.ended[i].Load() != j.run {
			return false
		}
	}
	return true
}
