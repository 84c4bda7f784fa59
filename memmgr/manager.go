package memmgr

import (
	"errors"
	"fmt"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr/internal/spot"
)

var (
	// ErrPinned is returned by Close while chunks are pinned.
	ErrPinned = errors.New("memmgr: chunks are pinned: unpin them before Close")
)

// Options say how a manager is made. The zero value suits most programs.
type Options struct {
	// Arena is where memory comes from.
	Arena arena.Options
	// Stress moves every chunk that is not pinned at every safe point, and gives
	// back whatever is free. For tests: it finds addresses that are kept too long.
	Stress bool

	caches cacheSizes // of a test
}

// WithCaches states the caches of another machine, for tests: bytes of the first level and of the second, and how many
// processors share the last one. 0 is what the processor says. No result depends on them.
func (o Options) WithCaches(l1, l2 uint64, sharing int) Options {
	o.caches = cacheSizes{l1, l2, sharing}
	return o
}

// New makes a manager and reserves its address space.
func New(o Options) (*Manager, error) {
	a, err := arena.New(o.Arena)
	if err != nil {
		return nil, fmt.Errorf("memmgr: %w", err)
	}
	// One allocation: each size that a process has not used yet costs it two pages that are touched first.
	all := new(struct {
		m Manager
		register
		moves
		counts
		adapter
	})
	m := &all.m
	*m = Manager{arena: a, book: spot.New(a), register: &all.register, moves: &all.moves, counts: &all.counts, adapter: &all.adapter, tick: 1, mark: markOf(1)}
	m.moves.stress, m.caches.stated, m.adapter.manager = o.Stress, o.caches, m
	m.adapter.begin(AdaptOptions{Off: true})
	m.table.grow(0)
	m.ready = !o.Stress
	m.unuse = func() { m.using.Store(false) }
	return m, nil
}

// Arena returns where the manager's memory comes from.
func (m *Manager) Arena() *arena.Arena {
	m.mustBeMade("Arena")
	return m.arena
}

// Tick returns the current tick, with which writers stamp columns.
func (m *Manager) Tick() uint64 { return m.tick }

// Advance ends a tick, begins the next one and returns the one that ended: columns that are written
// from now on are Changed since then. Ticks start at 1 and never wrap.
func (m *Manager) Advance() (ended uint64) {
	m.tick++
	m.mark = markOf(m.tick)
	return m.tick - 1
}

// Layout returns a number that changes when any chunk is made, freed or moved, or changes its
// place in a sequence. Addresses and chunks that a caller has noted are good while it stays.
func (m *Manager) Layout() uint64 { return m.layout }

// Shifts returns a count of everything that makes addresses of values bad, in all sequences. The
// manager counts chunks that move, and Sequence.Shift rows that move or go. It never goes back.
func (m *Manager) Shifts() uint64 { return m.shifts }

// Gen returns a chunk's generation, which changes whenever the chunk moves or is freed,
// or its number is given to another one. It is 0 for a number that was never used.
func (m *Manager) Gen(id chunk.ID) uint32 {
	if int(id) >= m.table.count {
		return 0
	}
	return m.table.at(id).gen
}

// Own makes Close fail, in words that name the owner, until the function that it
// returns is called. It is for a type that keeps its data in a manager and shows that to
// its users: by names the value that they close instead. While busy, if not nil, names an iteration over its rows,
// safe points that others ask for panic. A manager has one owner at a time.
func (m *Manager) Own(by string, busy func() string) (disown func()) {
	m.mustBeMade("Own")
	if m.owner != "" {
		panic(fmt.Sprintf("memmgr: Own by %s of a manager that belongs to %s: make a manager for each", by, m.owner))
	}
	m.owner, m.busy = by, busy
	return func() { m.owner, m.busy = "", nil }
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
	for _, s := range m.live() {
		s.forget()
	}
	m.table, m.register, m.moves.astray = table{}, new(register), nil
	m.book, m.waiting, m.spares = spot.New(m.arena), nil, nil
	return nil
}

// Named returns the sequence of a name; nil if there is none.
func (m *Manager) Named(name string) *Sequence {
	m.mustBeMade("Named")
	return m.names[name]
}

// mustRest panics while something goes over rows of the manager's owner. It is for safe points that
// a user of both may ask for at any time.
func (m *Manager) mustRest(call string) {
	m.mustBeMade(call)
	if m.busy == nil {
		return
	}
	if name := m.busy(); name != "" {
		panic(fmt.Sprintf("memmgr: %s while %s iterates, whose rows would move under it: call it when the loop has ended, or leave it to World.Run, which ends the manager's frame", call, name))
	}
}
