package store

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// choose picks entities for a batch: rows as they lie, some of them, in any order, twice,
// dead, null and forged.
func (h *herd) choose(r *rand.Rand, c *Component) (es []Entity) {
	if r.IntN(3) == 0 {
		es = slices.Collect(h.All())
	} else {
		for _, t := range c.tables {
			for id, n := range t.Seq.Chunks() {
				es = append(es, h.Entities(id, n)...)
			}
		}
	}
	if len(es) == 0 {
		return nil
	}
	switch r.IntN(7) {
	case 0:
		r.Shuffle(len(es), func(i, j int) { es[i], es[j] = es[j], es[i] })
	case 1:
		slices.Reverse(es)
	case 2:
		es = es[r.IntN(len(es)):]
	case 3:
		es = es[:r.IntN(len(es))]
	case 4:
		k := r.IntN(len(es))
		es = es[k : k+r.IntN(len(es)-k)]
	case 5:
		k := 2 + r.IntN(20)
		es = slices.DeleteFunc(es, func(e Entity) bool { return int(e.Index())%k == 0 })
	}
	for range r.IntN(4) {
		odd := []Entity{0, 7, 1 << 40, ^Entity(0), 1<<VersionShift | 1<<31}[r.IntN(5)]
		if len(es) > 0 && r.IntN(2) == 0 {
			odd = es[r.IntN(len(es))] // twice
		}
		es = slices.Insert(es, r.IntN(len(es)+1), odd)
	}
	return es
}

// each does something for each entity, and counts successes.
func each(es []Entity, do func(Entity) error) (n int, err error) {
	for _, e := range es {
		switch err := do(e); err {
		case nil:
			n++
		case ErrStale, ErrPresent, ErrAbsent:
		default:
			return n, err
		}
	}
	return n, nil
}

// K1: AddBatch and RemoveBatch are calls one by one: the same counts, rows in the same order,
// values, and stamps, whichever entities they get, for components of all ways, in the
// commons and in a group, in all forms of records and words.
func TestAddAndRemoveBatchAreCalls(t *testing.T) {
	for i, name := range append(forms(), forms()...) {
		grouped := i >= len(forms())
		t.Run(fmt.Sprint(name, ", grouped ", grouped), func(t *testing.T) {
			batch, calls := newHerd(t, name, grouped), newHerd(t, name, grouped)
			r := rand.New(rand.NewPCG(5, 5))
			n := []int{20, 700, 3000}
			for round := range rounds(100) {
				if round%10 == 0 {
					n := n[round/10%len(n)]
					for _, h := range []*herd{batch, calls} {
						if h.Len() > 2*n {
							h.Clear()
						}
						for range n {
							if _, err := h.Spawn(); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
				k, v := r.IntN(len(batch.comps)), [5]uint64{uint64(round), 1, 2, 3, 4}
				es := batch.choose(r, batch.comps[k])
				adds := r.IntN(5) > 1
				for _, h := range []*herd{batch, calls} {
					h.manager.Advance()
					if round%10 == 7 {
						h.EndFrame()
						if err := h.manager.SafePoint(); err != nil {
							t.Fatal(err)
						}
					}
				}
				var got, want int
				var err, err2 error
				was := batch.order()
				if adds {
					got, err = batch.AddBatch(batch.comps[k], es, raw.Of(&v))
					want, err2 = each(es, func(e Entity) error { return calls.Add(calls.comps[k], e, raw.Of(&v)) })
				} else {
					got, err = batch.RemoveBatch(batch.comps[k], es)
					want, err2 = each(es, func(e Entity) error { return calls.Remove(calls.comps[k], e) })
				}
				if got != want || err != nil || err2 != nil {
					t.Fatalf("round %d: %q, adds %v, for %d: %d %v, want %d %v", round, batch.comps[k].Name, adds, len(es), got, err, want, err2)
				}
				if err := cmp.Or(batch.alike(calls), batch.checkOrder(was, es)); err != nil {
					t.Fatalf("round %d: %q, adds %v, for %d: %v", round, batch.comps[k].Name, adds, len(es), err)
				}
			}
		})
	}
}

// K3: A batch that finds no room has done as many as calls would have, in their order, and says
// which component it was about.
func TestAddAndRemoveBatchRefused(t *testing.T) {
	refused, halfway := 0, 0
	for n := range 40 {
		h := makeHerd(t, Options{MaxEntities: 1 << 16}, memmgr.Options{Arena: arena.Options{SmallPages: true}}, n%2 == 0)
		es := make([]Entity, 6000)
		for i := range es {
			es[i], _ = h.Spawn()
		}
		v := [5]uint64{1, 2, 3, 4, 5}
		for _, c := range h.comps { // words have room, rows have none
			if _, err := h.AddBatch(c, es, raw.Of(&v)); err != nil {
				t.Fatal(err)
			}
			if err := h.ClearComponent(c); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := h.manager.Reclaim(^uint64(0)); err != nil {
			t.Fatal(err)
		}
		h.manager.Arena().SetLimit(h.manager.Arena().Stats().Committed + uint64(n)<<16)
		full, err := h.manager.MakeSequence("others", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 1 << 14, Align: 8}}})
		for err == nil {
			_, err = full.Append()
		}
		full.Truncate(max(0, full.Len()-n))
		for i, c := range h.comps {
			added, err := h.AddBatch(c, es, raw.Of(&v))
			for j, e := range es {
				if c.Has(e) != (j < added) {
					t.Fatalf("limit %d: %d have %q, and entity %d has it: %v", n, added, c.Name, j, c.Has(e))
				}
			}
			if err != nil {
				refused++
				halfway += min(added, 1)
				if !errors.Is(err, arena.ErrLimit) || added == len(es) {
					t.Fatalf("limit %d: %d added, %v", n, added, err)
				}
			}
			if i == 2 { // half of them lose their first component
				removed, err := h.RemoveBatch(h.comps[0], es[:3000])
				for j, e := range es[:3000] {
					if h.comps[0].Has(e) && (j < removed || err == nil) {
						t.Fatalf("limit %d: %d removed, and %d has it still: %v", n, removed, j, err)
					}
				}
				if err != nil {
					refused++
				}
			}
			if err := h.Check(); err != nil {
				t.Fatal(n, err)
			}
		}
		full.Drop()
	}
	if refused < 40 || halfway < 10 {
		t.Errorf("%d batches were refused, %d of them half-way", refused, halfway)
	}
}

// named counts the words that name rows, one by one; of sets of places, the sets that have any.
func (h *herd) named(w *Words) (n int) {
	if err := w.each(func(_ uint32, v uint64) error {
		if v != 0 {
			n++
		}
		return nil
	}); err != nil {
		panic(err)
	}
	return n
}

// Words of tables, groups and components that are apart, and sets of places, are counted.
func TestWordsAreCounted(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	for i := range 3000 {
		e, err := h.Spawn()
		for k, c := range h.comps {
			if err == nil && i%(k+2) == 0 {
				err = h.Add(c, e, raw.Of(&[33]byte{}))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // anew, not on top
		h.countNamed()
	}
	apart, sets := 0, 0
	for w := range h.allWords {
		if n := h.named(w); w.named != n {
			t.Errorf("%d words are counted, %d name rows", w.named, n)
		}
		if slices.ContainsFunc(h.Store.comps, func(c *Component) bool { return &c.own == w }) {
			apart++
		}
		if slices.ContainsFunc(h.planes, func(p *plane) bool { return &p.sets == w }) {
			sets++
		}
	}
	if apart == 0 || sets == 0 {
		t.Errorf("%d components apart, %d sets of places: the test tests less than it says", apart, sets)
	}
}

// S3: As most entities lose a component, pages of its words are given back while others keep
// theirs: in steps by frames, and by Shrink. Who has it keeps its value.
func TestTidyKeepsValues(t *testing.T) {
	for _, way := range []Way{Fixed, Thin} {
		for _, how := range []string{"frames", "shrink"} {
			t.Run(fmt.Sprint(way, " ", how), func(t *testing.T) {
				h := newHerd(t, "nothing moves", true)
				c := h.comps[map[Way]int{Fixed: 0, Thin: 3}[way]] // of a group, and of none
				const n = 60_000
				var all []Entity
				value := func(i int) (v [33]byte) { v[0], v[1] = byte(i), byte(i>>8); return v }
				for i := range n {
					e, err := h.Spawn()
					v := value(i)
					if err = errors.Join(err, h.Add(c, e, raw.Of(&v))); err != nil {
						t.Fatal(err)
					}
					all = append(all, e)
				}
				rnd := rand.New(rand.NewPCG(1, 5))
				keeps := map[int]bool{}
				for i := range 6 { // few, some of them at the ends of pages, and none far out
					keeps[rnd.IntN(20_000)] = true
					keeps[i*4096-1+i%3] = true
				}
				words := c.Entries()
				words.shrunk(n, h.Bound()) // the peak
				for i, e := range all {
					if !keeps[i] {
						if err := h.Remove(c, e); err != nil {
							t.Fatal(err)
						}
					}
				}
				if how == "shrink" {
					freed, err := h.Shrink()
					if err != nil || words.array.Reserved() && freed < 200<<10 {
						t.Fatalf("%d bytes freed, %v", freed, err)
					}
				} else {
					for range 3*tidyEvery + 200 {
						h.EndFrame()
						if err := h.Tidy(time.Second / 60); err != nil { // as long as a frame takes in a program
							t.Fatal(err)
						}
					}
					if words.array.Reserved() && h.Tidied() < 100<<10 {
						t.Fatalf("%d bytes were tidied: the test tests less than it says", h.Tidied())
					}
				}
				for i, e := range all {
					l, has := c.Loc(e)
					v := value(i)
					if has != keeps[i] || has && !slices.Equal(raw.Slice[byte](c.At(l), int(c.Size)), v[:c.Size]) {
						t.Fatalf("entity %d has it: %v; want it kept: %v", i, has, keeps[i])
					}
				}
				h.countNamed()
				for w := range h.allWords {
					if n := h.named(w); w.named != n {
						t.Errorf("%d words are counted, %d name rows", w.named, n)
					}
				}
				for i, e := range all[:5000] { // and they can have it again
					if !keeps[i] {
						if err := h.Add(c, e, raw.Of(&[33]byte{})); err != nil {
							t.Fatal(err)
						}
					}
				}
			})
		}
	}
}

// A table has more optional components than edges can tell apart: rows take along all that they
// have, wherever they go.
func TestManyOptional(t *testing.T) {
	m, err := memmgr.New(memmgr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := New(m, Options{MaxEntities: 1 << 10})
	r := rand.New(rand.NewPCG(9, 9))
	const opts = mostHeld + 16
	var comps []*Component
	for i := range opts + 4 {
		c, way := new(Component), Optional
		if i >= opts {
			way = Fixed
		}
		s.Register(c, fmt.Sprint("c", i), chunk.Spec{Size: 4, Align: 4}, way, false)
		comps = append(comps, c)
	}
	has := map[Entity]map[*Component]uint32{}
	var es []Entity
	for range 40 {
		e, err := s.Spawn()
		if err != nil {
			t.Fatal(err)
		}
		es, has[e] = append(es, e), map[*Component]uint32{}
	}
	most := 0
	for round := range 20_000 {
		e, c, v := es[r.IntN(len(es))], comps[r.IntN(len(comps))], r.Uint32()
		switch _, had := has[e][c]; {
		case round%97 == 0:
			s.Change(c, Way(r.IntN(2)))
		case round%13 == 0:
			s.EndFrame()
		case had && r.IntN(4) > 0:
			continue
		case had:
			err = s.Remove(c, e)
			delete(has[e], c)
		default:
			err = s.Add(c, e, raw.Of(&v))
			has[e][c] = v
		}
		if err != nil {
			t.Fatal(err)
		}
		if round%200 != 0 {
			continue
		}
		for tb := range s.Tables() {
			most = max(most, len(tb.opts))
		}
		for _, e := range es {
			for _, c := range comps {
				l, ok := c.Loc(e)
				if v, want := has[e][c]; ok != want || ok && *raw.As[uint32](c.At(l)) != v {
					t.Fatalf("round %d: %v has %q: %v, want %v", round, e, c.Name, ok, want)
				}
			}
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
	}
	if most <= mostHeld {
		t.Errorf("tables have %d optional components at most", most)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
