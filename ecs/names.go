package ecs

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/events"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

func newNames() names {
	return names{
		pool: make(map[string]*pool), ofType: make(map[reflect.Type][]*pool), group: make(map[string]bool), splits: make(map[reflect.Type]*split),
		schemas: make(map[reflect.Type]*contract.Schema), resources: make(map[reflect.Type]any), events: make(map[reflect.Type]events.Any),
	}
}

func (n *names) addPool(p *pool) {
	n.pool[p.component.Name] = p
	n.ofType[p.typ] = append(n.ofType[p.typ], p)
	n.pools = append(n.pools, p)
}

// distinct returns an error if a component of that name and type would make a name mean two things: a component,
// and a field of another one as tags and layouts name it.
func (n *names) distinct(name string, t reflect.Type) error {
	isField := func(t reflect.Type, path string) bool {
		_, _, err := field.PartAt(t, path)
		return err == nil
	}
	for i := range len(name) {
		if name[i] != '.' {
			continue
		}
		if q := n.pool[name[:i]]; q != nil && isField(q.typ, name[i+1:]) {
			return fmt.Errorf("the name means field %s of component %q in tags and layouts: choose another one", name[i+1:], q.component.Name)
		}
	}
	for _, q := range n.pools {
		if path, is := strings.CutPrefix(q.component.Name, name+"."); is && isField(t, path) {
			return fmt.Errorf("component %q has the name that field %s of this one would have in tags and layouts: choose another name", q.component.Name, path)
		}
	}
	return nil
}

// role is the part of a type, if it is no component.
func (n *names) role(t reflect.Type) field.Role {
	switch {
	case t.Kind() == reflect.Pointer && len(n.ofType[t.Elem()]) > 0:
		return field.AddressRole
	case n.resources[t] != nil:
		return field.ResourceRole
	case n.events[t] != nil:
		return field.EventsRole
	}
	return field.NoRole
}

func (n *names) addGroup(g *group) {
	n.group[g.name] = true
	n.groups = append(n.groups, g)
}

// groupOf is the group of a declaration.
func (n *names) groupOf(d *store.Group) *group {
	return n.groups[slices.IndexFunc(n.groups, func(g *group) bool { return &g.declared == d })]
}

func (n *names) addOwner(o *store.Owner) {
	if !slices.Contains(n.owners, o) {
		n.owners = append(n.owners, o)
	}
}

// removeGroup forgets a group; its owner too, if that has no other.
func (n *names) removeGroup(g *group) {
	delete(n.group, g.name)
	n.groups = slices.DeleteFunc(n.groups, func(x *group) bool { return x == g })
	if !slices.ContainsFunc(n.groups, func(x *group) bool { return x.owner == g.owner }) {
		n.owners = slices.DeleteFunc(n.owners, func(o *store.Owner) bool { return o == g.owner })
	}
}

// poolOf is the pool of a component.
func (w *World) poolOf(c *store.Component) *pool { return w.names.pools[c.ID] }
