package events

import (
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// read is all events of a reader's run.
func read[T any](r *Reader[T]) (list []T) {
	for es := range r.All {
		list = append(list, es...)
	}
	return list
}

// open begins a run with a piece for each writer.
func open[T any](q *Queue[T], writers ...*Writer[T]) {
	q.Open(len(writers))
	for i, w := range writers {
		w.Begin(i)
	}
}

// Workers that write pieces in any order, and read at the same time, change no order.
func TestPiecesOfWorkers(t *testing.T) {
	q := New[int](Options{})
	r, before := q.Reader(), q.Reader()
	w := []*Writer[int]{q.Writer(), q.Writer(), q.Writer()}
	w[0].Write(-1)
	before.Begin()
	const pieces = 50
	q.Open(pieces)
	var next atomic.Int32
	var all sync.WaitGroup
	for _, w := range w {
		all.Go(func() {
			var mine Reader[int]
			for piece := int(next.Add(1)); piece <= pieces; piece = int(next.Add(1)) {
				w.Begin(pieces - piece)
				for i := range 10 * piece {
					w.Write((pieces-piece)*1000 + i)
				}
				if mine.Copy(before); !slices.Equal(read(&mine), []int{-1}) || mine.Len() != 1 {
					t.Error("a worker reads other events")
				}
			}
		})
	}
	all.Wait()
	q.Seal()
	want := []int{-1}
	for piece := range pieces {
		for i := range 10 * (pieces - piece) {
			want = append(want, piece*1000+i)
		}
	}
	if r.Begin(); !slices.Equal(read(r), want) {
		t.Error("events come in another order")
	}
	q.Open(2)
	defer func() {
		if recover() == nil {
			t.Error("a writer that is no worker's may write while several pieces run")
		}
	}()
	w[0].Write(0)
}

// Events of pieces that write by turns are read piece by piece, run by run.
func TestOrderOfPieces(t *testing.T) {
	q := New[int](Options{})
	a, b, c := q.Writer(), q.Writer(), q.Writer()
	r := q.Reader()
	var want []int
	for run := range 5 {
		open(q, a, b)
		var first, second []int
		for i := range 3000 { // several blocks
			v := run*10_000 + i
			if i%3 == 0 {
				b.Write(v)
				second = append(second, v)
			} else {
				a.Write(v)
				first = append(first, v)
			}
		}
		want = append(append(want, first...), second...)
		open(q, c) // writes nothing
		open(q, c)
		c.Write(-run)
		want = append(want, -run)
	}
	r.Begin()
	if got := read(r); !slices.Equal(got, want) || r.Len() != len(want) {
		t.Errorf("%d events, want %d in another order", len(got), len(want))
	}
	if got := read(r); !slices.Equal(got, want) {
		t.Error("a second loop of a run sees others")
	}
	r.Begin()
	if got := read(r); got != nil {
		t.Errorf("the next run sees %d", len(got))
	}
}

// model is a queue as plain slices.
type model struct {
	o       Options
	all     []int
	frames  []int // of all
	low     int
	frame   int
	dropped int
	readers []*modelReader
}

type modelReader struct{ from, to, missed int }

func (m *model) drop(low int) {
	if low <= m.low {
		return
	}
	most := 0
	for _, r := range m.readers {
		if r.to < low {
			n := low - max(r.to, m.low)
			r.missed += n
			most = max(most, n)
		}
	}
	m.dropped, m.low = m.dropped+most, low
}

func (m *model) seal() {
	if m.o.Most > 0 {
		m.drop(len(m.all) - m.o.Most)
	}
}

func (m *model) endFrame() {
	m.seal()
	m.frame++
	low := len(m.all)
	if len(m.readers) == 0 {
		for low > 0 && m.frames[low-1]+2 > m.frame {
			low--
		}
	} else {
		for _, r := range m.readers {
			low = min(low, r.to)
		}
	}
	m.drop(low)
}

// A queue gives the same as plain slices: with readers that come and go, pause, and read in any frame.
func TestModel(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var o Options
		if seed%3 == 0 {
			o.Most = 1 + rng.IntN(2000)
		}
		q, m := New[int](o), &model{o: o}
		var readers []*Reader[int]
		writers := []*Writer[int]{q.Writer(), q.Writer(), q.Writer()}
		next := 0
		for range 600 {
			switch k := rng.IntN(12); {
			case k < 4: // a run
				pieces := writers[:1+rng.IntN(3)]
				open(q, pieces...)
				m.seal()
				lists := make([][]int, len(pieces))
				for range rng.IntN(1 + rng.IntN(900)) {
					p := rng.IntN(len(pieces))
					pieces[p].Write(next)
					lists[p] = append(lists[p], next)
					next++
				}
				for _, l := range lists {
					for _, v := range l {
						m.all, m.frames = append(m.all, v), append(m.frames, m.frame)
					}
				}
			case k < 5 && len(readers) < 4:
				readers = append(readers, q.Reader())
				m.seal()
				m.readers = append(m.readers, &modelReader{len(m.all), len(m.all), 0})
			case k < 6 && len(readers) > 0 && rng.IntN(4) == 0:
				i := rng.IntN(len(readers))
				readers[i].Leave()
				readers, m.readers = slices.Delete(readers, i, i+1), slices.Delete(m.readers, i, i+1)
			case k < 8:
				q.EndFrame()
				m.endFrame()
			case len(readers) > 0:
				i := rng.IntN(len(readers))
				r, x := readers[i], m.readers[i]
				r.Begin()
				m.seal()
				x.from, x.to = max(x.to, m.low), len(m.all)
				if got, want := read(r), m.all[x.from:x.to]; !slices.Equal(got, want) || r.Len() != len(want) || int(r.Missed()) != x.missed {
					t.Fatalf("seed %d: a reader sees %d events, want %d; %d missed, want %d", seed, len(got), len(want), r.Missed(), x.missed)
				}
			}
		}
		m.seal()
		if q.Len() != len(m.all)-m.low || int(q.Written()) != len(m.all) || int(q.Dropped()) != m.dropped {
			t.Fatalf("seed %d: %d kept, %d written, %d dropped, want %d, %d, %d", seed, q.Len(), q.Written(), q.Dropped(), len(m.all)-m.low, len(m.all), m.dropped)
		}
	}
}

// A reader that writes, or ends frames, within its loop sees its events to the end.
func TestWritesWithinALoop(t *testing.T) {
	q := New[int](Options{Most: 2000})
	w, r := q.Writer(), q.Reader()
	for i := range 2000 {
		w.Write(i)
	}
	r.Begin()
	n := 0
	for es := range r.All {
		for _, v := range es {
			if v != n {
				t.Fatalf("%d, want %d", v, n)
			}
			n++
			w.Write(-v)
		}
		q.EndFrame()
		q.EndFrame()
	}
	if n != 2000 {
		t.Errorf("%d events", n)
	}
}

// Segments before a loop's may go while it runs, and a loop within it sees the same events.
func TestSegmentsGoWithinALoop(t *testing.T) {
	q := New[int](Options{})
	w, slow, r := q.Writer(), q.Reader(), q.Reader()
	for run := range 6 {
		open(q, w)
		for i := range 1000 {
			w.Write(run*1000 + i)
		}
		if run == 2 {
			r.Begin()
		}
	}
	r.Begin()
	n := 3000
	for es := range r.All {
		if n == 3000 {
			slow.Leave()
			q.EndFrame()
			if r.Begin(); len(read(r)) != 3000 {
				t.Errorf("a loop within sees %d", len(read(r)))
			}
		}
		for _, v := range es {
			if v != n {
				t.Fatalf("%d, want %d", v, n)
			}
			n++
		}
	}
	if q.EndFrame(); n != 6000 || q.Len() != 0 {
		t.Errorf("read to %d, %d left", n, q.Len())
	}
}

// Memory of a burst goes back, steady frames allocate nothing, and events that have gone are cleared.
func TestMemoryOfEvents(t *testing.T) {
	q := New[*int](Options{})
	w, r := q.Writer(), q.Reader()
	frame := func(n int) {
		open(q, w)
		for range n {
			w.Write(new(int))
		}
		r.Begin()
		q.EndFrame()
	}
	frame(100_000)
	if q.Len() != 0 || len(q.blocks.free) == 0 || len(q.blocks.free) < 100_000/cap(q.blocks.free[0]) {
		t.Fatalf("%d events, %d blocks", q.Len(), len(q.blocks.free))
	}
	for _, b := range q.blocks.free {
		if slices.ContainsFunc(b[:cap(b)], func(p *int) bool { return p != nil }) {
			t.Fatal("an event that has gone is not cleared")
		}
	}
	for range 500 {
		frame(10)
	}
	if n := len(q.blocks.free); n > 2 {
		t.Errorf("%d blocks stay", n)
	}
	p := new(int)
	if n := testing.AllocsPerRun(100, func() {
		open(q, w)
		for range 2000 {
			w.Write(p)
		}
		r.Begin()
		for range r.All {
		}
		q.EndFrame()
	}); n > 0 {
		t.Errorf("%v allocations a frame", n)
	}
}

// BenchmarkEvents is the bar of 4 ns to write and read an event of 16 bytes.
func BenchmarkEvents(b *testing.B) {
	type event struct{ entity, amount uint64 }
	q := New[event](Options{})
	w, r := q.Writer(), q.Reader()
	const n = 1 << 16
	for b.Loop() {
		open(q, w)
		for i := range uint64(n) {
			w.Write(event{i, 1})
		}
		r.Begin()
		for es := range r.All {
			for i := range es {
				sum += es[i].amount
			}
		}
		q.EndFrame()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/event")
}

var sum uint64

// Without readers events stay for two frames: somebody may begin to read.
func TestNobodyReads(t *testing.T) {
	for _, o := range []Options{{}, {Most: 9}} {
		q := New[int](o)
		q.Writer().Write(1)
		for frame, want := range []int{1, 1, 0} {
			if q.Len() != want {
				t.Errorf("%+v, frame %d: %d events, want %d", o, frame, q.Len(), want)
			}
			q.EndFrame()
		}
		if q.Written() != 1 || q.Dropped() != 0 {
			t.Errorf("%+v: %d written, %d dropped, and nobody reads", o, q.Written(), q.Dropped())
		}
	}
}

// A spare segment keeps no memory of events that have gone.
func TestSparesKeepNothing(t *testing.T) {
	q := New[*int](Options{})
	w := q.Writer()
	for range 2000 {
		w.Write(new(int))
	}
	q.EndFrame()
	q.EndFrame()
	if len(q.spare) == 0 || cap(q.spare[0].full) == 0 {
		t.Fatal("no spare segment had full blocks: the test is wrong")
	}
	for _, g := range q.spare {
		for _, b := range g.full[:cap(g.full)] {
			if b != nil {
				t.Error("a spare segment has a block")
			}
		}
	}
}
