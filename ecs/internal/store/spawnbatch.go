package store

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs/internal/entities"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// run is rows side by side in one chunk.
type run struct {
	at memmgr.Loc
	n  int
}

// SpawnBatch makes an entity for each element of dst, with values at v that are stride bytes
// apart. It makes all or none. After an error dst is zeroed, and nothing has changed except
// versions.
func (b *Bundle) SpawnBatch(dst []Entity, v raw.Ptr, stride uintptr) error {
	s := b.s
	if s.hooks != nil && s.tells() {
		defer s.quiet()
		err := b.SpawnBatch(dst, v, stride)
		if err == nil {
			b.told(dst...)
		}
		return err
	}
	if len(dst) == 0 {
		return nil
	}
	fail := func(made int, err error) error {
		slices.Reverse(dst[:made]) // so that they come in this order again
		s.ids.FreeN(dst[:made])
		clear(dst)
		return err
	}
	f, kin := entities.Flags(0), noKin
	if p := b.alone; p != nil && b.valid == s.layout() {
		f, kin = p.flag, p.kin
	}
	n, flagged, err := s.ids.TakeN(b.where(), dst, f, kin)
	if err != nil {
		return fail(n, err)
	}
	if b.valid != s.layout() {
		if err := b.ready(); err != nil {
			return fail(len(dst), err)
		}
	}
	for i := range b.parts {
		if err := b.parts[i].fillBatch(dst, flagged, v, stride); err != nil {
			for j := range b.parts[:i] {
				t := b.parts[j].t
				for _, e := range dst {
					t.leave(e)
					t.takeOut(e, locOf(t.words.Load(e.Index())))
				}
			}
			return fail(len(dst), err)
		}
	}
	return nil
}

// fillBatch is fill for many entities, which may have the flag that says it already. All that
// can fail is done first.
func (p *part) fillBatch(es []Entity, flagged bool, v raw.Ptr, stride uintptr) error {
	t := p.t
	last := uint32(0)
	for _, e := range es {
		last = max(last, e.Index())
	}
	if last >= t.ready() {
		for _, e := range es {
			if err := t.prepare(e, len(es)); err != nil {
				return err
			}
		}
	}
	runs, err := t.reserve(len(es))
	if err != nil {
		return err
	}
	for _, r := range runs {
		part := es[:r.n]
		if flagged {
			t.putRun(r.at, part)
		} else {
			t.occupy(r.at, part)
		}
		for _, x := range p.fixed {
			raw.Fill(x.c.At(r.at), raw.At(v, x.from), stride, x.c.Size, r.n)
		}
		for _, x := range p.opts {
			for i := range part {
				t.receive(x.c, r.at.Plus(uint32(i)), raw.At(v, x.from+uintptr(i)*stride))
			}
		}
		p.got(r.at, r.n)
		if es = es[r.n:]; len(es) > 0 {
			v = raw.At(v, uintptr(r.n)*stride) // never beyond the values
		}
	}
	return nil
}

// reserve appends n rows that no entity has yet. After an error there are as many as before.
func (t *Table) reserve(n int) ([]run, error) {
	t.s.runs = t.s.runs[:0]
	was := t.Seq.Len()
	for left := n; left > 0; {
		l, k, err := t.Seq.AppendRun(left)
		if err != nil {
			t.fitBits() // an empty chunk may stay
			t.Seq.Truncate(was)
			return nil, err
		}
		t.s.runs = append(t.s.runs, run{l, k})
		if len(t.watched) > 0 {
			t.begun(l)
		}
		left -= k
	}
	t.fitBits()
	return t.s.runs, nil
}

// occupy makes rows side by side those of entities.
func (t *Table) occupy(l memmgr.Loc, es []Entity) {
	t.putRun(l, es)
	f, kin := t.flag()
	n := t.s.ids.SetFlagN(es, f, kin)
	for _, e := range es[n:] {
		t.enter(e)
	}
}

// setRun points the entries of entities at consecutive rows of a chunk.
func (w *Words) setRun(es []Entity, l memmgr.Loc) {
	flat, low := w.flat, uint64(l)
	for n, e := range es {
		i := e.Index()
		if uint(i) >= uint(len(flat)) {
			w.setRare(i, word(e, l.Plus(uint32(n))))
		} else {
			flat[i] = uint64(e) - uint64(i) ^ low
		}
		low += uint64(memmgr.Loc(0).Plus(1))
	}
}

// run is how many of the entities, from the first on, have consecutive rows of a chunk.
func (w *Words) run(es []Entity, l memmgr.Loc) int {
	flat, low := w.flat, uint64(l)
	for n, e := range es {
		i := e.Index()
		if uint(i) >= uint(len(flat)) {
			if w.Load(i) != word(e, l.Plus(uint32(n))) {
				return n
			}
		} else if flat[i] != uint64(e)-uint64(i)^low {
			return n
		}
		low += uint64(memmgr.Loc(0).Plus(1))
	}
	return len(es)
}

// clearRun makes the entries of entities 0.
func (w *Words) clearRun(es []Entity) {
	flat := w.flat
	for _, e := range es {
		if i := e.Index(); uint(i) < uint(len(flat)) {
			flat[i] = 0
		} else {
			w.setRare(i, 0)
		}
	}
}
