package field

import (
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/legs"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Declares are the things that a system reads and writes, sees, and asks for, by its struct and queries.
func Declares(x *schedule.System, fields []Field) legs.System {
	d := declared{System: legs.System{Name: x.Name, Asked: len(x.When) > 0}, of: x}
	if x.IsOver() {
		d.Sees = []string{legs.Any}
	}
	for i := range fields {
		d.add(&fields[i], true)
	}
	for _, f := range Flat(fields)[len(fields):] {
		d.add(&f, false)
	}
	return d.System
}

// declared is the declaration of a system so far.
type declared struct {
	legs.System
	of *schedule.System
}

// add adds a field: one of the system's own struct, or one of a query.
func (d *declared) add(f *Field, own bool) {
	if f.Comp != nil && f.Kind != Later {
		d.see(f.Comp)
	}
	d.see(f.AnyOf...)
	switch f.Kind {
	case Commands:
		d.Changes, d.Spawns = append(d.Changes, legs.Any), true
	case AtEnd:
		d.Spawns = true
	case Later:
		d.Changes = append(d.Changes, f.Comp.Name)
	case Spawner:
		d.Changes, d.Spawns = append(d.Changes, legs.Born), true
		for _, c := range f.Makes {
			d.Changes = append(d.Changes, c.Name)
		}
	case Resource:
		d.touch(ResourceThing(f.Of), f.Write)
	case Events:
		d.touch(EventsThing(f.Of), f.Write)
	case Slice, Pointer:
		comps := []*store.Component{f.Comp}
		if own { // with OnlyIn, columns are of several components
			comps = d.of.StandIns(f.Comp)
		}
		for _, c := range comps {
			d.touch(c.Name, f.Write)
		}
	case Pool, Prior, Changed, Added:
		if d.touch(f.Comp.Name, f.Write); f.Write {
			d.Sets = append(d.Sets, f.Comp.Name)
		}
	case Moves:
		d.hear(f)
	}
}

// hear adds a field of entities that come and go.
func (d *declared) hear(f *Field) {
	switch {
	case f.Members != nil:
		for _, c := range f.Members.Fixed {
			d.touch(c.Name, false)
		}
		d.see(f.Members.All()...)
	case f.Comp != nil:
		if d.touch(f.Comp.Name, false); f.Under == store.Setting {
			d.Hears = append(d.Hears, f.Comp.Name)
		}
	case !f.Left:
		d.Sees = append(d.Sees, legs.Born)
	}
}

func (d *declared) see(comps ...*store.Component) {
	for _, c := range comps {
		d.Sees = append(d.Sees, c.Name)
	}
}

func (d *declared) touch(thing string, write bool) {
	if write {
		d.Writes = append(d.Writes, thing)
	} else {
		d.Reads = append(d.Reads, thing)
	}
}

// ResourceThing names a resource among the things of systems.
func ResourceThing(of reflect.Type) string { return "resource " + of.String() }

// EventsThing names events of a type among them.
func EventsThing(of reflect.Type) string { return "events of " + of.String() }
