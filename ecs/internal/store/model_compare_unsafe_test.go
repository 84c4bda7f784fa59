package store

import "unsafe"

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
