package ecs

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"os"
	"reflect"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
	"github.com/ashlar-go/ashlar/profile"
	"github.com/ashlar-go/ashlar/views"
)

var (
	// ErrStale is returned for a handle that is not of a live entity: null,
	// destroyed since, or never given out by this world.
	ErrStale = errors.New("ecs: the entity is not alive: the handle is null, stale or foreign")
	// ErrPresent is returned by Add for a component that the entity has already.
	ErrPresent = errors.New("ecs: the entity has the component already: use Set to change its value")
	// ErrAbsent is returned by Set and Remove for a component that the entity lacks.
	ErrAbsent = errors.New("ecs: the entity does not have the component")
	// ErrClosed is returned after Close.
	ErrClosed = errors.New("ecs: the world is closed")
	// ErrAbandoned is returned once by Run after one in which a system has panicked. The
	// message says which, and how much of the frame had run.
	ErrAbandoned = errors.New("ecs: the last frame was abandoned")
)

// Recycle is the order in which indexes of destroyed entities are used again.
type Recycle uint8

const (
	// LIFO uses the index that was freed last: records and slots stay dense.
	LIFO Recycle = iota
	// FIFO uses the index that was freed first: versions wrap as late as possible.
	FIFO
)

// MaxEntitiesDefault is how many entities there may be unless Options say otherwise.
const MaxEntitiesDefault = 1 << 25

// Options say how a world is made. The zero value is what most programs want.
type Options struct {
	// Memory is passed to the memory manager.
	Memory memmgr.Options
	// MaxEntities is how many entities there may be at a time; 0 means
	// MaxEntitiesDefault. At most 4,294,967,294, since index 0 is no entity's.
	MaxEntities uint32
	// Recycle is the order in which indexes are used again.
	Recycle Recycle
	// Tag, 0 to 15, is part of every version: worlds with different tags tell each
	// other's handles apart.
	Tag uint8
	// Profile says where the program's profile is found; the zero value looks at the
	// environment (ASHLAR_PROFILE) and beside the executable. See profile.Load.
	Profile profile.LoadOptions
	// Adapt is passed to the memory manager; its Profile is the one that was found,
	// unless that is empty.
	Adapt memmgr.AdaptOptions
	// NoAdapt leaves chunks where they were first put. Regions that have become empty
	// are given back all the same.
	NoAdapt bool
	// Views says how systems get components that their groups do not own.
	Views Views
	// Record notes what systems touch.
	Record Recording
	// RunLength is how many matching rows in a row of a chunk are passed to a system
	// as they lie; shorter runs are gathered. 0 means 32. No result depends on it.
	RunLength int
}

// record is what the world knows of an index: its current handle with flags (the
// next one to be given out, with a link in place of the index, while it is free),
// and the first 64 bits of its component set.
type record struct {
	id  Entity
	set uint64
}

// is tells whether e is the record's live handle. A free record's link is never
// its own index, so it equals no handle.
func (r *record) is(e Entity) bool { return (r.id^e)&^flagMask == 0 }

// World holds entities, pools, groups and systems. Use New, and Close when done.
type World struct {
	m       *memmgr.Manager
	disown  func() // has the manager's Close work
	options Options
	closed  bool

	records  arena.Array[record]
	first    *record               // records[0]; it moves when records grow
	planes   []arena.Array[uint64] // of the component set, from component 64 on
	next     uint32                // the first index never used
	alive    uint32
	freeHead uint32 // 0 if the free list is empty
	freeTail uint32

	ids    memmgr.Directory // the entity column of all sequences
	pools  []*pool
	byName map[string]*pool
	byType map[reflect.Type][]*pool
	groups []*group

	groupNames map[string]bool

	systemNames map[string]bool

	systems   []*system
	at        int   // the system that Run goes on with
	abandoned error // of a frame, until Run has returned it
	commands  Commands
	runs      []run       // scratch of spawnBatch, AddBatch and RemoveBatch
	sifted    [2][]Entity // scratch of the latter two
	spans     []span      // scratch of DestroyBatch
	refused   []refused   // registrations, until they are mended
	rec       *recorder   // nil: nothing is recorded
	loaded    profile.Loaded
	recorded  map[string]profile.System // of what was loaded, as far as the world has them
	intents   map[asking]views.Strategy // what the loaded profile asks for
	unusable  profile.Dropped           // what the world had no use for of what was loaded
	looked    bool                      // for a profile
	tidier    tidier
	sorters   []*sorter
	resolved  bool // it is known
	walking   []walking
	begun     uint64 // how many walks were
	busy      string // the last of walking, as a panic will name it; "" if nothing iterates
	frame     uint64
	walks     uint64 // of queries, over groups that have views
	page      uint32 // in which memory is given back, in bytes
	dropped   uint64
}

// owner is whom a world's manager belongs to, in the words of its Close.
const owner = "an ecs.World, which World.Close closes with it"

// New makes an empty world. It reserves address space and commits none. Profiles that
// are named somewhere are read now; whether there is one beside the executable is
// looked up with the first frame, or once there are some thousand entities.
func New(o Options) (*World, error) {
	if o.MaxEntities == 0 {
		o.MaxEntities = MaxEntitiesDefault
	}
	if o.RunLength <= 0 {
		o.RunLength = 32
	}
	if o.MaxEntities == math.MaxUint32 {
		return nil, fmt.Errorf("ecs: Options.MaxEntities is %d; it must be at most %d", o.MaxEntities, o.MaxEntities-1)
	}
	if o.Tag > 15 {
		return nil, fmt.Errorf("ecs: Options.Tag is %d; it must be at most 15", o.Tag)
	}
	m, err := memmgr.New(o.Memory)
	if err != nil {
		return nil, fmt.Errorf("ecs: %w", err)
	}
	w := &World{m: m, options: o, next: 1, page: chunk.Page}
	if m.Arena().Backend() == arena.OS { // the Go heap gives back no pages
		w.page = uint32(os.Getpagesize())
	}
	w.adapt(o.Adapt.Profile)
	if o.Profile.Explicit() {
		if err := w.load(); err != nil {
			return nil, errors.Join(err, m.Close())
		}
	}
	if o.Record.On {
		w.rec = newRecorder(o.Record)
	}
	w.disown = m.Own(owner)
	w.records = arena.MakeArray[record](m.Arena(), w.indexes(), arena.PurposeEntities)
	w.commands.w = w
	return w, nil
}

// indexes is the length of arrays with an element for each index: those of entities,
// and 0.
func (w *World) indexes() uint32 { return w.options.MaxEntities + 1 }

// Manager returns the memory manager, for statistics, pins and placement.
func (w *World) Manager() *memmgr.Manager { return w.made("Manager").m }

// Len is the number of live entities.
func (w *World) Len() int { return int(w.made("Len").alive) }

// Frame is the number of frames that Run has finished.
func (w *World) Frame() uint64 { return w.made("Frame").frame }

// Dropped is the number of commands that found their entity dead, or its component
// already there or gone, when they were applied.
func (w *World) Dropped() uint64 { return w.made("Dropped").dropped }

// Close gives all memory back. Handles, addresses and slices from the world are
// invalid afterwards. It fails with memmgr.ErrPinned while chunks are pinned. A
// second call returns nil.
func (w *World) Close() error {
	if w.made("Close").closed {
		return nil
	}
	w.mustIdle("Close")
	w.disown()
	if err := w.m.Close(); err != nil {
		w.disown = w.m.Own(owner)
		return fmt.Errorf("ecs: %w", err)
	}
	w.closed = true
	w.records, w.first, w.planes = arena.Array[record]{}, nil, nil
	w.next, w.alive, w.freeHead, w.freeTail = 1, 0, 0, 0
	for _, p := range w.pools {
		p.forget()
	}
	w.groups, w.systems, w.sorters, w.refused = nil, nil, nil, nil
	return nil
}

// mustIdle panics if a query or system iterates: rows would move under it.
func (w *World) mustIdle(what string) {
	if w.busy != "" {
		panic(fmt.Sprintf("ecs: %s while %s iterates, whose rows would move under it: put the change into a Commands (a field of type *ecs.Commands in a system's struct, or World.Commands) and it is made at the next safe point. If another goroutine iterates: a World is used by one goroutine at a time; guard it with a mutex", what, w.busy))
	}
}

// Alive tells whether a handle is of a live entity of this world. Entities of
// another world with the same Tag can't be told apart from this one's.
func (w *World) Alive(e Entity) bool { return w.made("Alive").record(e) != nil }

// record returns the record of a live entity, or nil.
func (w *World) record(e Entity) *record {
	if r := w.records.Ptr(e.Index()); r != nil && r.is(e) {
		return r
	}
	return nil
}

// Spawn makes an entity without components. Errors are the arena's: the limit on
// entities or memory; nothing has changed then.
func (w *World) Spawn() (Entity, error) {
	e, _, err := w.made("Spawn").create()
	return e, err
}

// create takes a record into use, a recycled one if there is any.
func (w *World) create() (Entity, *record, error) {
	if i := w.freeHead; i != 0 {
		r := w.records.Ptr(i)
		w.freeHead = r.id.Index()
		r.id = r.id>>versionShift<<versionShift | Entity(i)
		w.alive++
		return r.id, r, nil
	}
	r := w.records.Ptr(w.next)
	if r == nil {
		if err := w.growRecords(); err != nil {
			return 0, nil, err
		}
		r = w.records.Ptr(w.next)
	}
	r.id, r.set = w.firstHandle(), 0
	w.next++
	w.alive++
	return r.id, r, nil
}

// firstHandle is the first one with the index that is used next.
func (w *World) firstHandle() Entity {
	return Entity(w.options.Tag)<<(versionShift+countBits) | 1<<versionShift | Entity(w.next)
}

func (w *World) growRecords() error {
	if w.closed {
		return ErrClosed
	}
	if w.next > 1 && !w.looked {
		if err := w.load(); err != nil {
			return err
		}
	}
	if w.next > w.options.MaxEntities {
		return tooMany{w.options.MaxEntities}
	}
	if err := w.records.Grow(w.next); err != nil {
		return fmt.Errorf("ecs: a record for entity %d of at most %d: %w", w.next, w.options.MaxEntities, err)
	}
	w.first = w.records.Ptr(0)
	w.first.id = 1 // record 0 is nobody's: no handle with index 0 equals it
	return nil
}

// tooMany is the error of an entity beyond Options.MaxEntities. To errors.Is it is
// arena.ErrFull, whose text names another option.
type tooMany struct{ most uint32 }

func (e tooMany) Error() string {
	return fmt.Sprintf("ecs: there are %d entities, as many as Options.MaxEntities allows: raise it", e.most)
}

func (tooMany) Is(target error) bool { return target == arena.ErrFull }

// release puts the record of an entity without components into the free list.
func (w *World) release(r *record) {
	i, link := r.id.Index(), w.freeHead
	w.alive--
	switch {
	case link == 0:
		w.freeHead, w.freeTail = i, i
	case w.options.Recycle == LIFO:
		w.freeHead = i
	default:
		tail := w.records.Ptr(w.freeTail)
		tail.id = tail.id>>indexBits<<indexBits | Entity(i)
		w.freeTail, link = i, 0
	}
	r.id = r.id.next()>>versionShift<<versionShift | flagFree | Entity(link)
	r.set = 0
}

// Destroy removes an entity and all its components. It returns ErrStale if it is
// not alive. It costs what the entity has.
func (w *World) Destroy(e Entity) error {
	if w == nil {
		panic(unmade{"World", "Destroy"})
	}
	if w.busy != "" {
		w.mustIdle("Destroy")
	}
	r := w.records.Ptr(e.Index())
	if r == nil || !r.is(e) {
		return ErrStale
	}
	if r.set != 0 {
		if g := w.pools[trailingZeros(r.set)].group; g != nil && r.set == g.first && len(g.need) == 1 {
			g.destroy(e)
		} else {
			w.strip(e, r.set, 0)
		}
	}
	if len(w.planes) > 0 {
		w.stripPlanes(e)
	}
	w.release(r)
	return nil
}

// stripPlanes is strip for the planes beyond the first.
func (w *World) stripPlanes(e Entity) {
	for n := range w.planes {
		if set := w.planes[n].Load(e.Index()); set != 0 {
			w.strip(e, set, n+1)
			*w.planes[n].Ptr(e.Index()) = 0
		}
	}
}

// All iterates over the live entities by index. The world must not change
// meanwhile.
func (w *World) All() iter.Seq[Entity] {
	w.made("All")
	return func(yield func(Entity) bool) {
		for i := uint32(1); i < w.next; i++ {
			if id := w.records.Load(i).id; id&flagFree == 0 && !yield(id&^flagMask) {
				return
			}
		}
	}
}

// Shrink gives back what a peak has left: pages of slots in which no entity has a
// component, spare chunks and free slots. It returns the bytes given back. It
// costs a pass over the slots.
func (w *World) Shrink() (freed uint64, err error) {
	w.made("Shrink").mustIdle("Shrink")
	for _, p := range w.pools {
		n, err := p.slots.Purge(func(lo, hi uint32) bool { return allZero(p.slots, lo, hi) })
		freed += n
		p.settle()
		if err != nil {
			return freed, fmt.Errorf("ecs: %w", err)
		}
	}
	for _, g := range w.groups {
		g.ready = 0 // slots may be fewer: the next one to be spawned finds out
	}
	n, err := w.m.Reclaim(^uint64(0))
	if err != nil {
		err = fmt.Errorf("ecs: %w", err)
	}
	return freed + n, err
}

func allZero(a *arena.Array[uint64], lo, hi uint32) bool {
	for i := lo; i < hi; i++ {
		if a.Load(i) != 0 {
			return false
		}
	}
	return true
}
