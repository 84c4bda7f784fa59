package ecs

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

type (
	left  struct{ V [3]uint32 }
	right struct{ V [2]uint64 }
	both  struct {
		L left
		R right
	}
)

// herd is a world with one group, and a component that the group does not own.
type herd struct {
	*World
	g     *Group[both]
	l     *Pool[left]
	r     *Pool[right]
	loose *Pool[uint64]
}

func newHerd(t *testing.T, name string) *herd {
	return makeHerd(t, placed()[name], name == "first column moves")
}

// makeHerd makes a herd in which the slots of the second column may come first.
func makeHerd(t *testing.T, o Options, rightFirst bool) *herd {
	o.Tag = 10 // slotMark's
	w, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	h := &herd{World: w}
	var errs [5]error
	h.l, errs[0] = Register[left](w, "left")
	h.r, errs[1] = Register[right](w, "right")
	h.loose, errs[2] = Register[uint64](w, "loose")
	h.g, errs[3] = GroupOf[both](w, "both")
	if rightFirst {
		e, err := w.Spawn()
		errs[4] = errors.Join(err, h.r.Add(e, right{}), w.Destroy(e))
	}
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(w.Check(), w.Close()); err != nil {
			t.Error(err)
		}
	})
	return h
}

// free is the free list.
func (h *herd) free() (ids []Entity) {
	for i := h.freeHead; i != 0; {
		id := h.records.Load(i).id
		ids = append(ids, id>>indexBits<<indexBits|Entity(i))
		i = id.Index()
	}
	return ids
}

// age gives all free records a version.
func (h *herd) age(version uint32) {
	for _, e := range h.free() {
		r := h.records.Ptr(e.Index())
		r.id = Entity(version)<<versionShift | flagFree | Entity(r.id.Index())
	}
}

func (h *herd) same(o *herd) error {
	members := h.g.Members(nil)
	if got, want := h.free(), o.free(); !slices.Equal(got, want) || len(got) > 0 && h.freeTail != o.freeTail {
		return fmt.Errorf("the free list is %v to %d, want %v to %d", got, h.freeTail, want, o.freeTail)
	}
	if !slices.Equal(members, o.g.Members(nil)) || h.Len() != o.Len() {
		return fmt.Errorf("%d entities, %d of them members, want %d and %d, or others", h.Len(), len(members), o.Len(), o.g.Len())
	}
	for _, e := range members {
		if *h.l.Get(e) != *o.l.Get(e) || *h.r.Get(e) != *o.r.Get(e) || h.loose.Has(e) != o.loose.Has(e) {
			return fmt.Errorf("%v is %v %v, want %v %v", e, *h.l.Get(e), *h.r.Get(e), *o.l.Get(e), *o.r.Get(e))
		}
	}
	return h.Check()
}

// placed are the forms that records and slots come in.
func placed() map[string]Options {
	small := memmgr.Options{NoHugePages: true, Arena: arena.Options{Reserve: 8 << 20}} // 4 MiB for arrays
	return map[string]Options{
		"nothing moves":       {MaxEntities: 1 << 16},
		"first in, first out": {MaxEntities: 1 << 16, Recycle: FIFO},
		"all moves":           {MaxEntities: 1 << 16, Memory: memmgr.Options{Arena: arena.Options{Backend: arena.Heap}}},
		"second column moves": {MaxEntities: 1 << 16, Memory: small},
		"first column moves":  {MaxEntities: 1 << 16, Memory: small},
		"slots move":          {MaxEntities: 1<<18 - 1, Memory: small},
		"records move":        {MaxEntities: 1<<19 - 1, Memory: small},
	}
}

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
		m[r.IntN(len(m))] -= 1 << versionShift
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

// A batch is what calls one by one are: the same handles, rows, values, counts and
// free list, whoever dies, also where one of many last rows has more than the group's
// components, and where versions wrap.
func TestBatchIsCalls(t *testing.T) {
	sizes := []int{1, 2, 7, 8, 9, 33, 64, 65, 130, 700, 3000}
	versions := []uint32{10<<countBits | countMask, 10<<countBits | 1, slotMark - 1}
	for _, name := range slices.Sorted(maps.Keys(placed())) {
		t.Run(name, func(t *testing.T) {
			batch, calls := newHerd(t, name), newHerd(t, name)
			r := rand.New(rand.NewPCG(7, 7))
			for round := range 120 {
				if r.IntN(8) == 0 {
					version := versions[r.IntN(len(versions))]
					batch.age(version)
					calls.age(version)
				}
				values := make([]both, sizes[r.IntN(len(sizes))])
				each := r.IntN(2) == 0
				for i := range values {
					n := uint64(round)
					if each {
						n += uint64(i) << 8
					}
					values[i] = both{left{[3]uint32{uint32(n), 2, ^uint32(n)}}, right{[2]uint64{n, ^n}}}
				}
				got, want := make([]Entity, len(values)), make([]Entity, len(values))
				var errs [2]error
				if each {
					errs[0] = batch.g.SpawnEach(got, values)
				} else {
					errs[0] = batch.g.SpawnN(got, values[0])
				}
				for i := range want {
					want[i], errs[1] = calls.g.Spawn(values[i])
				}
				if err := errors.Join(errs[:]...); err != nil || !slices.Equal(got, want) {
					t.Fatalf("round %d: %d are %v, want %v, %v", round, len(got), got, want, err)
				}
				if r.IntN(3) == 0 {
					e := batch.g.Members(nil)[r.IntN(batch.g.Len())]
					if err, err2 := batch.loose.Add(e, 1), calls.loose.Add(e, 1); err != err2 {
						t.Fatalf("round %d: %v, want %v", round, err, err2)
					}
				}
				way := doomed[r.IntN(len(doomed))]
				if batch.Len() > 8000 {
					way = doomed[0]
				}
				es := way.of(r, batch.g.Members(nil))
				n := 0
				for _, e := range es {
					if calls.Destroy(e) == nil {
						n++
					}
				}
				if got := batch.DestroyBatch(es); got != n {
					t.Fatalf("round %d, %s: %d destroyed, want %d", round, way.what, got, n)
				}
				if err := batch.same(calls); err != nil {
					t.Fatalf("round %d, %s, %d of %d: %v", round, way.what, len(es), batch.Len()+n, err)
				}
			}
		})
	}
}

// Entities of which one has more than the group's components are not released as a
// block, and the free list is what it was, whether there was one or not.
func TestReleaseAllOrNothing(t *testing.T) {
	for name := range placed() {
		for _, odd := range []int{0, 1, 40, 99} {
			for _, dead := range []int{0, 30} {
				a, b := newHerd(t, name), newHerd(t, name)
				for _, h := range []*herd{a, b} {
					es := make([]Entity, 100+dead)
					if err := errors.Join(h.g.SpawnN(es, both{}), h.loose.Add(es[odd], 1)); err != nil {
						t.Fatal(err)
					}
					h.DestroyBatch(es[100:])
				}
				if es := a.g.Members(nil); a.releaseAll(es, a.g.first) {
					t.Errorf("%s: entity %d of 100 has more, and all were released", name, odd)
				}
				if err := a.same(b); err != nil {
					t.Errorf("%s, entity %d of 100, %d free: %v", name, odd, dead, err)
				}
			}
		}
	}
}

// The forms are what they are called, or the test above tests less than it says.
func TestPlaced(t *testing.T) {
	reserved := map[string][3]bool{
		"nothing moves":       {true, true, true},
		"first in, first out": {true, true, true},
		"all moves":           {false, false, false},
		"second column moves": {true, true, false},
		"first column moves":  {true, false, true},
		"slots move":          {true, false, false},
		"records move":        {false, true, false},
	}
	for _, name := range slices.Sorted(maps.Keys(reserved)) {
		h := newHerd(t, name)
		if err := h.g.SpawnN(make([]Entity, 3), both{}); err != nil {
			t.Fatal(err)
		}
		if name != "all moves" && h.m.Arena().Backend() != arena.OS {
			t.Skip("no address space is reserved in this build: all arrays move, and that is tested above")
		}
		if got := [3]bool{h.records.Reserved(), h.l.slots.Reserved(), h.r.slots.Reserved()}; got != reserved[name] {
			t.Errorf("%s: records, left, right are reserved: %v, want %v", name, got, reserved[name])
		}
	}
}

// A batch that finds no room, for records, slots or rows, leaves nothing behind: the
// free list goes on with the indexes that it had, in their order.
func TestBatchRefused(t *testing.T) {
	try := func(what string, o Options, n int) (refused bool) {
		h := makeHerd(t, o, false)
		es := make([]Entity, 100)
		if h.g.SpawnN(es, both{}) != nil {
			return false // too early
		}
		h.DestroyBatch(es[80:])
		h.DestroyBatch(es[20:50])
		members, free := h.g.Members(nil), h.free()
		dst := slices.Repeat([]Entity{7}, n)
		err := h.g.SpawnN(dst, both{})
		if err == nil {
			return false
		}
		if len(dst) != n || slices.Max(dst) != 0 || !slices.Equal(h.g.Members(nil), members) || h.Len() != len(members) {
			t.Fatalf("%s: %v leaves %d members, %d entities", what, err, h.g.Len(), h.Len())
		}
		for i, e := range h.free()[:len(free)] {
			if e.Index() != free[i].Index() {
				t.Fatalf("%s: free record %d is %v, was %v", what, i, e, free[i])
			}
		}
		if err := h.Check(); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if err := h.g.SpawnN(dst[:len(free)], both{}); err != nil || dst[0].Index() != free[0].Index() {
			t.Fatalf("%s: then %v, %v", what, dst[0], err)
		}
		return true
	}
	if !try("too many", Options{MaxEntities: 1 << 10}, 1<<10+1) {
		t.Error("more than MaxEntities were made")
	}
	refused := 0
	for n := range 40 {
		twice := func(c arena.Call) error { // an array that is refused asks once more, for less
			return cmp.Or(arena.FailNth(arena.OpCommit, n+1)(c), arena.FailNth(arena.OpCommit, n+2)(c))
		}
		o := Options{MaxEntities: 1 << 16, Memory: memmgr.Options{NoHugePages: true, Arena: arena.Options{Fault: twice}}}
		if try(fmt.Sprint("commit ", n), o, 20_000) {
			refused++
		}
	}
	if h := makeHerd(t, Options{}, false); refused < 4 && h.m.Arena().Backend() == arena.OS {
		t.Errorf("%d batches were refused: want some for records, for both columns' slots, and for rows", refused)
	}
}

type (
	size0   struct{}
	size1   [1]byte
	size4   [4]byte
	size8   [8]byte
	size12  [12]byte
	size24  [24]byte
	size33  [33]byte
	allSize struct {
		Z size0
		A size1
		B size4
		C size8
		D size12
		E right // 16
		F size24
		G size33
	}
)

// Values of all sizes come to their columns, in struct of several and in one of one.
func TestSpawnEachSizes(t *testing.T) {
	w, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	z, err0 := Register[size0](w, "0")
	a, err1 := Register[size1](w, "1")
	b, err2 := Register[size4](w, "4")
	c, err3 := Register[size8](w, "8")
	d, err4 := Register[size12](w, "12")
	e, err5 := Register[right](w, "16")
	f, err6 := Register[size24](w, "24")
	g, err7 := Register[size33](w, "33")
	one, err8 := Register[left](w, "alone")
	all, err9 := GroupOf[allSize](w, "all")
	solo, err10 := GroupOf[struct{ L left }](w, "solo")
	if err := errors.Join(err0, err1, err2, err3, err4, err5, err6, err7, err8, err9, err10); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 1000} {
		values, lefts := make([]allSize, n), make([]struct{ L left }, n)
		for i := range values {
			k := byte(i + n)
			v := &values[i]
			v.A[0], v.B[3], v.C[7], v.D[11], v.E.V[1], v.F[23], v.G[32] = k, k, k, k, uint64(k), k, k
			v.B[0], v.C[0], v.D[0], v.E.V[0], v.F[0], v.G[0] = ^k, ^k, ^k, uint64(^k), ^k, ^k
			lefts[i].L.V = [3]uint32{uint32(k), 1, ^uint32(k)}
		}
		es, ls := make([]Entity, n), make([]Entity, n)
		if err := errors.Join(all.SpawnEach(es, values), solo.SpawnEach(ls, lefts)); err != nil {
			t.Fatal(err)
		}
		for i, h := range es {
			got := allSize{*z.Get(h), *a.Get(h), *b.Get(h), *c.Get(h), *d.Get(h), *e.Get(h), *f.Get(h), *g.Get(h)}
			if got != values[i] || *one.Get(ls[i]) != lefts[i].L {
				t.Fatalf("value %d of %d: %v and %v, want %v and %v", i, n, got, *one.Get(ls[i]), values[i], lefts[i])
			}
		}
	}
	if err := errors.Join(w.Check(), w.Close()); err != nil {
		t.Error(err)
	}
}
