package ecs

import (
	"fmt"
	"iter"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/news"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
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
	l  *news.Log
}

// Left as the type of a field has the entities that have lost component T since the system last ran, with the
// values that they had when they lost it. Destroying an entity takes all its components. T may be as in Arrived.
type Left[T any] struct {
	of of[T]
	l  *news.Log
}

// Set is for fields of type Arrived and Left: a call has set the value of component T, of an entity that had it.
//
//	Old ecs.Left[ecs.Set[Position]]    // the value that was overwritten
//	New ecs.Arrived[ecs.Set[Position]]
//
// The calls are Set, SetAll and Put: of pools, Later, spawners and splits. Writes through pointers and columns
// are not seen: ChangedRows is for these. A system has the first value that was overwritten since it last ran, and the
// present one. An observer is called with each; where something iterates, at the next safe point.
type Set[T any] struct{ Value T }

// All goes over the entities in batches, with their values as they are now. The slices are for reading, and
// good for one turn of the loop.
func (a Arrived[T]) All() iter.Seq2[[]Entity, []T] {
	l := told(a.l, "Arrived", "All")
	return func(yield func([]Entity, []T) bool) { news.Arrived(l, yield) }
}

// Len is how many entities All goes over.
func (a Arrived[T]) Len() int { return len(told(a.l, "Arrived", "Len").Told().Entities) }

// All goes over the entities in batches, with the values that they had. The slices are for reading, and good
// for one turn of the loop.
func (l Left[T]) All() iter.Seq2[[]Entity, []T] {
	x := told(l.l, "Left", "All")
	return func(yield func([]Entity, []T) bool) { news.Left(x, yield) }
}

// Len is how many entities All goes over.
func (l Left[T]) Len() int { return len(told(l.l, "Left", "Len").Told().Entities) }

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

// told is the log of a field, if a system or observer has made it.
func told(l *news.Log, typ, call string) *news.Log {
	if l == nil {
		panic(unmade{typ, call})
	}
	return l
}

// logs begin the logs of a system's fields.
func logs(fields []field.Field, into raw.Ptr) (begins []func(tick uint64)) {
	for i := range fields {
		if f := &fields[i]; f.Kind == field.Moves {
			l := *raw.As[*news.Log](raw.At(into, f.Offset))
			begins = append(begins, func(uint64) { l.Begin() })
		}
	}
	return begins
}
