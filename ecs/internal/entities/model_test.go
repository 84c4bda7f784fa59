package entities

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
)

// open returns an arena that the test closes.
func open(t testing.TB, o arena.Options) *arena.Arena {
	t.Helper()
	a, err := arena.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(a.Check(), a.Close()); err != nil {
			t.Error(err)
		}
	})
	return a
}

// age gives all free records a version.
func (s *Set) age(version uint32) {
	records := s.records.Span(0)
	for i := 1; i < min(len(s.pages)*pageLen, int(s.options.Max)+1); i++ {
		if r := &records[i]; isFree(*r) {
			*r = uint64(version)<<VersionShift | *r&(1<<VersionShift-1)
		}
	}
}

// side is one of several sets that are told the same.
type side struct {
	Set
	homes []*Home
	calls bool // batches are calls one by one
	leave bool // records of new pages stay unwritten for a while
	// unseen are entities whose records are not written, where leave.
	unseen map[Entity]bool
}

// see writes the records of entities that are unseen.
func (s *side) see(es []Entity) {
	for _, e := range es {
		if s.unseen[e] {
			*s.records.Ptr(e.Index()) = bare(uint64(e))
			delete(s.unseen, e)
		}
	}
}

// takeUnseen is take, and leaves the records of whole pages.
func (s *side) takeUnseen(h *Home, dst []Entity) (n int, err error) {
	for n < len(dst) {
		if first, k := s.TakeUnseen(h, len(dst)-n); k > 0 {
			for i := range k {
				dst[n+i] = first + Entity(i)
				s.unseen[dst[n+i]] = true
			}
			n += k
			continue
		}
		k, err := s.TakeN(h, dst[n:][:min(len(dst)-n, max(s.Left(h), 1))])
		if n += k; err != nil {
			return n, err
		}
	}
	return n, nil
}

func (s *side) take(h int, dst []Entity) (int, error) {
	switch {
	case s.leave:
		return s.takeUnseen(s.homes[h], dst)
	case !s.calls:
		return s.TakeN(s.homes[h], dst)
	}
	for n := range dst {
		var err error
		if dst[n], err = s.Take(s.homes[h]); err != nil {
			return n, err
		}
	}
	return len(dst), nil
}

func (s *side) free(es []Entity) {
	s.see(es)
	if !s.calls {
		s.FreeN(es)
		return
	}
	for _, e := range es {
		s.Free(e)
	}
}

// E3: Whatever is taken, freed, dropped and cleared, by whichever home: the handles that are
// alive are in a plain map, none comes twice, Check holds, and batches and back
// ends give the same handles as calls one by one.
func TestModel(t *testing.T) {
	steps := 1000
	if testing.Short() {
		steps = 500
	}
	for seed := range uint64(16) {
		fifo, tag := seed%2 == 1, uint8(seed%3*5)
		most := []uint32{1 << 16, 1 << 16, 3000, 700}[seed/2%4]
		t.Run(fmt.Sprintf("seed %d, FIFO %v, at most %d", seed, fifo, most), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 3))
			var sides []*side
			for i, backend := range []arena.Backend{arena.Auto, arena.Heap, arena.Auto, arena.Auto} {
				s := &side{Set: Make(open(t, arena.Options{Backend: backend}), Options{Max: most, Tag: tag, FIFO: fifo}), calls: i == 2, leave: i == 3, unseen: map[Entity]bool{}}
				s.homes = []*Home{s.Common(), {}, {Kin: 2}, {Kin: 3}, {}, {}, {}}
				sides = append(sides, s)
			}
			model := make(map[Entity]bool)
			ever := make(map[Entity]bool)
			pick := func(n int) (es []Entity) {
				all := slices.Sorted(maps.Keys(model))
				if n = min(n, len(all)); n == 0 {
					return nil
				}
				at := r.IntN(len(all) - n + 1)
				switch es = all[at:][:n]; r.IntN(3) {
				case 0:
					slices.Reverse(es)
				case 1:
					r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
				}
				return es
			}
			sizes := []int{1, 1, 1, 2, 7, 63, 64, 65, 200, 511, 512, 1100, 1536}
			unseen := 0
			for step := range steps {
				what := ""
				switch k := r.IntN(100); {
				case k < 48:
					h, n := r.IntN(len(sides[0].homes)), sizes[r.IntN(len(sizes))]
					what = fmt.Sprintf("take %d for home %d", n, h)
					var first []Entity
					for i, s := range sides {
						dst := make([]Entity, n)
						got, err := s.take(h, dst)
						dst = dst[:got]
						if got < n && !errors.Is(err, TooMany{most}) || (got < n) != (len(model)+n > int(most)) {
							t.Fatalf("step %d, %s: %d taken of %d beside %d, %v", step, what, got, n, len(model), err)
						}
						if i == 0 {
							first = dst
						} else if !slices.Equal(dst, first) {
							t.Fatalf("step %d, %s: side %d has %v, and side 0 %v", step, what, i, dst, first)
						}
					}
					for _, e := range first {
						if ever[e] || e.Index() > most || e&(1<<VersionShift-1<<32) != 0 || e.Version()>>CountBits != uint32(tag) {
							t.Fatalf("step %d, %s: %v, which is none or was before: %v", step, what, e, ever[e])
						}
						model[e], ever[e] = true, true
						for i, s := range sides {
							if kin := s.Kin(e.Index()); kin != sides[0].Kin(e.Index()) {
								t.Fatalf("step %d, %s: side %d has %v of kin %d, and side 0 of %d", step, what, i, e, kin, sides[0].Kin(e.Index()))
							}
						}
					}
				case k < 94:
					es := pick(sizes[r.IntN(len(sizes))])
					what = fmt.Sprintf("free %d", len(es))
					for _, s := range sides {
						if n := len(es) / 2; r.IntN(2) == 0 { // in two
							s.free(es[:n])
							s.free(es[n:])
						} else {
							s.free(es)
						}
					}
					for _, e := range es {
						delete(model, e)
					}
				case k < 97:
					h := r.IntN(len(sides[0].homes))
					what = fmt.Sprintf("drop %d", h)
					for _, s := range sides {
						s.Drop(s.homes[h])
						if h > 0 && *s.homes[h] != (Home{Kin: s.homes[h].Kin, kin: s.homes[h].kin}) {
							t.Fatalf("step %d, %s: the home has %+v", step, what, *s.homes[h])
						}
					}
				case k < 98:
					what = "age"
					version := uint32(tag)<<CountBits | []uint32{countMask - 2, 1}[r.IntN(2)]
					for _, s := range sides {
						if s.bound > 0 {
							s.age(version)
						}
					}
					clear(ever)
				case r.IntN(4) == 0:
					what = "clear"
					for _, s := range sides {
						s.Clear()
						clear(s.unseen)
					}
					clear(model)
				}
				for i, s := range sides {
					if err := s.Check(); err != nil {
						t.Fatalf("step %d, %s, side %d: %v", step, what, i, err)
					}
					if s.Len() != len(model) || s.Bound() != sides[0].Bound() || s.Bound() > most+1 {
						t.Fatalf("step %d, %s, side %d: %d alive below %d, want %d", step, what, i, s.Len(), s.Bound(), len(model))
					}
				}
				if step%16 == 0 {
					for i, s := range sides {
						if unseen += len(s.unseen); step%64 == 0 {
							s.see(slices.Collect(maps.Keys(s.unseen)))
						}
						if all := slices.Collect(s.All()); len(all)+len(s.unseen) != len(model) || !slices.IsSortedFunc(all, func(a, b Entity) int { return int(a.Index()) - int(b.Index()) }) {
							t.Fatalf("step %d, side %d: %d of %d, or not by index", step, i, len(all), len(model))
						}
						for e := range ever {
							if s.Alive(e) != (model[e] && !s.unseen[e]) {
								t.Fatalf("step %d, %s, side %d: %v is alive: %v", step, what, i, e, s.Alive(e))
							}
						}
					}
				}
			}
			if unseen == 0 && most > 3000 {
				t.Error("no record was left unwritten")
			}
			for _, s := range sides {
				s.Close()
				if s.Len() != 0 || s.Bound() != 1 || slices.ContainsFunc(s.homes, func(h *Home) bool { return *h != Home{Kin: h.Kin, kin: h.kin} }) {
					t.Error("something is left after Close")
				}
			}
		})
	}
}
