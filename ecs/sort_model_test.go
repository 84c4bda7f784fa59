package ecs_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/arena/race"
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// The model of SortAs: the same cursor on plain slices, which looks at every row.

type b4K [4 << 10]byte

// cursor is where a SortAs is.
type cursor struct{ at, to int }

// step does a frame's share on rows, which it changes.
func (c *cursor) step(rows, readers []ecs.Entity, most int) {
	where := map[ecs.Entity]int{}
	for i, e := range rows {
		where[e] = i
	}
	n := len(readers)
	looks, swaps := n, most
	if most < n/16 {
		looks = most * 16
	}
	if c.at >= n {
		*c = cursor{}
	}
	for looks > 0 && swaps > 0 && c.at < n {
		e := readers[c.at]
		i, has := where[e]
		if has && c.to >= len(rows) {
			c.at, c.to = 0, 0
			continue
		}
		looks--
		c.at++
		if !has {
			continue
		}
		if i != c.to {
			other := rows[c.to]
			rows[i], rows[c.to] = other, e
			where[other], where[e] = i, c.to
			swaps--
		}
		c.to++
	}
}

// wantOrder is rows as they are once order is reached, without rows that no one reads.
func wantOrder(rows, readers []ecs.Entity) (want []ecs.Entity) {
	has := map[ecs.Entity]bool{}
	for _, e := range rows {
		has[e] = true
	}
	for _, e := range readers {
		if has[e] {
			want = append(want, e)
		}
	}
	return want
}

type sortedBody struct {
	A b4
	K b8K
	O [3]byte
	F far
}

type sortedReader struct {
	C b24
	K b4K
}

// sortModel has rows of a group and loose ones that follow another group's.
type sortModel struct {
	t       *testing.T
	w       *ecs.World
	a       *ecs.Pool[b4]
	k       *ecs.Pool[b8K]
	f       *ecs.Pool[far]
	odd     *ecs.Pool[[3]byte]
	mood    *ecs.Pool[b16]
	moods   *ecs.Group[struct{ M b16 }]
	c       *ecs.Pool[b24]
	k4      *ecs.Pool[b4K]
	body    *ecs.Group[sortedBody]
	readers *ecs.Group[sortedReader]
	alive   []ecs.Entity
	seen    int
	lacking int // one change in so many leaves a reader without a row to sort; 0: none
	cursors [2]cursor
	most    [2]int
}

func newSortModel(t *testing.T, o ecs.Options, lacking int) *sortModel {
	w := world(t, o)
	m := &sortModel{t: t, w: w, lacking: lacking, most: [2]int{3, 2}}
	m.a, m.k, m.odd = ecs.Register[b4](w, "a"), ecs.Register[b8K](w, "k"), ecs.Register[[3]byte](w, "odd")
	m.mood, m.c = ecs.Register[b16](w, "mood"), ecs.Register[b24](w, "c")
	m.moods = ecs.GroupOf[struct{ M b16 }](w, "moods")
	m.k4 = ecs.Register[b4K](w, "k4")
	for i := range 60 {
		ecs.Register[[2]byte](w, fmt.Sprintf("filler%d", i))
	}
	m.f = ecs.Register[far](w, "far")
	m.body = ecs.GroupOf[sortedBody](w, "body")
	m.readers = ecs.GroupOf[sortedReader](w, "reader", m.c, m.k4)
	type look struct {
		C    []b24
		A    []b4 // a view, which takes room in the readers' chunks
		Ents []ecs.Entity
	}
	ecs.System(w, "look", func(l *look) {
		for i, e := range l.Ents {
			m.seen++
			if l.A[i] != m.of(e).A {
				t.Errorf("frame %d: the system reads %v for %v", w.Frame(), l.A[i], e)
			}
		}
	})
	// A loose row from the start, so that there is something to sort.
	e := ok(w.Spawn())
	ok(0, m.mood.Add(e, b16{byte(e.Index())}))
	m.alive = append(m.alive, e)
	m.body.SortAs(m.readers, m.most[0])
	m.moods.SortAs(m.readers, m.most[1])
	return m
}

// of is the values of an entity.
func (m *sortModel) of(e ecs.Entity) (v sortedBody) {
	s := byte(e.Index()*7 + e.Version())
	v.A = b4{s, s, s, s}
	fillBytes(v.K[:], s)
	fillBytes(v.O[:], s+1)
	v.F = far{uint64(e), ^uint64(e)}
	return v
}

func (m *sortModel) give(e ecs.Entity) {
	v := m.of(e)
	m.a.Add(e, v.A)
	m.k.Add(e, v.K)
	m.odd.Add(e, v.O)
	m.f.Add(e, v.F)
}

// change makes n random changes.
func (m *sortModel) change(r *rand.Rand, n int) {
	for range n {
		i := r.IntN(len(m.alive))
		e := m.alive[i]
		lack := m.lacking > 0 && r.IntN(m.lacking) == 0
		switch k := r.IntN(12); {
		case k < 3 && len(m.alive) < 90 || len(m.alive) < 20:
			e = ok(m.w.Spawn())
			m.alive = append(m.alive, e)
			if r.IntN(5) > 0 || !lack {
				m.give(e)
			}
			if r.IntN(3) > 0 {
				m.c.Add(e, b24{})
				m.k4.Add(e, b4K{})
			}
			if r.IntN(2) > 0 || !lack {
				m.mood.Add(e, b16{byte(e.Index())})
			}
		case k < 6:
			m.w.Destroy(e)
			m.alive = slices.Delete(m.alive, i, i+1)
		case k == 6 && lack:
			m.f.Remove(e)
		case k == 7:
			m.give(e)
		case k == 8:
			m.c.Remove(e)
		case k == 9 && (lack || m.a.Has(e)):
			m.c.Add(e, b24{})
		case k == 10 && lack:
			m.mood.Remove(e)
		case k == 11:
			m.mood.Add(e, b16{byte(e.Index())})
		}
	}
}

func keysOf[V any](s iter.Seq2[ecs.Entity, V]) (es []ecs.Entity) {
	for e := range s {
		es = append(es, e)
	}
	return es
}

// frame runs one and compares with the model.
func (m *sortModel) frame() {
	m.t.Helper()
	readers, rows, loose := m.readers.Members(nil), m.body.Members(nil), keysOf(m.mood.All())
	m.cursors[0].step(rows, readers, m.most[0])
	m.cursors[1].step(loose, readers, m.most[1])
	if err := m.w.Run(m.t.Context()); err != nil {
		m.t.Fatal(err)
	}
	if got := m.body.Members(nil); !slices.Equal(got, rows) {
		m.t.Fatalf("frame %d: order is\n%v, want\n%v, readers\n%v", m.w.Frame(), got, rows, readers)
	}
	if got := keysOf(m.mood.All()); !slices.Equal(got, loose) {
		m.t.Fatalf("frame %d: order of loose rows is\n%v, want\n%v, readers\n%v", m.w.Frame(), got, loose, readers)
	}
	if err := m.w.Check(); err != nil {
		m.t.Fatal(err)
	}
	for _, e := range rows {
		if got := (sortedBody{*m.a.Get(e), *m.k.Get(e), *m.odd.Get(e), *m.f.Get(e)}); got != m.of(e) {
			m.t.Fatalf("frame %d: %v has other values", m.w.Frame(), e)
		}
	}
	for _, e := range loose {
		if got := m.mood.Get(e); got[0] != byte(e.Index()) {
			m.t.Fatalf("frame %d: %v has mood %v", m.w.Frame(), e, *got)
		}
	}
}

func (m *sortModel) digest(sum uint64) uint64 {
	h := fnv.New64a()
	h.Write(binary.LittleEndian.AppendUint64(nil, sum))
	for _, es := range [][]ecs.Entity{m.body.Members(nil), m.readers.Members(nil), keysOf(m.mood.All())} {
		for _, e := range es {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(e)))
		}
	}
	return h.Sum64()
}

func sortVariants() map[string]ecs.Options {
	v := variants()
	v["off"] = ecs.Options{Views: ecs.Views{Off: true}}
	v["on"] = ecs.Options{Views: ecs.Views{Always: true}}
	v["onstress"] = ecs.Options{Views: ecs.Views{Always: true}, Memory: memmgr.Options{Stress: true, Arena: arena.Options{Backend: arena.Heap}}}
	v["noadapt"] = ecs.Options{Adapt: memmgr.AdaptOptions{Off: true}, Record: true}
	return v
}

func TestSortAsModel(t *testing.T) {
	t.Parallel()
	frames, seeds := 150, uint64(6)
	if testing.Short() {
		frames, seeds = 60, 3
	}
	if race.Enabled {
		frames = 30
	}
	for seed := range seeds {
		want := uint64(0)
		for _, name := range slices.Sorted(maps.Keys(fewer(sortVariants()))) {
			m := newSortModel(t, sortVariants()[name], []int{1, 0, 60}[seed%3])
			r := rand.New(rand.NewPCG(seed, 9))
			sum := uint64(0)
			for range frames {
				switch r.IntN(5) {
				case 0:
					m.change(r, r.IntN(30))
				case 1:
					m.change(r, r.IntN(3))
				case 2:
					if r.IntN(4) == 0 {
						m.readers.Sort(func(a, b ecs.Entity) int { return int(a.Index()%7) - int(b.Index()%7) })
					}
					if r.IntN(8) == 0 { // fewer rows than the cursor has got through
						es := m.body.Members(nil)
						ok(m.f.RemoveAll(ecs.Handles(es[len(es)/4:])))
					}
				case 3:
					if r.IntN(3) == 0 { // disorder for SortAs, with nothing else changed
						m.body.Sort(func(a, b ecs.Entity) int { return int(a.Index()%3) - int(b.Index()%3) })
					}
					if r.IntN(8) == 0 {
						m.most = [2]int{1 + r.IntN(4), 1 + r.IntN(4)}
						m.body.SortAs(m.readers, m.most[0])
						m.moods.SortAs(m.readers, m.most[1])
					}
				}
				m.frame()
				sum = m.digest(sum)
			}
			// Without changes, order is reached in a round from the start.
			m.most = [2]int{5, math.MaxInt}
			m.body.SortAs(m.readers, 5)
			m.moods.SortAs(m.readers, math.MaxInt)
			for range 40 {
				m.frame()
			}
			readers := m.readers.Members(nil)
			for _, rows := range [][]ecs.Entity{m.body.Members(nil), keysOf(m.mood.All())} {
				if w := wantOrder(rows, readers); !slices.Equal(rows[:len(w)], w) || len(w) == 0 {
					t.Fatalf("seed %d, %s: order is\n%v, want\n%v", seed, name, rows, w)
				}
			}
			before := ecs.SortWork(m.w)
			for range 5 {
				m.frame()
			}
			for i, st := range ecs.SortWork(m.w) {
				if st.Looked != before[i].Looked || st.Swapped != before[i].Swapped || st.Skipped == before[i].Skipped {
					t.Errorf("seed %d, %s: nothing has changed, %+v before, %+v now", seed, name, before[i], st)
				}
			}
			if sum = m.digest(sum); want == 0 {
				want = sum
			}
			if sum != want || m.seen == 0 {
				t.Fatalf("seed %d: digest %x under %q, others %x; %d rows seen", seed, sum, name, want, m.seen)
			}
		}
	}
}
