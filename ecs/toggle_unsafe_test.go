package ecs

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/memmgr"
)

type ofThree struct {
	A size12
	B size33
	Z size0
}

// stable is a herd with more: a group of three components of which one is in the second
// plane of sets and one has no bytes, and a group of one.
type stable struct {
	*herd
	pools []AnyPool
	add   []func(es []Entity, v byte) (int, error) // of each pool: AddBatch, or calls
	drop  []func(es []Entity) (int, error)
}

func newStable(t *testing.T, name string, batch bool) *stable {
	s := &stable{herd: newHerd(t, name)}
	offer(s, s.l, batch, func(v byte) left { return left{[3]uint32{uint32(v), 1, ^uint32(v)}} })
	offer(s, s.r, batch, func(v byte) right { return right{[2]uint64{uint64(v), ^uint64(v)}} })
	offer(s, s.loose, batch, func(v byte) uint64 { return uint64(v) })
	offer(s, reg[size24](t, s, "alone"), batch, func(v byte) size24 { return size24{v, 23: ^v} })
	offer(s, reg[size12](t, s, "12"), batch, func(v byte) size12 { return size12{v, 11: ^v} })
	offer(s, reg[size0](t, s, "0"), batch, func(byte) size0 { return size0{} })
	for i := range 60 {
		reg[size1](t, s, fmt.Sprint("filler", i))
	}
	beyond := reg[size33](t, s, "33")
	offer(s, beyond, batch, func(v byte) size33 { return size33{v, 32: ^v} })
	_, err := GroupOf[ofThree](s.World, "three")
	_, err2 := GroupOf[struct{ A size24 }](s.World, "alone")
	if err := errors.Join(err, err2); err != nil || beyond.plane != 1 {
		t.Fatal(beyond.plane, err)
	}
	return s
}

func reg[T any](t *testing.T, s *stable, name string) *Pool[T] {
	p, err := Register[T](s.World, name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func offer[T any](s *stable, p *Pool[T], batch bool, value func(byte) T) {
	s.pools = append(s.pools, p)
	if batch {
		s.add = append(s.add, func(es []Entity, v byte) (int, error) { return p.AddBatch(es, value(v)) })
		s.drop = append(s.drop, p.RemoveBatch)
		return
	}
	each := func(es []Entity, do func(Entity) error) (n int, err error) {
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
	s.add = append(s.add, func(es []Entity, v byte) (int, error) {
		return each(es, func(e Entity) error { return p.Add(e, value(v)) })
	})
	s.drop = append(s.drop, func(es []Entity) (int, error) { return each(es, p.Remove) })
}

// rows is all rows of all sequences in order: whose they are and what they hold, and with
// the stamps of each column of each chunk, if asked for.
func (s *stable) rows(stamps bool) (lines []string) {
	line := func(name string, seq *memmgr.Sequence, dirs []*memmgr.Directory) {
		for id, n := range seq.Chunks() {
			text := fmt.Sprint(name, " ")
			for i, d := range dirs {
				if stamps {
					text += fmt.Sprint(" @", d.Cell(id).Stamp)
				}
				text += fmt.Sprintf(" %x", bytesAt(d.Addr(id), n*int(seq.Layout().Spec(i).Size)))
			}
			lines = append(lines, text)
		}
	}
	for _, g := range s.groups {
		dirs := []*memmgr.Directory{&s.ids}
		for _, p := range g.pools {
			dirs = append(dirs, p.dir)
		}
		line(g.name, g.seq, dirs)
	}
	for _, p := range s.World.pools {
		if p.loose != nil {
			line(p.name, p.loose, []*memmgr.Directory{&s.ids, p.dir})
		}
	}
	return lines
}

// choose picks entities for a batch: rows as they lie, some of them, in any order, twice,
// dead, null and forged.
func (s *stable) choose(r *rand.Rand, p *pool) (es []Entity) {
	switch r.IntN(4) {
	case 0:
		es = slices.Collect(s.All())
	case 1:
		if p.group != nil {
			es = p.group.Members(nil)
		}
	default:
		for rows := range p.sequences() {
			for i := range rows.Len() {
				es = append(es, s.entityAt(rows.At(i)))
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
		odd := []Entity{0, 7, 1 << 40, ^Entity(0), 1<<versionShift | 1<<31}[r.IntN(5)]
		if len(es) > 0 && r.IntN(2) == 0 {
			odd = es[r.IntN(len(es))] // twice
		}
		es = slices.Insert(es, r.IntN(len(es)+1), odd)
	}
	return es
}

// AddBatch and RemoveBatch are calls one by one: the same counts, rows in the same order,
// values, and stamps, whichever entities they get, with groups of one, two and three
// components and with none, in both planes of sets, in all forms of records and slots.
func TestAddAndRemoveBatchAreCalls(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(placed())) {
		t.Run(name, func(t *testing.T) {
			batch, calls := newStable(t, name, true), newStable(t, name, false)
			r := rand.New(rand.NewPCG(5, 5))
			n := []int{20, 700, 5000}
			for round := range 150 {
				if round%10 == 0 {
					n := n[round/10%len(n)]
					for _, s := range []*stable{batch, calls} {
						if s.Len() > 2*n {
							s.Clear()
						}
						for range n {
							if _, err := s.Spawn(); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
				k := r.IntN(len(batch.pools))
				es := batch.choose(r, batch.pools[k].core())
				what, v := "AddBatch", byte(round)
				do := func(s *stable) (int, error) { return s.add[k](es, v) }
				if r.IntN(5) < 2 {
					what, do = "RemoveBatch", func(s *stable) (int, error) { return s.drop[k](es) }
				}
				safe := r.IntN(10) == 0
				for _, s := range []*stable{batch, calls} {
					s.m.Advance()
					if safe {
						if err := s.SafePoint(); err != nil {
							t.Fatal(err)
						}
					}
				}
				got, err := do(batch)
				want, err2 := do(calls)
				if got != want || err != nil || err2 != nil {
					t.Fatalf("round %d: %s of %q for %d: %d %v, want %d %v", round, what, batch.pools[k].core().name, len(es), got, err, want, err2)
				}
				if got, want := batch.rows(true), calls.rows(true); !slices.Equal(got, want) {
					for i := range min(len(got), len(want)) {
						if got[i] != want[i] {
							t.Logf("%.300s\nwant\n%.300s", got[i], want[i])
						}
					}
					t.Fatalf("round %d: %s of %q for %d leaves other rows or stamps", round, what, batch.pools[k].core().name, len(es))
				}
				if err := batch.Check(); err != nil {
					t.Fatalf("round %d: %s of %q for %d: %v", round, what, batch.pools[k].core().name, len(es), err)
				}
			}
		})
	}
}

// A batch that finds no room has done as many as calls would have, in their order.
func TestAddAndRemoveBatchRefused(t *testing.T) {
	refused := [2]int{}
	for n := range 60 {
		var counts [2]int
		var rows [2][]string
		var failed [2]string
		for i := range 2 {
			s := &stable{herd: makeHerd(t, Options{MaxEntities: 1 << 16}, false)}
			offer(s, s.l, i == 0, func(v byte) left { return left{[3]uint32{uint32(v)}} })
			offer(s, s.r, i == 0, func(v byte) right { return right{[2]uint64{uint64(v)}} })
			es := make([]Entity, 6000)
			for i := range es {
				es[i], _ = s.Spawn()
			}
			steps := []func() (int, error){
				func() (int, error) { return s.add[0](es, 1) },
				func() (int, error) { return s.add[1](es, 2) },
				func() (int, error) { return s.drop[0](es[:5000]) },
			}
			s.m.Arena().SetLimit(s.m.Arena().Stats().Committed + uint64(n)<<15)
			for _, step := range steps {
				k, err := step()
				counts[i] += k
				if err != nil {
					refused[i]++
					failed[i] += fmt.Sprintln(errors.Is(err, arena.ErrLimit))
				}
				if err := s.Check(); err != nil {
					t.Fatal(n, err)
				}
			}
			rows[i] = s.rows(false)
		}
		if counts[0] != counts[1] || failed[0] != failed[1] || !slices.Equal(rows[0], rows[1]) {
			t.Errorf("limit %d: %d %q, calls %d %q, or other rows", n, counts[0], failed[0], counts[1], failed[1])
		}
	}
	if refused[0] < 10 {
		t.Errorf("%d batches were refused", refused[0])
	}
}

func bytesAt(at unsafe.Pointer, n int) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(at), n)
}
