package views

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/memmgr"
)

// owned is a component so wide that a chunk holds a few rows.
type owned [3000]byte

const (
	fieldOffset   = 40
	modelEntities = 160
	modelMark     = 5
)

// model is an owner of values, in two sequences as a group and loose rows are, and
// chunks of handles with views of a field.
type model struct {
	t       *testing.T
	r       *rand.Rand
	m       *memmgr.Manager
	values  memmgr.Directory
	ids     memmgr.Directory
	seqs    [2]*memmgr.Sequence
	other   *memmgr.Sequence // takes chunk numbers, so that cells are not simply numbers
	slots   arena.Array[uint64]
	version [modelEntities]uint64
	views   []view
	mood    mood
	size    int // of the field that the views show
}

// mood decides which changes are frequent for a while.
type mood int

const (
	calm mood = iota
	busy
	growing
	shrinking
)

// steps is how much happens between two ticks.
func (m mood) steps(r *rand.Rand) int { return r.IntN([]int{2, 14, 8, 8}[m]) }

// view is a chunk of the readers' group, and its view.
type view struct {
	handles  []uint64
	own      uint64 // stamp of the handles
	mark     Mark
	dst      []byte
	places   []Place
	presence []uint64
}

func newModel(t *testing.T, seed uint64, backend arena.Backend) *model {
	m, err := memmgr.New(memmgr.Options{Arena: arena.Options{Backend: backend, Reserve: 1 << 30}, Stress: seed%2 == 0})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	x := &model{t: t, size: 12, r: rand.New(rand.NewPCG(seed, 7)), m: m, slots: arena.MakeArray[uint64](m.Arena(), 1<<16, arena.PurposeSlots)}
	for i := range x.seqs {
		x.seqs[i], err = m.MakeSequence(fmt.Sprint(i), []memmgr.ColumnSpec{
			{Spec: chunk.Spec{Size: 8, Align: 8}, Directory: &x.ids},
			{Spec: chunk.Spec{Size: uint32(len(owned{})), Align: 1}, Directory: &x.values},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if x.other, err = m.MakeSequence("other", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 60000, Align: 1}}}); err != nil {
		t.Fatal(err)
	}
	if err := x.slots.Grow(modelEntities); err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *model) handle(i int) uint64 { return x.version[i]<<versionShift | uint64(i) }

func (x *model) at(i int) (*owned, *memmgr.Cell) {
	w := x.slots.Load(uint32(i))
	if w&chunkMask == 0 {
		return nil, nil
	}
	l := memmgr.Loc(w & (1<<memmgr.LocBits - 1))
	for _, s := range x.seqs {
		for id := range s.Chunks() {
			if id == l.Chunk() {
				return valueAt[owned](&x.values, l), x.values.Cell(id)
			}
		}
	}
	x.t.Fatalf("entity %d has no row", i)
	return nil, nil
}

// seq is the sequence that an entity's row lies in.
func (x *model) seq(l memmgr.Loc) *memmgr.Sequence {
	for id := range x.seqs[1].Chunks() {
		if id == l.Chunk() {
			return x.seqs[1]
		}
	}
	return x.seqs[0]
}

func (x *model) put(i int, l memmgr.Loc) {
	*valueAt[uint64](&x.ids, l) = x.handle(i)
	x.ids.Cell(l.Chunk()).Stamp = x.m.Tick()
	*x.slots.Ptr(uint32(i)) = (x.version[i]^modelMark)<<versionShift | uint64(l)
}

func (x *model) add(i int, to int) {
	l, err := x.seqs[to].Append()
	if err == nil && x.r.IntN(16) == 0 {
		_, err = x.other.Append()
	}
	if err != nil {
		x.t.Fatal(err)
	}
	x.put(i, l)
	v := valueAt[owned](&x.values, l)
	for j := range v {
		v[j] = byte(x.r.Uint32())
	}
}

func (x *model) remove(i int) {
	l := memmgr.Loc(x.slots.Load(uint32(i)) & (1<<memmgr.LocBits - 1))
	s := x.seq(l)
	last := s.Last()
	moved := *valueAt[uint64](&x.ids, last)
	s.SwapRemove(l)
	if l != last {
		x.put(int(uint32(moved)), l)
	}
	x.version[i] += uint64(x.r.IntN(2)) // destroyed, or without the component
	*x.slots.Ptr(uint32(i)) = 0
	if x.r.IntN(2) == 0 { // a word without a chunk, as a row that is left
		*x.slots.Ptr(uint32(i)) = (x.version[i]^modelMark)<<versionShift | uint64(memmgr.MakeLoc(0, uint32(x.r.IntN(9))))
	}
}

// step changes something, as systems and commands between two ticks would.
func (x *model) step() {
	i := x.r.IntN(modelEntities)
	v, cell := x.at(i)
	switch op := x.r.IntN(20); {
	case x.mood == shrinking && v != nil && op < 12:
		x.remove(i)
	case v == nil && (op < 4 || x.mood == growing):
		x.add(i, x.r.IntN(2))
	case v == nil:
	case op < 14: // a write
		v[x.r.IntN(len(v))]++
		v[fieldOffset+x.r.IntN(x.size)]++
		cell.Stamp = x.m.Tick()
	case op < 15: // an unmarked write of bytes that no view shows
		v[x.r.IntN(fieldOffset)]++
	case op < 16:
		x.remove(i)
	case op < 17: // into the other sequence
		old, s := *v, x.seq(memmgr.Loc(x.slots.Load(uint32(i))&(1<<memmgr.LocBits-1)))
		x.remove(i)
		to := 0
		if s == x.seqs[0] {
			to = 1
		}
		x.add(i, to)
		v, _ := x.at(i)
		*v = old
	case len(x.views) > 0: // the readers' rows
		w := &x.views[x.r.IntN(len(x.views))]
		if n := len(w.handles); n > 0 && x.r.IntN(2) == 0 {
			w.handles[x.r.IntN(n)] = w.handles[n-1]
			w.handles = w.handles[:n-1]
		} else {
			w.handles = append(w.handles, x.handle(i))
		}
		w.own = x.m.Tick()
	}
}

func (x *model) source() Source {
	return Source{Words: x.slots.Span(0), Cells: x.values.Cells(), mark: modelMark, Stride: uint32(len(owned{})), Offset: fieldOffset, Size: uint32(x.size)}
}

// read brings a view up to date as its mark says.
func (x *model) read(w *view, s ownerStamps, keepPlaces bool) Verdict {
	src, tick, n := x.source(), x.m.Tick(), len(w.handles)
	w.dst = append(w.dst, make([]byte, max(n*x.size-len(w.dst), 0))...)
	w.presence = append(w.presence, make([]uint64, max((n+63)/64-len(w.presence), 0))...)
	var c Changes
	c.find(s, w.mark.tick)
	v := w.mark.Judge(w.own, n, &c)
	switch v {
	case Some:
		x.refresh(w, &c)
		w.mark.Again(tick)
	case SomeMoved:
		x.refresh(w, &c)
		w.mark.Note(tick, n, w.places, &c)
	case Places:
		src.GatherPlaces(w.dst, w.places)
		w.mark.Again(tick)
	case All:
		f := Found{Presence: w.presence}
		if keepPlaces {
			w.places = append(w.places[:0], make([]Place, n)...)
			f.Places = w.places
		}
		src.Gather(w.dst, w.handles, f)
		w.mark.Note(tick, n, f.Places, &c)
	}
	return v
}

// refresh gathers rows that may have changed, and no others.
func (x *model) refresh(w *view, c *Changes) {
	want := 0
	for _, p := range w.places {
		if c.hit(p) != 0 {
			want++
		}
	}
	src := x.source()
	if got := src.Refresh(w.dst, w.handles, w.places, c); got != want {
		x.t.Fatalf("tick %d: %d rows of %d were gathered, want %d", x.m.Tick(), got, len(w.handles), want)
	}
	Present(w.presence, w.places)
}

// check compares a view with the values read one by one.
func (x *model) check(w *view, v Verdict) {
	for i, h := range w.handles {
		want := make([]byte, x.size)
		index := int(uint32(h))
		value, _ := x.at(index)
		has := value != nil && x.handle(index) == h
		if has {
			copy(want, value[fieldOffset:])
		}
		if got := w.dst[i*x.size:][:x.size]; !bytes.Equal(got, want) {
			x.t.Fatalf("tick %d, %v: row %d of %d reads %x, want %x", x.m.Tick(), v, i, len(w.handles), got, want)
		}
		if got := w.presence[i/64]>>(i%64)&1 == 1; got != has {
			x.t.Fatalf("tick %d, %v: row %d is present: %v, want %v", x.m.Tick(), v, i, got, has)
		}
	}
}

// A view that is called valid, and one that was refreshed in part, equals values
// read directly, after any writes, removals, additions, moves and changes of its rows:
// for all sizes that are copied in a way of their own, and some that are not.
func TestViewsEqualDirectReads(t *testing.T) {
	backends, seeds := []arena.Backend{arena.Heap, arena.Auto}, uint64(40)
	if race.Enabled { // where all memory is on the Go heap
		backends, seeds = backends[:1], 18
	}
	for _, backend := range backends {
		var verdicts [5]int
		for seed := range seeds {
			x := newModel(t, seed, backend)
			x.size = []int{12, 4, 8, 16, 32, 24, 64, 7, 100}[seed%9]
			for i := range modelEntities {
				if x.version[i]++; x.r.IntN(4) > int(seed%4) {
					x.add(i, x.r.IntN(2))
				}
			}
			for i := range 6 {
				var w view
				for range x.r.IntN([]int{4, 90}[i%2]) {
					w.handles = append(w.handles, x.handle(x.r.IntN(modelEntities)))
				}
				x.views = append(x.views, w)
			}
			for tick := range 160 {
				if tick%20 == 0 {
					x.mood = mood(x.r.IntN(4))
				}
				if err := x.m.SafePoint(); err != nil {
					t.Fatal(err)
				}
				x.m.Advance()
				var s ownerStamps
				s.read(x.values.Cells(), &x.ids, x.seqs[0], nil, x.seqs[1])
				for i := range x.views {
					w := &x.views[i]
					if x.r.IntN(3) == 0 {
						continue // not read in this tick
					}
					if x.r.IntN(50) == 0 {
						w.mark.Drop()
						clear(w.dst)
					}
					v := x.read(w, s, i%3 != 2)
					verdicts[v]++
					x.check(w, v)
				}
				for range x.mood.steps(x.r) {
					x.step() // in the tick of the gather, too
				}
			}
		}
		for v, n := range verdicts {
			if n == 0 {
				t.Errorf("%v: no view was ever %v", backend, Verdict(v))
			}
		}
	}
}
