package ecs

import (
	"iter"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Arrived as the type of a field has the entities that have got component T since the system last ran, and
// have it still:
//
//	In  ecs.Arrived[Position]
//	Out ecs.Left[Position]
//
//	for es, ps := range c.Out.All() {
//		…
//	}
//
// The first run has all that came since the system was registered. An entity that came and went between two runs
// is in neither field. One that went and came again is in both: so handle Left first. Arrived[Entity] has entities that
// were spawned. In an observer, the fields have the entities of one change: see Observe. The entities come in the
// order of the changes. A system that is paused keeps its place.
type Arrived[T any] struct{ m *moves }

// Left as the type of a field has the entities that have lost component T since the system last ran, with the
// values that they had when they lost it. Destroying an entity takes all its components. Left[Entity] has entities that
// were destroyed.
type Left[T any] struct{ m *moves }

// All goes over the entities in batches, with their values as they are now. The slices are for reading, and
// good for one turn of the loop.
func (a Arrived[T]) All() iter.Seq2[[]Entity, []T] {
	m := a.m.made("Arrived", "All")
	return func(yield func([]Entity, []T) bool) { arrivedAll(m, yield) }
}

// Len is how many entities All goes over.
func (a Arrived[T]) Len() int { return len(a.m.made("Arrived", "Len").es) }

// All goes over the entities in batches, with the values that they had. The slices are for reading, and good
// for one turn of the loop.
func (l Left[T]) All() iter.Seq2[[]Entity, []T] {
	m := l.m.made("Left", "All")
	return func(yield func([]Entity, []T) bool) {
		switch n := len(m.es); {
		case n == 0:
		case m.c == nil:
			yield(m.es, raw.Slice[T](raw.Data(m.es), n))
		case m.c.Size == 0:
			yield(m.es, make([]T, n))
		default:
			yield(m.es, raw.Slice[T](m.vs, n))
		}
	}
}

// Len is how many entities All goes over.
func (l Left[T]) Len() int { return len(l.m.made("Left", "Len").es) }

func (Arrived[T]) moveType() (of reflect.Type, left bool) { return reflect.TypeFor[T](), false }
func (Left[T]) moveType() (of reflect.Type, left bool)    { return reflect.TypeFor[T](), true }

// moving is Arrived and Left of any type, as types of fields.
type moving interface {
	moveType() (of reflect.Type, left bool)
}

// arrivedAll passes values in place where some lie side by side, and gathers others: a piece of work at most.
func arrivedAll[T any](m *moves, yield func([]Entity, []T) bool) {
	es := m.es
	if m.c == nil {
		if len(es) > 0 {
			yield(es, raw.Slice[T](raw.Data(es), len(es)))
		}
		return
	}
	var some []Entity
	var values []T
	flush := func() (more bool) {
		more = len(some) == 0 || yield(some, values)
		some, values = some[:0], values[:0]
		return more
	}
	for len(es) > 0 {
		l, n := m.c.Run(es)
		switch {
		case n == 0: // the system itself has changed that
			es = es[1:]
			continue
		case m.c.Lent():
			n = 1
			values = append(values, *raw.As[T](m.c.Reach(es[0], false)))
		case n == len(m.es) || n >= store.WarmMost:
			if !flush() || !yield(es[:n:n], raw.Slice[T](m.c.At(l), n)) {
				return
			}
			es = es[n:]
			continue
		default:
			values = append(values, raw.Slice[T](m.c.At(l), n)...)
		}
		some, es = append(some, es[:n]...), es[n:]
		if len(some) >= walk.PieceRows && !flush() {
			return
		}
	}
	flush()
}

// moves is the entities of an Arrived or Left field: of its system's run under way, and a log of changes since that
// began. Observers have no log: callObserver sets es and vs. For systems hear changes the log, and begin es and vs.
type moves struct {
	w      *World
	c      *store.Component // nil: entities as a whole
	left   bool
	told   bool // it is an observer's
	es     []Entity
	vs     raw.Ptr // values of es, if they left
	log    []moved
	values []uint64 // of entities that left, in the log
	bytes  uintptr
	most   int // length of the log at which it is squeezed
	last   map[Entity]int
	old    struct { // the log of the run under way
		es     []Entity
		values []uint64
	}
}

// moved is one entity that came or went.
type moved struct {
	e    Entity
	left bool
	at   uintptr // of its value
}

func (m *moves) made(typ, call string) *moves {
	if m == nil {
		panic(unmade{typ, call})
	}
	return m
}

// hear appends a change to the log.
func (m *moves) hear(x *store.Told) {
	size := uintptr(0)
	at := m.bytes
	if m.left && x.Left && m.c != nil && m.c.Size > 0 {
		size = m.c.Size
		m.values = raw.Room(m.values, m.bytes+size*uintptr(len(x.Entities)))
		raw.CopyAll(raw.At(raw.Data(m.values), m.bytes), x.Values, size*uintptr(len(x.Entities)))
		m.bytes += size * uintptr(len(x.Entities))
	}
	for i, e := range x.Entities {
		m.log = append(m.log, moved{e, x.Left, at + uintptr(i)*size})
	}
	if len(m.log) > m.most {
		m.squeeze()
		m.most = 2*len(m.log) + walk.PieceRows
	}
}

// squeeze takes entities that came and went out of the log. Of each entity the first entry stays if it went, and
// the last one if it came.
func (m *moves) squeeze() {
	if !slices.ContainsFunc(m.log, func(x moved) bool { return x.left != m.log[0].left }) {
		return
	}
	if m.last == nil {
		m.last = make(map[Entity]int)
	}
	first := make([]bool, len(m.log))
	for i, x := range m.log {
		if _, seen := m.last[x.e]; !seen {
			first[i] = true
		}
		m.last[x.e] = i
	}
	kept := m.log[:0]
	for i, x := range m.log {
		if x.left && first[i] || !x.left && m.last[x.e] == i {
			kept = append(kept, x)
		}
	}
	m.log = kept
	clear(m.last)
	m.pack()
}

// pack moves the values of the log together.
func (m *moves) pack() {
	if m.c == nil || !m.left {
		return
	}
	size, at := m.c.Size, uintptr(0)
	for i := range m.log {
		if x := &m.log[i]; x.left && size > 0 {
			if x.at != at {
				raw.CopyAll(raw.At(raw.Data(m.values), at), raw.At(raw.Data(m.values), x.at), size)
				x.at = at
			}
			at += size
		}
	}
	m.bytes = at
}

// begin begins a run of the system: it has the changes so far, and the log begins anew.
func (m *moves) begin() {
	if m.told {
		return
	}
	m.squeeze()
	es := m.old.es[:0]
	for _, x := range m.log {
		if x.left == m.left {
			es = append(es, x.e)
		}
	}
	m.old.values, m.values = m.values, m.old.values
	m.es, m.old.es, m.vs = es, es, raw.Data(m.old.values)
	m.log, m.bytes = m.log[:0], 0
}
