package store

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/chunk"
	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/memmgr"
)

// someRows chooses rows of a table of a herd: all, most, runs, few or hardly any.
func (h *herd) someRows(r *rand.Rand) Rows {
	tables := slices.Collect(h.Tables())
	tables = slices.DeleteFunc(tables, func(t *Table) bool { return t.Seq.Len() == 0 })
	if len(tables) == 0 {
		return Rows{}
	}
	t := tables[r.IntN(len(tables))]
	if r.IntN(3) == 0 {
		return t.All()
	}
	rows := Rows{Table: t, Bits: make([]uint64, t.Seq.ChunkCount()*t.stride)}
	often, on := []int{0, 1, 5, 9, 10, 10}[r.IntN(6)], true
	for i := range t.Seq.ChunkCount() {
		_, n := t.Seq.Chunk(i)
		for row := range n {
			if often == 1 || r.IntN(40) == 0 { // runs, but where few are chosen
				on = r.IntN(10) < often
			}
			if on {
				rows.Bits[i*t.stride+row/64] |= 1 << (row % 64)
				rows.N++
			}
		}
	}
	return rows
}

// content is the components of each entity, and their values.
func (h *herd) content() map[Entity]string {
	content := make(map[Entity]string)
	for e := range h.All() {
		text := ""
		for _, c := range h.comps {
			if l, ok := c.Loc(e); ok {
				text += fmt.Sprintf("%s %x ", c.Name, raw.Slice[byte](c.At(l), int(c.Size)))
			}
		}
		content[e] = text
	}
	return content
}

// count is how many rows there are.
func (h *herd) count() (n int) {
	for t := range h.Tables() {
		n += t.Seq.Len()
	}
	return n
}

// massChange makes one random change of rows, and by calls of another herd for the same
// entities.
func massChange(t *testing.T, r *rand.Rand, mass, calls *herd, v raw.Ptr) (what string, moved int) {
	rows := mass.someRows(r)
	if rows.Table == nil {
		return "", 0
	}
	es := rows.Entities(nil)
	if len(es) != rows.N || rows.Bits == nil && !rows.all() {
		t.Fatalf("%d rows have %d entities", rows.N, len(es))
	}
	k := r.IntN(len(mass.comps))
	c, d := mass.comps[k], calls.comps[k]
	got, want := 0, 0
	var err, err2 error
	switch r.IntN(9) {
	case 0, 1, 2, 3:
		what = "add"
		got, err = mass.AddRows(c, rows, v)
		want, err2 = each(es, func(e Entity) error { return calls.Add(d, e, v) })
	case 4, 5, 6:
		what = "remove"
		got, err = mass.RemoveRows(c, rows)
		want, err2 = each(es, func(e Entity) error { return calls.Remove(d, e) })
	case 7:
		what = "set"
		got = mass.SetRows(c, rows, v)
		for _, e := range es {
			if l, ok := d.Loc(e); ok {
				raw.Copy(d.At(l), v, d.Size)
				want++
			}
		}
	default:
		what = "destroy"
		got = mass.DestroyRows(rows)
		want = calls.DestroyBatch(es)
	}
	if got != want || err != nil || err2 != nil {
		t.Fatalf("%s of %q for %d rows of %q: %d %v, want %d %v", what, c.Name, rows.N, rows.Table.Seq.Name(), got, err, want, err2)
	}
	return what, got
}

// Changes of rows leave each entity as calls one by one leave it, for components
// of all ways, in the commons and in a group, while ways change, and while somebody observes.
func TestRowsAreCalls(t *testing.T) {
	for i, name := range append(forms(), forms()...) {
		grouped := i >= len(forms())
		t.Run(fmt.Sprint(name, ", grouped ", grouped), func(t *testing.T) {
			o := placed()[name]
			o.Policy = policy.Options{Off: true, Work: 150 * policy.CostMove} // change-overs take some frames
			mass, calls := makeHerd(t, o, memoryOf(name), grouped), makeHerd(t, o, memoryOf(name), grouped)
			for _, h := range []*herd{mass, calls} {
				for _, c := range h.comps {
					c.stated = false
				}
			}
			mass.Observe(Observer{Done: func() {}})
			r, done := rand.New(rand.NewPCG(uint64(i), 8)), map[string]int{}
			for round := range rounds(300) {
				if mass.Len() < 500 {
					for range []int{30, 1500, 9000}[r.IntN(3)] {
						e, err := mass.Spawn()
						if _, err2 := calls.Spawn(); err != nil || err2 != nil {
							t.Fatal(err, err2)
						}
						for k, c := range mass.comps {
							if v := [5]uint64{uint64(round)}; r.IntN(3) == 0 {
								if err, err2 := mass.Add(c, e, raw.Of(&v)), calls.Add(calls.comps[k], e, raw.Of(&v)); err != nil || err2 != nil {
									t.Fatal(err, err2)
								}
							}
						}
					}
				}
				if round%60 == 50 {
					for _, c := range mass.comps {
						tell(mass.Store, mass.SubjectOf(Having, c), 1)
					}
				} else if round%60 == 59 {
					for _, c := range mass.comps {
						tell(mass.Store, mass.SubjectOf(Having, c), -1)
					}
				}
				if k := r.IntN(8 * len(mass.comps)); k < len(mass.comps) {
					to := []Way{Fixed, Optional, Thin}[r.IntN(3)]
					mass.Change(mass.comps[k], to)
					calls.Change(calls.comps[k], to)
				}
				if round%4 == 0 {
					for _, h := range []*herd{mass, calls} {
						h.EndFrame()
						if err := h.manager.SafePoint(); err != nil {
							t.Fatal(err)
						}
					}
				}
				v := [5]uint64{uint64(round), 1, 2, 3, 4}
				what, n := massChange(t, r, mass, calls, raw.Of(&v))
				done[what] += n
				if err := mass.Check(); err != nil {
					t.Fatalf("round %d: %s: %v", round, what, err)
				}
				if round%10 == 0 && !maps.Equal(mass.content(), calls.content()) {
					t.Fatalf("round %d: after %s entities have other values than by calls", round, what)
				}
			}
			for _, what := range []string{"add", "remove", "set", "destroy"} {
				if done[what] < 30 {
					t.Errorf("%s was done for %d entities: the test tests less than it says", what, done[what])
				}
			}
		})
	}
}

// Rows lie in the same order afterwards, whatever the memory, and are as many as by calls.
func TestRowsOrder(t *testing.T) {
	herds := []*herd{newHerd(t, "nothing moves", true), newHerd(t, "all moves", true)}
	for _, h := range herds {
		r := rand.New(rand.NewPCG(3, 3))
		calls := newHerd(t, "nothing moves", true)
		for range rounds(200) {
			for range 200 {
				e, err := h.Spawn()
				if _, err2 := calls.Spawn(); err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
				c := r.IntN(len(h.comps))
				v := [5]uint64{1}
				if err, err2 := h.Add(h.comps[c], e, raw.Of(&v)), calls.Add(calls.comps[c], e, raw.Of(&v)); err != nil || err2 != nil {
					t.Fatal(err, err2)
				}
			}
			v := [5]uint64{uint64(r.IntN(100)), 1, 2, 3, 4}
			what, _ := massChange(t, r, h, calls, raw.Of(&v))
			if got, want := h.count(), calls.count(); got != want {
				t.Fatalf("after %s there are %d rows, by calls %d", what, got, want)
			}
		}
	}
	if err := herds[0].same(herds[1], false); err != nil {
		t.Error(err)
	}
}

// Rows that move come to lie in their order, and so do rows that stay where many have left.
func TestRowsThatMove(t *testing.T) {
	for _, x := range []struct{ pick, moved, stay string }{
		{"abcdefgh", "abcdefgh", ""},
		{"", "", "abcdefgh"},
		{"a", "a", "bcdefgh"},
		{"cde", "cde", "abfgh"},
		{"h", "h", "abcdefg"},
		{"bfh", "bfh", "acdeg"},
		{"aceg", "aceg", "bdfh"},
	} {
		h := newHerd(t, "nothing moves", false)
		var es []Entity
		v := [5]uint64{1}
		for range 8 {
			e, err := h.Spawn()
			if err == nil {
				err = h.Add(h.l, e, raw.Of(&v))
			}
			if err != nil {
				t.Fatal(err)
			}
			es = append(es, e)
		}
		from := h.tableAt(must(h.l.Loc(es[0])))
		rows := Rows{Table: from, Bits: make([]uint64, from.stride)}
		for _, b := range x.pick {
			rows.Bits[0] |= 1 << (b - 'a')
			rows.N++
		}
		if n, err := h.AddRows(h.r, rows, raw.Of(&v)); n != len(x.pick) || err != nil {
			t.Fatalf("%q: %d %v", x.pick, n, err)
		}
		text := func(t *Table) (s string) {
			for _, e := range t.All().Entities(nil) {
				s += string(rune('a' + slices.Index(es, e)))
			}
			return s
		}
		moved := ""
		if x.pick != "" {
			moved = text(h.r.tables[0])
		}
		if moved != x.moved || text(from) != x.stay {
			t.Errorf("%q moved: there %q, want %q; %q stay, want %q", x.pick, moved, x.moved, text(from), x.stay)
		}
	}
}

func must(l memmgr.Loc, ok bool) memmgr.Loc {
	if !ok {
		panic("there is none")
	}
	return l
}

// Where memory is refused, the entities that got the component are counted, and the others
// are as they were.
func TestRowsRefused(t *testing.T) {
	h := makeHerd(t, Options{MaxEntities: 1 << 16}, memmgr.Options{Arena: arena.Options{SmallPages: true}}, false)
	v := [5]uint64{1, 2}
	for range 30000 {
		e, err := h.Spawn()
		if err == nil {
			err = h.Add(h.l, e, raw.Of(&v))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	h.manager.Arena().SetLimit(h.manager.Arena().Stats().Committed + arena.RegionBytes)
	full, err := h.manager.MakeSequence("others", []memmgr.ColumnSpec{{Spec: chunk.Spec{Size: 1 << 14, Align: 8}}})
	for err == nil {
		_, err = full.Append()
	}
	full.Truncate(full.Len() - 12) // three chunks
	rows := h.l.tables[0].All()
	n, err := h.AddRows(h.r, rows, raw.Of(&v))
	if err == nil || n == 0 || n >= 30000 || h.r.Len() != n || h.l.Len() != 30000 {
		t.Errorf("%d got it (%v), %d have it", n, err, h.r.Len())
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}
