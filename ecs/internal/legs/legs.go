// Package legs decides which systems may run side by side. It is a pure function of their declarations.
//
// # Words
//
// A thing is data that a system reads or writes, by name: a component, a resource, a queue of events. A leg is a
// stretch of systems, in their order, between two safe points. Within a leg a system waits for the earlier ones
// that it conflicts with, and for no others. Two systems conflict if both use a thing and one of them writes it.
//
//	systems   move  burn*  cool* │ count  draw │ save        * asks for changes of fire, and draw sees fire
//	legs      ─────────1───────── ─────2─────── ──3──
//	                             ▲ safe points ▲ alone
//
// # Invariants
//
//   - Legs and waits follow from declarations alone, never from whether a system matches rows, runs or asks.
//   - Any order in which systems of a leg run, each behind those that it waits for, has the results of that order.
//   - A system without the promise, or with a question about the world before it, has no other beside it that comes
//     earlier. Without the promise it is a leg of its own.
package legs

import (
	"fmt"
	"slices"
)

// System is the declarations of a system. Its caller fills it, and nothing changes it.
type System struct {
	Name string
	// Parallel promises that it touches nothing but the things that it declares.
	Parallel bool
	// Changes are components that it asks to come or go, at the next safe point, and Born, if it asks for new entities.
	// Any: it may ask for all.
	Changes []string
	// Sees are components that it would see come or go, and Born, if it is told of new entities; Any: all.
	Sees []string
	// Spawns says that it may ask for entities, and gets their handles at once. A leg has one such system at most, so that
	// handles go by the order of systems.
	Spawns bool
	// Sets are components with values that it sets by handle, which the next safe point tells of. Hears are
	// components of which it would be told that.
	Sets, Hears []string
	// Asked says that a question about the world comes before it.
	Asked bool
	// Reads and Writes are things.
	Reads, Writes []string
}

// Any stands for all components, Born for entities that are new, and handles for their handles.
const (
	Any     = "*"
	Born    = "born"
	handles = "+"
)

// Reason says why a safe point stands before a leg.
type Reason uint8

const (
	// Begins: the leg is the first one.
	Begins Reason = iota
	// Alone: its first system does not promise to run beside others.
	Alone
	// AfterAlone: the system before it does not.
	AfterAlone
	// AfterAsks: it or a later one would see changes that the system before asks for.
	AfterAsks
	// Asked: a question about the world comes before its first system.
	Asked
)

func (r Reason) String() string {
	return [...]string{
		"the first", "runs alone: no ecs.Parallel, or fields that need a system alone", "the system before runs alone",
		"changes that were asked for can be seen", "ecs.When asks about the world",
	}[r]
}

// Leg is systems that may run side by side.
type Leg struct {
	First, End int // numbers of systems
	Why        Reason
	// Asker asks for changes of a component, Thing, and Seer would see them. Thing may be Any.
	Asker, Thing, Seer string
	// Waits are the waits of each of its systems, in their order.
	Waits [][]Wait
}

// Wait is a conflict: a system has to wait for an earlier one.
type Wait struct {
	On    int // number of the system, counted from the leg's first
	Thing string
	How   Conflict
}

// Conflict is how two systems use a thing, the earlier one first.
type Conflict uint8

const (
	// WriteRead: the later one reads values that the earlier one writes.
	WriteRead Conflict = iota
	// ReadWrite: the later one writes values that the earlier one reads.
	ReadWrite
	// WriteWrite: both write.
	WriteWrite
)

// Plan is the legs of systems in their order. There are as few as can be, and each safe point stands as early as it can:
// behind the last system that it serves.
func Plan(list []System) (legs []Leg) {
	begins := make([]*Leg, len(list)) // by system: the leg that begins with it; nil: none does
	for i := range list {
		if i == 0 {
			begins[i] = &Leg{Why: Begins}
		} else if why, stands := between(&list[i-1], &list[i]); stands {
			begins[i] = &Leg{First: i, Why: why}
		}
	}
	for i := len(list) - 2; i >= 0; i-- { // the last first: each gets the earliest place, and serves all before it that it can
		for k := i + 1; k < len(list) && begins[k] == nil; k++ {
			if thing, sees := list[k].sees(&list[i]); sees {
				begins[i+1] = &Leg{First: i + 1, Why: AfterAsks, Asker: list[i].Name, Thing: thing, Seer: list[k].Name}
				break
			}
		}
	}
	for i, l := range begins {
		if l != nil {
			legs = append(legs, *l)
		}
		legs[len(legs)-1].End = i + 1
	}
	for k := range legs {
		l := &legs[k]
		l.Waits = waits(list[l.First:l.End])
	}
	return legs
}

// between tells whether a safe point stands between two systems because one of them runs alone or is asked about,
// and why.
func between(a, b *System) (why Reason, stands bool) {
	switch {
	case !b.Parallel:
		return Alone, true
	case !a.Parallel:
		return AfterAlone, true
	case b.Asked:
		return Asked, true
	}
	return 0, false
}

// sees tells whether a system would see changes that another one asks for, handles among them, and the first of these.
func (x *System) sees(asker *System) (thing string, sees bool) {
	for _, thing := range asker.Changes {
		if thing == Any || slices.Contains(x.Sees, thing) || slices.Contains(x.Sees, Any) {
			return thing, true
		}
	}
	for _, thing := range asker.Sets {
		if slices.Contains(x.Hears, thing) {
			return "values of " + thing, true
		}
	}
	return handles, asker.Spawns && x.Spawns
}

// Reason is why a safe point stands before the leg.
func (l *Leg) Reason() string {
	switch {
	case l.Why != AfterAsks:
		return l.Why.String()
	case l.Thing == Any:
		return l.Asker + " asks for changes"
	case l.Thing == handles:
		return fmt.Sprintf("%s and %s may both spawn entities", l.Asker, l.Seer)
	case l.Thing == Born:
		return fmt.Sprintf("%s may spawn entities, which %s would see", l.Asker, l.Seer)
	}
	return fmt.Sprintf("%s asks for changes of %s, which %s would see", l.Asker, l.Thing, l.Seer)
}

// waits are the waits within a leg. Of each thing it knows the last writer and the readers since. So it leaves out
// waits that others imply for the same thing.
func waits(leg []System) [][]Wait {
	type user struct {
		writer  int // -1: none yet
		readers []int
	}
	things := make(map[string]*user)
	of := func(thing string) *user {
		u := things[thing]
		if u == nil {
			u = &user{writer: -1}
			things[thing] = u
		}
		return u
	}
	list := make([][]Wait, len(leg))
	for i := range leg {
		add := func(on int, thing string, how Conflict) {
			if on < 0 || on == i {
				return
			}
			for _, w := range list[i] {
				if w.On == on {
					return
				}
			}
			list[i] = append(list[i], Wait{on, thing, how})
		}
		for _, thing := range leg[i].Writes {
			u := of(thing)
			for _, r := range u.readers {
				add(r, thing, ReadWrite)
			}
			if len(u.readers) == 0 {
				add(u.writer, thing, WriteWrite)
			}
		}
		for _, thing := range leg[i].Reads {
			add(of(thing).writer, thing, WriteRead)
		}
		for _, thing := range leg[i].Writes {
			*of(thing) = user{writer: i}
		}
		for _, thing := range leg[i].Reads {
			if u := of(thing); u.writer != i {
				u.readers = append(u.readers, i)
			}
		}
	}
	return list
}

func (w Wait) String() string {
	return [...]string{
		fmt.Sprintf("writes %s, and this reads it", w.Thing), fmt.Sprintf("reads %s, and this writes it", w.Thing),
		fmt.Sprintf("writes %s, too", w.Thing),
	}[w.How]
}
