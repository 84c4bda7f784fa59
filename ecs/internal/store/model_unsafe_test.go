package store

import (
	"errors"
	"fmt"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"math/rand/v2"
	"testing"
	"time"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The model test: a stream of commands is carried out on a store and on plain slices, and
// they must agree. The same stream with other memory must end in the same state.

// model is the content that the store should have.
type model struct {
	t       testing.TB
	name    string // for messages
	m       *memmgr.Manager
	s       *Store
	rng     *rand.PCG
	comps   []*Component
	lives   []life // by index
	alive   []Entity
	bundles []*modelBundle
	groups  int
	crowd   int // how many live at a time, about
	steps   int

	limits  bool // memory is refused now and then
	until   int  // the step at which it is not any more
	others  *memmgr.Sequence
	refusal int // calls that were refused
	sum     uint64
	seen    seen
	was     []bool // a map, by component
}

// seen counts what a stream met: components' words, at looks, that were maps, arrays though
// indexes went beyond rareSpan, and such arrays that were maps before; change-overs, and
// rows swapped.
type seen struct{ rare, flat, switched, changes, swaps int }

func (n *seen) add(o seen) {
	n.rare, n.flat, n.switched = n.rare+o.rare, n.flat+o.flat, n.switched+o.switched
	n.changes, n.swaps = n.changes+o.changes, n.swaps+o.swaps
}

// life is an index, its last handle and the components of that.
type life struct {
	e     Entity
	place int // in alive; -1: it is dead
	has   uint16
	seeds [16]uint32 // of the values
}

type modelBundle struct {
	*Bundle
	comps   []int
	offsets []uintptr
	size    uintptr
}

var sizes = []uint32{8, 16, 4, 0, 12, 24, 1, 32, 16, 64, 8, 3, 33, 0}

func newModel(t testing.TB, seed uint64, o memmgr.Options, so Options) *model {
	m, err := memmgr.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if so.MaxEntities == 0 {
		so.MaxEntities = 1 << 18
	}
	x := &model{t: t, m: m, s: New(m, so), rng: rand.NewPCG(seed, 1), crowd: 60, lives: make([]life, 1)}
	for i, size := range sizes {
		c, way := new(Component), Fixed
		switch i % 6 {
		case 4:
			way = Optional
		case 5:
			way = Thin
		}
		x.s.Register(c, fmt.Sprint("c", i), chunk.Spec{Size: size, Align: 1}, way, false)
		x.comps = append(x.comps, c)
	}
	x.was = make([]bool, len(x.comps))
	return x
}

// n is a number below most: the same on all machines.
func (x *model) n(most int) int { return int(x.rng.Uint64() >> 1 % uint64(most)) }

func (x *model) seed() uint32 { return uint32(x.rng.Uint64()) }

// failf is rare: callers are found by the message, since t.Helper costs more than a step.
func (x *model) failf(format string, args ...any) {
	x.t.Fatalf("%s, step %d: %s", x.name, x.steps, fmt.Sprintf(format, args...))
}

// fill and holds write and read a value.
func fill(v []byte, seed uint32) {
	for i := range v {
		v[i] = byte(seed>>(i%4*8)) ^ byte(i/4)
	}
}

func holds(v []byte, seed uint32) bool {
	for i := range v {
		if v[i] != byte(seed>>(i%4*8))^byte(i/4) {
			return false
		}
	}
	return true
}

func at(b []byte) unsafe.Pointer {
	if len(b) == 0 {
		return unsafe.Pointer(new(uint64))
	}
	return unsafe.Pointer(&b[0])
}

// value is one for component i.
func (x *model) value(i int, seed uint32) unsafe.Pointer {
	v := make([]byte, x.comps[i].Size)
	fill(v, seed)
	return at(v)
}

// life is the model's knowledge of an entity; nil if it is not alive.
func (x *model) life(e Entity) *life {
	if i := int(e.Index()); i > 0 && i < len(x.lives) && x.lives[i].e == e && x.lives[i].place >= 0 {
		return &x.lives[i]
	}
	return nil
}

// pick returns a live entity, sometimes a dead, null or forged handle.
func (x *model) pick() Entity {
	switch k := x.n(24); {
	case k == 0:
		return x.lives[x.n(len(x.lives))].e // dead or alive
	case k == 1:
		e := x.lives[x.n(len(x.lives))].e
		return []Entity{0, 7, 1 << 40, ^Entity(0), 1<<VersionShift | 1<<31, e + 1<<VersionShift, e - 1<<VersionShift}[x.n(7)]
	case len(x.alive) > 0:
		return x.alive[x.n(len(x.alive))]
	}
	return 0
}

// born notes a handle that was never given out before.
func (x *model) born(e Entity) *life {
	for int(e.Index()) >= len(x.lives) {
		x.lives = append(x.lives, life{place: -1})
	}
	l := &x.lives[e.Index()]
	if e.Index() == 0 || l.place >= 0 || e.Version() <= l.e.Version() || e.Version()>>entities.CountBits != uint32(x.s.options.Tag) {
		x.failf("%v is born after %v, which is alive: %v", e, l.e, l.place >= 0)
	}
	l.e, l.has, l.place = e, 0, len(x.alive)
	x.alive = append(x.alive, e)
	return l
}

func (x *model) died(e Entity) {
	l := x.life(e)
	last := x.alive[len(x.alive)-1]
	x.alive[l.place] = last
	x.lives[last.Index()].place = l.place
	x.alive = x.alive[:len(x.alive)-1]
	l.place, l.has = -1, 0
}

// refused tells whether an error is one that may be, and counts it. Now and then it looks
// at everything: nothing has changed.
func (x *model) refused(err error) bool {
	if _, many := errors.AsType[entities.TooMany](err); many && len(x.alive)+3000 > int(x.s.options.MaxEntities) {
		return true
	}
	if err == nil || !x.limits || !errors.Is(err, arena.ErrLimit) && !errors.Is(err, arena.ErrFull) {
		return false
	}
	if x.refusal++; x.refusal%16 == 0 {
		x.compare()
	}
	return true
}

// expect compares an error; it tells whether the call was done.
func (x *model) expect(what string, got, want error) bool {
	if got != want && !(want == nil && x.refused(got)) {
		x.failf("%s: %v, want %v", what, got, want)
	}
	return got == nil
}

// step makes one random change in both.
func (x *model) step() {
	x.steps++
	if x.limits {
		x.limit()
	}
	op := x.n(1000)
	switch over := len(x.alive) > x.crowd; {
	case over && op < 130: // some hundred die
		x.destroyBatch(x.crowd / 3)
	case op < 60:
		e, err := x.s.Spawn()
		if x.expect("Spawn", err, nil) {
			x.born(e)
		}
	case op < 150:
		x.spawn()
	case op < 170:
		x.fillOne()
	case op < 250:
		x.destroy(x.pick())
	case op < 265:
		x.destroyBatch(1 + x.n(12))
	case op < 575:
		x.add(x.pick(), x.n(len(x.comps)))
	case op < 800:
		x.remove(x.pick(), x.n(len(x.comps)))
	case op < 825:
		x.set(x.pick(), x.n(len(x.comps)))
	case op < 845:
		x.addBatch(x.n(len(x.comps)))
	case op < 865:
		x.removeBatch(x.n(len(x.comps)))
	case op < 915:
		x.swap()
	case op < 928:
		if x.s.Change(x.comps[x.n(len(x.comps))], Way(x.n(3))) {
			x.seen.changes++
		}
	case op < 929:
		x.declare()
	case op < 931:
		x.clearComponent(x.n(len(x.comps)))
	case op < 932:
		if x.n(8) == 0 {
			x.clear()
		}
	case op < 936:
		_, err := x.s.Shrink()
		x.expect("Shrink", err, nil)
		_, err = x.m.Reclaim(^uint64(0))
		x.expect("Reclaim", err, nil)
	case op < 938:
		var by []*Component
		for range x.n(1 + policy.OrderMost) {
			by = with(by, x.comps[x.n(len(x.comps))])
		}
		x.s.OrderBy(by...)
	default:
		x.s.BeginFrame()
		x.s.EndFrame()
		x.expect("Tidy", x.s.Tidy(time.Duration(x.n(1<<25))), nil)
		x.expect("SafePoint", x.m.SafePoint(), nil)
	}
	if e := x.pick(); x.life(e) != nil {
		x.compareOne(x.life(e))
	}
}

// limit has memory refused for a while: there may be no more of it, and others have what
// was left, but some blocks.
func (x *model) limit() {
	a := x.m.Arena()
	switch {
	case x.steps == x.until:
		x.free()
	case x.steps > x.until && x.n(60) == 0:
		a.SetLimit(a.Stats().Committed + uint64(x.n(3))<<15)
		var err error
		if x.others, err = x.m.MakeSequence("others", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 1 << 14, Align: 8}}}); err != nil {
			x.failf("%v", err)
		}
		for err == nil {
			_, err = x.others.Append()
		}
		x.others.Truncate(max(0, x.others.Len()-x.n(9)))
		x.until = x.steps + 1 + x.n(200)
	}
}

// free ends that.
func (x *model) free() {
	x.m.Arena().SetLimit(0)
	if x.others != nil {
		x.others.Drop()
		x.others = nil
	}
}

// play carries n commands out and returns the digest of all looks.
func (x *model) play(n, every int) uint64 {
	for i := range n {
		x.step()
		if i%every == every-1 {
			x.compare()
		}
	}
	x.free()
	x.compare()
	return x.sum
}

// close ends a model.
func (x *model) close() {
	if err := x.m.Close(); err != nil {
		x.t.Fatal(err)
	}
}
