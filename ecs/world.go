package ecs

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/order"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/promise"
	"github.com/ashlar-go/ashlar/ecs/internal/record"
	"github.com/ashlar-go/ashlar/ecs/internal/schedule"
	"github.com/ashlar-go/ashlar/ecs/internal/shared"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
	"github.com/ashlar-go/ashlar/memmgr"
)

var (
	// ErrStale is returned for a handle that is not of a live entity: null,
	// destroyed since, or never given out by this world.
	ErrStale = store.ErrStale
	// ErrPresent is returned by Add for a component that the entity has already.
	ErrPresent = store.ErrPresent
	// ErrAbsent is returned by Set and Remove for a component that the entity lacks.
	ErrAbsent = store.ErrAbsent
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("ecs: the world is closed")
	// ErrAbandoned is returned once by Run after one in which a system has panicked. The
	// message says which, and how much of the frame had run.
	ErrAbandoned = schedule.ErrAbandoned
)

// World holds entities, their components, groups and systems. Use New, and Close when
// done. It is made, refused by New, or closed. It is not safe for concurrent use.
type World struct {
	base      walk.Base // the store, the manager, iterations
	options   Options
	closed    bool
	refused   error  // why New could not make it, or of a nowhere the mistake; nil: it was made
	disown    func() // has the manager's Close work
	names     names
	systems   *schedule.Schedule
	commands  Commands
	late      Commands // for the end of the frame
	views     *shared.Views
	sorters   *order.Sorters
	approved  approved
	trial     *trial              // nil: frames are not timed
	rec       *record.Recorder    // nil: nothing is recorded
	recording *schedule.Recording // rec's, made once
	observing observing
	doing     call           // the one under way: see enter
	traced    *promise.Trace // of Shuffled; nil: nothing is
	watched   promise.Watch  // of checked builds
}

// owner is whom a world's manager belongs to, in the words of its Close.
const owner = "an ecs.World, which World.Close closes with it"

// New makes an empty world. It reserves address space and commits none. A layout is read
// now. Options that are wrong, a bad layout or a refused reservation are mistakes, and the
// world does nothing: see World.Err.
func New(o Options) *World {
	w, err := newWorld(o)
	if err != nil {
		return refusedWorld(err)
	}
	return w
}

func newWorld(o Options) (*World, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	m, err := memmgr.New(o.Memory)
	if err != nil {
		return nil, fmt.Errorf("ecs: %w", err)
	}
	w := &World{options: o, trial: newTrial()}
	b := &w.base
	b.M, b.RunLength, b.PieceRows, b.Guard = m, o.runLength, o.pieceRows, o.Memory.Stress || arena.Checked
	m.Walk(w.walked)
	if err := w.approve(); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	if o.Record || recorded() != "" {
		w.rec = record.New(b, record.Options{TimeEvery: o.TimeEvery, Counts: w.counts()})
		w.recording = w.rec.Recording()
	}
	w.disown = m.Own(owner)
	m.Walks(w.under)
	w.systems, w.sorters = schedule.New(b), order.NewSorters(b)
	if o.Shuffle != 0 {
		w.systems.Chance = rand.New(rand.NewPCG(o.Shuffle, o.Shuffle))
	}
	if arena.Checked {
		w.systems.Watch = w.watch
	}
	if o.shareWork > 0 {
		w.systems.ShareWork = o.shareWork
	}
	w.systems.Clock = schedule.Clock{Step: o.FixedStep, Most: o.MaxSteps}
	b.S = store.New(m, store.Options{
		MaxEntities: o.MaxEntities, Tag: o.Tag, FIFO: o.FIFO, Policy: policy.Options{Off: o.Storage.Off}, Visits: w.systems.Visits,
	})
	page := uint32(chunk.Page)
	if m.Arena().Backend() == arena.OS { // the Go heap gives back no pages
		page = uint32(os.Getpagesize())
	}
	w.views = shared.New(b, page, shared.Options{Mode: o.Views.mode(), Intent: w.intent})
	w.commands.w, w.late.w = w, w
	w.systems.Queued = func() int { return w.commands.q.Waiting + w.late.q.Waiting }
	return w, nil
}

// Manager returns the memory manager, for statistics, and for sequences of the program's own. Its
// safe points panic while a query or system iterates.
func (w *World) Manager() *memmgr.Manager {
	return w.made("Manager").base.M
}

// Len is the number of live entities.
func (w *World) Len() int { return w.made("Len").base.S.Len() }

// Frame is the number of frames that Run has finished.
func (w *World) Frame() uint64 { return w.made("Frame").base.Frame }

// Close gives all memory back. Handles, addresses and slices from the world are
// invalid afterwards. It fails with memmgr.ErrPinned while chunks are pinned. It also fails while
// an iteration is open that iter.Pull began: call its stop function first. Nothing is closed then.
// A second call returns nil. If a record or a trial that the environment asks for can't be written, the world
// is closed, and the error is logged, too: few programs look at that of Close.
func (w *World) Close() error {
	if w.made("Close").closed {
		return nil
	}
	if w.pulled() {
		return fmt.Errorf("ecs: Close while %s iterates: call the stop function that iter.Pull returned, then Close again", w.base.Walks.Busy)
	}
	w.mustIdle("Close")
	w.mustNotRun("Close")
	noted := w.writeTrial()
	if recorded() != "" && w.rec != nil && w.base.Frame > 0 {
		noted = errors.Join(noted, writeRecord(w.Facts(), w.Map())) // before the memory goes
	}
	warn(w.options.Memory.Arena.Log, noted)
	w.trial = nil
	w.disown()
	if err := w.base.M.Close(); err != nil {
		w.disown = w.base.M.Own(owner)
		return fmt.Errorf("ecs: %w", err)
	}
	w.closed = true
	if w.systems.Crew != nil {
		w.systems.Crew.Close()
	}
	w.base.S.Forget()
	w.names.groups, w.names.owners, w.names.mistakes, w.names.events = nil, nil, nil, nil
	for _, s := range w.names.schemas {
		s.x.End()
	}
	w.systems.Clear()
	w.sorters.Forget()
	w.views.Forget()
	return noted
}

// mustIdle panics if a query or system iterates: rows would move under it.
func (w *World) mustIdle(what string) {
	if w.under() != "" {
		panic(w.busy(what))
	}
}

// busy is the panic of a call within an iteration. Some calls can be queued.
func (w *World) busy(what string) string {
	if y := w.base.S.Hearing(); y != nil {
		return fmt.Sprintf("ecs: %s within observer %q, which is told of a change that is under way: ask for changes by a field of type *ecs.Commands or ecs.Later of its struct, and make other calls when the change is made", what, y.Name)
	}
	remedy := "call it when the loop has ended, or in a system whose struct asks for no rows"
	whichDo := ", where do is the field of type *ecs.Commands of a system's struct"
	if !w.base.Walks.Split {
		whichDo += ", or World.Commands"
	}
	whichDo += ": it is made at the next safe point"
	switch what {
	case "Destroy", "DestroyAll":
		remedy = "call do." + what + whichDo
	case "SetEnabled", "SetEnabledAll", "Spawn":
		remedy = "call Later(do)." + what + ", or do." + what + " of entities as a whole" + whichDo
	case "Exchange":
		remedy = "call Later(do) of the exchange, and Do or All of that" + whichDo
	case "Add", "AddAll", "AddFunc", "Put", "Remove", "RemoveAll", "SetAll", "SetFunc":
		remedy = "call Later(do)." + what + whichDo
	case "Close", "Run":
		remedy = "call it when the loop has ended, or when Run has returned"
	}
	if w.systems.Running() == "" {
		remedy += ". If iter.Pull began it: call the stop function that it returned"
	}
	return fmt.Sprintf("ecs: %s while %s iterates, whose rows would move under it: %s. If another goroutine iterates: a World is used by one goroutine at a time; guard it with a mutex", what, w.under(), remedy)
}

// mustNotRun panics within a system or a condition: its frame could not be ended.
func (w *World) mustNotRun(what string) {
	if name := w.systems.Running(); name != "" {
		panic(fmt.Sprintf("ecs: %s while system %q runs: the frame needs the world until it ends; call it when Run has returned", what, name))
	}
}

// Alive tells whether a handle is of a live entity of this world. Entities of
// another world with the same Tag can't be told apart from this one's.
func (w *World) Alive(e Entity) bool { return w.made("Alive").base.S.Alive(e) }

// Spawn makes an entity without components. Errors are the arena's: the limit on
// entities or memory; nothing has changed then.
func (w *World) Spawn() (Entity, error) {
	if w.made("Spawn").closed {
		return 0, w.over()
	}
	was := w.doing
	if was != 0 && w.base.Walks.Busy == "" || w.base.S.Hearing() != nil {
		w.mustEnter(callSpawn)
	}
	if w.systems.Promised() { // otherwise entities may be spawned while something iterates
		panic(fmt.Sprintf("ecs: Spawn within %s, which several workers may run (ecs.Parallel): give its struct a field of type *ecs.Commands, and call Spawn of that; the handle is known at once", cmp.Or(w.base.Walks.Busy, w.systems.Running())))
	}
	w.doing = callSpawn
	e, err := w.base.S.Spawn()
	w.doing = was
	return e, w.inEcs(err)
}

// Destroy removes an entity and all its components. It returns ErrStale if it is
// not alive, and a LockedError if a Lock holds it. Its cost grows with the components of the entity, not with
// the registered ones.
func (w *World) Destroy(e Entity) error {
	if w == nil || w.base.S == nil {
		panic(unmade{"World", "Destroy"})
	}
	if w.refused != nil {
		return w.refused
	}
	w.enter(callDestroy)
	err := w.base.S.Destroy(e)
	w.exit()
	return w.inEcs(err)
}

// Reset destroys all entities, locked ones too; their handles become stale, and the lowest
// indexes are used first from then on. It costs a pass over the records and over rows.
func (w *World) Reset() {
	w.made("Reset").enter(callReset)
	w.base.S.Clear()
	w.exit()
}

// All iterates over the live entities by index. The world must not change
// meanwhile.
func (w *World) All() iter.Seq[Entity] {
	return w.made("All").base.S.All()
}

// Purge gives back memory of a peak: pages of entries of groups and thin components that name no row, spare chunks
// and free memory of chunks. Records of entities stay. It returns the bytes given back. It costs a pass over the
// entries.
func (w *World) Purge() (freed uint64, err error) {
	if w.made("Purge").closed {
		return 0, w.over()
	}
	w.enter(callPurge)
	defer w.exit()
	freed, err = w.base.S.Shrink()
	if err == nil {
		var n uint64
		n, err = w.base.M.Reclaim(^uint64(0))
		freed += n
	}
	return freed, w.inEcs(err)
}
