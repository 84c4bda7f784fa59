package ecs

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile/layout"
)

// The rule of mistakes stands at World.Err for programs. Every constructor returns its thing. If it
// has to refuse, it adds a mistake to its world, and returns a thing that does nothing.
//
//	pending    ─Err→ handed over: nobody is told again
//	pending    ─the same thing is made rightly→ withdrawn
//	pending    ─Run→ pending: Run returns it, and runs nothing
//
// A refused thing belongs to a world of its own that is closed: its nowhere. So it takes the paths of
// things in a closed world. No entity is alive there, nothing has the component, no row matches. The
// nowhere has the mistake, and calls return that in place of ErrClosed and ErrStale. A world that New
// could not make is a nowhere itself.

// puts tells whether an outcome takes the place of an earlier mistake. A later mistake does so under
// the same name, and for the same thing where there are no names. A success does for either.
func (m *mistake) puts(old *mistake) bool {
	switch {
	case m.kind != old.kind:
		return false
	case m.name != "" && m.name == old.name:
		return true
	}
	return m.what == old.what && (m.err == nil || m.name == "")
}

// constructed notes the outcome of a constructor. It returns nil if that made the thing, and the nowhere
// of the refused thing otherwise.
func (w *World) constructed(m mistake) (nowhere *World) {
	if w.refused != nil {
		return w // its own mistake is why nothing can be made in it
	}
	w.names.mistakes = slices.DeleteFunc(w.names.mistakes, func(old mistake) bool { return m.puts(&old) })
	if m.err == nil {
		return nil
	}
	says := cmp.Or(m.says, m.kind)
	if m.name != "" {
		says = fmt.Sprintf("%s %q", says, m.name)
	}
	m.err = fmt.Errorf("ecs: %s: %w", says, m.err)
	w.names.mistakes = append(w.names.mistakes, m)
	return newNowhere(m.err)
}

// Err hands over the mistakes made in setting up the world since Err was last called, joined; nil if
// there are none. Each names its remedy.
//
// Constructors (New, Register, GroupOf, SpawnerOf, ExchangeOf, QueryOf, SliceOf, SchemaOf,
// SchemaOfPools, FieldOf, System and Provide) return no error. If one has to
// refuse, it notes the mistake in the world and returns a thing that does nothing. Calls of the
// thing that return an error return the mistake. Get gives nil, and loops are empty. Provide gives
// an address that no system sees.
//
// Run, RunFor and Continue return all mistakes, too, and run no system while there are any. Mistakes
// that a system makes are returned by the Run under way. They do so every time, until Err has handed
// the mistakes over, or until the same thing is made rightly. It is the same if it has the same name,
// or the same type under another one. A system is the same if it has the same function, groups and phase.
//
// A program that checks Run needs no Err. One that goes on without a refused thing calls Err, and accepts
// the mistakes. A world that New could not make stays as it is: its calls, Run
// included, return why, also when Err has handed that over.
func (w *World) Err() error {
	err := w.made("Err").pending()
	w.names.mistakes = nil
	return err
}

// pending joins the mistakes that were neither handed over nor put right.
func (w *World) pending() error {
	switch list := w.names.mistakes; len(list) {
	case 0:
		return nil
	case 1:
		return list[0].err
	default:
		errs := make([]error, len(list))
		for i := range list {
			errs[i] = list[i].err
		}
		return errors.Join(errs...)
	}
}

// newNowhere makes a world that is closed: on the Go heap, which is never refused. Each refused thing has one
// of its own, so a program that tries again keeps none of them.
func newNowhere(refused error) *World {
	w, err := bare(Options{Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}, MaxEntities: 1, FixedStep: 1, Adapt: memmgr.AdaptOptions{Off: true}}, layout.Layout{})
	if err == nil {
		err = w.end()
	}
	if err != nil {
		panic(err) // the options are these
	}
	w.refused, w.names.spare = refused, new(store.Component)
	w.registerSpare(w.names.spare, "")
	return w
}

// over is why a world is of no use: it was refused, or is closed.
func (w *World) over() error {
	if w.refused != nil {
		return w.refused
	}
	return ErrClosed
}

// registerSpare registers a component in a nowhere, for a thing that has to have one.
func (w *World) registerSpare(c *store.Component, name string) {
	w.base.Store.Register(c, name, chunk.Spec{Size: 8, Align: 8}, store.Fixed, true)
}

// noRows is a cursor of a nowhere that no row matches.
func (w *World) noRows() *walk.Cursor {
	spec := walk.Spec{Name: "a query that was refused"}
	spec.Pointers, spec.Required = true, []*store.Component{w.names.spare}
	return walk.NewCursor(walk.NewPlan(&w.base, spec))
}

// errGiven is the mistake of giving a constructor something that was refused itself.
func errGiven(kind, name string) error {
	return fmt.Errorf("%s %q was refused itself: put that right first", kind, name)
}
