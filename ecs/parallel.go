package ecs

import (
	"reflect"
	"runtime"
	"slices"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/crew"
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/tune"
)

// Parallel promises that a system's function touches only what its struct was given. Then its batches may run
// on several cores: see Options.Workers. They are cut in pieces of some thousand rows, and each worker
// calls the function with a struct of its own. Fields of the struct are all that the function needs: columns, access by
// handle (Look), resources (Res), commands, events, and Local for scratch. Variables that it captures it may read, and
// must not write.
//
// Results are the same bit for bit for any number of workers: values, order of rows, handles, and the order of
// commands. Commands are made in the order of pieces. So Commands.Len counts those of the piece
// under way. If a batch panics, the other pieces run to their ends. Then Run panics with the value of the first
// piece that did, its stack, and the system.
//
// Batches run in their order, by one worker, if the struct has a field *Pool or WriteRes, or a *Query that writes. So they do
// if the struct writes a component that it reaches otherwise, too: by a Look or a *Query. (A Prior has the values of when the
// system began, and needs no order.) The structure of the world can't change meanwhile, but by commands.
//
// A system runs alone if it writes a component of which a *Query asks for changes.
//
// Systems that follow each other and promise it run side by side, unless they use the same component, resource or
// events and one of them writes that. A safe point stands behind one that has Commands, or a field Later or LaterSpawner of a
// component that another one names before the next safe point, and before one with When. One stands between two with AtEnd. A
// panic leaves out the systems of such a stretch that wait for the one that panicked.
func Parallel() SystemOption {
	return SystemOption{func(o *placing) error { o.parallel = true; return nil }}
}

// Local as the type of a field of a system's struct is a value for scratch. Each worker has its own, which begins as
// the zero value of T and stays from call to call. No result may depend on it: which worker makes
// which call depends on time.
type Local[T any] struct {
	of of[T]
	v  *T
}

// Get returns where the value is. The address is good as long as the world.
func (l Local[T]) Get() *T {
	if l.v == nil {
		panic(unmade{"Local", "Get"})
	}
	return l.v
}

// workers is how many workers a world has: as many as the process has processors' time for, unless the
// option says otherwise.
func (o *Options) workers() int {
	if o.Shuffle != 0 {
		return 1
	}
	if o.Workers > 0 {
		return o.Workers
	}
	n := runtime.GOMAXPROCS(0)
	if most := arena.ProcessorLimit(nil); most > 0 {
		n = min(n, most)
	}
	return n
}

// share has a system that promises it run on several workers, each with a copy of its struct.
func (w *World) share(x *schedule.System, fields []field.Field, fn func(raw.Ptr), copied func() raw.Ptr) {
	if w.systems.Crew == nil {
		w.systems.Crew = crew.New(w.options.workers())
		w.systems.Crew.Neighbours = func() int { return tune.Of(w.base.Manager.Caches()).Neighbours }
	}
	parts := schedule.Parts{}
	all := field.Flat(fields)
	parts.InOrder = len(x.Reached) > 0 || slices.ContainsFunc(all, func(f field.Field) bool { return f.Kind == field.Resource && f.Write })
	if field.HasKind(all, field.Pool, field.Prior, field.Query) {
		// All entities are seen before pieces read by handle: one that is not would have a worker write records that others read.
		parts.Stages = append(parts.Stages, schedule.Stage{Reserve: func(int) { w.base.Store.SeeAll() }})
	}
	soon := w.shareCommands(x, &w.commands, all, &parts, field.Commands, field.Later, field.Spawner)
	late := w.shareCommands(x, &w.late, fields, &parts, field.AtEnd)
	bindEvents := w.shareEvents(fields, w.systems.Crew.Workers(), &parts)
	var bind func(worker int, fields []field.Field, into raw.Ptr)
	bind = func(worker int, fields []field.Field, into raw.Ptr) {
		for i := range fields {
			f := &fields[i]
			switch at := raw.At(into, f.Offset); f.Kind {
			case field.Commands, field.Later, field.Spawner:
				w.fillCommands(f, at, soon.commandsOf(worker))
			case field.Query:
				q := w.queryBeside(f, x.Plan)
				bind(worker, f.Within, q.into)
				fillQuery(f, into, q)
			case field.Events:
				bindEvents(worker, f, at)
			case field.AtEnd:
				*raw.As[AtEnd](at) = AtEnd{late.commandsOf(worker)}
			case field.Local:
				*raw.As[raw.Ptr](at) = reflect.New(f.Of).UnsafePointer()
			case field.Prior:
				raw.As[prior](at).scratch = new([]uint64) // a worker's own
			}
		}
	}
	parts.Bind = func(worker int) raw.Ptr {
		into := copied()
		bind(worker, fields, into)
		return into
	}
	x.Declares.Parallel = true
	w.systems.Share(x, fn, parts)
}
