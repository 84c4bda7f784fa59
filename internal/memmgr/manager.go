package memmgr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"github.com/ashlar-go/ashlar/internal/arena"
	"github.com/ashlar-go/ashlar/internal/chunk"
)

var (
	// ErrChunks is returned when all chunk numbers are in use.
	ErrChunks = fmt.Errorf("memmgr: all %d chunk numbers are in use", MaxChunks-1)
	// ErrPinned is returned by Close while chunks are pinned.
	ErrPinned = errors.New("memmgr: chunks are pinned: unpin them before Close")
)

// Options say how a manager is made. The zero value is what most programs want.
type Options struct {
	// Arena is where memory comes from. New sets its HugePages, unless NoHugePages is
	// set; to state both is an error.
	Arena arena.Options
	// NoHugePages keeps chunks out of huge pages.
	NoHugePages bool
	// Stress moves every chunk that is not pinned at every safe point, and gives
	// back whatever is free. For tests: it finds addresses that are kept too long.
	Stress bool
	// TraceChunks keeps each chunk in use in the runtime profile [ProfileChunks], with the
	// stack that made it. A chunk that is still there after all managers were closed has
	// leaked. It costs a microsecond or so and two allocations a chunk.
	TraceChunks bool
}

// Manager owns chunks and sequences. Use New.
type Manager struct {
	arena  *arena.Arena
	stress bool
	closed bool
	ready  bool   // made, not closed and without Stress
	owner  string // what is to be closed instead; "" if nothing

	table   table
	seqs    []*Sequence // in the order in which they were made; nil where one was dropped
	dropped int         // how many are nil
	names   map[string]*Sequence
	shapes  map[string]*shape
	blocks  [chunk.Classes]blocks
	regions map[arena.Slot]*region  // striped ones, by their first slot
	tenants map[arena.Slot]chunk.ID // of slots that hold a chunk alone, where regions may be emptied

	layout  uint64 // counts changes of where chunks are
	shifts  uint64 // and of where rows are
	tick    uint64
	epoch   uint64
	retired []retired   // places in quarantine, oldest first
	waiting []waiting   // places that are free once a chunk is unpinned
	spares  []*Sequence // those that may keep a spare chunk
	astray  []chunk.ID  // chunks that may not be in their places, each once
	turn    int         // of these, which is looked at next
	annexes int
	counts  Counts
	using   atomic.Bool // some goroutine is within a call

	frame  uint64 // ended so far
	pacing pacing
	keep   keep
	walk   walk    // of Leave
	trace  *tracer // nil: chunks are not in the runtime's profile
	unuse  func()  // ends use
}

// New makes a manager and reserves its address space.
func New(o Options) (*Manager, error) {
	if o.NoHugePages && o.Arena.HugePages {
		return nil, errors.New("memmgr: Options.NoHugePages and Options.Arena.HugePages contradict each other: leave out the one that you do not mean")
	}
	o.Arena.HugePages = !o.NoHugePages
	a, err := arena.New(o.Arena)
	if err != nil {
		return nil, fmt.Errorf("memmgr: %w", err)
	}
	m := &Manager{arena: a, stress: o.Stress, tick: 1, epoch: 1, shifts: rand.Uint64()>>1 + 1}
	m.SetBudget(Budget{}, 0, nil)
	m.table.grow(0)
	for i := range m.blocks {
		m.blocks[i].class = i
	}
	m.ready = !o.Stress
	m.unuse = func() { m.using.Store(false) }
	if o.TraceChunks {
		m.trace = &tracer{profileNamed(ProfileChunks)}
	}
	return m, nil
}

// Arena returns where the manager's memory comes from.
func (m *Manager) Arena() *arena.Arena {
	m.mustBeMade("Arena")
	return m.arena
}

// Tick returns the current tick: what writers stamp columns with.
func (m *Manager) Tick() uint64 { return m.tick }

// Advance begins the next tick and returns it. Ticks start at 1 and never wrap.
func (m *Manager) Advance() uint64 {
	m.tick++
	return m.tick
}

// Layout returns a number that changes when any chunk is made, freed or moved, or changes its
// place in a sequence. Addresses and chunks that a caller has noted are good while it stays.
func (m *Manager) Layout() uint64 { return m.layout }

// Shifts returns a pointer to a count of everything that makes addresses of values bad. The
// manager counts chunks that move. Shift counts rows that move or go. It is never 0. It begins
// at random, so that two managers differ, and has no other meaning.
func (m *Manager) Shifts() *uint64 { return &m.shifts }

// Shift counts that the manager's user has moved rows of a sequence, or removed some.
func (m *Manager) Shift() { m.shifts++ }

// Gen returns a chunk's generation, which changes whenever the chunk moves or is freed,
// or its number is given to another one. It is 0 for a number that was never used.
func (m *Manager) Gen(id chunk.ID) uint32 {
	if int(id) >= m.table.count {
		return 0
	}
	return m.table.at(id).gen
}

// use says that a goroutine is within a call that changes the manager, until the
// function that it returns is called. It panics if another one is.
func (m *Manager) use(what string) func() {
	m.mustBeMade(what)
	if !m.using.CompareAndSwap(false, true) {
		panic("memmgr: " + what + " while another goroutine is within a call of the same manager: a Manager is used by one goroutine at a time; guard it with a mutex, or give each goroutine its own")
	}
	return m.unuse
}

// mustBeMade panics for a manager, or a sequence's manager, that New did not make.
func (m *Manager) mustBeMade(what string) {
	if m == nil || m.arena == nil {
		panic("memmgr: " + what + " of a zero Manager or Sequence: use New and NewSequence")
	}
}

// isClosed returns an error for a call after Close.
func (m *Manager) isClosed(what string) error {
	if m.closed {
		return fmt.Errorf("memmgr: %s: %w", what, arena.ErrClosed)
	}
	return nil
}

// newChunk takes a number and a place for a chunk of a sequence, for so many rows, and
// enters its columns' addresses. After an error nothing has changed.
func (m *Manager) newChunk(s *Sequence, rows int) (chunk.ID, error) {
	if len(m.waiting) != 0 {
		m.freeUnpinned()
	}
	order := s.first + uint32(len(s.chunks))
	at, err := m.room(s, order, rows)
	if err != nil {
		return 0, fmt.Errorf("memmgr: a chunk for %q: %w", s.name, err)
	}
	id, ok := m.table.choose(s.dirs)
	if !ok {
		m.free(s.shape, at)
		return 0, ErrChunks
	}
	e := m.table.at(id)
	e.seq, e.order = s, order
	m.publish(id, at)
	for _, d := range s.dirs {
		d.Cell(id).Stamp = m.tick
	}
	m.counts.Made++
	if m.trace != nil {
		m.trace.made(id)
	}
	return id, nil
}

// publish makes a place that of a chunk: its line of the table and one cell per column.
func (m *Manager) publish(id chunk.ID, at spot) {
	m.layout++
	m.shifts++
	e := m.table.at(id)
	e.spot = at
	e.gen++
	m.settleIn(at, id)
	for i, d := range e.seq.dirs {
		d.set(id, e.seq.key, e.seq.partial != nil && e.seq.partial[i], m.address(e.seq.shape, at, i))
	}
}

// freeChunk gives a chunk's number and place back, or has them wait while it is pinned.
func (m *Manager) freeChunk(id chunk.ID) {
	e := m.table.at(id)
	m.layout++
	for _, d := range e.seq.dirs {
		d.clear(id)
	}
	m.freeAnnex(id)
	s := e.seq.shape
	at := e.spot
	m.moveOut(at)
	e.seq, e.spot, e.order, e.moves, e.copied = nil, spot{}, 0, 0, 0
	e.gen++
	if e.pins.Load() != 0 {
		m.waiting = append(m.waiting, waiting{id, s, at, true})
	} else {
		m.discard(s, at)
		m.table.free = append(m.table.free, id)
	}
	m.counts.Freed++
	if m.trace != nil {
		m.trace.freed(id)
	}
}

// Own makes Close fail, in words that name the owner, until the function that it
// returns is called. It is for a type that keeps its data in a manager and shows that to
// its users: by is what they are to close instead. A manager has one owner at a time.
func (m *Manager) Own(by string) (disown func()) {
	m.mustBeMade("Own")
	if m.owner != "" {
		panic(fmt.Sprintf("memmgr: Own by %s of a manager that belongs to %s: make a manager for each", by, m.owner))
	}
	m.owner = by
	return func() { m.owner = "" }
}

// Close gives all memory back. It returns ErrPinned, and closes nothing, while a chunk is
// pinned. It does the same while the manager has an owner (see Own). A second call returns
// nil.
func (m *Manager) Close() error {
	defer m.use("Close")()
	switch {
	case m.closed:
		return nil
	case m.owner != "":
		return fmt.Errorf("memmgr: Close of a manager that belongs to %s: close that instead", m.owner)
	}
	if list := m.pinList(); list != "" {
		return fmt.Errorf("%w (%s)", ErrPinned, list)
	}
	if err := m.arena.Close(); err != nil {
		return fmt.Errorf("memmgr: %w", err)
	}
	m.closed, m.ready = true, false
	if m.trace != nil {
		m.trace.closed(&m.table)
	}
	for _, s := range m.live() {
		s.forget()
	}
	m.table.pages, m.table.count, m.table.free = nil, 0, nil
	m.blocks = [chunk.Classes]blocks{}
	m.seqs, m.names, m.shapes, m.regions, m.tenants = nil, nil, nil, nil, nil
	m.retired, m.waiting, m.spares, m.astray = nil, nil, nil, nil
	return nil
}

// Named returns the sequence of a name; nil if there is none.
func (m *Manager) Named(name string) *Sequence {
	m.mustBeMade("Named")
	return m.names[name]
}

// Sequence returns the sequence that a chunk is in; nil if it is in none.
func (m *Manager) Sequence(id chunk.ID) *Sequence {
	if e := m.table.in(id); e != nil {
		return e.seq
	}
	return nil
}

// Nth is Order of a chunk that has rows, of a sequence that never lost its first chunks. It tests
// nothing, and is inlined.
func (m *Manager) Nth(id chunk.ID) int { return int(m.table.at(id).order) }

// Order returns a chunk's place in its sequence; -1 for an empty one that is kept for
// the next row. It panics for a chunk that is not in use.
func (m *Manager) Order(id chunk.ID) int {
	e := m.table.in(id)
	if e == nil {
		m.mustUse(id, "Order")
	}
	if e.order == spareOrder {
		return -1
	}
	return int(e.order - e.seq.first)
}
