package memmgr

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// modelShapes are the columns' sizes that sequences of a model have.
var modelShapes = [...][]uint32{
	{8},
	{0, 1, 4, 8, 12, 16, 24, 32, 64, 7, 3},
	{4, 12, 20, 16},
	{8, 32, 48},
	{1000, 24},
	{3, 6000, 64, 0},
	{40000, 1},
	{0},
}

// modelBytes is how long a sequence becomes at most: several regions.
const modelBytes = 5 << 20

// world is the list of a model's parts, and how many of each there may be.
type world struct {
	name   string
	shapes []int // in modelShapes
	seqs   int   // most sequences
	rows   int   // most rows of one AppendRun
	steps  int
	check  int // every so many steps
}

var worlds = [...]world{
	{"small", []int{0, 1, 2, 3, 4, 7}, 8, 300, 1200, 3},
	{"long", []int{4, 5, 6}, 4, 1500, 500, 4},
	{"many", []int{3}, 300, 12, 3000, 16},
}

// model compares a manager with plain slices.
type model struct {
	t       testing.TB
	m       *Manager
	in      *tape
	w       world
	async   bool // pins end on goroutines of their own
	refuse  map[arena.Op]bool
	refused int
	limited bool
	seqs    []*modelSequence
	ids     *Directory // shared by the first columns of 8 bytes
	serial  uint64
	names   int
	pins    []*modelPin
	annexes map[chunk.ID]modelAnnex
	left    *arena.RegionInfo // leave was called for it
	most    mostChunks
	panics  int
}

type modelSequence struct {
	*Sequence
	sizes []uint32
	rows  []uint64 // serial numbers
}

var errInjected = errors.New("injected")

func newModel(t testing.TB, w world, o Options, in *tape) *model {
	c := &model{t: t, in: in, w: w, ids: new(Directory), annexes: make(map[chunk.ID]modelAnnex), refuse: make(map[arena.Op]bool)}
	o.Arena.Reserve = 1 << 30
	o.Arena = o.Arena.WithFault(func(op arena.Op, _ int, _ uint64) error {
		if c.refuse[op] {
			c.refused++
			return errInjected
		}
		return nil
	})
	var err error
	if c.m, err = New(o); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	c.m.pacing.clock = func() time.Time { now = now.Add(100 * time.Microsecond); return now }
	return c
}

func (c *model) fatal(format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s: %s\n%+v", c.w.name, fmt.Sprintf(format, args...), c.m.Stats())
}

// refusal tells an error that was asked for from others.
func (c *model) refusal(err error) bool {
	c.t.Helper()
	if err == nil {
		return false
	}
	if c.limited && errors.Is(err, arena.ErrLimit) || len(c.refuse) > 0 && errors.Is(err, errInjected) {
		return true
	}
	c.fatal("an error that nothing asked for: %v", err)
	return true
}

func (c *model) newSequence() {
	sizes := modelShapes[c.w.shapes[c.in.n(len(c.w.shapes))]]
	var cols []ColumnSpec
	for i, size := range sizes {
		align := size & -size
		if align == 0 || align > 8 {
			align = 8
		}
		col := ColumnSpec{Spec: chunk.Spec{Size: size, Align: align}}
		if i == 0 && size == 8 {
			col.Directory = c.ids
		}
		cols = append(cols, col)
	}
	c.names++
	s, err := c.m.MakeSequence(fmt.Sprint("s", c.names), cols)
	if err != nil {
		c.fatal("%v", err)
	}
	c.seqs = append(c.seqs, &modelSequence{s, sizes, nil})
}

// step does one command. It returns its description, for messages.
func (c *model) step() string {
	m := c.m
	if len(c.seqs) == 0 || len(c.seqs) < c.w.seqs && c.in.n(12) == 0 {
		c.newSequence()
	}
	q := c.seqs[c.in.n(len(c.seqs))]
	switch k := c.in.n(44); {
	case k < 8:
		for range 1 + c.in.n(5) {
			c.settleTail(q)
			l, err := q.Append()
			if c.refusal(err) {
				return "refused append"
			}
			c.write(q, l)
		}
		return "append"
	case k < 14:
		room := modelBytes - min(modelBytes, len(q.rows)*int(q.Layout().RowBytes()))
		for n := min(1+c.in.n(c.w.rows), room/int(max(q.Layout().RowBytes(), 1))); n > 0; {
			c.settleTail(q)
			if q.tail != 0 && q.next == q.end {
				c.ended()
			}
			l, got, err := q.AppendRun(n)
			if c.refusal(err) {
				return "refused run"
			}
			if got < 1 || got > n {
				c.fatal("AppendRun(%d): %d rows", n, got)
			}
			for i := range got {
				c.write(q, l.Plus(uint32(i)))
			}
			n -= got
		}
		return "run"
	case k < 20:
		for range 1 + c.in.n(8) {
			if len(q.rows) == 0 {
				break
			}
			at, last := c.in.n(len(q.rows)), len(q.rows)-1
			l := q.At(at)
			if at != last {
				c.settle(l)
			}
			if from := q.Last(); q.SwapRemove(l) != from {
				c.fatal("SwapRemove did not return the last row")
			}
			q.rows[at] = q.rows[last]
			q.rows = q.rows[:last]
		}
		return "remove"
	case k < 22:
		n := c.in.n(len(q.rows) + 1)
		if c.in.n(4) > 0 {
			n = max(n, len(q.rows)-20)
		}
		q.Truncate(n + c.in.n(2)*c.in.n(2)*len(q.rows))
		q.rows = q.rows[:min(q.Len(), len(q.rows))]
		return "truncate"
	case k < 24:
		for n := c.in.n(20); n > 0 && len(q.rows) > 0; n-- {
			q.DropLast()
			q.rows = q.rows[:len(q.rows)-1]
		}
		return "drop last"
	case k < 25:
		n := c.in.n(q.ChunkCount() + 1)
		if c.in.n(3) > 0 {
			n = min(n, 2)
		}
		_, first := 0, min(n*q.Capacity(), q.Len())
		q.DropChunks(n)
		q.rows = q.rows[first:]
		return "drop first"
	case k < 26:
		q.Drop()
		c.seqs = slices.DeleteFunc(c.seqs, func(o *modelSequence) bool { return o == q })
		c.mustPanic("which was dropped: make a sequence anew", func() { q.Append() })
		return "drop"
	case k < 27:
		if len(q.rows) == 0 {
			return "nothing"
		}
		lo := c.in.n(len(q.rows))
		n := min(1+c.in.n(40), len(q.rows)-lo)
		for _, p := range slices.Clone(c.pins) { // all rows from there on are written over
			if c.m.Sequence(p.id) == q.Sequence && c.m.Order(p.id) >= lo/q.Capacity() {
				c.unpin(p)
			}
		}
		if c.in.n(2) == 0 {
			q.RemoveRange(lo, lo+n)
			q.rows = slices.Delete(q.rows, lo, lo+n)
			return "ordered"
		}
		marks, kept := marksFor(len(q.rows)), slices.Clone(q.rows[:lo])
		share := 1 + c.in.n(5)
		for i, serial := range q.rows[lo:] {
			if (i*i/3)%share == 0 {
				marks.Set(lo + i)
			} else {
				kept = append(kept, serial)
			}
		}
		q.Pack(marks)
		q.rows = kept
		return "pack"
	case k < 28:
		if len(q.rows) > 0 {
			id := q.At(c.in.n(len(q.rows))).Chunk()
			_, err := m.Move(id)
			c.refusal(err)
		}
		return "move"
	case k < 32:
		c.refusal(m.SafePoint())
		return "safe point"
	case k < 33:
		_, err := m.nextFrame()
		c.refusal(err)
		_, err = m.Arena().PurgeRegions(arena.RegionBytes)
		c.refusal(err)
		if c.left != nil {
			m.stay(*c.left)
			c.left = nil
			return "stay"
		}
		for r := range m.Arena().Regions() {
			if m.movable(r, c.in.n(arena.SlotsPerRegion)) && c.in.n(2) == 0 {
				m.leave(r, nil)
				c.left = &r
				return "leave"
			}
		}
		return "end of frame"
	case k < 34:
		_, err := m.Reclaim(uint64(c.in.n(2)) << c.in.n(40))
		c.refusal(err)
		return "reclaim"
	case k < 36:
		c.annex(q)
		return "annex"
	case k < 39:
		if len(c.pins) < 20 {
			c.pin(q)
		}
		return "pin"
	case k < 41:
		if len(c.pins) > 0 {
			c.unpin(c.pins[c.in.n(len(c.pins))])
		}
		return "unpin"
	case k < 42:
		switch c.in.n(8) {
		case 0:
			m.Arena().SetLimit(max(m.Arena().Stats().Committed+uint64(c.in.n(3))*arena.RegionBytes, 1))
			c.limited = true
		case 1:
			c.refuse[arena.OpCommit] = true
		case 2:
			c.refuse[arena.OpPurge] = true
		case 3:
			c.refuse[arena.OpDecommit] = true
		default:
			c.lift()
		}
		return "limit"
	case k < 43:
		m.Advance()
		return "advance"
	default:
		c.misuse(q)
		return "misuse"
	}
}

func (c *model) lift() {
	c.m.Arena().SetLimit(0)
	c.limited = false
	clear(c.refuse)
}

func (c *model) run() {
	for n := 0; c.in.more(); n++ {
		what := c.step()
		c.ended()
		if n%c.w.check != 0 {
			continue
		}
		if err := c.m.Check(); err != nil {
			c.fatal("step %d, %s: %v", n, what, err)
		}
		c.verifyAnnexes()
		if n%(8*c.w.check) == 0 {
			for _, q := range c.seqs {
				c.verify(q)
			}
			c.note()
		}
	}
	c.end()
}

// mostChunks are the most chunks of each form at once, and the most places that pinned chunks had left.
type mostChunks struct {
	Stats
	waiting int
}

// note keeps the most chunks of each form.
func (c *model) note() {
	st := c.m.Stats()
	c.most.Small = max(c.most.Small, st.Small)
	c.most.Striped = max(c.most.Striped, st.Striped)
	c.most.Chunks = max(c.most.Chunks, st.Chunks-st.Striped-st.Small) // whole ones
	c.most.waiting = max(c.most.waiting, len(c.m.waiting))
	c.most.Pins = max(c.most.Pins, st.Pins)
	c.most.Spares = max(c.most.Spares, st.Spares)
	c.most.Annexes = max(c.most.Annexes, st.Annexes)
}

// end drops all, after which nothing may be left.
func (c *model) end() {
	c.lift()
	for len(c.pins) > 0 {
		c.unpin(c.pins[0])
	}
	for _, q := range c.seqs {
		c.verify(q)
		q.Drop()
	}
	for range 3 {
		if err := c.m.SafePoint(); err != nil {
			c.fatal("%v", err)
		}
	}
	if _, err := c.m.Reclaim(^uint64(0)); err != nil {
		c.fatal("%v", err)
	}
	if st := c.m.Stats(); st.Chunks+len(c.m.waiting)+c.m.book.Retired()+st.Annexes != 0 || st.Arena.Live+st.Arena.Quarantined+st.Arena.Dirty != 0 {
		c.fatal("after all was dropped")
	}
	if err := errors.Join(c.m.Check(), c.m.Close()); err != nil {
		c.fatal("%v", err)
	}
}

// heapForced tells whether all memory is on the Go heap, whatever is asked for.
func heapForced(t testing.TB) bool {
	a, err := arena.New(arena.Options{Backend: arena.OS, Reserve: 64 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	return a.Backend() == arena.Heap
}

// Random streams of commands against plain slices, all columns read; pins end on
// goroutines of their own while the owner goes on.
func TestModel(t *testing.T) {
	seeds, share := uint64(6), 1
	if testing.Short() {
		seeds, share = 2, 2
	}
	forced := heapForced(t) // race builds, and systems without mappings
	if forced {
		seeds = 1
	}
	var most mostChunks
	refused := 0
	for _, w := range worlds {
		for _, backend := range []arena.Backend{arena.OS, arena.Heap} {
			for _, stress := range []bool{false, true} {
				if forced && backend == arena.OS {
					continue
				}
				t.Run(fmt.Sprintf("%s/%v/stress=%v", w.name, backend, stress), func(t *testing.T) {
					for seed := range seeds {
						t.Logf("seed %d", seed)
						o := Options{Stress: stress}
						o.Arena.Backend = backend
						c := newModel(t, w, o, &tape{random: rand.New(rand.NewPCG(seed, uint64(len(w.name)))), left: w.steps / share})
						c.async = seed%2 == 0
						c.run()
						most.Small = max(most.Small, c.most.Small)
						most.Striped = max(most.Striped, c.most.Striped)
						most.Chunks = max(most.Chunks, c.most.Chunks)
						most.waiting = max(most.waiting, c.most.waiting)
						most.Annexes = max(most.Annexes, c.most.Annexes)
						refused += c.refused
					}
				})
			}
		}
	}
	t.Logf("at once: %d chunks in blocks, %d striped, %d whole, %d places waiting, %d annexes; %d refusals", most.Small, most.Striped, most.Chunks, most.waiting, most.Annexes, refused)
	if most.Small < 50 || most.Striped < 2*chunk.RegionChunks || most.Chunks < 20 || most.waiting == 0 || most.Annexes == 0 {
		t.Error("some form of chunk was hardly used")
	}
	if refused == 0 && !forced {
		t.Error("nothing was refused")
	}
}

// The same streams from a fuzzer's bytes; pins end when a command says so.
func FuzzManager(f *testing.F) {
	f.Add([]byte("0some commands, as good as any others: append, remove, move and look"))
	f.Add([]byte("3\x00\x01\x09\xff\xff\x00\x09\xff\x80\x1c\x00\x1d\x00\x19\x01\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		w := worlds[int(data[0])/4%len(worlds)]
		w.check = 1
		o := Options{Stress: data[0]&1 != 0}
		o.Arena.Backend = arena.OS
		if data[0]&2 != 0 {
			o.Arena.Backend = arena.Heap
		}
		newModel(t, w, o, &tape{data: data[1:], left: 500}).run()
	})
}
