package ecs

import (
	"fmt"
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/events"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
)

// Events as the type of a field of a system's struct reads the events of type T that were written since
// the system last ran:
//
//	Hits ecs.Events[Hit]
//
//	for hits := range c.Hits.All() {
//		for i := range hits {
//			…
//		}
//	}
//
// Each reader has its own place. Events come in the order of the systems that wrote them, and in
// that of their calls; the system's own events of this run come in its next one. T is any type, with
// pointers or without. EventsOf says how long events stay. A system that is paused keeps its place.
type Events[T any] struct {
	of  of[T]
	r   *events.Reader[T]
	own bool // of the program: each All is a run
}

// WriteEvents as the type of a field writes events of type T, for systems that run later in this frame
// or in the next one.
type WriteEvents[T any] struct {
	of of[T]
	w  *events.Writer[T]
	q  *events.Queue[T]
}

// EventsOf gives the world events of type T: systems ask for them by fields of type Events[T] and
// WriteEvents[T]. Code outside systems writes them with the result. Events stay until the end of a frame in which
// all readers have read them; without readers, until the end of the frame after theirs. Most, if given, is how many stay
// at the end of each system that writes some: of more, the oldest go, and Events.Missed counts them. Events of a type are
// declared once. A second declaration, or a bound below 1, is refused: see World.Err.
func EventsOf[T any](w *World, most ...int) WriteEvents[T] {
	w.made("EventsOf")
	t := typeOf((*T)(nil))
	o := events.Options{Outside: func(call string) {
		w.mustPromiseNone(fmt.Sprintf("%s of events of type %v", call, t), "give its struct a field of type ecs.Events, and use that")
	}}
	if len(most) > 0 {
		o.Most = most[0]
	}
	q := events.New[T](o)
	err := w.declareEvents(t, q, most)
	if w.constructed(mistake{kind: "EventsOf", what: t, err: err}) != nil {
		q = events.New[T](events.Options{Most: 1}) // which nobody reads
	}
	return WriteEvents[T]{w: q.Writer(), q: q}
}

func (w *World) declareEvents(t reflect.Type, q events.Any, most []int) error {
	switch {
	case w.closed:
		return w.over()
	case w.names.events[t] != nil:
		return fmt.Errorf("the world has events of type %v already: declare them once, or give these a type of their own", t)
	case len(most) > 1 || len(most) == 1 && most[0] < 1:
		return fmt.Errorf("the bound is %v: give one number above 0, or none", most)
	}
	w.names.events[t] = q
	return nil
}

// All goes over the events that were written since the system last ran, as slices in order. It may be
// called several times in a run, and goes over the same events: so does each call of a system with rows. A run in
// which no row matches leaves them for the next. The slices are good for one turn of the
// loop, and are for reading. A reader of WriteEvents.Reader sees each event once.
func (e Events[T]) All() iter.Seq[[]T] {
	r := e.made("All")
	return func(yield func([]T) bool) {
		if e.own {
			r.Outside("All")
			r.Begin()
		}
		r.All(yield)
	}
}

// Len is how many events All goes over.
func (e Events[T]) Len() int {
	r := e.made("Len")
	if e.own {
		r.Outside("Len")
		return r.Waiting()
	}
	return r.Len()
}

// Missed is how many events went before the reader came to them, since it was made.
func (e Events[T]) Missed() uint64 { return e.made("Missed").Missed() }

// Write adds an event. It costs some nanoseconds, and allocates nothing once there was as much before.
func (e WriteEvents[T]) Write(v T) {
	if e.w == nil {
		panic(unmade{"WriteEvents", "Write"})
	}
	e.w.Write(v)
}

// Reader returns a reader for code outside systems. It sees the events that are written from now on,
// each once: All goes on where the last one began to read no more. Events wait for it as for a
// system, so a program needs few of them.
func (e WriteEvents[T]) Reader() Events[T] {
	if e.q == nil {
		panic(unmade{"WriteEvents", "Reader"})
	}
	e.q.Outside("Reader")
	return Events[T]{r: e.q.Reader(), own: true}
}

func (e Events[T]) made(call string) *events.Reader[T] {
	if e.r == nil {
		panic(unmade{"Events", call})
	}
	return e.r
}

// eventful is Events and WriteEvents of any type, as types of fields.
type eventful interface {
	// bind fills a field with the queue's events. The function begin begins a run of the system, and
	// end ends its use of the queue.
	bind(q events.Any, field raw.Ptr) (begin, end func())
	// share makes the copy of such a field a worker's own. The function piece begins a piece of work.
	share(field raw.Ptr) (piece func(int))
}

// eventsOf is a field of such a type.
func eventsOf(f *field.Field) eventful { return reflect.Zero(f.Is).Interface().(eventful) }

func (Events[T]) bind(q events.Any, field raw.Ptr) (begin, end func()) {
	r := q.(*events.Queue[T]).Reader()
	*raw.As[Events[T]](field) = Events[T]{r: r}
	return r.Begin, r.Leave
}

func (WriteEvents[T]) bind(q events.Any, field raw.Ptr) (begin, end func()) {
	of := q.(*events.Queue[T])
	x := of.Writer()
	*raw.As[WriteEvents[T]](field) = WriteEvents[T]{w: x, q: of}
	return func() { of.Open(1); x.Begin(0) }, func() {}
}

func (Events[T]) share(field raw.Ptr) (piece func(int)) {
	e := raw.As[Events[T]](field)
	of, own := e.r, new(events.Reader[T])
	e.r = own
	return func(int) { own.Copy(of) }
}

func (WriteEvents[T]) share(field raw.Ptr) (piece func(int)) {
	e := raw.As[WriteEvents[T]](field)
	e.w = e.q.Writer()
	return e.w.Begin
}

// shareEvents has the pieces of a Parallel system write events of their own, which are read in the order of pieces. The
// function bind is for a field of a worker's struct.
func (w *World) shareEvents(fields []field.Field, workers int, p *schedule.Parts) (bind func(worker int, f *field.Field, at raw.Ptr)) {
	if !field.HasKind(fields, field.Events) {
		return nil
	}
	var written []events.Any
	for _, f := range fields {
		if f.Kind == field.Events && f.Write {
			written = append(written, w.names.events[f.Of])
		}
	}
	begins := make([][]func(piece int), workers)
	p.Stages = append(p.Stages, schedule.Stage{
		Begin: func(pieces int) {
			for _, q := range written {
				q.Open(pieces)
			}
		},
		Piece: func(worker, n int) {
			for _, f := range begins[worker] {
				f(n)
			}
		},
		Seal: func() {
			for _, q := range written {
				q.Seal()
			}
		},
	})
	return func(worker int, f *field.Field, at raw.Ptr) {
		begins[worker] = append(begins[worker], eventsOf(f).share(at))
	}
}
