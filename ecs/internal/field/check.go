package field

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/source"
)

// Check refuses bound fields that can't be filled: slices beside pointers, parts of a component that overlap where one of them is
// written, excluded and required at once.
func Check(fields []Field, system bool) error {
	var columns []source.Column
	for i := range fields {
		f := &fields[i]
		if why := forSystems(f.Kind); why != "" && !system {
			return errors.New("field " + f.Name + why)
		}
		for j := range fields[:i] {
			if err := f.conflict(&fields[j]); err != nil {
				return err
			}
		}
		if f.Values() {
			columns = append(columns, f.Column())
			if err := source.Clash(columns); err != nil {
				return err
			}
		}
	}
	return count(fields).mistake(system)
}

// conflict is the mistake of two fields that contradict each other.
func (f *Field) conflict(g *Field) error {
	switch {
	case f.Sees() && g.Sees() && f.Comp == g.Comp && f.Kind != g.Kind:
		return errors.New("it has ecs.Present and ecs.Disabled of the same component: Disabled leaves out enabled rows, and Present does not; remove one of them")
	case f.Comp == nil || f.Comp != g.Comp:
	case (f.Kind == Without) != (g.Kind == Without) && !f.byHandle() && !g.byHandle():
		return fmt.Errorf("component %q is named by field %s and excluded by another: remove one of them", f.Comp.Name, f.Name)
	}
	return nil
}

// counts are the numbers of fields of a struct, by sort.
type counts struct{ slices, pointers, entities, rows, required, excluded int }

func count(fields []Field) (n counts) {
	for i := range fields {
		f := &fields[i]
		switch f.Kind {
		case Slice, Presence:
			n.slices++
		case Entities:
			n.slices++
			n.entities++
		case Rows:
			n.slices++
			n.rows++
		case Pointer:
			n.pointers++
		case Entity:
			n.pointers++
			n.entities++
		case Without:
			n.excluded++
		}
		if f.required() || f.Kind == Any {
			n.required++
		}
	}
	return n
}

func (n counts) mistake(system bool) error {
	switch {
	case n.slices > 0 && n.pointers > 0:
		return errors.New("it has both slices and pointers: use slices for whole columns or pointers for single entities")
	case n.entities > 1 || n.rows > 1:
		return fmt.Errorf("it has %d fields for entities and %d for Rows: keep at most one of each", n.entities, n.rows)
	case n.required == 0 && (!system || n.slices+n.pointers+n.excluded > 0):
		return errors.New("it requires no component: at least one field must be a []T, *T, ecs.Write, ecs.With, ecs.Changed, ecs.Added or ecs.Or (World.All iterates over all entities)")
	}
	return nil
}

// forSystems is the refusal of a field that queries can't have, with its remedy; "" of others.
func forSystems(k Kind) string {
	switch k {
	case Local:
		return " is an ecs.Local, which is for systems: declare a variable where the loop is"
	case Random:
		return ": random numbers go by a system's name, and this is a query: take them from World.Random"
	case Events:
		return ": readers and writers of events are systems, and this is a query: call Write or Reader of what ecs.EventsOf returned"
	case Query:
		return " is an ecs.Query, which is for systems and observers: call ecs.QueryOf, and loop over it within"
	case AtEnd:
		return " is an ecs.AtEnd, which is for systems and observers: take World.Commands"
	case Prior:
		return ": ecs.Prior has values of when a system began, and this is a query: reach values by an ecs.Look"
	case Moves:
		return ": entities that came or went are for systems and observers, and this is a query: give one of these the field"
	}
	return ""
}
