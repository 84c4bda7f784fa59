package memmgr

import (
	"errors"
	"fmt"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/topology"
)

var (
	// ErrChunks is returned when all chunk numbers are in use.
	ErrChunks = fmt.Errorf("memmgr: all %d chunk numbers are in use", MaxChunks-1)
	// ErrPinned is returned by Close while chunks are pinned.
	ErrPinned = errors.New("memmgr: chunks are pinned: unpin them before Close")
)

// Options say how a manager is made. The zero value is what most programs want.
type Options struct {
	// Arena is where memory comes from.
	Arena arena.Options
	// NoHugePages keeps chunks out of huge pages.
	NoHugePages bool
	// Topology describes the machine; nil means that it is detected when it is
	// first asked for. Results never depend on it.
	Topology *topology.Topology
	// Stress moves every chunk that is not pinned at every safe point, and gives
	// back whatever is free. For tests: it finds addresses that are kept too long.
	Stress bool
	// TraceChunks keeps each chunk in use in the runtime profile [ProfileChunks], with
	// the stack that made it: what is in it after all managers were closed, or should
	// have been, has leaked. It costs a microsecond or so and two allocations a chunk.
	TraceChunks bool
}

// entry is a line of the chunk table.
type entry struct {
	base   address   // the slot's start
	seq    *Sequence // nil: the number is free
	slot   arena.Slot
	order  uint32 // place in the sequence; spareOrder for its spare
	colour uint32
	gen    uint32 // counts moves and re-use of the number
	pins   uint32
	annex  uint32 // 1 + the slot bound to the chunk; 0 if there is none
	small  bool   // laid out by seq.small
	since  uint64 // frame in which it was put there
	moves  uint64 // how often the chunk has moved
	copied uint64 // bytes that these took
}

// Manager owns chunks and sequences. Use New.
type Manager struct {
	arena    *arena.Arena
	topology *topology.Topology
	stress   bool
	closed   bool

	table   []entry    // by chunk number; line 0 is no chunk's
	numbers []chunk.ID // free numbers, last in first out
	seqs    []*Sequence

	layout  uint64 // counts changes of where chunks are
	tick    uint64
	epoch   uint64
	retired []retired   // quarantined slots, oldest first
	spares  []*Sequence // those that may keep a spare chunk
	colours uint32      // the next chunk's colour
	pins    uint64
	annexes int
	counts  Counts

	frame uint64 // ended so far
	decay decay
	adapt *adapter         // nil: the manager does not adapt
	clock func() time.Time // nil: time.Now
	over  time.Duration    // Decay
	trace *tracer          // nil: chunks are not in the runtime's profile
}

// New makes a manager and reserves its address space.
func New(o Options) (*Manager, error) {
	o.Arena.HugePages = !o.NoHugePages
	a, err := arena.New(o.Arena)
	if err != nil {
		return nil, fmt.Errorf("memmgr: %w", err)
	}
	m := &Manager{arena: a, topology: o.Topology, stress: o.Stress, tick: 1, epoch: 1, over: decayOver, table: make([]entry, 1, 8)}
	if o.TraceChunks {
		m.trace = newTracer()
	}
	return m, nil
}

// Arena returns where the manager's memory comes from.
func (m *Manager) Arena() *arena.Arena { return m.arena }

// Topology returns the description of the machine, detecting it at the first
// call if Options did not give one.
func (m *Manager) Topology() topology.Topology {
	if m.topology == nil {
		m.topology = new(topology.Detect(topology.DetectOptions{}))
	}
	return *m.topology
}

// Tick returns the current tick: what writers stamp columns with.
func (m *Manager) Tick() uint64 { return m.tick }

// Advance begins the next tick and returns it. Ticks start at 1 and never wrap.
func (m *Manager) Advance() uint64 {
	m.tick++
	return m.tick
}

// Layout returns a number that is another one after any chunk has been made, freed
// or moved, or has changed its place in a sequence: what was noted of addresses and
// chunks is good while it stays.
func (m *Manager) Layout() uint64 { return m.layout }

// Gen returns a chunk's generation, which changes whenever the chunk moves or its
// number is given to another one.
func (m *Manager) Gen(id chunk.ID) uint32 { return m.table[id].gen }

// Base returns where a chunk's slot starts now: good until the next safe point.
func (m *Manager) Base(id chunk.ID) address { return m.table[id].base }

// newChunk takes a number and a slot for a sequence and enters its columns'
// addresses. After an error nothing has changed.
func (m *Manager) newChunk(s *Sequence, small bool) (chunk.ID, error) {
	if m.closed {
		return 0, arena.ErrClosed
	}
	slot, err := m.slotFor(s, len(s.chunks), small)
	if err != nil {
		return 0, fmt.Errorf("memmgr: a chunk for %q: %w", s.name, err)
	}
	var id chunk.ID
	if n := len(m.numbers); n > 0 {
		id = m.numbers[n-1]
		m.numbers = m.numbers[:n-1]
	} else if len(m.table) >= MaxChunks {
		m.arena.Free(slot)
		return 0, ErrChunks
	} else {
		id = chunk.ID(len(m.table))
		m.table = append(m.table, entry{})
	}
	e := &m.table[id]
	e.seq, e.small = s, small
	m.place(id, slot)
	for _, d := range s.dirs {
		d.Cell(id).Stamp = m.tick
	}
	m.counts.Made++
	if m.trace != nil {
		m.trace.made(id)
	}
	return id, nil
}

// place publishes a slot as the place of a chunk: its line of the table and one
// cell per column.
func (m *Manager) place(id chunk.ID, slot arena.Slot) {
	m.layout++
	e := &m.table[id]
	e.slot, e.base = slot, m.arena.Base(slot)
	e.colour = m.colours
	m.colours++
	e.gen++
	e.since = m.frame
	l := e.seq.layout(e.small)
	for i, d := range e.seq.dirs {
		d.set(id, plus(e.base, l.Offset(i, e.colour)))
	}
}

// freeChunk gives a chunk's number and slot back.
func (m *Manager) freeChunk(id chunk.ID) {
	e := &m.table[id]
	if e.pins != 0 {
		panic(fmt.Sprintf("memmgr: chunk %d of %q is freed while it is pinned %d times: unpin it before its rows are removed", id, e.seq.name, e.pins))
	}
	m.layout++
	for _, d := range e.seq.dirs {
		d.clear(id)
	}
	m.freeAnnex(id)
	m.discard(e.slot)
	*e = entry{gen: e.gen + 1}
	m.numbers = append(m.numbers, id)
	m.counts.Freed++
	if m.trace != nil {
		m.trace.freed(id)
	}
}

// Close gives all memory back. It fails with ErrPinned, and closes nothing, while
// a chunk is pinned. A second call returns nil.
func (m *Manager) Close() error {
	if m.closed {
		return nil
	}
	if m.pins != 0 {
		return fmt.Errorf("%w (%s)", ErrPinned, m.pinList())
	}
	if err := m.arena.Close(); err != nil {
		return fmt.Errorf("memmgr: %w", err)
	}
	m.closed, m.adapt = true, nil
	if m.trace != nil {
		m.trace.closed(m.table)
	}
	for _, s := range m.seqs {
		s.forget()
	}
	m.table, m.numbers, m.seqs, m.retired, m.spares = nil, nil, nil, nil, nil
	return nil
}

// Sequence returns the sequence that a chunk is in.
func (m *Manager) Sequence(id chunk.ID) *Sequence { return m.table[id].seq }

// Order returns a chunk's place in its sequence.
func (m *Manager) Order(id chunk.ID) int { return int(m.table[id].order) }
