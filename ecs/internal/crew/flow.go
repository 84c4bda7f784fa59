package crew

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Flow is tasks that wait for each other, with no barrier between them. Tasks are set before its first run and stay,
// because a worker that comes late may look at a flow whenever it likes.
//
//	waiting ─the last that it waits for has ended─► ready ─a worker claims it: Begin─► open ─its last piece: End─► ended
//
// Each worker goes over the tasks from the first that has not ended. So earlier tasks are preferred, and a task that
// is open is shared before the next one begins. A whole task is not open: the worker that claims it runs all of
// its pieces. The caller can finish alone. RunFlow begins a run, and claim and end go on with its tasks.
type Flow struct {
	Tasks []Task

	run   uint32
	left  atomic.Int64  // tasks that have not ended
	first atomic.Uint64 // in the lower 32 bits: all tasks before this one have ended; above them the run
	stop  atomic.Bool   // the caller's goroutine ends: pieces that are left are not run
	mu    sync.Mutex    // held in Begin and End of any task
}

// Task is a part of a flow. Job, Begin, End, Next and Waits are set once. Before each run the caller sets Pieces, Whole
// and Idle. The rest changes as a run goes on.
type Task struct {
	// Job has the pieces.
	Job Job
	// Begin is called before the first piece, and End behind the last one; nil: nothing is. They are called by any
	// worker, one at a time in the whole flow.
	Begin, End func()
	// Next are the numbers of tasks that wait for this one, and Waits is how many this one waits for.
	Next  []int
	Waits int
	// Pieces is how many there are in this run.
	Pieces int
	// Whole has one worker run all pieces, in their order.
	Whole bool
	// Idle has no piece run, and neither Begin nor End be called.
	Idle bool

	state atomic.Int32
	waits atomic.Int32
	skip  atomic.Bool // a task that it waits for has panicked, or was skipped
}

// States of a task. The zero value is that between two runs.
const (
	ended int32 = iota
	waiting
	ready
	claimed
	open
)

// Skipped tells whether the task was not run, because one that it waits for has panicked.
func (t *Task) Skipped() bool { return t.skip.Load() }

// Fault is the panic of its lowest piece in the last run; nil: none panicked.
func (t *Task) Fault() *Fault { return t.Job.fault }

// RunFlow runs the tasks, and returns when all have ended. Workers that are awake may take some pieces, and with help
// Called others, too. A task in which a piece panics ends as a job does. Tasks that wait for it are skipped, and so
// are the ones that wait for these; all others run. So the same tasks run for any number of workers. Steady
// runs allocate nothing.
func (c *Crew) RunFlow(f *Flow, help Help) {
	f.begin(c)
	if c.workers > 1 {
		if !c.started {
			c.start()
		}
		c.resting.Store(false)
		if c.flow.Store(f); help == Called {
			c.call(1)
		}
	}
	c.finishFlow(f)
}

// begin begins a run by the workers of a crew.
func (f *Flow) begin(c *Crew) {
	f.run++
	for i := range f.Tasks {
		f.prepare(&f.Tasks[i], c)
	}
	f.stop.Store(false)
	f.first.Store(uint64(f.run) << 32)
	f.left.Store(int64(len(f.Tasks)))
	for i := range f.Tasks { // from here on, workers that come late may take some
		if t := &f.Tasks[i]; t.Waits == 0 {
			t.state.Store(ready)
		}
	}
}

// prepare prepares a task for a run.
func (f *Flow) prepare(t *Task, c *Crew) {
	t.Job.prepare(t.Pieces)
	t.Job.room(c)
	if t.Job.last == nil {
		t.Job.last = func() { f.end(t) }
	}
	t.skip.Store(false)
	t.waits.Store(int32(t.Waits))
	t.state.Store(waiting)
}

// finishFlow takes the rest of a flow, and waits for pieces that others have taken.
func (c *Crew) finishFlow(f *Flow) {
	finish := func() {
		for n := 0; f.left.Load() > 0; n++ {
			if wait(n); c.helpFlow(f, 0) {
				n = 0
			}
		}
	}
	returned := false
	defer func() {
		if !returned { // a piece has ended the caller's goroutine
			f.stop.Store(true)
			finish()
		}
	}()
	finish()
	returned = true
}

// helpFlow goes on with a flow, as help does with a job: it takes a piece, or a whole task. It tells whether there was one.
func (l *floor) helpFlow(f *Flow, worker int) bool {
	if !f.some() {
		return false
	}
	defer l.busy.Add(-1)
	if l.busy.Add(1) > alone || worker > 0 && l.held.Load() > 0 {
		return false
	}
	return f.step(worker)
}

// from is the number of the first task that has not ended.
func (f *Flow) from() int {
	v := f.first.Load()
	i := int(v & (1<<32 - 1))
	at := i
	for at < len(f.Tasks) && f.Tasks[at].state.Load() == ended {
		at++
	}
	if at > i {
		f.first.CompareAndSwap(v, v+uint64(at-i)) // fails in another run
	}
	return at
}

// some tells whether a piece or a task may be left to take.
func (f *Flow) some() bool {
	if f.left.Load() == 0 {
		return false
	}
	for i := f.from(); i < len(f.Tasks); i++ {
		switch t := &f.Tasks[i]; t.state.Load() {
		case ready:
			return true
		case open:
			if t.Job.some() {
				return true
			}
		}
	}
	return false
}

// step takes a piece or a whole task as a worker. It tells whether there was one.
func (f *Flow) step(worker int) bool {
	for i := f.from(); i < len(f.Tasks); i++ {
		switch t := &f.Tasks[i]; t.state.Load() {
		case ready:
			if t.state.CompareAndSwap(ready, claimed) {
				f.claim(t, worker)
				return true
			}
		case open:
			if piece, ok := t.Job.next(worker); ok {
				f.do(t, worker, piece)
				return true
			}
		}
	}
	return false
}

// claim begins a task that the worker has claimed.
func (f *Flow) claim(t *Task, worker int) {
	if !f.opens(t) {
		return
	}
	if t.Whole {
		f.whole(t, worker)
		return
	}
	t.Job.share()
	t.state.Store(open)
}

// opens begins a task that was claimed. It tells whether there are pieces to run. Otherwise the task has ended.
func (f *Flow) opens(t *Task) bool {
	if t.Idle || t.skip.Load() || f.stop.Load() || !f.guarded(t, t.Begin) || t.Pieces == 0 {
		f.end(t)
		return false
	}
	return true
}

// whole runs all pieces of a task as a worker. Behind the last one the task is the caller's.
func (f *Flow) whole(t *Task, worker int) {
	at, pieces := 0, t.Pieces
	defer func() { // a piece has ended the goroutine
		for ; at < pieces; at++ {
			t.Job.end(at)
		}
	}()
	for at < pieces {
		piece := at
		at++
		f.do(t, worker, piece)
	}
}

// do runs a piece, unless the flow is stopped.
func (f *Flow) do(t *Task, worker, piece int) {
	if f.stop.Load() {
		t.Job.end(piece)
		return
	}
	t.Job.do(worker, piece)
}

// guarded calls Begin or End of a task, one at a time. A panic is the task's, and guarded then returns false.
func (f *Flow) guarded(t *Task, fn func()) (ok bool) {
	if fn == nil {
		return true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	defer func() {
		if v := recover(); v != nil {
			t.Job.fail(&Fault{0, v, debug.Stack()})
		}
	}()
	fn()
	return true
}

// end ends a task, and lets tasks go on that wait for it.
func (f *Flow) end(t *Task) {
	ran := !t.Idle && !t.skip.Load()
	if ran {
		f.guarded(t, t.End)
	}
	skip := t.skip.Load() || t.Job.faulty()
	for _, n := range t.Next {
		next := &f.Tasks[n]
		if skip {
			next.skip.Store(true)
		}
		if next.waits.Add(-1) == 0 {
			next.state.Store(ready)
		}
	}
	t.state.Store(ended)
	f.left.Add(-1)
}
