package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/memmgr"
)

// transcript is all that a walk passes, batch by batch: entities of the rows, which of them match, which
// have optional components, and the values. With each is called for each batch.
func transcript(c *Cursor, each func()) (list []uint64) {
	if c.Pointers {
		c.Each(raw.Of(&pointer{}), func(at raw.Ptr) bool {
			v := raw.As[pointer](at)
			list = append(list, uint64(v.E))
			for _, x := range v.Values {
				if x != nil {
					list = append(list, x[:]...)
				}
			}
			for _, x := range v.Counts {
				if x != nil {
					list = append(list, *x)
				}
			}
			each()
			return true
		})
		return list
	}
	c.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
		v := raw.As[probe](at)
		rows := v.rows(c)
		if c.Entities < 0 {
			rows = firstRowsOf(len(v.Values[0]))
		}
		list = append(list, uint64(len(v.Es)), uint64(len(rows)))
		for _, i := range rows {
			if v.Es != nil {
				list = append(list, uint64(v.Es[i]))
			}
			for _, x := range v.Values {
				if x != nil {
					list = append(list, x[i][:]...)
				}
			}
			for _, x := range v.Counts {
				if x != nil {
					list = append(list, x[i])
				}
			}
			for _, x := range v.Has {
				if x != nil {
					list = append(list, x[i/64]>>(i%64)&1)
				}
			}
		}
		each()
		return true
	})
	return list
}

// reader is a random spec of something that writes nothing. It asks some for changes.
func (s *stage) reader(r *rand.Rand) Spec {
	if r.IntN(6) == 0 { // columns in place and nothing beside, which cursors note
		return s.one(s.comps[r.IntN(len(s.comps))], false)
	}
	q := s.spec(r, r.IntN(4) == 0)
	for j := range q.Columns {
		q.Columns[j].Write = false
	}
	if len(q.Required) > 0 && r.IntN(3) == 0 {
		x := match.Change{Comp: q.Required[r.IntN(len(q.Required))], Added: r.IntN(2) == 0, Rows: r.IntN(2) == 0}
		s.Store.Watch(x.Comp)
		if x.Rows {
			s.Store.AskRows(x.Comp, x.Added)
		}
		q.Changes = append(q.Changes, x)
	}
	return q
}

// forms counts in which form sources were passed.
func (s *stage) forms(c *Cursor, n map[string]int) {
	list := c.Tables()
	for i := range list {
		x := &list[i]
		switch {
		case x.Seq.Len() == 0:
		case c.Pointers:
			n["pointers"]++
		case c.InRows && x.Tested():
			n["rows in place"]++
		case x.pure:
			n["plain"]++
		case !x.own:
			n["gathered"]++
		case x.Tested():
			n["tested"]++
		}
		for j := range c.Columns {
			if c.Columns[j].Optional && x.extents[j] == match.Some && c.Columns[j].Whole() {
				n["gaps"]++
			}
		}
		if len(x.Looked()) > 0 {
			n["elsewhere"]++
		}
		if len(c.Any) > 0 {
			n["any"]++
		}
	}
}

// Cursors over one plan walk at the same time, on goroutines of their own, and within each
// other. Each passes the same as one that walks alone. It makes no difference whether the plan was ever
// walked, or notes of tables are about rows that have changed since.
func TestParallelWalks(t *testing.T) {
	for _, o := range []struct {
		name string
		run  int
	}{{"some runs", 32}, {"runs", 1}, {"gathered", 1 << 20}, {"disabled", 32}, {"guarded", 32}} {
		t.Run(o.name, func(t *testing.T) {
			s := newStage(t, 7, memmgr.Options{}, o.run)
			s.Guard = o.name == "guarded"
			s.disables = strings.HasPrefix(o.name, "disabled")
			r := rand.New(rand.NewPCG(3, uint64(o.run)))
			forms, rows := map[string]int{}, 0
			for range 40 {
				s.change(r, 60)
				s.disable(r)
				p, within := NewPlan(&s.Base, s.reader(r)), NewPlan(&s.Base, s.reader(r))
				alone, first := NewCursor(p), true
				cursors := []*Cursor{NewParallel(p), NewParallel(p)}
				inner := []*Cursor{NewParallel(within), NewParallel(within)}
				for round := range 3 { // the second finds changes since the first, the third nothing
					got := make([][]uint64, len(cursors))
					nested := make([][3][]uint64, len(cursors))
					var wg sync.WaitGroup
					end := s.Parallel("cursors")
					for i, c := range cursors {
						wg.Go(func() {
							batches := 0
							got[i] = transcript(c, func() {
								if batches++; batches == 1 {
									nested[i] = [3][]uint64{transcript(c, func() {}), transcript(inner[i], func() {}), transcript(inner[i], func() {})}
								}
							})
						})
					}
					wg.Wait()
					end()
					want := transcript(alone, func() {})
					for i := range cursors {
						switch {
						case !slices.Equal(got[i], want):
							t.Fatalf("round %d: a walk beside another passes %d words, want %d, of %+v", round, len(got[i]), len(want), p.Spec)
						case len(want) > 0 && !slices.Equal(nested[i][0], want):
							t.Fatalf("round %d: a walk within one of the same cursor passes %d words, want %d, of %+v", round, len(nested[i][0]), len(want), p.Spec)
						case !slices.Equal(nested[i][1], nested[0][1]) || !slices.Equal(nested[i][2], nested[0][2]):
							t.Fatalf("round %d: walks within others differ, of %+v", round, within.Spec)
						}
					}
					if first {
						met := len(s.want(&p.Spec))
						if n := alone.Len(); len(p.Changes) == 0 && n != met {
							t.Fatalf("%d entities match, want %d", n, met)
						}
						s.forms(alone, forms)
						rows, first = rows+met, false
					}
					if round == 0 {
						s.write(r, p)
					}
				}
			}
			if s.Walks.Busy != "" {
				t.Errorf("%q iterates still", s.Walks.Busy)
			}
			for _, form := range []string{"pointers", "rows in place", "plain", "gathered", "tested", "gaps", "elsewhere", "any"} {
				if forms[form] == 0 {
					t.Errorf("no source is %s", form)
				}
			}
			if rows < 2000 {
				t.Errorf("%d entities met in all: the specs match too few", rows)
			}
			if err := s.Store.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// write writes some values of components that a plan requires, and has some entities lose or get it.
func (s *stage) write(r *rand.Rand, p *Plan) {
	for _, c := range p.Required {
		for _, i := range r.Perm(len(s.es))[:40] {
			if e := s.es[i]; c.Has(e) {
				l, _ := c.Loc(e)
				c.Written(e, l)
				raw.As[pair](c.At(l))[1]++
			}
		}
	}
	s.change(r, 20)
}

// Cursors may write at the same time to rows that no other has.
func TestParallelWrites(t *testing.T) {
	s := newStage(t, 7, memmgr.Options{}, 32)
	read := source.Column{Name: "R", Comp: s.comps[6], Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 0)}
	var cursors []*Cursor
	for _, c := range []*store.Component{s.comps[0], s.comps[3]} { // in place, and gathered where tables lack the group's
		q := flat{Name: fmt.Sprint("writes ", c.Name), Entities: -1, Required: []*store.Component{c, s.comps[6]}, Columns: []source.Column{read,
			{Name: "W", Comp: c, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1), Write: true}}}.spec()
		cursors = append(cursors, NewParallel(NewPlan(&s.Base, q)))
	}
	sums := make([]uint64, len(cursors))
	var wg sync.WaitGroup
	end := s.Parallel("writers")
	for i, c := range cursors {
		wg.Go(func() {
			for range 3 {
				c.Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
					v := raw.As[probe](at)
					for k := range v.Values[1] {
						v.Values[1][k][1]++
						sums[i] += v.Values[0][k][0]
					}
					return true
				})
			}
		})
	}
	wg.Wait()
	end()
	for i, c := range cursors {
		of, want := c.Columns[1].Comp, uint64(0)
		for _, e := range s.want(&c.Spec) {
			want += 3 * s.value(s.comps[6], e)[0]
		}
		n := 0
		for _, e := range s.es {
			if v := s.value(of, e); v != nil && s.comps[6].Has(e) != (v[1] == 3) {
				t.Fatalf("%s of %v was written %d times", of.Name, e, v[1])
			} else if v != nil {
				n += int(v[1])
			}
		}
		if sums[i] != want || n == 0 {
			t.Errorf("%s: what is read sums to %d, want %d; %d writes", of.Name, sums[i], want, n)
		}
	}
}

// Nothing may walk in parallel unless something is said to be under way, so that the world
// can't change.
func TestParallelIsSaid(t *testing.T) {
	s := newStage(t, 7, memmgr.Options{}, 32)
	c := NewParallel(NewPlan(&s.Base, s.one(s.comps[0], false)))
	walk := func() (n int) {
		c.Each(raw.Of(&probe{}), func(raw.Ptr) bool { n++; return true })
		return n
	}
	end := s.Parallel("crew")
	if s.Walks.Busy != "crew" || walk() == 0 || s.Walks.Busy != "crew" {
		t.Errorf("%q is said to iterate", s.Walks.Busy)
	}
	end()
	defer func() {
		if text, _ := recover().(string); s.Walks.Busy != "" || !strings.Contains(text, "Base.Parallel") {
			t.Errorf("a parallel walk alone: %q; %q iterates", text, s.Walks.Busy)
		}
	}()
	walk()
}

// Gaps of an optional component stay as they are: a parallel walk clears gaps of a copy.
func TestParallelGaps(t *testing.T) {
	s := newStage(t, 7, memmgr.Options{}, 32)
	c, o := s.comps[0], s.comps[4]
	q := s.one(c, false)
	q.Columns = append(q.Columns, source.Column{Name: "O", Comp: o, Part: source.Part{Size: 16}, Offset: offset[probe]("Values", 1), Optional: true})
	p, gaps := NewPlan(&s.Base, q), []*pair{}
	for _, table := range c.Tables() {
		if opt := table.Opt(o); opt != nil {
			for id, n := range table.Seq.Chunks() {
				for k, e := range s.Store.Entities(id, n) {
					if !o.Has(e) {
						v := raw.As[pair](raw.At(o.Dir.Addr(id), uintptr(k)*16))
						*v = pair{7, 7}
						gaps = append(gaps, v)
					}
				}
			}
		}
	}
	end, read := s.Parallel("gaps"), 0
	NewParallel(p).Each(raw.Of(&probe{}), func(at raw.Ptr) bool {
		for _, v := range raw.As[probe](at).Values[1] {
			if v == (pair{7, 7}) {
				t.Fatal("a gap is not cleared")
			}
			read++
		}
		return true
	})
	end()
	for _, v := range gaps {
		if *v != (pair{7, 7}) {
			t.Fatal("a gap of the table is cleared")
		}
	}
	if len(gaps) < 50 || read < len(gaps) {
		t.Errorf("%d gaps, %d rows", len(gaps), read)
	}
}
