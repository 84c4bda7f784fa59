package ecs

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
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
	if err != nil {
		err = fmt.Errorf("ecs: system %q: %w", name, err)
	}
	w.constructed(mistake{kind: "System", name: name, what: systemOf(fn, options), err: err})
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
		fn = holds(&w.base.Walks, name, fn)
	}
	x := w.systems.Add(c, into, fn, p.Place)
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
	case w.systems.Has(name) || w.observer(name) != nil:
		return nil, nil, fmt.Errorf("the name is taken by another system or observer: choose another one, or take that out with RemoveSystem first")
	case fn == nil:
		return nil, nil, fmt.Errorf("its function is nil: pass the function that is to be called")
	}
	return w.newCursor(t, name, into, true)
}

// end ends the use of things that fields of a system refer to.
func end(c *walk.Cursor) {
	for _, f := range c.Ends {
		f()
	}
}

// AnyGroup is a group of any shape, as OnlyIn takes it.
type AnyGroup interface{ asGroup() *group }

// bind makes a system's plan go over the rows of some groups and nothing else, each with
// its own components of the fields' types.
func (w *World) bind(p *walk.Plan, over []AnyGroup) error {
	var found []walk.Given
	var groups []*group
	for i, any := range over {
		var g *group
		if any != nil {
			g = any.asGroup()
		}
		switch {
		case g == nil:
			return fmt.Errorf("group %d of OnlyIn is nil or the zero value: groups come from ecs.GroupOf", i)
		case g.w.refused != nil:
			return fmt.Errorf("group %d of OnlyIn: %w", i, errGiven("group", g.name))
		case g.w != w:
			return fmt.Errorf("group %q of OnlyIn is of another world: name groups of the system's world", g.name)
		}
		if err := g.setApart(); err != nil {
			return fmt.Errorf("group %q: %w", g.name, err)
		}
		switch {
		case slices.ContainsFunc(groups, func(x *group) bool { return x.level == g.level && x.except == g.except }):
			return fmt.Errorf("group %q stands twice in OnlyIn: name it once, or its rows would be passed twice", g.name)
		}
		if i := slices.IndexFunc(groups, g.shares); i >= 0 {
			return fmt.Errorf("groups %q and %q of OnlyIn share rows, which would be passed twice: one is nested within the other; name the outer one alone, or Except of it and the inner one", groups[i].name, g.name)
		}
		given, err := g.rebind(p)
		if err != nil {
			return err
		}
		found, groups = append(found, given), append(groups, g)
	}
	p.Over(func() (list []walk.Given) {
		for i, g := range groups {
			for _, t := range g.tables() {
				given := found[i]
				given.Seq = t.Seq
				list = append(list, given)
			}
		}
		return list
	})
	return nil
}

// rebind finds the components of the group for a plan's columns. It refuses filters that would
// have to be tested row by row.
func (g *group) rebind(p *walk.Plan) (given walk.Given, err error) {
	for _, c := range p.Required {
		of, err := g.standIn(c)
		if err != nil {
			return given, fmt.Errorf("group %q does not own component %q, which is required: OnlyIn goes over whole groups and tests nothing; leave it out, or leave OnlyIn out", g.name, c.Name)
		}
		if err := g.hasAll(of); err != nil {
			return given, err
		}
		given.Required = append(given.Required, of)
	}
	for _, c := range p.Excluded {
		return given, fmt.Errorf("component %q is excluded: OnlyIn goes over whole groups and tests nothing; leave Without out, or leave OnlyIn out", c.Name)
	}
	for _, x := range p.Changes {
		return given, fmt.Errorf("it has ecs.Changed or ecs.Added of component %q: OnlyIn goes over whole groups and tests nothing; leave that field out, or leave OnlyIn out", x.Comp.Name)
	}
	columns := make([]source.Column, len(p.Columns))
	for j, x := range p.Columns {
		c, err := g.standIn(x.Comp)
		if err != nil {
			return given, err
		}
		if !x.Whole() {
			return given, fmt.Errorf("it asks for field %s of component %q: OnlyIn passes whole columns; ask for the component, or leave OnlyIn out", x.Part.Path, c.Name)
		}
		if err := g.hasAll(c); err != nil {
			return given, err
		}
		columns[j] = x
		columns[j].Comp = c
		given.Comps = append(given.Comps, c)
	}
	if err := source.Clash(columns); err != nil {
		return given, fmt.Errorf("in group %q: %w", g.name, err)
	}
	return given, nil
}

// hasAll returns an error if members of the group may lack a component.
func (g *group) hasAll(c *store.Component) error {
	if g.has(c) {
		return nil
	}
	return fmt.Errorf("component %q is optional in group %q: OnlyIn passes whole columns and tests nothing; leave the component out, or leave OnlyIn out", c.Name, g.name)
}

// standIn returns the component of the group that takes the place of c: of the same type.
func (g *group) standIn(c *store.Component) (found *store.Component, err error) {
	t := g.w.poolOf(c).typ
	for _, p := range g.pools {
		if p.typ == t {
			if found != nil {
				return nil, fmt.Errorf("group %q owns two components of type %v", g.name, t)
			}
			found = &p.c
		}
	}
	if found == nil {
		return nil, fmt.Errorf("group %q owns no component of type %v", g.name, t)
	}
	return found, nil
}

// Run executes one frame: every system once, in order; systems in phase Startup in the first
// frame only. There is a safe point before each system and after the last, where commands are
// applied and chunks may move. Between systems that promise Parallel and may run side by side there is none. Ctx is asked before a frame begins; once begun, it is finished.
// A world without systems has frames, too: there, the loops of queries since the last one count when the store weighs how to
// store components. While a system runs, the goroutine has the label system=NAME for CPU profiles, and the labels of
// ctx afterwards.
//
// Mistakes made in setting up the world are returned before anything runs: see World.Err. If memory
// for a command is refused, Run returns that error and keeps the command and all after it. The next Run goes on from
// there. If commands were dropped that could never be carried out, Run returns ErrDropped at
// the end of the frame, once. Systems that were removed meanwhile do not run; added ones run from the
// next frame on.
//
// A panic of a system passes through Run and abandons the frame. Changes made so far stay, and
// the rest is left out, except phase Startup. Commands that were asked for are made at the next
// safe point. The next Run runs nothing and returns ErrAbandoned, with the system and how many
// batches it had run. The one after it begins a new frame. Continue goes on with the old one
// instead. Run within a system panics.
func (w *World) Run(ctx context.Context) error {
	w.made("Run")
	return w.runFrame(ctx, func() int { return 1 })
}

// Continue goes on with a frame in which a system has panicked, instead of giving it up. The
// systems after that one run, and the frame ends as any other. The system that panicked is not
// called again for the batches that it has left. Stats.Abandoned says how much had run. Continue returns an error if no frame was
// abandoned.
func (w *World) Continue(ctx context.Context) error {
	if w.made("Continue").closed {
		return w.over()
	}
	if w.systems.Abandoned() == nil {
		return errors.New("ecs: Continue: no system has panicked since the last Run: call Run, which also resumes a frame that stopped because memory was refused")
	}
	w.systems.GoOn()
	return w.runFrame(ctx, nil)
}

// runFrame runs a frame with so many fixed steps, or goes on with the one under way.
func (w *World) runFrame(ctx context.Context, steps func() int) error {
	if ctx == nil {
		panic("ecs: Run with a nil context: pass context.Background()")
	}
	if w.closed {
		return w.over()
	}
	if err := w.systems.Abandoned(); err != nil {
		w.systems.GiveUp()
		return err
	}
	if err := w.pending(); err != nil {
		return err
	}
	err := w.goOn(ctx, steps)
	if made := w.pending(); made != nil { // by systems
		err = errors.Join(err, made)
	}
	return err
}

// goOn begins a frame, or goes on with the one under way, and ends it.
func (w *World) goOn(ctx context.Context, steps func() int) error {
	begins := w.systems.Begins()
	if begins {
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	w.mustIdle("Run")
	w.mustNotRun("Run")
	if err := w.checkLayout(); err != nil {
		return err
	}
	var start time.Time
	timed := begins && w.base.S.Tidying()
	if timed {
		start = w.now()
	}
	if begins {
		if err := w.systems.Begin(steps()); err != nil {
			return err
		}
		w.trial.begin()
		w.sortLaid()
		w.base.S.BeginFrame()
	}
	if err := w.systems.Run(ctx, w.safePoint, w.recording); err != nil {
		return err
	}
	if err := w.safePoint(); err != nil {
		return err
	}
	if err := w.endFrameChanges(); err != nil {
		return err
	}
	w.systems.End()
	w.base.S.EndFrame()
	w.sorters.EndFrame()
	var took time.Duration
	if timed {
		took = w.now().Sub(start)
	}
	err := w.endFrame(took)
	w.trial.end()
	return err
}

// now is the time by the clock that adapting goes by.
func (w *World) now() time.Time {
	if c := w.options.Adapt.Clock; c != nil {
		return c()
	}
	return time.Now()
}

func (w *World) endFrame(took time.Duration) error {
	w.enter(callRun)
	defer w.exit()
	if w.rec != nil {
		w.rec.EndFrame(w.names.owners)
	}
	err := w.base.M.CloseFrame()
	if !w.options.Adapt.Off && err == nil {
		err = w.inEcs(w.base.S.Tidy(took))
	}
	if err == nil {
		err = w.views.Drop()
	}
	w.commands.settle()
	w.late.settle()
	for _, q := range w.names.events {
		q.EndFrame()
	}
	if w.commands.owed.n > 0 {
		err = errors.Join(err, w.commands.pay())
	}
	return err
}

// SafePoint applies the commands that wait and lets the manager move chunks. Run calls it. Programs without systems call Run
// between their own steps: the end of a frame does more.
func (w *World) SafePoint() error {
	if w.made("SafePoint").refused != nil {
		return w.refused
	}
	w.mustIdle("SafePoint")
	err := w.safePoint()
	if w.closed {
		err = w.over()
	}
	if w.commands.owed.n > 0 {
		err = errors.Join(err, w.commands.pay())
	}
	return err
}

func (w *World) safePoint() error {
	w.enter(callSafePoint)
	defer w.exit()
	w.base.S.TellSets()
	if err := w.makeChanges(&w.commands); err != nil {
		return err
	}
	if len(w.observing.commands.q.Ops) > 0 { // of an observer that has panicked
		w.react()
	}
	return w.base.M.SafePoint()
}

// makeChanges carries out commands.
func (w *World) makeChanges(c *Commands) error {
	if len(c.q.Ops) == 0 {
		return nil
	}
	if w.traced != nil {
		w.traced.Asked(&c.q, func(of uint32) reflect.Type { return w.names.pools[of-1].typ })
	}
	return c.apply()
}
