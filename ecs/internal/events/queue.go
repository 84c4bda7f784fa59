// Package events keeps events of one type until they were read.
//
// # Words
//
// A [Queue] has the events of one type. A run is one call of a system, and may have several pieces of
// work, which write at the same time. Each piece writes through a [Writer] of its own. A segment is the
// events of one piece of one run. A [Reader] has its own place in the queue.
//
//	segments   run 1 piece 0 │ run 1 piece 1 │ run 2 piece 0 │ …      in order, never merged
//	blocks     ████ ██       │ █             │ ████ ████ █   │
//	numbers    0 … 5           6               7 … 15
//	readers          ↑ place of A                       ↑ place of B
//
// # Order
//
// Events are read run by run, piece by piece, and in the order of calls within a piece. So the order
// does not depend on which worker wrote when.
//
// # Invariants
//
//   - Events have numbers from 0 on, in the order of reading. An event gets its number when its run
//     ends, at the latest when somebody reads.
//   - A reader sees each event at most once, in order. Events that went before it came to them are
//     counted as missed.
package events

import (
	"reflect"
	"slices"
	"sort"
)

// Options say how long events stay.
type Options struct {
	// Most is how many events are kept: the oldest go. 0 is any number.
	Most int
	// Outside, if not nil, is called before a reader is made or used by code outside systems, with the name of the call. It panics where others may
	// write or read at the same time.
	Outside func(call string)
}

// Queue has the events of one type. Its runs are open, while writers write, and sealed. Only Write may be
// called from several goroutines, for writers of different pieces. Open begins a run and Seal ends it; drop lets
// events go, for EndFrame and Seal; Reader and Reader.Leave change readers.
type Queue[T any] struct {
	options  Options
	frame    uint64
	segments []*segment[T] // sealed ones in order, then the open ones
	open     int           // of these
	total    uint64        // events in sealed segments so far
	low      uint64        // number of the first event that is kept
	dropped  uint64        // events that went before all readers had come to them
	readers  []*Reader[T]
	blocks   blocks[T]
	spare    []*segment[T]
}

// Any is a Queue of any type. Since goes over events from a number on.
type Any interface {
	Open(pieces int)
	Seal()
	EndFrame()
	Len() int
	Written() uint64
	Since(from uint64, yield func(event any))
	Dropped() uint64
}

// segment is the events of one piece of one run.
type segment[T any] struct {
	first  uint64 // number of its first event
	frame  uint64
	full   [][]T
	last   []T // with room for more
	writer *Writer[T]
}

func (g *segment[T]) len() (n int) {
	for _, b := range g.full {
		n += len(b)
	}
	return n + len(g.last)
}

// New makes a queue.
func New[T any](o Options) *Queue[T] {
	q := &Queue[T]{options: o}
	q.blocks.keeps = !pointers(reflect.TypeFor[T]())
	return q
}

// Writer writes the events of one piece of work.
type Writer[T any] struct {
	last  []T // of the open segment; nil: none is open, or it has no event
	piece *segment[T]
	q     *Queue[T]
}

// Writer returns a writer of the queue, which is not open yet.
func (q *Queue[T]) Writer() *Writer[T] { return &Writer[T]{q: q} }

// Open begins a run of so many pieces of work: all runs before are sealed. Each piece is written by the
// writer that has begun it, until the next Open, Seal or reading.
func (q *Queue[T]) Open(pieces int) {
	q.Seal()
	for range pieces {
		var g *segment[T]
		if n := len(q.spare); n > 0 {
			g, q.spare = q.spare[n-1], q.spare[:n-1]
		} else {
			g = new(segment[T])
		}
		g.frame = q.frame
		q.segments = append(q.segments, g)
		q.open++
	}
}

// Begin has the writer go on with a piece of the run under way. Writers of different pieces may be called at the
// same time.
func (w *Writer[T]) Begin(piece int) {
	w.end()
	g := w.q.segments[len(w.q.segments)-w.q.open+piece]
	g.writer, w.piece = w, g
}

// end ends the writer's piece: its segment gets the events that the writer has.
func (w *Writer[T]) end() {
	if g := w.piece; g != nil {
		g.last, g.writer = w.last, nil
		w.last, w.piece = nil, nil
	}
}

// Write adds an event to the writer's piece. A writer that is not open begins a run of its own.
func (w *Writer[T]) Write(v T) {
	if len(w.last) == cap(w.last) {
		w.grow()
	}
	w.last = append(w.last, v)
}

// grow makes room for an event.
func (w *Writer[T]) grow() {
	if w.piece == nil {
		if w.q.open > 1 {
			panic("ecs: an event is written by the result of EventsOf, while several workers may run a system (ecs.Parallel): give its struct a field of type ecs.WriteEvents, and use that")
		}
		w.q.Open(1)
		w.Begin(0)
	}
	if g := w.piece; w.last != nil {
		g.full = append(g.full, w.last)
	}
	w.last = w.q.blocks.take()
}

// Seal ends the runs under way: their events get numbers, and can be read.
func (q *Queue[T]) Seal() {
	if q.open == 0 {
		return
	}
	sealed := len(q.segments) - q.open
	open := q.segments[sealed:]
	q.segments, q.open = q.segments[:sealed], 0
	for _, g := range open {
		if g.writer != nil {
			g.writer.end()
		}
		g.first = q.total
		if n := g.len(); n == 0 {
			q.spare = append(q.spare, g)
		} else {
			q.total += uint64(n)
			q.segments = append(q.segments, g)
		}
	}
	if most := uint64(q.options.Most); most > 0 && q.total-q.low > most {
		q.drop(q.total - most)
	}
}

// drop ends events up to a number, and notes for readers which of them they have missed.
func (q *Queue[T]) drop(low uint64) {
	if low <= q.low {
		return
	}
	missed := uint64(0)
	for _, r := range q.readers {
		if r.to < low {
			n := low - max(r.to, q.low)
			r.missed += n
			missed = max(missed, n)
		}
	}
	q.dropped += missed
	q.low = low
	q.release()
}

// release gives back the segments of events that have gone.
func (q *Queue[T]) release() {
	k := 0
	for ; k < len(q.segments)-q.open; k++ {
		g := q.segments[k]
		if g.first+uint64(g.len()) > q.low || q.busy(g) {
			break
		}
		for _, b := range g.full {
			q.blocks.give(b)
		}
		if g.last != nil {
			q.blocks.give(g.last)
		}
		clear(g.full)
		*g = segment[T]{full: g.full[:0]}
		q.spare = append(q.spare, g)
	}
	q.segments = slices.Delete(q.segments, 0, k)
}

// busy tells whether a reader goes over a segment at this moment.
func (q *Queue[T]) busy(g *segment[T]) bool {
	return slices.ContainsFunc(q.readers, func(r *Reader[T]) bool { return r.walks > 0 && r.from < g.first+uint64(g.len()) })
}

// EndFrame ends a frame: events go that were kept long enough. Room that was not needed of late goes
// back to the Go heap.
func (q *Queue[T]) EndFrame() {
	q.Seal()
	q.frame++
	old := q.low // events before it are of frames that are over for good
	for _, g := range q.segments {
		if g.frame+2 > q.frame {
			break
		}
		old = g.first + uint64(g.len())
	}
	if len(q.readers) > 0 {
		old = q.total
		for _, r := range q.readers {
			old = min(old, r.to)
		}
	}
	q.drop(old)
	q.blocks.settle()
}

// Len is how many events are kept, Written how many there were, Dropped how many of them some reader
// has missed.
func (q *Queue[T]) Len() int        { q.Seal(); return int(q.total - q.low) }
func (q *Queue[T]) Written() uint64 { q.Seal(); return q.total }
func (q *Queue[T]) Dropped() uint64 { return q.dropped }

// Since yields the events that are kept from a number on.
func (q *Queue[T]) Since(from uint64, yield func(event any)) {
	q.Seal()
	for _, g := range q.segments {
		n := g.first
		for _, block := range append(slices.Clip(g.full), g.last) {
			for _, v := range block {
				if n >= max(from, q.low) {
					yield(v)
				}
				n++
			}
		}
	}
}

// Reader has a place in a queue.
type Reader[T any] struct {
	q        *Queue[T]
	from, to uint64 // the events of its run under way; the next begins at to
	missed   uint64
	walks    int // loops under way
}

// Reader returns a reader of the queue. It sees events that are written from now on.
func (q *Queue[T]) Reader() *Reader[T] {
	q.Seal()
	r := &Reader[T]{q: q, from: q.total, to: q.total}
	q.readers = append(q.readers, r)
	return r
}

// Copy makes r a reader of the same events as another one's run under way, for another goroutine. It is good until
// the next run begins, and events do not wait for it: none may go meanwhile.
func (r *Reader[T]) Copy(of *Reader[T]) {
	*r = Reader[T]{q: of.q, from: of.from, to: of.to, missed: of.missed}
}

// Outside says that code outside systems makes or uses a reader, by a call.
func (q *Queue[T]) Outside(call string) {
	if q.options.Outside != nil {
		q.options.Outside(call)
	}
}

// Outside is Queue.Outside of its queue.
func (r *Reader[T]) Outside(call string) { r.q.Outside(call) }

// Leave ends the reader: no event waits for it.
func (r *Reader[T]) Leave() {
	r.q.readers = slices.DeleteFunc(r.q.readers, func(x *Reader[T]) bool { return x == r })
}

// Begin begins a run of the reader: it sees the events since the last one began. Within a loop it does
// nothing, so that the loop goes on with its own.
func (r *Reader[T]) Begin() {
	if r.walks > 0 {
		return
	}
	r.q.Seal()
	r.from, r.to = max(r.to, r.q.low), r.q.total
}

// Len is how many events the run has.
func (r *Reader[T]) Len() int { return int(r.to - max(r.from, min(r.q.low, r.to))) }

// Waiting is how many events the next run has, as far as they are written.
func (r *Reader[T]) Waiting() int {
	r.q.Seal()
	return int(r.q.total - max(r.to, r.q.low))
}

// Missed is how many events went before the reader came to them.
func (r *Reader[T]) Missed() uint64 { return r.missed }

// All goes over the events of the run, as slices in order. They are good until yield returns. Within a
// loop, events may be written and frames may end: the run's events stay for the loop.
func (r *Reader[T]) All(yield func([]T) bool) {
	if r.walks == 0 {
		r.from = min(max(r.from, r.q.low), r.to)
	}
	r.walks++
	defer func() { r.walks-- }()
	for at := r.from; at < r.to; {
		g := r.q.find(at)
		n := min(int(r.to-at), g.len()-int(at-g.first))
		if !g.each(int(at-g.first), n, yield) {
			return
		}
		at += uint64(n)
	}
}

// find is the sealed segment that has the event of a number.
func (q *Queue[T]) find(number uint64) *segment[T] {
	return q.segments[sort.Search(len(q.segments)-q.open, func(i int) bool {
		g := q.segments[i]
		return g.first+uint64(g.len()) > number
	})]
}

// each passes n events of the segment, from the skip-th on, block by block.
func (g *segment[T]) each(skip, n int, yield func([]T) bool) (more bool) {
	for k := 0; n > 0; k++ {
		block := g.last
		if k < len(g.full) {
			block = g.full[k]
		}
		if skip >= len(block) {
			skip -= len(block)
			continue
		}
		block = block[skip:]
		block = block[:min(len(block), n)]
		skip, n = 0, n-len(block)
		if !yield(block[:len(block):len(block)]) {
			return false
		}
	}
	return true
}
