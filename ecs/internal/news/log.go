package news

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Log is the entities of an Arrived or Left field: of its system's run under way, and a log of changes since that
// began. Observers have an ear, and no log. For systems hear changes the log, and Begin own.
type Log struct {
	in     *Interest
	left   bool
	ear    *store.Ear // nil: it is a system's
	own    store.Told // of the run; of observers it is empty
	log    []moved
	values []uint64 // of entities that left, in the log
	bytes  uintptr
	most   int // length of the log at which it is squeezed
	last   map[store.Entity]int
	old    struct { // the log of the run under way
		es     []store.Entity
		values []uint64
	}
}

// moved is one entity that came or went.
type moved struct {
	e    store.Entity
	left bool
	at   uintptr // of its value
}

// Told is the entities of the run, or of the call with a change of this field.
func (l *Log) Told() *store.Told {
	if l.ear != nil && l.ear == l.in.s.Hearing() {
		return l.in.of.Now(l.left)
	}
	return &l.own
}

// whole tells whether entities come and go as a whole: they are the values.
func (l *Log) whole() bool { return l.in.of.Component == nil && l.in.of.Kind != store.Joining }

// End ends the log.
func (l *Log) End() {
	l.in.remove(l)
	l.ask(-1)
}

// ask has the store tell once more or once less, of both sides: who has come and gone is no news. A value
// that was set needs the field's side alone.
func (l *Log) ask(more int) {
	l.in.s.Tell(l.in.of, l.left, more)
	if l.in.of.Kind != store.Setting {
		l.in.s.Tell(l.in.of, !l.left, more)
	}
}

// hear appends a change to the log.
func (l *Log) hear(left bool, es []store.Entity, values raw.Ptr) {
	if l.in.of.Kind == store.Setting && l.left != left {
		return
	}
	size := uintptr(0)
	at := l.bytes
	if l.left && left && values != nil {
		size = l.in.of.Size
		l.values = raw.Room(l.values, l.bytes+size*uintptr(len(es)))
		raw.CopyAll(raw.At(raw.Data(l.values), l.bytes), values, size*uintptr(len(es)))
		l.bytes += size * uintptr(len(es))
	}
	for i, e := range es {
		l.log = append(l.log, moved{e, left, at + uintptr(i)*size})
	}
	if len(l.log) > l.most {
		l.squeeze()
		l.most = 2*len(l.log) + walk.PieceRows
	}
}

// squeeze takes entities that came and went out of the log. Of each entity the first entry stays if it went, and
// the last one if it came.
func (l *Log) squeeze() {
	if l.once() {
		return
	}
	if l.last == nil {
		l.last = make(map[store.Entity]int)
	}
	first := make([]bool, len(l.log))
	for i, x := range l.log {
		if _, seen := l.last[x.e]; !seen {
			first[i] = true
		}
		l.last[x.e] = i
	}
	kept := l.log[:0]
	for i, x := range l.log {
		if x.left && first[i] || !x.left && l.last[x.e] == i {
			kept = append(kept, x)
		}
	}
	l.log = kept
	clear(l.last)
	l.pack()
}

// once tells whether no entity can have several entries: all have come, or all have gone. One that is set
// may be set again; not if indexes ascend.
func (l *Log) once() bool {
	for i := 1; i < len(l.log); i++ {
		x, last := &l.log[i], &l.log[i-1]
		if x.left != last.left || l.in.of.Kind == store.Setting && x.e.Index() <= last.e.Index() {
			return false
		}
	}
	return true
}

// pack moves the values of the log together.
func (l *Log) pack() {
	if !l.left {
		return
	}
	size, at := l.in.of.Size, uintptr(0)
	for i := range l.log {
		if x := &l.log[i]; x.left && size > 0 {
			if x.at != at {
				raw.CopyAll(raw.At(raw.Data(l.values), at), raw.At(raw.Data(l.values), x.at), size)
				x.at = at
			}
			at += size
		}
	}
	l.bytes = at
}

// Begin begins a run of the system: it has the changes so far, and the log begins anew.
func (l *Log) Begin() {
	l.squeeze()
	es := l.old.es[:0]
	for _, x := range l.log {
		if x.left == l.left && (l.left || l.in.of.Kind != store.Setting || l.in.of.Component.Has(x.e)) {
			es = append(es, x.e)
		}
	}
	l.old.values, l.values = l.values, l.old.values
	l.old.es, l.own.Entities, l.own.Values = es, es, raw.Data(l.old.values)
	l.log, l.bytes = l.log[:0], 0
}
