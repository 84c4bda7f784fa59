package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Observe registers a function that is called with each change that its struct names, by fields of
// type Arrived and Left: of components, of their values and states, of groups, and of entities. The other fields of a system without rows may stand beside them:
//
//	ecs.Observe(w, "boom", func(c *struct {
//		Dead ecs.Left[ecs.Entity]
//		Body ecs.Look[Body]
//		Do   *ecs.Commands
//	}) {
//		…
//	})
//
// A change of many entities is one call, with all of them. It comes at the change itself: when Add, Remove, SpawnN and
// so on have done their work, before they return. Changes that systems ask for are made at the next safe point, so
// that is where their observers are called. Entities that are destroyed are there still, with all their
// components: first Left[Entity] is told, then Left of groups and of each component. Observers are called in the order of
// registration, and in reverse for Left.
//
// An observer must not change the structure of the world itself, but by commands. These are made when all
// observers of the change have been called, and before anything else. Behind a World.Spawn within a loop they wait: they are made
// at the next safe point, or behind the next change that an observer hears. A command of an observer that is
// refused is dropped, also where memory is refused. So are the commands of observers that answer each other more than
// 16 deep: Run returns ErrDropped then.
//
// A panic of an observer comes out of the call that made the change, or out of Run. The change is made all the same,
// and commands behind it wait for the next Run; commands of observers are dropped. Observers that come behind are not
// called with it. Systems learn of all of it.
//
// A component that no observer and no system names costs nothing. World.RemoveSystem takes an observer out. One
// that is refused is never called: see World.Err.
func Observe[S any](w *World, name string, fn func(*S)) {
	w.made("Observe").observe(name, typeOf((*S)(nil)), raw.Of(new(S)), raw.Call(fn))
}

// observe is Observe of a struct type, as system is System.
func (w *World) observe(name string, t reflect.Type, into raw.Ptr, fn func(raw.Ptr)) {
	err := w.addObserver(name, t, into, fn)
	if err != nil {
		err = fmt.Errorf("ecs: observer %q: %w", name, err)
	}
	w.constructed(mistake{kind: "Observe", name: name, what: systemOf(fn, nil), err: err})
}

// observing is all that has to know of changes. Observe, System and RemoveSystem change the first two, and react the
// others.
type observing struct {
	lists     []*interest // by Subject.ID: see interestIn
	observers []*observer
	commands  Commands    // of observers
	spare     []*Commands // for commands that are carried out, by depth
	depth     int         // commands of observers that are carried out
	over      bool        // they are too deep: the rest is dropped
}

// interest is who has to know of changes of one subject, but for observers.
type interest struct {
	w        *World
	of       *store.Subject
	logs     []*moves // of fields of systems
	count    bool     // see counts
	arrivals uint64   // of entities while count is set
}

// interestIn is the one in a subject, which tells it from the first call on.
func (w *World) interestIn(of *store.Subject) *interest {
	x := &w.observing
	if of.ID == len(x.lists) {
		in := &interest{w: w, of: of}
		of.Log = in.log
		x.lists = append(x.lists, in)
	}
	return x.lists[of.ID]
}

// observer is a function with its struct. Each field has an ear.
type observer struct {
	name   string
	cursor *walk.Cursor
	fields []*moves
}

func (w *World) addObserver(name string, t reflect.Type, into raw.Ptr, fn func(raw.Ptr)) error {
	w.mustIdle("Observe")
	c, fields, err := w.called(name, t, into, fn)
	if err != nil {
		return err
	}
	o, asks := &observer{name: name, cursor: c}, false
	for i := range fields {
		switch f := &fields[i]; f.Kind {
		case field.Moves:
			o.add(raw.As[*moves](raw.At(into, f.Offset)))
		case field.Commands:
			asks = true
			*raw.As[*Commands](raw.At(into, f.Offset)) = &w.observing.commands
		case field.Later:
			asks = true
			w.poolOf(f.Comp).fillLater(raw.At(into, f.Offset), &w.observing.commands)
		case field.Prior:
			err = fmt.Errorf("field %s: ecs.Prior has values of when a system began, and an observer is called in between: reach values by an ecs.Look", f.Name)
		}
	}
	switch {
	case err != nil:
	case !c.NoRows():
		err = fmt.Errorf("it asks for rows, and an observer has none but those of a change: reach components by ecs.Look, by the entities of ecs.Arrived and ecs.Left")
	case len(o.fields) == 0:
		err = fmt.Errorf("its struct has no field of type ecs.Arrived or ecs.Left: these say which changes it is called with")
	}
	if err != nil {
		end(c)
		return err
	}
	w.listen(o, store.Ear{Name: name, Fn: w.beginning(c.Begins, fn), Into: into, Asks: asks})
	w.systems.Answer(true)
	return nil
}

// observer is the one of a name; nil if there is none.
func (w *World) observer(name string) *observer {
	for _, o := range w.observing.observers {
		if o.name == name {
			return o
		}
	}
	return nil
}

// add takes a field, which needs no log: its ear hears each change at once. One that asks the same as another one is filled
// with it.
func (o *observer) add(field **moves) {
	m := *field
	m.w.interestIn(m.of).remove(m)
	same := func(x *moves) bool { return x.of == m.of && x.left == m.left }
	if i := slices.IndexFunc(o.fields, same); i >= 0 {
		*field = o.fields[i]
		return
	}
	o.fields = append(o.fields, m)
}

// beginning is a function before which fields begin that change from call to call.
func (w *World) beginning(begins []func(tick uint64), fn func(raw.Ptr)) func(raw.Ptr) {
	if len(begins) == 0 {
		return fn
	}
	return func(into raw.Ptr) {
		for _, begin := range begins {
			begin(w.base.Frame)
		}
		fn(into)
	}
}

// listen takes an observer, each ear of which is like y.
func (w *World) listen(o *observer, y store.Ear) {
	w.observing.observers = append(w.observing.observers, o)
	for _, m := range o.fields {
		ear := y
		m.ear = &ear
		w.base.S.Listen(m.of, m.left, m.ear)
	}
}

// remove takes the log of a field out.
func (in *interest) remove(m *moves) {
	in.logs = slices.DeleteFunc(in.logs, func(y *moves) bool { return y == m })
	m.of.Logged = len(in.logs) > 0 || in.count
}

// removeObserver takes an observer out, and tells whether there was one.
func (w *World) removeObserver(name string) bool {
	o := w.observer(name)
	if o == nil {
		return false
	}
	x := &w.observing
	x.observers = slices.DeleteFunc(x.observers, func(y *observer) bool { return y == o })
	for _, m := range o.fields {
		w.base.S.Deafen(m.of, m.left, m.ear)
	}
	end(o.cursor)
	w.systems.Answer(len(x.observers) > 0)
	return true
}

// bindMoves fills a field of type Arrived or Left. The store tells of its subject from now on, until end is called.
func (w *World) bindMoves(f *field.Field, into raw.Ptr) (end func()) {
	m := &moves{w: w, of: w.subject(f), left: f.Left}
	*raw.As[*moves](raw.At(into, f.Offset)) = m
	in := w.interestIn(m.of)
	in.logs = append(in.logs, m)
	m.of.Logged = true
	m.ask(1)
	return func() {
		in.remove(m)
		m.ask(-1)
	}
}

// subject is the one of a field of type Arrived or Left.
func (w *World) subject(f *field.Field) *store.Subject {
	if f.Members == nil {
		return w.subjectOf(f.Under, f.Comp)
	}
	g := w.names.groupOf(f.Members)
	s := w.observed()
	if g.told == nil {
		declared := g.declared // the subject outlives the group
		g.told = s.MembersOf(&declared, g.offsets, g.typ.Size())
	}
	return g.told
}

// observed is the store, which tells the world of changes from now on.
func (w *World) observed() *store.Store {
	s := w.base.S
	if len(w.observing.lists) == 0 {
		w.observing.commands.w = w
		s.Observe(store.Observer{Done: w.react, Panicked: w.exit})
	}
	return s
}

// subjectOf is the subject of a component; nil: of entities as a whole.
func (w *World) subjectOf(k store.Kind, c *store.Component) *store.Subject {
	return w.observed().SubjectOf(k, c)
}

// counts begins to count entities that come under the subject, or ends it. The store tells of them meanwhile.
func (in *interest) counts(on bool) {
	if in.count == on {
		return
	}
	more := 1
	if !on {
		more = -1
	}
	in.count, in.of.Logged = on, on || len(in.logs) > 0
	in.w.base.S.Tell(in.of, false, more)
}

// log logs a change for systems, and counts it for the record.
func (in *interest) log(t *store.Told) {
	if in.count && !t.Left {
		in.arrivals += uint64(len(t.Entities))
	}
	for _, m := range in.logs {
		m.hear(t.Left, t.Entities, t.Values)
	}
}

// asks tells whether observers have given commands.
func (x *observing) asks() bool { return len(x.commands.q.Ops)+len(x.commands.drops) > 0 }

// sets writes a value that somebody is told of.
func (p *pool) sets(e Entity, to, v raw.Ptr) {
	w, c := p.w, &p.c
	if w.doing != 0 || w.base.Walks.Busy != "" || c.Lent() {
		w.base.S.Sets(c, e, to)
		raw.CopyAll(to, v, c.Size)
		w.wasSet(c)
		return
	}
	w.doing = callSet
	w.base.S.Set(c, e, to, v)
	w.doing = 0
}

// wasSet follows when a value was written by handle: observers are told of it, or will be if something iterates.
func (w *World) wasSet(c *store.Component) {
	if c.Lent() {
		c.Refresh(false)
	}
	if w.under() != "" {
		w.base.S.SetLater(c)
		return
	}
	was := w.doing
	w.doing = callSet
	w.base.S.ToldSet(c)
	w.doing = was
}

// deepMost is how deep observers may answer the commands of observers: commands beyond are dropped.
const deepMost = 16

var errTooDeep = errors.New("observers answer each other's commands without end: have one of them test whether there is something left to do")

// react carries out the commands of observers. The answers to each command come before the next one. Commands about entities that
// are spawned while something iterates wait for the next call of react.
func (w *World) react() {
	x := &w.observing
	if !x.asks() || w.base.Walks.Busy != "" {
		return
	}
	if x.depth == len(x.spare) {
		x.spare = append(x.spare, &Commands{w: w})
	}
	was, then := w.doing, call(0) // none if something panics
	w.doing = callCommand
	c := x.spare[x.depth]
	c.waitlist, x.commands.waitlist = x.commands.waitlist, c.waitlist
	x.over = x.over || x.depth == deepMost
	x.depth++
	defer func() {
		w.doing = then
		if x.depth--; x.depth == 0 {
			x.over = false
		}
		if len(c.q.Ops) > 0 { // an observer has panicked
			c.dropRest(errBehind)
			c.reset()
		}
		w.commands.report(c)
	}()
	if err := c.apply(); err != nil {
		c.dropRest(err)
		c.reset()
	}
	then = was
}

// dropRest drops all commands, and has Run return the error.
func (c *Commands) dropRest(err error) {
	for i := range c.q.Ops {
		c.drop(&c.q.Ops[i], c.q.Askers[c.q.Ops[i].Asker], err)
		c.owe()
	}
}

// report makes the dropped commands of others the world's. All of them count, also those that their list had no room for.
func (c *Commands) report(d *Commands) {
	if unlisted := d.dropped - uint64(len(d.drops)); unlisted > 0 {
		c.dropped += unlisted
		c.drops = slices.Grow(c.drops, dropsMost-len(c.drops))[:dropsMost] // all are overwritten now
	}
	for x := range d.recent() {
		*c.list() = *x
	}
	if d.owed.n > 0 {
		if c.owed.n == 0 {
			c.owed.first = d.owed.first
		}
		c.owed.n += d.owed.n
	}
	clear(d.drops)
	d.drops, d.dropped, d.owed = d.drops[:0], 0, owed{}
}
