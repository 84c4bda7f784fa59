package schedule

import (
	"cmp"
	"slices"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/crew"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// Parts says how pieces of a system's rows run on several workers. It is set by the caller of Share, and stays.
type Parts struct {
	// Bind makes the struct of a worker. The worker calls it, at its first piece.
	Bind func(worker int) raw.Ptr
	// Stages are called at the borders of pieces, one after the other.
	Stages []Stage
	// InTurn says that pieces may call System.Alone, InOrder that they run one after the other. Asks says that
	// the system asks for structural changes.
	InTurn, InOrder, Asks bool
}

// Stage is what the fields of one kind have to do at the borders of pieces. Each function may be nil.
type Stage struct {
	// Reserve is called before any piece of the system's leg, and End behind all of them, by the goroutine that runs the
	// frame. Begin is called before the first piece of the system, and Seal behind the last one, by any worker; Piece
	// before each, by the worker that runs it. Settle is called at the end of each frame, whether the system has run or not.
	Reserve, Begin    func(pieces int)
	Piece             func(worker, piece int)
	Seal, End, Settle func()
}

// team is a system whose pieces may run on several workers: it promises to touch nothing but its struct's
// fields. With one piece, its rows are walked as those of any system.
//
//	pieces are cut ─► Begin ─► each piece: hand, Piece, walk ─► merged in their order ─► End
//
// Its parts do not depend on the number of workers, and neither does the state behind a panic: the other
// pieces run. Share sets it up. Then cut changes pieces, alone shown, pass note, do the hands, and end the visits. A leg runs it
// beside others by cut, start, do and end.
type team struct {
	Parts
	system   *System
	schedule *Schedule
	fn       func(raw.Ptr)
	job      crew.Job
	now      *crew.Job // of the run under way: job, or a leg's
	split    walk.Split
	pieces   int
	note     func(column int, changed bool) // of a witness
	clock    func() time.Time               // times the pieces of the run under way; nil: nothing does
	hands    []hand                         // by worker
	visits   []visit                        // scratch
	tick     uint64                         // of the run under way beside others
	early    bool                           // it waits for none in its leg: values of before are taken by all workers, before a piece of any runs
	pace     pace
	paces    bool // pieces of the last run were timed
	shown    bool // the run under way is in pieces because it is watched, and for no other reason
}

// load is about how much work the system is that was cut: as walk.Split.Work counts it, or more if it was found to take
// longer.
func (t *team) load() int {
	return t.pace.load(t.work())
}

// work is walk.Split.Work of the system that was cut.
func (t *team) work() int {
	if t.system.once != nil {
		return 0
	}
	return t.split.Work()
}

// hand is a worker's part in a system. The worker alone touches it while pieces run.
type hand struct {
	cursor *walk.Cursor
	into   raw.Ptr
	call   func(raw.Ptr) bool
	piece  int // the one under way
	spent  time.Duration
	visits []visit
	_      [64]byte // the next one's are written by others
}

// visit is rows and chunks of a sequence that a piece has passed.
type visit struct {
	seq                         *memmgr.Sequence
	piece, rows, chunks, tested int
}

// Share has pieces of a system's rows run on several workers.
func (s *Schedule) Share(x *System, fn func(raw.Ptr), p Parts) {
	t := &team{Parts: p, system: x, schedule: s, fn: fn, hands: make([]hand, s.Crew.Workers())}
	t.job.Do, t.job.Labels, t.job.InTurn = t.do, x.labels, p.InTurn
	x.team = t
	if slices.ContainsFunc(p.Stages, func(g Stage) bool { return g.Settle != nil }) {
		s.settles.Add(x.Number, x)
	}
}

// Sharing tells whether pieces of a system are run now, by several workers or one.
func (s *Schedule) Sharing() bool { return s.base.Walks.Split }

// Alone has f run in the turn of the piece that a worker runs, while no other piece does: see
// crew.Crew.Alone.
func (x *System) Alone(worker int, f func()) {
	x.team.schedule.Crew.Alone(x.team.now, x.team.hands[worker].piece, f)
}

// cut cuts the system's rows, and returns how many pieces there are. A system without rows is one.
func (t *team) cut() int {
	if t.pieces = 1; t.system.once == nil {
		t.pieces = t.split.Cut(t.system.Cursor)
	}
	return t.pieces
}

// alone tells whether pieces run where the system runs alone. With one piece its rows are walked as any other, and so are
// those of one with pieces in order. If it stands in a leg, such a system and one that asks for changes run as beside
// others: so entities that it spawns are the same, and values behind a panic.
func (t *team) alone() bool {
	pieces := t.cut() > 1 && !t.InOrder || (t.Asks || t.InOrder) && t.system.leg != nil
	t.shown = !pieces && t.schedule.watches()
	return pieces || t.shown
}

// Shown tells whether the system runs in pieces to be watched alone: one after the other, where it is walked as any other
// in frames that are not watched. So entities have to be taken as then.
func (x *System) Shown() bool { return x.team.shown }

// pass runs all pieces. The caller runs them one after the other if they have to run in order, and with note.
// Each call is looked at then: see walk.Cursor.Witness.
func (t *team) pass(note func(column int, changed bool)) {
	help := crew.None
	if t.note = note; note == nil && !t.schedule.watches() {
		help = t.schedule.share.help(t.schedule.ShareWork, t.load(), t.schedule.Crew.Workers(), t.apart)
	}
	t.now = &t.job
	t.system.LendAhead(true)
	if t.system.once == nil {
		t.split.Begin()
	} else {
		defer t.schedule.base.Manager.Advance() // what changes from now on is new to its queries
		defer t.schedule.base.Beside(t.system.Name)()
	}
	if t.clock = nil; t.due() {
		t.clock = time.Now
	}
	whole := false
	defer func() {
		t.end(whole)
		t.paced()
	}()
	t.reserve()
	t.open()
	defer t.seal()
	fault := t.runPieces(help)
	if whole = fault == nil; !whole {
		panic(fault)
	}
}

// reserve, open, seal, stop and settle call Reserve, Begin, Seal, End and Settle of the stages.

func (t *team) reserve() {
	for _, s := range t.Stages {
		if s.Reserve != nil {
			s.Reserve(t.pieces)
		}
	}
}

func (t *team) open() {
	for _, s := range t.Stages {
		if s.Begin != nil {
			s.Begin(t.pieces)
		}
	}
}

func (t *team) seal() {
	for _, s := range t.Stages {
		if s.Seal != nil {
			s.Seal()
		}
	}
}

func (t *team) stop() {
	for _, s := range t.Stages {
		if s.End != nil {
			s.End()
		}
	}
}

// Settle ends a frame: systems that promise Parallel give back memory of a burst.
func (s *Schedule) Settle() {
	for _, x := range s.settles.All() {
		x.team.settle()
	}
}

func (t *team) settle() {
	for _, s := range t.Stages {
		if s.Settle != nil {
			s.Settle()
		}
	}
}

// runPieces runs all pieces.
func (t *team) runPieces(help crew.Help) *crew.Fault {
	if c := t.schedule.Chance; c != nil && t.note == nil && t.apart() {
		return t.schedule.Crew.Shuffle(&t.job, t.pieces, c)
	}
	return t.schedule.Crew.Run(&t.job, t.pieces, help)
}

// do runs a piece as a worker.
func (t *team) do(worker, piece int) {
	h := &t.hands[worker]
	if h.cursor == nil {
		t.bind(h, worker)
	}
	h.piece, h.cursor.Picks = piece, t.system.Picks
	if t.system.Visit != nil && h.cursor.Visit == nil {
		h.cursor.Visit = h.visit
	}
	for i := range t.Stages {
		if f := t.Stages[i].Piece; f != nil {
			f(worker, piece)
		}
	}
	if t.clock != nil {
		start := t.clock()
		defer func() { h.spent += t.clock().Sub(start) }()
	}
	switch {
	case t.system.once != nil:
		h.call(h.into)
		return
	case t.note == nil:
		t.split.Pass(h.cursor, piece, h.into, h.call)
		return
	}
	fn := h.cursor.Fn
	h.cursor.Fn = nil
	defer func() { h.cursor.Fn = fn }()
	t.split.Pass(h.cursor, piece, h.into, h.cursor.Witnessed(h.into, h.call, t.note))
}

// bind makes a worker's part in the system.
func (t *team) bind(h *hand, worker int) {
	c := walk.NewParallel(t.system.Plan)
	if !c.Pointers && !t.schedule.base.Guard {
		c.Fn = t.fn
	}
	h.call = func(p raw.Ptr) bool {
		t.fn(p)
		c.Passed++
		return true
	}
	h.into, h.cursor = t.Bind(worker), c
}

func (h *hand) visit(seq *memmgr.Sequence, rows, chunks, tested int) {
	h.visits = append(h.visits, visit{seq, h.piece, rows, chunks, tested})
}

// end ends the walk, and merges the counts of workers.
func (t *team) end(whole bool) {
	t.system.LendAhead(false)
	for i := range t.hands {
		h := &t.hands[i]
		if h.cursor == nil {
			continue
		}
		t.system.Met, t.system.Passed = t.system.Met+h.cursor.Met, t.system.Passed+h.cursor.Passed
		h.cursor.Met, h.cursor.Passed = 0, 0
		t.visits = append(t.visits, h.visits...)
		clear(h.visits)
		h.visits = h.visits[:0]
	}
	t.tell()
	t.stop()
	if t.system.once == nil {
		t.split.End(whole)
	}
}

// tell tells the recorder of each sequence once, in the order of pieces.
func (t *team) tell() {
	slices.SortStableFunc(t.visits, func(a, b visit) int { return cmp.Compare(a.piece, b.piece) })
	for i := 0; i < len(t.visits); {
		sum := t.visits[i]
		for i++; i < len(t.visits) && t.visits[i].seq == sum.seq; i++ {
			v := t.visits[i]
			sum.rows, sum.chunks, sum.tested = sum.rows+v.rows, sum.chunks+v.chunks, sum.tested+v.tested
		}
		if t.system.Visit != nil {
			t.system.Visit(sum.seq, sum.rows, sum.chunks, sum.tested)
		}
	}
	clear(t.visits)
	t.visits = t.visits[:0]
}

// Take copies values of before for a system that begins.
func (s *Schedule) Take(b *store.Prior) {
	work := int(b.Begin() / 8) // as walk.Split.Work has it: 16 bytes are read, and written
	help := crew.None
	if s.shares() && s.beside == nil {
		help = s.share.help(s.ShareWork, work, s.Crew.Workers(), always)
	}
	if help == crew.None {
		b.Copy(0, 1)
		return
	}
	s.taking.run(s.Crew, b, 8*s.Crew.Workers(), help) // several each: a worker may come late
}

// sharing decides who runs pieces, by counts and by times of frames. No result depends on it.
type sharing struct {
	called    bool // workers were called in this frame
	now, last int  // work that was shared in this frame, and in the one before

	began, ended time.Time // the frame, and the one before
	// idles says that the program has done other things in between, for longer than the frame before took. Otherwise
	// workers spin at the end of the frame, and are there when the next one begins.
	idles bool
}

// help decides on a walk of so much work. Calling a worker costs the caller 10 µs, and the worker comes 70 µs
// later. So workers are called once in a frame that has work enough, and again for a walk that is long.
func (s *sharing) help(least, work, workers int, apart func() bool) crew.Help {
	if workers == 1 || work < least || !apart() {
		return crew.None
	}
	s.now += work
	if !s.called && s.pays(least, s.last) || s.pays(least, work) {
		s.called = true
		return crew.Called
	}
	return crew.Some
}

// pays tells whether so much work is worth a call. Waking a thread takes some 80 µs of processor time. A program that
// idles between frames gains nothing by 50 µs less, so it calls from twice as much work on
// (BenchmarkEmpty of crew).
func (s *sharing) pays(least, work int) bool {
	if s.idles {
		work /= 2
	}
	return work >= 8*least
}

// beginFrame notes when a frame begins.
func (s *sharing) beginFrame(now time.Time) {
	s.idles = now.Sub(s.ended) > s.ended.Sub(s.began)
	s.began = now
}

// endFrame begins to count for the next frame.
func (s *sharing) endFrame(now time.Time) {
	s.called, s.last, s.now = false, s.now, 0
	s.ended = now
}
