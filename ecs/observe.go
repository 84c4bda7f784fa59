package ecs

import (
	"fmt"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/news"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
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
	w.constructed(mistake{kind: "Observe", says: "observer", name: name, what: systemOf(fn, nil), err: err})
}

func (w *World) addObserver(name string, t reflect.Type, into raw.Ptr, fn func(raw.Ptr)) error {
	w.mustIdle("Observe")
	c, fields, err := w.called(name, t, into, fn)
	if err != nil {
		return err
	}
	o, asks := &news.Observer{Name: name, Cursor: c}, false
	for i := range fields {
		switch f := &fields[i]; f.Kind {
		case field.Moves:
			o.Add(raw.As[*news.Log](raw.At(into, f.Offset)))
		case field.Commands, field.Later, field.Spawner:
			asks = true
			w.fillCommands(f, raw.At(into, f.Offset), &w.answers.commands)
		case field.Prior:
			err = fmt.Errorf("field %s: ecs.Prior has values of when a system began, and an observer is called in between: reach values by an ecs.Look", f.Name)
		}
	}
	switch {
	case err != nil:
	case !c.NoRows():
		err = fmt.Errorf("it asks for rows, and an observer has none but those of a change: reach components by ecs.Look, by the entities of ecs.Arrived and ecs.Left")
	case !o.Hears():
		err = fmt.Errorf("its struct has no field of type ecs.Arrived or ecs.Left: these say which changes it is called with")
	}
	if err != nil {
		end(c)
		return err
	}
	w.news.Listen(o, store.Ear{Name: name, Fn: w.beginning(c.Begins, fn), Into: into, Asks: asks})
	w.systems.Answer(true)
	return nil
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

// removeObserver takes an observer out, and tells whether there was one.
func (w *World) removeObserver(name string) bool {
	o := w.news.Observer(name)
	if o == nil {
		return false
	}
	others := w.news.Remove(o)
	end(o.Cursor)
	w.systems.Answer(others)
	return true
}
