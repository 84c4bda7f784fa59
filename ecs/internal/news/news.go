// Package news has the changes that systems and observers ask about: who has come under a subject of the store, and who left it.
//
//	store ─Told─► Interest ─► Log of each field of a system: until the system runs, then it has them
//	                       └► a count of arrivals, for the record
//	store ─Ear──► Log of each field of an observer: within the change
//
// There is an Interest in each subject from the first question on. A Log is that of a system, or has an ear and is that of an
// observer. The store tells of a subject as long as a log or a count asks.
package news

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// News is all that has to know of changes. The zero value is a world's that nothing has asked.
type News struct {
	interests []*Interest // by Subject.ID
	observers []*Observer
}

// Asked tells whether there was a question.
func (n *News) Asked() bool { return len(n.interests) > 0 }

// Logs is how many fields of systems are told of changes.
func (n *News) Logs() (logs int) {
	for _, in := range n.interests {
		logs += len(in.logs)
	}
	return logs
}

// Interest is all that has to know of changes of one subject, but for observers.
type Interest struct {
	Arrivals uint64 // of entities while Count is on
	s        *store.Store
	of       *store.Subject
	logs     []*Log // of fields of systems
	count    bool   // see Count
}

// Of is the interest in a subject, which tells it from the first call on.
func (n *News) Of(s *store.Store, of *store.Subject) *Interest {
	if of.ID == len(n.interests) {
		in := &Interest{s: s, of: of}
		of.Log = in.hear
		n.interests = append(n.interests, in)
	}
	return n.interests[of.ID]
}

// Count begins to count entities that come under the subject, or ends it. The store tells of them meanwhile.
func (in *Interest) Count(on bool) {
	if in.count == on {
		return
	}
	more := 1
	if !on {
		more = -1
	}
	in.count, in.of.Logged = on, on || len(in.logs) > 0
	in.s.Tell(in.of, false, more)
}

// hear logs a change for systems, and counts it for the record.
func (in *Interest) hear(t *store.Told) {
	if in.count && !t.Left {
		in.Arrivals += uint64(len(t.Entities))
	}
	for _, l := range in.logs {
		l.hear(t.Left, t.Entities, t.Values)
	}
}

// Log is a new log of entities that come, or that leave. End ends it.
func (in *Interest) Log(left bool) *Log {
	l := &Log{in: in, left: left}
	in.logs = append(in.logs, l)
	in.of.Logged = true
	l.ask(1)
	return l
}

// remove takes a log out.
func (in *Interest) remove(l *Log) {
	in.logs = slices.DeleteFunc(in.logs, func(x *Log) bool { return x == l })
	in.of.Logged = len(in.logs) > 0 || in.count
}

// Observer is a function with its struct. Each field has an ear.
type Observer struct {
	Name   string
	Cursor *walk.Cursor
	logs   []*Log
}

// Observer is the one of a name; nil if there is none.
func (n *News) Observer(name string) *Observer {
	for _, o := range n.observers {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Add takes a field. Its ear is to hear each change at once, so it logs nothing. One that asks the same as another one is filled
// with it.
func (o *Observer) Add(field **Log) {
	l := *field
	l.in.remove(l)
	same := func(x *Log) bool { return x.in == l.in && x.left == l.left }
	if i := slices.IndexFunc(o.logs, same); i >= 0 {
		*field = o.logs[i]
		return
	}
	o.logs = append(o.logs, l)
}

// Hears tells whether the observer has a field.
func (o *Observer) Hears() bool { return len(o.logs) > 0 }

// Listen takes an observer. Each of its ears is like y.
func (n *News) Listen(o *Observer, y store.Ear) {
	n.observers = append(n.observers, o)
	for _, l := range o.logs {
		ear := y
		l.ear = &ear
		l.in.s.Listen(l.in.of, l.left, l.ear)
	}
}

// Remove takes an observer out, and tells whether others are left.
func (n *News) Remove(o *Observer) (others bool) {
	n.observers = slices.DeleteFunc(n.observers, func(x *Observer) bool { return x == o })
	for _, l := range o.logs {
		l.in.s.Deafen(l.in.of, l.left, l.ear)
	}
	return len(n.observers) > 0
}
