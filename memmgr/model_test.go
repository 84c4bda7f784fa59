package memmgr

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
)

// tape is where a model's commands come from: random numbers, or a fuzzer's bytes.
type tape struct {
	random *rand.Rand
	data   []byte
	left   int // commands
}

// n returns a number below most.
func (t *tape) n(most int) int {
	if t.random != nil {
		return t.random.IntN(most)
	}
	v := 0
	for k := most - 1; k > 0 && len(t.data) > 0; k >>= 8 {
		v = v<<8 | int(t.data[0])
		t.data = t.data[1:]
	}
	return v % most
}

func (t *tape) more() bool {
	t.left--
	return t.left >= 0 && (t.random != nil || len(t.data) > 0)
}

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

// world is what a model is made of and how much of it there may be.
type world struct {
	name   string
	shapes []int // in modelShapes
	seqs   int   // most sequences
	rows   int   // most rows of one AppendRun
	steps  int
	check  int // every so many steps
}

var worlds = [...]world{
	{"small", []int{0, 1, 2, 3, 4, 7}, 8, 300, 1200, 1},
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
	refuse  [arena.Ops]bool
	limited bool
	seqs    []*modelSequence
	ids     *Directory // shared by the first columns of 8 bytes
	serial  uint64
	names   int
	pins    []*modelPin
	annexes map[chunk.ID]modelAnnex
	left    *arena.RegionInfo // Leave was called for it
	most    Stats             // of each form, the most chunks at once
	panics  int
}

type modelSequence struct {
	*Sequence
	sizes []uint32
	rows  []uint64 // serial numbers
}

// modelPin is what a reader looks at.
type modelPin struct {
	id    chunk.ID
	gen   uint32
	sizes []uint32
	cols  [][]byte
	rows  []uint64
	done  chan struct{} // closed when it has unpinned; nil: the model unpins
}

type modelAnnex struct {
	serial uint64
	slots  [][]byte
}

var errInjected = errors.New("injected")

func newModel(t testing.TB, w world, o Options, in *tape) *model {
	c := &model{t: t, in: in, w: w, ids: new(Directory), annexes: make(map[chunk.ID]modelAnnex)}
	o.Arena.Reserve = 1 << 30
	o.Arena.Fault = func(call arena.Call) error {
		if c.refuse[call.Op] {
			return errInjected
		}
		return nil
	}
	var err error
	if c.m, err = New(o); err != nil {
		t.Fatal(err)
	}
	now := time.Unix(0, 0)
	c.m.pacing.clock = func() time.Time { now = now.Add(100 * time.Microsecond); return now }
	return c
}

// pattern fills a value, which differs from all others in each of its lanes.
func pattern(dst []byte, serial uint64, column int) {
	x := serial*0x9E3779B97F4A7C15 ^ uint64(column+1)*0xC2B2AE3D27D4EB4F
	x ^= x >> 29
	for k := 0; k < len(dst); k += 8 {
		if k == 64 && len(dst) > 256 { // the middle of wide values is left out
			k = len(dst) - 64
		}
		if len(dst)-k >= 8 {
			binary.LittleEndian.PutUint64(dst[k:], x+uint64(k)*0x9FB21C651E98DF25)
			continue
		}
		for i := k; i < len(dst); i++ {
			dst[i] = byte(x>>(8*(i-k))) + byte(i)
		}
	}
}

// wrong tells whether a value is not the one of a serial number.
func wrong(got []byte, serial uint64, column int) bool {
	var buf [256]byte
	if len(got) <= len(buf) {
		pattern(buf[:len(got)], serial, column)
		return string(buf[:len(got)]) != string(got)
	}
	want := make([]byte, len(got))
	pattern(want, serial, column)
	return string(want[:64]) != string(got[:64]) || string(want[len(got)-64:]) != string(got[len(got)-64:])
}

// wrongRow returns the first of some rows side by side that has a wrong value; -1 if
// none has.
func wrongRow(cols [][]byte, sizes []uint32, rows []uint64) (row, column int) {
	for i, size := range sizes {
		for k, serial := range rows {
			if wrong(cols[i][k*int(size):(k+1)*int(size)], serial, i) {
				return k, i
			}
		}
	}
	return -1, -1
}

// columnsOf returns the bytes of a chunk's columns.
func columnsOf(s *Sequence, sizes []uint32, id chunk.ID, rows int) (cols [][]byte) {
	for i, size := range sizes {
		cols = append(cols, chunk.Slice[byte](s.Directory(i).Addr(id), 0, rows*int(size)))
	}
	return cols
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
	if c.limited && errors.Is(err, arena.ErrLimit) || slices.Contains(c.refuse[:], true) && errors.Is(err, errInjected) {
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

// write enters a new row at a location.
func (c *model) write(q *modelSequence, l Loc) {
	c.serial++
	for i, size := range q.sizes {
		pattern(chunk.Slice[byte](q.Directory(i).At(l, size), 0, int(size)), c.serial, i)
	}
	q.rows = append(q.rows, c.serial)
}

// settle ends the pins of a chunk that a row will be written to over one that they see.
func (c *model) settle(l Loc) {
	for _, p := range slices.Clone(c.pins) {
		if p.id == l.Chunk() && p.gen == c.m.Gen(p.id) && int(l.Row()) < len(p.rows) {
			c.unpin(p)
		}
	}
}

// settleTail is settle for the rows that come next.
func (c *model) settleTail(q *modelSequence) {
	if q.tail != 0 && q.next < q.end {
		c.settle(q.next)
	}
}

func (c *model) pin(q *modelSequence) {
	if q.ChunkCount() == 0 {
		return
	}
	i := c.in.n(q.ChunkCount())
	id, n := q.Chunk(i)
	from := i * q.Capacity()
	p := &modelPin{id, c.m.Gen(id), q.sizes, columnsOf(q.Sequence, q.sizes, id, n), slices.Clone(q.rows[from : from+n]), nil}
	c.m.pin(id)
	line := c.m.table.at(id) // found here: the table is its owner's alone, and grows
	c.pins = append(c.pins, p)
	if !c.async || c.in.n(4) == 0 {
		return
	}
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		for range 3 {
			c.read(p)
			runtime.Gosched()
		}
		line.pins.Add(-1)
	}()
}

func (c *model) read(p *modelPin) {
	if row, column := wrongRow(p.cols, p.sizes, p.rows); row >= 0 {
		c.t.Errorf("column %d of row %d of chunk %d changed while it was pinned", column, row, p.id)
	}
}

// unpin ends a pin, or waits until its reader has.
func (c *model) unpin(p *modelPin) {
	if p.done == nil {
		c.read(p)
		c.m.unpin(p.id)
	} else {
		<-p.done
	}
	c.pins = slices.DeleteFunc(c.pins, func(o *modelPin) bool { return o == p })
}

// ended forgets the pins that readers have taken back.
func (c *model) ended() {
	c.pins = slices.DeleteFunc(c.pins, func(p *modelPin) bool {
		select {
		case <-p.done: // never ready where it is nil
			return true
		default:
			return false
		}
	})
}

func (c *model) annex(q *modelSequence) {
	if q.ChunkCount() == 0 {
		return
	}
	id, _ := q.Chunk(c.in.n(q.ChunkCount()))
	if c.in.n(4) == 0 {
		_, _, err := c.m.DropAnnex(id)
		c.refusal(err)
		delete(c.annexes, id)
		return
	}
	bytes := uint32(1 + c.in.n(3*chunk.Bytes))
	at, err := c.m.Annex(id, bytes)
	if c.refusal(err) {
		return
	}
	if has := c.m.annexBytes(id); has < bytes {
		c.fatal("an annex of %d bytes has %d", bytes, has)
	}
	c.serial++
	a := modelAnnex{serial: c.serial}
	for k := uint32(0); k < c.m.annexBytes(id); k += chunk.Bytes {
		a.slots = append(a.slots, chunk.Slice[byte](at, k, chunk.Bytes))
		pattern(a.slots[len(a.slots)-1], a.serial, int(k/chunk.Bytes))
	}
	c.annexes[id] = a
}

// safe runs what must panic with given words, and checks that all is as before.
func (c *model) mustPanic(words string, f func()) {
	defer func() {
		v := recover()
		if s, ok := v.(string); !ok || !strings.Contains(s, words) {
			c.fatal("%v, want a panic with %q", v, words)
		}
		c.panics++
		if err := c.m.Check(); err != nil {
			c.fatal("after the panic %q: %v", v, err)
		}
	}()
	f()
}

func (c *model) misuse(q *modelSequence) {
	switch c.in.n(6) {
	case 0:
		c.mustPanic("the number can't be negative", func() { q.Truncate(-1 - c.in.n(9)) })
	case 1:
		c.mustPanic("does not have: keep locations only while their rows stay", func() { q.SwapRemove(MakeLoc(q.tail.Chunk(), uint32(q.TailLen()))) })
	case 2:
		c.mustPanic("which has", func() { q.At(q.Len()) })
	case 3:
		c.mustPanic("which has", func() { q.DropChunks(q.ChunkCount() + 1) })
	case 4:
		if q.Len() == 0 {
			c.mustPanic("which has no rows: look at Len first", func() { q.DropLast() })
		}
	case 5:
		other := c.seqs[c.in.n(len(c.seqs))]
		if other != q && other.Len() > 0 {
			c.mustPanic("does not have: keep locations only while their rows stay", func() { q.SwapRemove(other.Last()) })
		}
	}
}

// step does one command. It returns what it was, for messages.
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
		marks, kept := MarksFor(len(q.rows)), slices.Clone(q.rows[:lo])
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
			m.Stay(*c.left)
			c.left = nil
			return "stay"
		}
		for r := range m.Arena().Regions() {
			if m.Movable(r, c.in.n(arena.SlotsPerRegion)) && c.in.n(2) == 0 {
				m.Leave(r, nil)
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
	c.refuse = [arena.Ops]bool{}
}

// verify compares a sequence with the model, every value of every column.
func (c *model) verify(q *modelSequence) {
	c.t.Helper()
	if q.Len() != len(q.rows) {
		c.fatal("%q has %d rows, want %d", q.Name(), q.Len(), len(q.rows))
	}
	at, i := 0, 0
	for id, n := range q.Chunks() {
		cols := columnsOf(q.Sequence, q.sizes, id, n)
		if row, column := wrongRow(cols, q.sizes, q.rows[at:at+n]); row >= 0 {
			c.fatal("%q: column %d of row %d of chunk %d is wrong", q.Name(), column, row, id)
		}
		if beside := q.Beside(i); beside > 1 { // what follows in place is what follows in order
			next, _ := q.Chunk(i + 1)
			for col, size := range q.sizes {
				if size != 0 && plus(q.Directory(col).Addr(id), uint32(n)*size) != q.Directory(col).Addr(next) {
					c.fatal("%q: chunks %d and %d do not lie side by side", q.Name(), id, next)
				}
			}
		}
		if c.m.Order(id) != i || c.m.Sequence(id) != q.Sequence {
			c.fatal("chunk %d: place %d of %q", id, c.m.Order(id), c.m.Sequence(id).Name())
		}
		at, i = at+n, i+1
	}
}

func (c *model) verifyAnnexes() {
	for id, a := range c.annexes {
		if c.m.table.in(id) == nil || c.m.annexBytes(id) == 0 {
			delete(c.annexes, id)
			continue
		}
		for k, slot := range a.slots {
			if wrong(slot, a.serial, k) {
				c.fatal("the annex of chunk %d has changed", id)
			}
		}
	}
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

// note keeps the most chunks of each form.
func (c *model) note() {
	st := c.m.Stats()
	c.most.Small = max(c.most.Small, st.Small)
	c.most.Striped = max(c.most.Striped, st.Striped)
	c.most.Chunks = max(c.most.Chunks, st.Chunks-st.Striped-st.Small) // whole ones
	c.most.Waiting = max(c.most.Waiting, st.Waiting)
	c.most.Pins = max(c.most.Pins, st.Pins)
	c.most.Spares = max(c.most.Spares, st.Spares)
	c.most.Annexes = max(c.most.Annexes, st.Annexes)
	for op, n := range st.Arena.Refused {
		c.most.Arena.Refused[op] = n
	}
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
	if st := c.m.Stats(); st.Chunks+st.Waiting+st.Retired+st.Annexes != 0 || st.Arena.Live+st.Arena.Quarantined+st.Arena.Dirty != 0 {
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
	var most Stats
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
						most.Waiting = max(most.Waiting, c.most.Waiting)
						most.Annexes = max(most.Annexes, c.most.Annexes)
						for _, op := range []arena.Op{arena.OpCommit, arena.OpPurge, arena.OpDecommit} {
							refused += int(c.most.Arena.Refused[op])
						}
					}
				})
			}
		}
	}
	t.Logf("at once: %d chunks in blocks, %d striped, %d whole, %d places waiting, %d annexes; %d refusals", most.Small, most.Striped, most.Chunks, most.Waiting, most.Annexes, refused)
	if most.Small < 50 || most.Striped < 2*chunk.RegionChunks || most.Chunks < 20 || most.Waiting == 0 || most.Annexes == 0 {
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
