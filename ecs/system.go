package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// System registers a function that every Run calls with the columns that its
// struct asks for, batch by batch; see QueryOf for the fields. The rows belong to all
// entities that have the required components, in all tables and groups. The function is
// called once for each batch, so a sum over all rows begins elsewhere: before Run, or in a
// system without rows. A name has letters a to z and A to Z, digits, dots, dashes and underscores. A system with a
// struct that asks for no rows runs once a frame, and may change the world itself. A field
// *Commands takes structural changes, a field Res a resource. Systems run in the order of
// their registration, unless options say otherwise: InPhase, InSet, Before, After, When.
//
// A system that is refused does not run. World.Err says why, and so does Run, which runs none then.
func System[S any](w *World, name string, fn func(*S), options ...SystemOption) {
	w.made("System").system(name, new(S), raw.Call(fn), options)
}

// system registers a system with a pointer to its struct. The function takes the address.
func (w *World) system(name string, v any, fn func(raw.Ptr), options []SystemOption) {
	t, into := typeOf(v), reflect.ValueOf(v).UnsafePointer()
	err := w.addSystem(name, t, into, fn, options)
	w.constructed(mistake{kind: "System", says: "system", name: name, what: systemOf(fn, options), err: err})
}

// aSystem is a system as its caller knows it: a function, the groups that it goes over, and when.
type aSystem struct {
	fn    raw.Ptr
	only  string // names of groups
	phase schedule.Phase
}

func systemOf(fn func(raw.Ptr), options []SystemOption) aSystem {
	p, _ := place(options)
	var only []string
	for _, g := range p.over {
		if g != nil && g.asGroup() != nil {
			only = append(only, g.asGroup().name)
		}
	}
	return aSystem{*raw.As[raw.Ptr](raw.Of(&fn)), strings.Join(only, " "), p.Phase}
}

func (w *World) addSystem(name string, t reflect.Type, into raw.Ptr, fn func(raw.Ptr), options []SystemOption) error {
	w.mustIdle("System")
	c, fields, err := w.called(name, t, into, fn)
	if err != nil {
		return err
	}
	p, err := place(options)
	if err == nil && p.over != nil {
		err = w.bind(c.Plan, p.over)
	}
	if err != nil {
		end(c)
		return err
	}
	if p.over != nil {
		for _, g := range p.over {
			p.Only = append(p.Only, g.asGroup().name)
		}
	}
	if err := oncePerRun(t, c, fields); err != nil {
		end(c)
		return err
	}
	beside := p.parallel && w.reached(c.Plan, fields)
	if c.NoRows() && (len(c.Reached) > 0 || field.HasKind(fields, field.Prior)) {
		fn = unchanging(&w.base.Walks, name, fn)
	}
	x := w.systems.Add(c, into, fn, p.Position)
	if begins := append(slices.Clone(c.Begins), logs(fields, into)...); len(begins) > 0 {
		news, rows := !c.NoRows() && slices.ContainsFunc(fields, func(f field.Field) bool { return f.TellsNews() }), c
		if beside {
			rows = c.NewOwned(c.Plan) // others may find bits of tables when the system begins
		}
		x.Begin = func() {
			if news && rows.Len() == 0 {
				return // the function is not called, and news waits for it
			}
			tick := w.systems.Tick(x)
			for _, fill := range begins {
				fill(tick)
			}
		}
	}
	if x.Declares = field.Declares(x, fields); beside {
		w.share(x, fields, fn, func() raw.Ptr { return copied(t, into) })
	}
	w.views.AddReader(c)
	return nil
}

// oncePerRun refuses a query of changes in a system with rows: each walk of it sees the changes since the one before, and
// the function is called for each batch, so that the results would depend on where batches end.
func oncePerRun(t reflect.Type, c *walk.Cursor, fields []field.Field) error {
	if c.NoRows() {
		return nil
	}
	for _, f := range fields {
		if f.Kind == field.Query && len(f.Cursor.Changes) > 0 {
			return fmt.Errorf("field %s: a query of changes sees each of them in one walk, and this function is called for each batch of its rows: give the query a system without rows", field.Named(t, f.Name, f.Is))
		}
	}
	return nil
}

// called reads the struct of a function that is called under a name: of a system or an observer.
func (w *World) called(name string, t reflect.Type, into raw.Ptr, fn func(raw.Ptr)) (*walk.Cursor, []field.Field, error) {
	switch err := checkName(name); {
	case err != nil:
		return nil, nil, err
	case w.systems.Has(name) || w.news.Observer(name) != nil:
		return nil, nil, fmt.Errorf("the name is taken by another system or observer: choose another one, or take that out with RemoveSystem first")
	case fn == nil:
		return nil, nil, fmt.Errorf("its function is nil: pass the function that is to be called")
	}
	return w.newCursor(t, name, into, true)
}
