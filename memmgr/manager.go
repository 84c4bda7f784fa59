package memmgr

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ashlar-go/ashlar/internal/adapt"
	core "github.com/ashlar-go/ashlar/internal/memmgr"
	"github.com/ashlar-go/ashlar/internal/memmgr/recording"
	"github.com/ashlar-go/ashlar/profile"
)

// Options say how a manager is made. The zero value is what most programs want. Its fields:
//
//	Arena        limits, back end and shared budget: see package arena
//	NoHugePages  keeps chunks out of huge pages
//	Stress       moves every chunk at every safe point, for tests
//	TraceChunks  keeps each chunk in use in the runtime profile [ProfileChunks]
type Options = core.Options

// AdaptOptions say how a manager adapts. The zero value is what most programs want. Its fields:
//
//	Off        ends adapting
//	Cold       names of sequences that are rarely used: their chunks lie apart
//	Pinned     names of sequences whose chunks stay where they are
//	Order      names of sequences as the program walks them: where chunks go when a region is emptied
//	Budget     Time and Bytes that one safe point may spend on moves; 200 µs and 4 MiB
//	Decay      the age at which idle memory is given back; 0 is 10 s, less than 0 as fast as Budget allows
//	SoftLimit  bytes that may stay resident before idle memory goes back whatever its age
//	Frame      the time a frame should take: a twentieth of it may go into moves and giving back
//	Every      frames between attempts to empty a region; 60
//	Clock      for tests; nil is time.Now. With another clock the machine's pressure is not read
type AdaptOptions = adapt.Options

// Stats is the state of a manager. Its fields:
//
//	Arena            bytes Reserved, Committed, Dirty, Live and Idle: see package arena
//	Sequences        for each its Name, Rows, Chunks, Pins, and Bytes of chunks and of rows (Payload)
//	Rows, Payload    rows of all, and their bytes
//	Chunks, Spares   chunks in use, and of these the empty ones that wait for a row
//	Pins             pins that have not ended
//	Counts, Adapting what was done, and what adapting has done
type Stats = adapt.Stats

// ProfileChunks is the name of the runtime profile of chunks in use, if Options.TraceChunks
// is set: for pprof.Lookup and net/http/pprof.
const ProfileChunks = core.ProfileChunks

var (
	// ErrChunks is returned when all chunk numbers are in use: after 512 GiB of chunks.
	ErrChunks = core.ErrChunks
	// ErrPinned is returned by Close while chunks are pinned.
	ErrPinned = core.ErrPinned
	// ErrSequenceLimit is returned by Append and AppendRun at the limit of a sequence.
	ErrSequenceLimit = core.ErrSequenceLimit
)

// Manager owns chunks and sequences. Use New. It is used by one goroutine at a time.
type Manager adapt.Adapter

// New makes a manager. It reserves address space and commits none. Errors are the operating
// system's, and those of contradicting options.
func New(o Options) (*Manager, error) {
	m, err := core.New(o)
	if err != nil {
		return nil, err
	}
	return (*Manager)(adapt.New(m)), nil
}

// core is what owns the chunks.
func (m *Manager) core() *core.Manager { return (*adapt.Adapter)(m).Manager() }

// NewSequence makes an empty sequence of the given columns, and makes each of them a handle
// of its column:
//
//	var times memmgr.Col[int64]
//	var points memmgr.Col[point]
//	rows, err := m.NewSequence("track", &times, &points)
//
// Its name stands in messages, statistics and maps, and no other sequence of the manager may
// have it. It takes no memory before the first row.
//
// A Col may be passed to several sequences of one manager: it then reaches the rows of all
// of them. The error says what is wrong with a column: its values hold a Go pointer, a row
// does not fit in a chunk, or it belongs to another manager.
func (m *Manager) NewSequence(name string, columns ...Column) (*Sequence, error) {
	list := make([]core.ColumnSpec, len(columns))
	for i, c := range columns {
		for j, other := range columns[:i] {
			if c == other {
				return nil, fmt.Errorf("memmgr: sequence %q: columns %d and %d are one Col: declare one for each column", name, j, i)
			}
		}
		var err error
		if list[i], err = c.declare(); err != nil {
			return nil, fmt.Errorf("memmgr: sequence %q: column %d: %w", name, i, err)
		}
	}
	s, err := m.core().MakeSequence(name, list)
	if err != nil {
		return nil, err
	}
	for i, c := range columns {
		c.bind(s, i)
	}
	return (*Sequence)(s), nil
}

// EndFrame ends a frame. It is a safe point: it says that no code holds a slice or a pointer
// into a chunk. Chunks move now, memory that went out of use before the last safe point
// becomes free, and idle memory is given back by its age; all within the budget of Adapt. It
// costs a few comparisons if nothing is due. The error is the operating system's, from giving
// memory back; it leaves everything usable. EndFrame, Idle and Purge of the manager of an ecs.World
// panic while a query or system iterates.
func (m *Manager) EndFrame() error {
	m.core().MustRest("EndFrame")
	if err := m.core().SafePoint(); err != nil {
		return err
	}
	return (*adapt.Adapter)(m).EndFrame()
}

// Idle is the safe point of a program without frames, such as a service. Call it now and
// then, every second for example, with the present time: ages follow from that alone. Idle
// memory is given back by its age. Cost and error are those of EndFrame.
func (m *Manager) Idle(now time.Time) error {
	m.core().MustRest("Idle")
	return (*adapt.Adapter)(m).Idle(now)
}

// Purge gives all idle memory back at once, whatever its age, and returns how many bytes. It
// is a safe point. The error is the operating system's; it leaves everything usable.
func (m *Manager) Purge() (freed uint64, err error) {
	m.core().MustRest("Purge")
	if err := m.core().SafePoint(); err != nil {
		return 0, err
	}
	return m.core().Reclaim(^uint64(0))
}

// Adapt begins to adapt, or begins anew with other options. What a profile's hints ask for
// comes before them. Call it at a safe point; best before the first rows, so that they lie
// where they belong from the start. Results are the same with any options. The error names
// every option that is negative and must not be; nothing has changed then.
func (m *Manager) Adapt(o AdaptOptions, asked ...profile.Hints) error {
	if problems := adapt.Invalid(o); len(problems) > 0 {
		return errors.New("memmgr: AdaptOptions." + strings.Join(problems, "; AdaptOptions."))
	}
	for _, in := range asked {
		o = recording.Asked(o, in)
	}
	(*adapt.Adapter)(m).Adapt(o)
	return nil
}

// Advance ends a tick, begins the next one and returns the one that ended: what is written
// from now on is Changed since then.
func (m *Manager) Advance() uint64 { return m.core().Advance() - 1 }

// Stats returns the state. It costs a pass over sequences and chunks.
func (m *Manager) Stats() Stats { return (*adapt.Adapter)(m).Stats() }

// Check proves that the manager's books are in order; an error names what is not. It is for
// tests, and costs a pass over everything but the values.
func (m *Manager) Check() error { return m.core().Check() }

// Close gives all memory back. It fails with ErrPinned, and closes nothing, while chunks are
// pinned; and for the manager of an ecs.World, which closes it. A second call returns nil.
func (m *Manager) Close() error { return m.core().Close() }
