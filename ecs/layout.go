package ecs

import (
	"fmt"
	"math"
	"reflect"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/order"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/profile/layout"
	"github.com/ashlar-go/ashlar/views"
)

// A world goes by the layout that New has read. Each statement acts where its thing is made:
//
//	stored  Register          apart     GroupOf
//	view    System            cold, near, rows     the manager, before the first row
//	sort    frames            missing names        the first Run

// intent is how a system is to get a component, as the layout asks.
func (w *World) intent(system, component string) views.Strategy {
	for _, s := range w.layout.Statements {
		if s.Word == layout.View && s.Name == system && s.With == component {
			use, _ := views.StrategyOf(s.Way) // none is Unset
			return use
		}
	}
	return views.Unset
}

// checkLayout looks for names that the layout has and the world lacks, once: before the first frame, when
// systems, groups and components are known.
func (w *World) checkLayout() error {
	if w.fits {
		return nil
	}
	w.fits = true
	if !w.options.Layout.Strict {
		return nil
	}
	if _, err := w.layout.Missing(w.shape()); err != nil {
		w.fits = false
		return fmt.Errorf("ecs: the layout is not about this program: %w", err)
	}
	return nil
}

// sortLaid sorts rows as the layout says for this frame. A statement that does not fit the world sorts
// nothing: World.Describe lists it.
func (w *World) sortLaid() {
	for _, s := range w.layout.Statements {
		if s.Word != layout.Sort || w.base.Frame%uint64(s.N) != 0 {
			continue
		}
		o, err := w.laidOrder(s)
		if err != nil {
			continue
		}
		tables := w.laidTables(s.Name)
		if o.as != nil {
			order.Respect(tables, order.Each(&w.base, o.as.Tables(), o.as))
			continue
		}
		for _, t := range tables {
			if t.Has(o.by.Comp) {
				order.Sort(&w.base, t, o.by, math.MaxInt, 0)
			}
		}
	}
}

// laidOrder is the order that a statement asks for: that of values, or that of other rows.
type laidOrder struct {
	by order.By
	as *store.Component // nil: values
}

// laidTables are the tables of a group, or those that have a component. Rows are sorted where they lie: no
// group gets rows of its own by that.
func (w *World) laidTables(name string) []*store.Table {
	for _, g := range w.names.groups {
		if g.name != name {
			continue
		}
		if g.level != nil {
			return g.tables()
		}
		if len(g.declared.Fixed) > 0 {
			return tablesWith(g.declared.Fixed)
		}
	}
	if p := w.names.pool[name]; p != nil {
		return p.component.Tables()
	}
	return nil
}

// tablesWith are the tables that have all of some components.
func tablesWith(comps []*store.Component) (list []*store.Table) {
next:
	for _, t := range comps[0].Tables() {
		for _, c := range comps[1:] {
			if !t.Has(c) {
				continue next
			}
		}
		list = append(list, t)
	}
	return list
}

// laidOrder is the order that a statement asks for: by a number, by the row of an Entity, or by a field that is
// one. Other components lend the order of their rows.
func (w *World) laidOrder(s layout.Statement) (o laidOrder, err error) {
	p, offset, t, err := w.fieldAt(s.With)
	if err != nil {
		return o, err
	}
	switch key := order.KeyOf(w.base.Store, t); {
	case key != nil:
		o.by = order.By{Name: s.String(), Comp: &p.component, Size: p.component.Size, Key: func(v raw.Ptr) uint64 { return key(raw.At(v, offset)) }}
	case p.component.Name == s.With:
		o.as = &p.component
	default:
		err = fmt.Errorf("%s is %v, which has no order: name a field that is a number or an Entity", s.With, t)
	}
	return o, err
}

// fieldAt finds a component, or a field of one by its path.
func (w *World) fieldAt(path string) (p *pool, offset uintptr, t reflect.Type, err error) {
	if p = w.names.pool[path]; p != nil {
		return p, 0, p.typ, nil
	}
	for i := len(path) - 1; i > 0; i-- {
		if path[i] != '.' || w.names.pool[path[:i]] == nil {
			continue
		}
		p = w.names.pool[path[:i]]
		of, t, err := field.PartAt(p.typ, path[i+1:])
		return p, of.Offset, t, err
	}
	return nil, 0, nil, fmt.Errorf("there is no component %s", path)
}

// shape lists the names that the world has by now. Statements about other names are of no use.
func (w *World) shape() layout.Shape {
	var s layout.Shape
	for _, p := range w.names.pools {
		s.Components = append(s.Components, p.component.Name)
	}
	for _, g := range w.names.groups {
		if g.level == nil || g.owner.Name == g.name { // of nested ones the first stands for all
			s.Groups = append(s.Groups, g.name)
		}
	}
	for _, x := range w.systems.Systems() {
		s.Systems = append(s.Systems, x.Name)
	}
	return s
}
