package ecs

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Observe registers a function that is called with each change of components that its struct names, by fields of
// type Arrived and Left. The other fields of a system without rows may stand beside them:
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
// components: first Left[Entity] is told, then Left of each component. Observers are called in the order of
// registration, and in reverse for Left.
//
// An observer must not change the structure of the world itself, but by commands. These are made when all
// observers of the change have been called, and before anything else. A command of an observer that is
// refused is dropped, also where memory is refused. So are the commands of observers that answer each other more than
// 16 deep: Run returns ErrDropped then.
//
// A component that no observer and no system names costs nothing. World.RemoveSystem takes an observer out. One
// that is refused is never called: see World.Err.
func Observe[S any](w *World, name string, fn func(*S)) {
	w.made("Observe").observe(name, typeFor[S](), raw.Of(new(S)), raw.Call(fn))
}

// observe is Observe of a struct type, as system is System.
func (w *World) observe(name string, t reflect.Type, into raw.Ptr, fn func(raw.Ptr)) {
	err := w.addObserver(name, t, into, fn)
	if err != nil {
		err = fmt.Errorf("ecs: observer %q: %w", name, err)
	}
	w.constructed(mistake{kind: "Observe", name: name, what: systemOf(fn, nil), err: err})
}

// observing is all that has to know of changes. Observe, System and RemoveSystem change the first two; told sets
// now, and react the others.
type observing struct {
	lists     []interest // by component: see interestIn
	observers []*observer
	now       string      // the observer that is called; "": none is
	commands  Commands    // of observers
	spare     []*Commands // for commands that are carried out, by depth
	depth     int         // commands of observers that are carried out
	over      bool        // they are too deep: the rest is dropped
}

// interest is who has to know of changes of one component, or of entities as a whole.
type interest struct {
	moves   []*moves // of fields of systems
	arrived []*observer
	left    []*observer // the last one first
}

// interestIn is the one in a component; nil: in entities as a whole. It is good until the next call.
func (x *observing) interestIn(c *store.Component) *interest {
	at := 0
	if c != nil {
		at = int(c.ID) + 1
	}
	for len(x.lists) <= at {
		x.lists = append(x.lists, interest{})
	}
	return &x.lists[at]
}

// observer is a function with its struct.
type observer struct {
	name   string
	cursor *walk.Cursor
	call   func()
	fields []*moves
}

func (w *World) addObserver(name string, t reflect.Type, into raw.Ptr, fn func(raw.Ptr)) error {
	w.mustIdle("Observe")
	c, fields, err := w.called(name, t, into, fn)
	if err != nil {
		return err
	}
	o := &observer{name: name, cursor: c, call: func() { fn(into) }}
	for i := range fields {
		switch f := &fields[i]; f.kind {
		case kindMoves:
			o.fields = append(o.fields, *raw.As[*moves](raw.At(into, f.offset)))
		case kindCommands:
			*raw.As[*Commands](raw.At(into, f.offset)) = &w.observing.commands
		case kindLater:
			f.fillLater(into, &w.observing.commands)
		case kindPrior:
			err = fmt.Errorf("field %s: ecs.Prior has values of when a system began, and an observer is called in between: reach values by an ecs.Look", f.name)
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
	w.observing.add(o)
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

func (x *observing) add(o *observer) {
	x.observers = append(x.observers, o)
	for _, m := range o.fields {
		x.remove(m)
		m.told = true
		switch in := x.interestIn(m.c); {
		case m.left && !slices.Contains(in.left, o):
			in.left = slices.Insert(in.left, 0, o)
		case !m.left && !slices.Contains(in.arrived, o):
			in.arrived = append(in.arrived, o)
		}
	}
}

// remove takes the log of a field out.
func (x *observing) remove(m *moves) {
	in := x.interestIn(m.c)
	in.moves = slices.DeleteFunc(in.moves, func(y *moves) bool { return y == m })
}

// removeObserver takes an observer out, and tells whether there was one.
func (w *World) removeObserver(name string) bool {
	o := w.observer(name)
	if o == nil {
		return false
	}
	is := func(y *observer) bool { return y == o }
	x := &w.observing
	x.observers = slices.DeleteFunc(x.observers, is)
	for _, m := range o.fields {
		in := x.interestIn(m.c)
		in.arrived, in.left = slices.DeleteFunc(in.arrived, is), slices.DeleteFunc(in.left, is)
	}
	end(o.cursor)
	return true
}

// bindMoves fills a field of type Arrived or Left. The store tells of the component from now on, until end is called.
func (w *World) bindMoves(f *field, into raw.Ptr) (begin, end func()) {
	x := &w.observing
	if len(x.lists) == 0 {
		x.commands.w = w
		w.base.S.Observe(store.Observer{Told: w.told, Done: w.react})
	}
	m := &moves{w: w, c: f.seen(), left: f.left}
	*raw.As[*moves](raw.At(into, f.offset)) = m
	in := x.interestIn(m.c)
	in.moves = append(in.moves, m)
	w.base.S.Tell(m.c, 1)
	return m.begin, func() {
		x.remove(m)
		w.base.S.Tell(m.c, -1)
	}
}

// told logs a change for systems, and calls observers with it.
func (w *World) told(t store.Told) {
	was := w.doing
	w.doing = 0 // observers may panic
	in := w.observing.interestIn(t.Component)
	for _, m := range in.moves {
		m.hear(&t)
	}
	list := in.arrived
	if t.Left {
		list = in.left
	}
	for _, o := range list {
		w.callObserver(o, &t)
	}
	w.doing = was
}

// callObserver calls an observer with a change.
func (w *World) callObserver(o *observer, t *store.Told) {
	x, walks := &w.observing, &w.base.Walks
	for _, m := range o.fields {
		if m.c == t.Component && m.left == t.Left {
			m.es, m.vs = t.Entities, t.Values
		}
	}
	number := walks.Begin(o.name)
	was := x.now
	x.now = o.name
	defer func() {
		x.now = was
		walks.End(number)
		for _, m := range o.fields {
			m.es, m.vs = nil, nil
		}
	}()
	for _, begin := range o.cursor.Begins {
		begin(w.base.Frame)
	}
	o.call()
}

// deepMost is how deep observers may answer the commands of observers: commands beyond are dropped.
const deepMost = 16

var errTooDeep = errors.New("observers answer each other's commands without end: have one of them test whether there is something left to do")

// react carries out the commands of observers. The answers to each command come before the next one.
func (w *World) react() {
	x := &w.observing
	if len(x.commands.ops) == 0 && len(x.commands.drops) == 0 {
		return
	}
	if x.depth == len(x.spare) {
		x.spare = append(x.spare, &Commands{w: w})
	}
	was := w.doing
	w.doing = 0 // as in told
	c := x.spare[x.depth]
	c.exchange(&x.commands)
	x.over = x.over || x.depth == deepMost
	x.depth++
	defer func() {
		if x.depth--; x.depth == 0 {
			x.over = false
		}
		w.commands.report(c)
	}()
	if err := c.apply(); err != nil {
		c.dropRest(err)
		c.reset()
	}
	w.doing = was
}

// exchange swaps the commands that wait.
func (c *Commands) exchange(d *Commands) {
	c.ops, d.ops = d.ops, c.ops
	c.waiting, d.waiting = d.waiting, c.waiting
	c.values, d.values = d.values, c.values
	c.masses, d.masses = d.masses, c.masses
	c.askers, d.askers = d.askers, c.askers
	c.drops, d.drops = d.drops, c.drops
	c.dropped, d.dropped = d.dropped, c.dropped
	c.owed, d.owed = d.owed, c.owed
}

// dropRest drops all commands, and has Run return the error.
func (c *Commands) dropRest(err error) {
	for i := range c.ops {
		c.drop(&c.ops[i], c.askers[c.ops[i].asker], err)
		c.owe()
	}
}

// report makes the dropped commands of others the world's.
func (c *Commands) report(d *Commands) {
	for _, x := range d.drops {
		c.list(x)
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
