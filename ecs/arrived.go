package ecs

import (
	"fmt"
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
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
// In place of a component, T may be one of these:
//
//	Entity                  entities that were spawned, and destroyed
//	Set[Position]           values that a call has set, and that were overwritten
//	Disabled[Position]      entities that have the component disabled, and do no more
//	Disabled[Entity]        entities that are disabled as a whole
//	the struct of a group   its members, with its values
//
// An entity is a member of a group as long as it has all that the struct asks for.
//
// The first run has all that came since the system was registered. An entity that came and went between two runs
// is in neither field. One that went and came again is in both: so handle Left first. In an observer, the fields have
// the entities of one change: see Observe. The entities come in the
// order of the changes. A system that is paused keeps its place. In a system with rows, each call of a run sees
// all entities, and a run without a call leaves them for the next: most such systems have no rows.
type Arrived[T any] struct {
	of of[T]
	m  *moves
}

// Left as the type of a field has the entities that have lost component T since the system last ran, with the
// values that they had when they lost it. Destroying an entity takes all its components. T may be as in Arrived.
type Left[T any] struct {
	of of[T]
	m  *moves
}

// Set is for fields of type Arrived and Left: a call has set the value of component T, of an entity that had it.
//
//	Old ecs.Left[ecs.Set[Position]]    // the value that was overwritten
//	New ecs.Arrived[ecs.Set[Position]]
//
// The calls are Set, SetAll, SetFunc and Put: of pools, Later, spawners and splits. Writes through pointers and columns
// are not seen: ChangedRows is for these. A system has the first value that was overwritten since it last ran, and the
// present one. An observer is called with each; where something iterates, at the next safe point.
type Set[T any] struct{ Value T }

// All goes over the entities in batches, with their values as they are now. The slices are for reading, and
// good for one turn of the loop.
func (a Arrived[T]) All() iter.Seq2[[]Entity, []T] {
	m := a.m.made("Arrived", "All")
	return func(yield func([]Entity, []T) bool) { arrivedAll(m, yield) }
}

// Len is how many entities All goes over.
func (a Arrived[T]) Len() int { return len(a.m.made("Arrived", "Len").told().Entities) }

// All goes over the entities in batches, with the values that they had. The slices are for reading, and good
// for one turn of the loop.
func (l Left[T]) All() iter.Seq2[[]Entity, []T] {
	m := l.m.made("Left", "All")
	return func(yield func([]Entity, []T) bool) {
		t := m.told()
		es := t.Entities
		switch n := len(es); {
		case n == 0:
		case m.whole():
			yield(es, raw.Slice[T](raw.Data(es), n))
		case m.of.Size == 0:
			yield(es, make([]T, n))
		default:
			yield(es, raw.Slice[T](t.Values, n))
		}
	}
}

// Len is how many entities All goes over.
func (l Left[T]) Len() int { return len(l.m.made("Left", "Len").told().Entities) }

// bindMoved finds the subject of a field: a component, a state of one, a group, or entities as a whole. A type may be
// both a component and the struct of a group: the name says which, and without one it is the component.
func (w *World) bindMoved(f *field.Field) error {
	if f.Under == store.Having && !f.AboutEntity() && (w.names.ofType[f.Of] == nil || f.Tag != "" && w.names.pool[f.Tag] == nil) {
		if g, err := w.groupOfType(f.Of, f.Tag); g != nil || err != nil {
			if f.Under = store.Joining; g != nil {
				f.Members = &g.declared
			}
			return err
		}
	}
	return w.bindAbout(f)
}

// groupOfType is the group of a struct, and of a name unless that is empty; nil if there is none.
func (w *World) groupOfType(t reflect.Type, name string) (found *group, err error) {
	for _, g := range w.names.groups {
		if g.typ != t || name != "" && g.name != name {
			continue
		}
		if found != nil {
			return nil, fmt.Errorf("%v is the struct of groups %q and %q: say which by a tag, such as `ashlar:%q`", field.StructName(t), found.name, g.name, g.name)
		}
		found = g
	}
	return found, nil
}

// arrivedAll passes values in place where some lie side by side, and gathers others: a piece of work at most.
func arrivedAll[T any](m *moves, yield func([]Entity, []T) bool) {
	all := m.told().Entities
	es := all
	if m.whole() {
		if len(es) > 0 {
			yield(es, raw.Slice[T](raw.Data(es), len(es)))
		}
		return
	}
	if m.of.Kind == store.Joining {
		membersAll(m, yield)
		return
	}
	c := m.of.Component
	var some []Entity
	var values []T
	flush := func() (more bool) {
		more = len(some) == 0 || yield(some, values)
		some, values = some[:0], values[:0]
		return more
	}
	for len(es) > 0 {
		l, n := c.Run(es)
		switch {
		case n == 0: // the system itself has changed that
			es = es[1:]
			continue
		case c.Lent():
			n = 1
			values = append(values, *raw.As[T](c.Reach(es[0], false)))
		case n == len(all) || n >= store.WarmMost:
			if !flush() || !yield(es[:n:n], raw.Slice[T](c.At(l), n)) {
				return
			}
			es = es[n:]
			continue
		default:
			values = append(values, raw.Slice[T](c.At(l), n)...)
		}
		some, es = append(some, es[:n]...), es[n:]
		if len(some) >= walk.PieceRows && !flush() {
			return
		}
	}
	flush()
}

// membersAll gathers the values of members.
func membersAll[T any](m *moves, yield func([]Entity, []T) bool) {
	var some []Entity
	var values []T
	es := m.told().Entities
	for i, e := range es {
		var v T
		if m.of.Gather(e, raw.Of(&v)) {
			some, values = append(some, e), append(values, v)
		}
		if len(some) >= walk.PieceRows || i == len(es)-1 && len(some) > 0 {
			if !yield(some, values) {
				return
			}
			some, values = some[:0], values[:0]
		}
	}
}

// moves is the entities of an Arrived or Left field: of its system's run under way, and a log of changes since that
// began. Observers have an ear, and no log. For systems hear changes the log, and begin own.
type moves struct {
	w      *World
	of     *store.Subject
	left   bool
	ear    *store.Ear // nil: it is a system's
	own    store.Told // of the run; of observers it is empty
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

// told is the entities of the run, or of the call with a change of this field.
func (m *moves) told() *store.Told {
	if m.ear != nil && m.ear == m.w.base.S.Hearing() {
		return m.of.Now(m.left)
	}
	return &m.own
}

// whole tells whether entities come and go as a whole: they are the values.
func (m *moves) whole() bool { return m.of.Component == nil && m.of.Kind != store.Joining }

// ask has the store tell once more or once less, of both sides: who has come and gone is no news. A value
// that was set needs the field's side alone.
func (m *moves) ask(more int) {
	m.w.base.S.Tell(m.of, m.left, more)
	if m.of.Kind != store.Setting {
		m.w.base.S.Tell(m.of, !m.left, more)
	}
}

// hear appends a change to the log.
func (m *moves) hear(left bool, es []Entity, values raw.Ptr) {
	if m.of.Kind == store.Setting && m.left != left {
		return
	}
	size := uintptr(0)
	at := m.bytes
	if m.left && left && values != nil {
		size = m.of.Size
		m.values = raw.Room(m.values, m.bytes+size*uintptr(len(es)))
		raw.CopyAll(raw.At(raw.Data(m.values), m.bytes), values, size*uintptr(len(es)))
		m.bytes += size * uintptr(len(es))
	}
	for i, e := range es {
		m.log = append(m.log, moved{e, left, at + uintptr(i)*size})
	}
	if len(m.log) > m.most {
		m.squeeze()
		m.most = 2*len(m.log) + walk.PieceRows
	}
}

// squeeze takes entities that came and went out of the log. Of each entity the first entry stays if it went, and
// the last one if it came.
func (m *moves) squeeze() {
	if m.once() {
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

// once tells whether no entity can have several entries: all have come, or all have gone. One that is set
// may be set again; not if indexes ascend.
func (m *moves) once() bool {
	for i := 1; i < len(m.log); i++ {
		x, last := &m.log[i], &m.log[i-1]
		if x.left != last.left || m.of.Kind == store.Setting && x.e.Index() <= last.e.Index() {
			return false
		}
	}
	return true
}

// pack moves the values of the log together.
func (m *moves) pack() {
	if !m.left {
		return
	}
	size, at := m.of.Size, uintptr(0)
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
	m.squeeze()
	es := m.old.es[:0]
	for _, x := range m.log {
		if x.left == m.left && (m.left || m.of.Kind != store.Setting || m.of.Component.Has(x.e)) {
			es = append(es, x.e)
		}
	}
	m.old.values, m.values = m.values, m.old.values
	m.old.es, m.own.Entities, m.own.Values = es, es, raw.Data(m.old.values)
	m.log, m.bytes = m.log[:0], 0
}

// logs begin the logs of a system's fields.
func logs(fields []field.Field, into raw.Ptr) (begins []func(tick uint64)) {
	for i := range fields {
		if f := &fields[i]; f.Kind == field.Moves {
			m := *raw.As[*moves](raw.At(into, f.Offset))
			begins = append(begins, func(uint64) { m.begin() })
		}
	}
	return begins
}
