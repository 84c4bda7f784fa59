package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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

// model is what the store should hold.
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

// life is an index, its last handle and what that has.
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

// life is what the model knows of an entity; nil if it is not alive.
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
	default:
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

func (x *model) destroy(e Entity) {
	want := ErrStale
	if x.life(e) != nil {
		want = nil
	}
	if x.expect("Destroy", x.s.Destroy(e), want) {
		x.died(e)
	}
}

// table is one with rows; nil if that was not found.
func (x *model) table() *Table {
	if k := x.n(1 + len(x.s.tables)); k < len(x.s.tables) && x.s.tables[k] != nil && x.s.tables[k].Seq.Len() > 0 {
		return x.s.tables[k]
	}
	return nil
}

// some are n entities: the last rows of a table, its rows in any order, or any.
func (x *model) some(n int) (es []Entity) {
	t := x.table()
	if t == nil || x.n(3) == 0 {
		for range n {
			es = append(es, x.pick())
		}
		return es
	}
	for i := max(0, t.Seq.Len()-n); i < t.Seq.Len(); i++ {
		es = append(es, x.s.entityAt(t.Seq.At(i)))
	}
	switch x.n(4) {
	case 0:
		slices.Reverse(es)
	case 1:
		es[x.n(len(es))] = x.pick()
	}
	return es
}

func (x *model) destroyBatch(n int) {
	es := x.some(n)
	want := 0
	for _, e := range es {
		if x.life(e) != nil {
			want++
			x.died(e)
		}
	}
	if got := x.s.DestroyBatch(es); got != want {
		x.failf("%d of %d destroyed, want %d", got, len(es), want)
	}
}

// spawn makes entities from a bundle: one, some with equal values, or each its own.
func (x *model) spawn() {
	b := x.bundle()
	if b == nil {
		return
	}
	n := 1 + x.n(5)
	switch k := x.n(400); {
	case k < 10:
		n = min(300, x.crowd)
	case k == 10:
		n = min(3000, x.crowd)
	}
	stride, kinds := b.size, n
	if n > 1 && x.n(2) == 0 {
		stride, kinds = 0, 1
	}
	v, seeds := b.values(x, kinds)
	es := make([]Entity, n)
	var err error
	if n == 1 {
		es[0], err = b.Spawn(at(v))
	} else {
		err = b.SpawnBatch(es, at(v), stride)
	}
	if !x.expect("Spawn of a bundle", err, nil) {
		if slices.Max(es) != 0 {
			x.failf("%v, and handles are left", err)
		}
		return
	}
	for i, e := range es {
		l := x.born(e)
		b.gave(l, seeds[i%kinds])
	}
}

// fillOne gives an entity that has nothing of a bundle all of it.
func (x *model) fillOne() {
	b, e := x.bundle(), x.pick()
	l := x.life(e)
	if b == nil || l == nil || b.Any(e) {
		return
	}
	v, seeds := b.values(x, 1)
	if x.expect("Fill", b.Fill(e, at(v)), nil) {
		b.gave(l, seeds[0])
	}
}

// bundle is a new one or one that was there before; nil if there would be nothing in it.
func (x *model) bundle() *modelBundle {
	if k := x.n(8); k < len(x.bundles) {
		return x.bundles[k]
	}
	b := &modelBundle{}
	var comps []*Component
	for i, c := range x.comps {
		if x.n(4) == 0 {
			b.comps, comps = append(b.comps, i), append(comps, c)
			b.offsets = append(b.offsets, b.size)
			b.size += c.Size
		}
	}
	if len(comps) == 0 {
		return nil
	}
	b.Bundle = x.s.NewBundle(comps, b.offsets)
	if len(x.bundles) == 6 {
		x.bundles[x.n(6)] = b
	} else {
		x.bundles = append(x.bundles, b)
	}
	return b
}

// values are n structs for a bundle.
func (b *modelBundle) values(x *model, n int) (v []byte, seeds []uint32) {
	v = make([]byte, uintptr(n)*b.size+1)
	for j := range n {
		seed := x.seed()
		for k, i := range b.comps {
			from := uintptr(j)*b.size + b.offsets[k]
			fill(v[from:from+x.comps[i].Size], seed+uint32(i))
		}
		seeds = append(seeds, seed)
	}
	return v, seeds
}

func (b *modelBundle) gave(l *life, seed uint32) {
	for _, i := range b.comps {
		l.has |= 1 << i
		l.seeds[i] = seed + uint32(i)
	}
}

func (x *model) add(e Entity, i int) {
	l, seed, want := x.life(e), x.seed(), error(nil)
	switch {
	case l == nil:
		want = ErrStale
	case l.has>>i&1 != 0:
		want = ErrPresent
	}
	if x.expect("Add", x.s.Add(x.comps[i], e, x.value(i, seed)), want) {
		l.has |= 1 << i
		l.seeds[i] = seed
	}
}

func (x *model) remove(e Entity, i int) {
	l, want := x.life(e), error(nil)
	switch {
	case l == nil:
		want = ErrStale
	case l.has>>i&1 == 0:
		want = ErrAbsent
	}
	if x.expect("Remove", x.s.Remove(x.comps[i], e), want) {
		l.has &^= 1 << i
	}
}

// set writes a value where it lies.
func (x *model) set(e Entity, i int) {
	l, c := x.life(e), x.comps[i]
	if l == nil || l.has>>i&1 == 0 {
		return
	}
	l.seeds[i] = x.seed()
	loc, _ := c.Loc(e)
	fill(unsafe.Slice((*byte)(c.At(loc)), c.Size), l.seeds[i])
}

func (x *model) addBatch(i int) {
	es, seed := x.some(1+x.n(50)), x.seed()
	added, err := x.s.AddBatch(x.comps[i], es, x.value(i, seed), 0)
	for _, e := range es {
		if l := x.life(e); l != nil && l.has>>i&1 == 0 && (added > 0 || err == nil) {
			l.has |= 1 << i
			l.seeds[i] = seed
			added--
		}
	}
	x.expect("AddBatch", err, nil)
	if added != 0 {
		x.failf("AddBatch: %d too many", added)
	}
}

func (x *model) removeBatch(i int) {
	es := x.some(1 + x.n(50))
	removed, err := x.s.RemoveBatch(x.comps[i], es)
	for _, e := range es {
		if l := x.life(e); l != nil && l.has>>i&1 != 0 && (removed > 0 || err == nil) {
			l.has &^= 1 << i
			removed--
		}
	}
	x.expect("RemoveBatch", err, nil)
	if removed != 0 {
		x.failf("RemoveBatch: %d too many", removed)
	}
}

func (x *model) swap() {
	if t := x.table(); t != nil {
		n := t.Seq.Len()
		t.Swap(t.Seq.At(x.n(n)), t.Seq.At(x.n(n)))
		x.seen.swaps++
	}
}

func (x *model) declare() {
	if x.groups == 3 {
		return
	}
	var comps, opts []*Component
	for range 20 {
		c := x.comps[x.n(len(x.comps))]
		if c.owner == x.s.Commons && !slices.Contains(comps, c) {
			comps = append(comps, c)
		}
		if len(comps) == 3 {
			break
		}
	}
	if len(comps) == 3 && x.n(2) == 0 {
		comps, opts = comps[:2], comps[2:]
	}
	if len(comps) == 0 {
		return
	}
	_, err := x.s.Declare(fmt.Sprint("g", x.groups), comps, opts)
	if x.expect("Declare", err, nil) {
		x.groups++
	}
}

func (x *model) clearComponent(i int) {
	c := x.comps[i]
	err := x.s.ClearComponent(c)
	for _, e := range x.alive {
		if l := x.life(e); err == nil || !c.Has(e) {
			l.has &^= 1 << i
		}
	}
	x.expect("ClearComponent", err, nil)
}

func (x *model) clear() {
	x.s.Clear()
	for i := range x.lives {
		if l := &x.lives[i]; i > 0 && l.place >= 0 {
			x.died(l.e)
		}
	}
}

// compareOne looks at one entity.
func (x *model) compareOne(l *life) {
	for i, c := range x.comps {
		at, ok := c.Loc(l.e)
		switch has := l.has>>i&1 != 0; {
		case ok != has || c.Has(l.e) != has:
			x.failf("%v has %s (%v): %v, want %v", l.e, c.Name, c.way, ok, has)
		case has && !holds(unsafe.Slice((*byte)(c.At(at)), c.Size), l.seeds[i]):
			x.failf("%v has another %s (%v)", l.e, c.Name, c.way)
		}
		short := unsafe.Pointer(nil)
		if ok {
			short = c.At(at)
		}
		if p := c.Dir.Lookup(Find, uint64(l.e), uint64(c.Size)); p != short || Find(&c.Dir, uint64(l.e)) != short {
			x.failf("%v has %s (%v) at %v, and is looked up at %v", l.e, c.Name, c.way, short, p)
		}
		if w := c.Resolve(l.e, c.owner.words.Load(l.e.Index())); ok != (w != 0) || ok && locOf(w) != at {
			x.failf("%v has %s (%v) at %v, and is resolved to %v", l.e, c.Name, c.way, at, locOf(w))
		}
	}
}

// compare looks at all that the model holds, and adds it to the digest.
func (x *model) compare() {
	if err := x.s.Check(); err != nil {
		x.failf("%v", err)
	}
	if x.s.Len() != len(x.alive) || int(x.s.ids.Bound()) < len(x.lives) {
		x.failf("%d alive of %d, want %d of at least %d", x.s.Len(), x.s.ids.Bound(), len(x.alive), len(x.lives))
	}
	count := make([]int, len(x.comps))
	for i := range x.lives {
		l := &x.lives[i]
		if i == 0 {
			continue
		}
		if x.s.Alive(l.e) != (l.place >= 0) {
			x.failf("%v is alive: %v", l.e, x.s.Alive(l.e))
		}
		x.compareOne(l)
		for i := range count {
			count[i] += int(l.has >> i & 1)
		}
	}
	for i, c := range x.comps {
		if c.Len() != count[i] {
			x.failf("%d have %s (%v), want %d", c.Len(), c.Name, c.way, count[i])
		}
	}
	x.digest()
	x.forms()
}

// forms counts the forms that words have.
func (x *model) forms() {
	for i, c := range x.comps {
		switch {
		case c.thin == nil || x.s.ids.Bound() <= rareSpan:
			x.was[i] = false
		case len(c.own.flat) == 0 && len(c.own.rare) > 0:
			x.seen.rare++
			x.was[i] = true
		case len(c.own.flat) > 0:
			x.seen.flat++
			if x.was[i] {
				x.seen.switched++
			}
			x.was[i] = false
		}
	}
}

// digest adds all that follows from the calls: tables in order, rows in order, locations,
// bits, ways.
func (x *model) digest() uint64 {
	h := x.sum
	add := func(v uint64) { h = (h ^ v ^ v>>32) * 0x100000001b3 }
	for _, t := range x.s.tables {
		if t == nil {
			continue
		}
		for _, c := range []byte(t.Seq.Name()) {
			add(uint64(c))
		}
		for id, n := range t.Seq.Chunks() {
			add(uint64(id))
			for _, e := range x.s.Entities(id, n) {
				add(uint64(e))
			}
		}
		for _, o := range t.opts {
			add(uint64(o.C.ID)<<32 | uint64(o.Count))
			for _, b := range o.Bits {
				add(b)
			}
		}
	}
	for _, c := range x.comps {
		add(uint64(c.way))
	}
	x.sum = h
	return h
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
