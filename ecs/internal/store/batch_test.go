package store

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// doomed are ways to choose who dies.
var doomed = []struct {
	what string
	of   func(r *rand.Rand, members []Entity) []Entity
}{
	{"all", func(_ *rand.Rand, m []Entity) []Entity { return m }},
	{"the last", func(r *rand.Rand, m []Entity) []Entity { return m[r.IntN(len(m)):] }},
	{"the last, backwards", func(r *rand.Rand, m []Entity) []Entity {
		m = m[r.IntN(len(m)):]
		slices.Reverse(m)
		return m
	}},
	{"the last, one of them twice", func(r *rand.Rand, m []Entity) []Entity {
		m = m[r.IntN(len(m)):]
		return slices.Insert(m, r.IntN(len(m)), m[r.IntN(len(m))])
	}},
	{"the last, one of them stale", func(r *rand.Rand, m []Entity) []Entity {
		m = m[r.IntN(len(m)):]
		m[r.IntN(len(m))] -= 1 << VersionShift
		return m
	}},
	{"the last, and null", func(r *rand.Rand, m []Entity) []Entity {
		m = m[r.IntN(len(m)):]
		return slices.Insert(m, r.IntN(len(m)), 0)
	}},
	{"the first", func(r *rand.Rand, m []Entity) []Entity { return m[:r.IntN(len(m)+1)] }},
	{"pieces", func(r *rand.Rand, m []Entity) (es []Entity) {
		for len(m) > 0 {
			n := min(1+r.IntN(40), len(m))
			if r.IntN(3) > 0 {
				es = append(es, m[:n]...)
			}
			m = m[n:]
		}
		return es
	}},
	{"any, in any order", func(r *rand.Rand, m []Entity) []Entity {
		r.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
		return m[r.IntN(len(m)):]
	}},
}

// K4: A batch is equal to calls one by one: the same handles, rows, values and counts, whoever
// dies, also where one of many last rows has more than the others; in tables of the
// commons and of a group.
func TestBatchIsCalls(t *testing.T) {
	sizes := []int{1, 2, 7, 8, 9, 33, 64, 65, 130, 700, 3000}
	for i, name := range append(forms(), forms()...) {
		grouped := i >= len(forms())
		t.Run(fmt.Sprint(name, ", grouped ", grouped), func(t *testing.T) {
			batch, calls := newHerd(t, name, grouped), newHerd(t, name, grouped)
			r := rand.New(rand.NewPCG(7, 7))
			for round := range rounds(120) {
				values := make([]whole, sizes[r.IntN(len(sizes))])
				each, all := r.IntN(2), r.IntN(4) == 0
				for i := range values {
					n := uint64(round) + uint64(each*i)<<8
					values[i] = whole{both{left{[3]uint32{uint32(n), 2, ^uint32(n)}}, right{[2]uint64{n, ^n}}}, [3]byte{byte(n), 1}, [33]byte{32: byte(n)}, n, [24]byte{byte(n), 23: 9}}
				}
				got, want := make([]Entity, len(values)), make([]Entity, len(values))
				stride := uintptr(each) * reflect.TypeFor[whole]().Size()
				b, c := batch.both, calls.both
				if all {
					b, c = batch.whole, calls.whole
				}
				err := b.SpawnBatch(got, raw.Of(&values[0]), stride)
				for i := range want {
					e, err2 := c.Spawn(raw.Of(&values[i]))
					want[i], err = e, errors.Join(err, err2)
				}
				if err != nil || !slices.Equal(got, want) {
					t.Fatalf("round %d: %d are %v, want %v, %v", round, len(got), got, want, err)
				}
				if r.IntN(3) == 0 {
					members, n := batch.members(), uint64(round)
					c := 2 + r.IntN(4)
					e := members[r.IntN(len(members))]
					if err, err2 := batch.Add(batch.comps[c], e, raw.Of(&[5]uint64{n})), calls.Add(calls.comps[c], e, raw.Of(&[5]uint64{n})); err != err2 {
						t.Fatalf("round %d: %v, want %v", round, err, err2)
					}
				}
				way := doomed[r.IntN(len(doomed))]
				if batch.Len() > 8000 {
					way = doomed[0]
				}
				es := way.of(r, batch.members())
				n := 0
				for _, e := range es {
					if calls.Destroy(e) == nil {
						n++
					}
				}
				was := batch.order()
				if got := batch.DestroyBatch(es); got != n {
					t.Fatalf("round %d, %s: %d destroyed, want %d", round, way.what, got, n)
				}
				if err := cmp.Or(batch.alike(calls), batch.checkOrder(was, nil)); err != nil {
					t.Fatalf("round %d, %s, %d of %d: %v", round, way.what, len(es), batch.Len()+n, err)
				}
			}
		})
	}
}

// A row that goes marks the entities of its chunk as changed, and the ones of the last chunk,
// whose last row fills the hole.
func TestRowsThatGoMark(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	es := make([]Entity, 10000)
	if err := h.both.SpawnBatch(es, raw.Of(&both{}), 0); err != nil {
		t.Fatal(err)
	}
	seq := h.l.tables[0].Seq
	for _, i := range []int{0, len(es) - 2} { // the first row, and then the last one
		tick := h.manager.Advance() + 1
		first, _ := seq.Chunk(0)
		last := seq.Last().Chunk()
		if err := h.Destroy(h.entityAt(seq.At(i))); err != nil || seq.ChunkCount() < 3 {
			t.Fatal(err, seq.ChunkCount())
		}
		if got := h.IDs.Cell(first).Stamp == tick; got != (i == 0) || h.IDs.Cell(last).Stamp != tick {
			t.Errorf("row %d: the first chunk is marked: %v, the last one at %d of %d", i, got, h.IDs.Cell(last).Stamp, tick)
		}
	}
}

// A batch that finds no room, for records or rows, leaves nothing behind: the next
// indexes are as they would have been, with FIFO but for their order.
func TestBatchRefused(t *testing.T) {
	try := func(what string, o Options, memory memmgr.Options, n int) (refused bool) {
		for _, grouped := range []bool{false, true} {
			h := makeHerd(t, o, memory, grouped)
			es := make([]Entity, 100)
			if h.whole.SpawnBatch(es, raw.Of(&whole{}), 0) != nil {
				return false // too early
			}
			h.DestroyBatch(es[80:])
			h.DestroyBatch(es[20:50])
			before := h.rows(false)
			alive := h.Len()
			dst := slices.Repeat([]Entity{7}, n)
			err := h.whole.SpawnBatch(dst, raw.Of(&whole{}), 0)
			if err == nil {
				return false
			}
			if len(dst) != n || slices.Max(dst) != 0 || !slices.Equal(h.rows(false), before) || h.Len() != alive {
				t.Fatalf("%s: %v leaves %d entities, want %d", what, err, h.Len(), alive)
			}
			if err := h.Check(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			dst = dst[:50] // of those that were free
			if err := h.whole.SpawnBatch(dst, raw.Of(&whole{}), 0); err != nil || !o.FIFO && dst[0].Index() != es[49].Index() {
				t.Fatalf("%s: then %v, want %v, %v", what, dst[0], es[49], err)
			}
			for _, e := range dst {
				if !slices.ContainsFunc(es, func(old Entity) bool { return old.Index() == e.Index() }) && !o.FIFO {
					t.Fatalf("%s: then %v, and others were free", what, e)
				}
			}
			refused = true
		}
		return refused
	}
	for _, fifo := range []bool{false, true} {
		if !try("too many", Options{MaxEntities: 1 << 10, FIFO: fifo}, memmgr.Options{}, 1<<10+1) {
			t.Error("more than MaxEntities were made")
		}
	}
	refused, asked := 0, false
	for n := range 40 {
		some := func(op arena.Op, nth int, _ uint64) error { // an array that is refused asks once more, for less, and a table for a slot
			asked = true
			if op == arena.OpCommit && n < nth && nth <= n+3 {
				return errors.New("refused by the test")
			}
			return nil
		}
		if try(fmt.Sprint("commit ", n), Options{MaxEntities: 1 << 16, FIFO: n%2 == 0}, memmgr.Options{Arena: arena.Options{SmallPages: true}.WithFault(some)}, 20_000) {
			refused++
		}
	}
	if refused < 2 && asked {
		t.Errorf("%d batches were refused: want some for records, and for rows", refused)
	}
}

// A batch that is refused after its thin rows leaves no note of them.
func TestRefusedBatchNotesNoOthers(t *testing.T) {
	refused := 0
	for n := range 40 {
		some := func(op arena.Op, nth int, _ uint64) error {
			if op == arena.OpCommit && nth > n {
				return errors.New("refused by the test")
			}
			return nil
		}
		h := makeHerd(t, Options{MaxEntities: 1 << 16}, memmgr.Options{Arena: arena.Options{SmallPages: true}.WithFault(some)}, false)
		b := h.NewBundle([]*Component{h.thin, h.more}, []uintptr{0, 40})
		for _, spawn := range []func() error{
			func() error { return b.SpawnBatch(make([]Entity, 50_000), raw.Of(&[64]byte{}), 0) },
			func() error { _, err := b.Spawn(raw.Of(&[64]byte{})); return err },
		} {
			if spawn() != nil {
				refused++
			} else if n := h.Len(); h.others.n != n {
				t.Errorf("%d of %d have thin rows", h.others.n, n)
			}
			if h.others.n > h.Len() {
				t.Errorf("commit %d: %d indexes may have thin rows, of %d entities", n, h.others.n, h.Len())
			}
		}
	}
	t.Logf("%d were refused", refused)
}

// Clear is Destroy of all entities, in all forms: no word is left, no handle is alive, and
// indexes begin with the lowest.
func TestClearIsCalls(t *testing.T) {
	for i, name := range append(forms(), forms()...) {
		grouped := i >= len(forms())
		t.Run(fmt.Sprint(name, ", grouped ", grouped), func(t *testing.T) {
			r := rand.New(rand.NewPCG(3, 3))
			cleared, calls := newHerd(t, name, grouped), newHerd(t, name, grouped)
			for round := range rounds(40) {
				n, seed := []int{0, 1, 2, 9, 600, 3000}[r.IntN(6)], r.Uint64()
				for _, h := range []*herd{cleared, calls} {
					if err := h.populate(rand.New(rand.NewPCG(seed, 1)), n); err != nil {
						t.Fatal(err)
					}
				}
				were := slices.Collect(cleared.All())
				cleared.Clear()
				if slices.ContainsFunc(were, cleared.Alive) {
					t.Fatalf("round %d: one of %d is alive", round, len(were))
				}
				if e, err := cleared.Spawn(); err != nil || e.Index() != 1 || slices.Contains(were, e) || cleared.Destroy(e) != nil {
					t.Fatalf("round %d: then %v, %v", round, e, err)
				}
				for e := range calls.All() {
					if err := calls.Destroy(e); err != nil {
						t.Fatal(err)
					}
				}
				if err := errors.Join(cleared.Check(), calls.Check()); err != nil || cleared.Len() != 0 || len(cleared.rows(false)) > 0 {
					t.Fatalf("round %d: %d of %d entities and %d chunks, %v", round, cleared.Len(), n, len(cleared.rows(false)), err)
				}
				for _, h := range []*herd{cleared, calls} {
					for w := range h.allWords {
						if err := w.each(func(i uint32, v uint64) error { return fmt.Errorf("round %d: word %d is %#x", round, i, v) }); err != nil {
							t.Fatal(err)
						}
					}
					for _, p := range h.planes {
						if err := p.sets.each(func(i uint32, set uint64) error {
							return fmt.Errorf("round %d: index %d has places %#x", round, i, set)
						}); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		})
	}
}

// populate makes n that have both, entities with a part of the components, and some that
// are dead again.
func (h *herd) populate(r *rand.Rand, n int) error {
	es := make([]Entity, n)
	errs := []error{h.both.SpawnBatch(es, raw.Of(&both{left{[3]uint32{1, 2, 3}}, right{}}), 0)}
	for range r.IntN(n + 2) {
		e, err := h.Spawn()
		es = append(es, e)
		errs = append(errs, err)
	}
	odds := r.IntN(5)
	for i, e := range es {
		for _, c := range h.comps {
			if r.IntN(5) < odds && !c.Has(e) {
				errs = append(errs, h.Add(c, e, raw.Of(&[5]uint64{uint64(i), 7, 8, 9, 10})))
			}
		}
	}
	for range r.IntN(2) * r.IntN(len(es)+1) {
		_ = h.Destroy(es[r.IntN(len(es))])
	}
	return errors.Join(errs...)
}
