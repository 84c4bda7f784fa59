package ecs

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Exchange gives entities some components and takes others from them in one move. Use ExchangeOf.
// A Remove and an Add move a row twice. An Exchange lives as long as its world.
type Exchange[S any] struct {
	w     *World
	store *store.Exchange
}

// ExchangeOf makes an exchange from a struct of components: components
// that come as fields, as SpawnerOf takes them, and components that go as fields of type Without:
//
//	type burning struct {
//		Burning
//		_ ecs.Without[Wet]
//	}
//
// It is refused if a component is not registered or is named twice, and unless at least one comes and
// one goes: see World.Err.
func ExchangeOf[S any](w *World) *Exchange[S] {
	f, err := w.made("ExchangeOf").exchanged(typeOf((*S)(nil)))
	if nowhere := w.constructed(mistake{kind: "ExchangeOf", what: typeOf((*S)(nil)), err: err}); nowhere != nil {
		return &Exchange[S]{w: nowhere}
	}
	return &Exchange[S]{w, w.base.Store.NewExchange(f.comps(), f.offsets, compsOf(f.without))}
}

// exchanged are the components that come, and in without the ones that go.
func (w *World) exchanged(t reflect.Type) (f values, err error) {
	f, err = w.valueFields(t, nil)
	switch {
	case err != nil:
		return values{}, err
	case len(f.with) > 0:
		return values{}, fmt.Errorf("%v has fields ecs.With, which say nothing here: name the components that come as fields, and those that go as ecs.Without", t)
	case len(f.pools) == 0 || len(f.without) == 0:
		return values{}, fmt.Errorf("%v names %d components that come and %d that go: name one of each at least, or call Put or Remove", t, len(f.pools), len(f.without))
	}
	all := slices.Concat(f.pools, f.without)
	for i, p := range all {
		if slices.Contains(all[:i], p) {
			return values{}, fmt.Errorf("component %q is named twice in %v", p.component.Name, t)
		}
	}
	return f, nil
}

func (x *Exchange[S]) made(call string) *Exchange[S] {
	if x == nil || x.w == nil {
		panic(unmade{"Exchange", call})
	}
	return x
}

// Do makes the exchange for an entity. It returns ErrStale, ErrAbsent if the entity lacks a
// component that goes, ErrPresent if it has one that comes, ErrLocked, or the arena's error.
// Nothing has changed then. Like Add it panics while something iterates.
func (x *Exchange[S]) Do(e Entity, v S) error {
	w := x.made("Do").w
	if w.closed {
		return w.over()
	}
	w.enter(callExchange)
	err := x.store.Do(e, raw.Of(&v))
	w.exit()
	return w.inEcs(err)
}

// All makes the exchange with the same values for all entities of a query or slice (Handles), and
// returns how many. Entities that lack a component that goes, or have one that comes, are skipped.
// Errors and panics are those of Pool.RemoveAll.
func (x *Exchange[S]) All(q AnyQuery, v S) (changed int, err error) {
	w := x.made("All").w
	return w.mass(&mass{exchange: x.store}, raw.Of(&v), "Exchange", q)
}
