package ecs

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/ashlar-go/ashlar/ecs/internal/contract"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// AnySchema is a list of components, for tools that do not know their types. It lists the components that
// an entity lacks, adds them, spawns entities, and shows values. It comes from
// SchemaOfPools, and is part of each Schema.
type AnySchema struct {
	clocks *store.RowClocks // beside x, so that Valid loads once less
	x      *contract.Schema
	w      *World
}

// SchemaOf makes a schema from the fields of S:
//
//	Pos   ecs.WriteOne[Position]         a component, which Mut writes
//	Vel   *Velocity                      a component, for reading
//	Armor ecs.MaybeOne[Armor]            nil where the entity lacks it
//	_     ecs.With[Player]               required, not read
//
// A tag may also name the component, where its type is registered twice. S must ask for at
// least one component that is not optional, and for none twice. Calls with one type return
// the same schema.
func SchemaOf[S any](w *World) *Schema[S] {
	t := typeOf((*S)(nil))
	x := w.made("SchemaOf").names.schemas[t] // contracts of one type have one schema
	if x == nil || w.closed {
		list, err := w.schemaFields(t)
		if nowhere := w.constructed(mistake{kind: "SchemaOf", what: t, err: err}); nowhere != nil {
			return &Schema[S]{*nowhere.nowhereSchema(t.String())}
		}
		x = contract.New(w.base.Store, t.String(), list)
		w.names.schemas[t] = x
	}
	return &Schema[S]{*w.schemaOf(x)}
}

func (w *World) schemaOf(x *contract.Schema) *AnySchema {
	return &AnySchema{w.base.Store.RowClocks(), x, w}
}

// nowhereSchema is a schema that was refused: no entity is alive that could have its component.
func (w *World) nowhereSchema(name string) *AnySchema {
	x := contract.New(w.base.Store, name, []contract.Field{{C: w.names.spare}})
	x.End()
	return w.schemaOf(x)
}

// SchemaOfPools makes a schema from a list of pools. All are required. Without pools
// it makes a schema of all components that are registered by then.
func SchemaOfPools(w *World, pools ...AnyPool) *AnySchema {
	list, err := w.made("SchemaOfPools").schemaPools(pools)
	var names []string
	for _, p := range pools {
		if p := coreOf(p); p != nil {
			names = append(names, p.component.Name)
		} else {
			names = append(names, "-")
		}
	}
	if nowhere := w.constructed(mistake{kind: "SchemaOfPools", what: strings.Join(names, " "), err: err}); nowhere != nil {
		return nowhere.nowhereSchema("")
	}
	names = nil
	for _, f := range list {
		names = append(names, f.C.Name)
	}
	return w.schemaOf(contract.New(w.base.Store, strings.Join(names, "+"), list))
}

// schemaFields reads a struct of pointers.
func (w *World) schemaFields(t reflect.Type) (list []contract.Field, err error) {
	fields, err := w.queryFields(t, false)
	if err != nil && !w.closed && t.Kind() == reflect.Struct {
		for sf := range t.Fields() {
			if len(w.names.ofType[sf.Type]) > 0 && sf.Name != "_" {
				return nil, fmt.Errorf("field %s: %v is a value: write *%[2]v to read it, ecs.WriteOne[%[2]v] to write it", field.Named(t, sf.Name, sf.Type), sf.Type)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	for i, f := range fields {
		switch {
		case f.Kind != field.Pointer && f.Kind != field.With:
			err = fmt.Errorf("it is not supported in a contract: use *T of a component T, or ecs.With")
		case f.Kind == field.Pointer && f.Part.Path != "":
			err = fmt.Errorf("it is a field of component %q: use a pointer to the whole component, *%v", f.Comp.Name, f.Type)
		case slices.ContainsFunc(fields[:i], func(g field.Field) bool { return g.Comp == f.Comp }):
			err = fmt.Errorf("component %q is named twice", f.Comp.Name)
		}
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", field.Named(t, f.Name, f.Is), err)
		}
		list = append(list, contract.Field{C: f.Comp, Offset: f.Offset, Filled: f.Kind == field.Pointer, Write: f.Write, Optional: f.Optional})
	}
	return list, nil
}

func (w *World) schemaPools(pools []AnyPool) (list []contract.Field, err error) {
	if w.closed {
		return nil, w.over()
	}
	var all []*pool
	for i, any := range pools {
		p := coreOf(any)
		switch {
		case p == nil:
			return nil, fmt.Errorf("pool %d is nil or the zero value: pools come from ecs.Register", i)
		case p.world.refused != nil:
			return nil, fmt.Errorf("pool %d: %w", i, errGiven("component", p.component.Name))
		case p.world != w:
			return nil, fmt.Errorf("pool %d, %q, is of another world: give pools of the schema's world", i, p.component.Name)
		case slices.Contains(all, p):
			return nil, fmt.Errorf("component %q is named twice", p.component.Name)
		}
		all = append(all, p)
	}
	if len(pools) == 0 {
		all = w.names.pools
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no component is registered: call ecs.Register first")
	}
	for _, p := range all {
		list = append(list, contract.Field{C: &p.component})
	}
	return list, nil
}

func (s *AnySchema) made(call string) *AnySchema {
	if s == nil || s.w == nil {
		panic(unmade{"Schema", call})
	}
	return s
}

// Components are the names of the components, in the order of the fields or pools.
func (s *AnySchema) Components() (names []string) {
	if s.made("Components").w.refused != nil {
		return nil
	}
	for _, l := range s.x.Lanes() {
		names = append(names, l.C.Name)
	}
	return names
}

// Entities iterates over the entities that have all required components, in the order of rows. Structural changes
// meanwhile panic. It costs as much as a query, and some microseconds to begin.
func (s *AnySchema) Entities() iter.Seq[Entity] {
	w := s.made("Entities").w
	spec := walk.Spec{Name: "a schema"}
	for _, l := range s.x.Lanes() {
		if !l.Optional {
			spec.Required = append(spec.Required, l.C)
		}
	}
	return func(yield func(Entity) bool) {
		var es []Entity
		walk.NewCursor(walk.NewPlan(&w.base, spec)).Each(raw.Of(&es), func(raw.Ptr) bool {
			return !slices.ContainsFunc(es, func(e Entity) bool { return !yield(e) })
		})
	}
}

// Lacks returns the names of the components that an entity must have and lacks; nil if it has
// all. An entity that is not alive lacks all.
func (s *AnySchema) Lacks(e Entity) (names []string) {
	if s.made("Lacks").w.refused != nil {
		return nil
	}
	s.x.Lacks(e, func(k int) { names = append(names, s.x.Lanes()[k].C.Name) })
	return names
}

// lacksError is returned for an entity that lacks components of a schema. To errors.Is it is
// ErrAbsent.
type lacksError struct {
	Entity     Entity
	Components []string // their names
	Schema     string
}

func (l lacksError) Error() string {
	return fmt.Sprintf("ecs: entity %v lacks %s of schema %s: add what is missing, or have Schema.Complete add it", l.Entity, strings.Join(l.Components, ", "), l.Schema)
}

// Is has errors.Is tell a lacksError by ErrAbsent.
func (lacksError) Is(target error) bool { return target == ErrAbsent }

// validate returns nil if the entity has all required components. It returns ErrStale if the
// entity is not alive. Otherwise its error is ErrAbsent to errors.Is and names the components.
func (s *AnySchema) validate(e Entity) error {
	if w := s.w; !w.base.Store.Alive(e) {
		return w.inEcs(ErrStale)
	}
	if names := s.Lacks(e); names != nil {
		return lacksError{Entity: e, Components: names, Schema: s.x.Lock.Name}
	}
	return nil
}

// Complete adds the components that an entity lacks, as zero values. It returns ErrStale or the
// arena's error. After an error some of the components may have been added.
func (s *AnySchema) Complete(e Entity) (err error) {
	w := s.made("Complete").w
	w.mustIdle("Add")
	if !w.base.Store.Alive(e) {
		return w.inEcs(ErrStale)
	}
	w.enter(callAdd)
	s.x.Lacks(e, func(k int) {
		if err == nil {
			err = w.inEcs(w.base.Store.Add(s.x.Lanes()[k].C, e, s.x.Zero()))
		}
	})
	w.exit()
	return err
}

// Spawn makes an entity that has zero values of all components that are not optional.
// Errors are the arena's; nothing has changed then.
func (s *AnySchema) Spawn() (Entity, error) {
	return s.made("Spawn").w.spawn(s.x.Bundle, s.x.Zero())
}

// Value returns a pointer of type *T to the value of the component of a name, for reading. It
// returns nil if the schema has no such component or the entity lacks it. The pointer is good
// until the next safe point or structural change.
func (s *AnySchema) Value(e Entity, name string) any { return s.made("Value").value(e, name, false) }

// MutValue is Value for writing: it marks the column as changed, as Pool.Mut does.
func (s *AnySchema) MutValue(e Entity, name string) any {
	return s.made("MutValue").value(e, name, true)
}

func (s *AnySchema) value(e Entity, name string, write bool) any {
	for k := range s.x.Lanes() {
		c := s.x.Lanes()[k].C
		if c.Name != name || !c.Has(e) {
			continue
		}
		find := store.Find
		if write {
			find = store.FindMut
		}
		return reflect.NewAt(s.w.poolOf(c).typ, find(&c.Dir, uint64(e))).Interface()
	}
	return nil
}

// Stats are counts of all contracts of the schema. Rechecks is how often a contract found that
// something in its table had moved or gone since its last use, or that it was to be counted for a record.
// Refreshes is how often its own entity had.
func (s *AnySchema) Stats() (rechecks, refreshes uint64) {
	n := s.made("Stats").x.Stats()
	return n.Rechecks, n.Refreshes
}

// FieldOf returns a Field, which reads one component of a schema: the one of type T. Give its
// name, too, if the schema has several of that type. The component must not be optional.
func FieldOf[T, S any](s *Schema[S], name ...string) Field[S, T] {
	w := s.made("FieldOf").w
	l, err := s.lane(typeOf((*T)(nil)), name)
	what := fieldKey{typeOf((*S)(nil)), typeOf((*T)(nil)), strings.Join(name, " ")}
	if nowhere := w.constructed(mistake{kind: "FieldOf", what: what, err: err}); nowhere != nil {
		return Field[S, T]{&nowhere.nowhereSchema("").x.Lanes()[0]}
	}
	return Field[S, T]{l}
}

// fieldKey tells fields of schemas apart.
type fieldKey struct {
	schema, component reflect.Type
	name              string
}

// lane finds the component of a type, and of a name if one is given.
func (s *AnySchema) lane(t reflect.Type, name []string) (found *contract.Lane, err error) {
	if s.w.closed {
		return nil, s.w.over()
	}
	for k := range s.x.Lanes() {
		l := &s.x.Lanes()[k]
		switch p := s.w.poolOf(l.C); {
		case p.typ != t || len(name) > 0 && p.component.Name != name[0]:
		case l.Optional:
			return nil, fmt.Errorf("component %q is optional in %s: Schema.Get gives it, or nil", p.component.Name, s.x.Lock.Name)
		case found != nil:
			return nil, fmt.Errorf("%s has two components of type %v: say which by its name", s.x.Lock.Name, p.typ)
		default:
			found = l
		}
	}
	switch {
	case found == nil:
		return nil, fmt.Errorf("%s has no component %v %s: it has %s", s.x.Lock.Name, t, strings.Join(name, " "), strings.Join(s.Components(), ", "))
	case s.x.Hold(found):
		return found, nil
	case found == &s.x.Lanes()[0]:
		return nil, fmt.Errorf("component %q of %s may be stored in another way later: register it as ecs.Stable; Schema.Get reads it however it is stored", found.C.Name, s.x.Lock.Name)
	default:
		return nil, fmt.Errorf("component %q of %s may be stored apart from %q, its first component: register both as ecs.Stable, or let one group own them; Schema.Get reads it wherever it is stored", found.C.Name, s.x.Lock.Name, s.x.Lanes()[0].C.Name)
	}
}

// Mut is At for writing: it marks the column as changed, as Pool.Mut does.
func (f Field[S, T]) Mut(c *Contract[S]) *T {
	if f.l == nil || c == nil {
		panic(unmade{"Field", "Mut"})
	}
	if f.l.Ended() {
		return nil
	}
	f.l.Mark(&c.i)
	return f.At(c)
}

// mustReach is that of all components of a schema.
func (s *AnySchema) mustReach(call string, write bool) {
	if s.w != nil {
		for _, lane := range s.x.Lanes() {
			s.w.watched.MustReach(lane.C, call, write)
		}
	}
}
