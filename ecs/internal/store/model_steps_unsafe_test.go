package store

import (
	"fmt"
	"slices"
	"unsafe"
)

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
	added, err := x.s.AddBatch(x.comps[i], es, x.value(i, seed))
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
