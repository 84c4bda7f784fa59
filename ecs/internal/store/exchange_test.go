package store

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ashlar-go/ashlar/ecs/internal/policy"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// An exchange ends where Remove and Add end, for components of all ways, in the commons and in a
// group, while ways change; one that is refused has changed nothing.
func TestExchangeIsRemoveAndAdd(t *testing.T) {
	for i, name := range append(forms(), forms()...) {
		grouped := i >= len(forms())
		t.Run(fmt.Sprint(name, ", grouped ", grouped), func(t *testing.T) {
			o := placed()[name]
			o.Policy = policy.Options{Off: true, Work: 150 * policy.CostMove}
			got, want := makeHerd(t, o, memoryOf(name), grouped), makeHerd(t, o, memoryOf(name), grouped)
			r, done, skipped := rand.New(rand.NewPCG(uint64(i), 22)), 0, 0
			for range 1200 {
				for _, h := range []*herd{got, want} {
					e, err := h.Spawn()
					if err != nil {
						t.Fatal(err)
					}
					for k, c := range h.comps {
						if v := [5]uint64{uint64(k)}; (e.Index()>>k)%3 == 0 {
							if err := h.Add(c, e, raw.Of(&v)); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
			}
			for round := range rounds(150) {
				comes, goes, other := r.IntN(len(got.comps)), r.IntN(len(got.comps)), r.IntN(len(got.comps))
				if comes == goes || comes == other || goes == other {
					continue
				}
				v := [5]uint64{uint64(round), 1, 2, 3, 4}
				x := got.NewExchange([]*Component{got.comps[comes], got.comps[other]}, []uintptr{0, 0}, []*Component{got.comps[goes]})
				es := got.choose(r, got.comps[goes])
				n := 0
				for _, e := range es {
					c, d, o := want.comps[comes], want.comps[goes], want.comps[other]
					if !want.Alive(e) || c.Has(e) || o.Has(e) || !d.Has(e) {
						skipped++
						continue
					}
					if err := errors.Join(want.Remove(d, e), want.Add(c, e, raw.Of(&v)), want.Add(o, e, raw.Of(&v))); err != nil {
						t.Fatal(err)
					}
					n++
				}
				done += n
				changed := 0
				if round%2 == 0 {
					var err error
					if changed, err = x.Batch(es, raw.Of(&v)); err != nil {
						t.Fatal(err)
					}
				} else {
					for _, e := range es {
						if x.Do(e, raw.Of(&v)) == nil {
							changed++
						}
					}
				}
				if changed != n {
					t.Fatalf("round %d: %d changed, want %d", round, changed, n)
				}
				if err := got.Check(); err != nil || !maps.Equal(got.content(), want.content()) {
					t.Fatalf("round %d: %s, %s for %s: other values, or %v", round, got.comps[comes].Name, got.comps[other].Name, got.comps[goes].Name, err)
				}
				if k := r.IntN(4 * len(got.comps)); k < len(got.comps) {
					for _, h := range []*herd{got, want} {
						h.comps[k].stated = false
						h.Change(h.comps[k], []Way{Fixed, Optional, Thin}[round%3])
						h.EndFrame()
					}
				}
			}
			if done < 300 || skipped < 100 {
				t.Errorf("%d exchanges, %d were skipped: the test tests less than it says", done, skipped)
			}
		})
	}
}

// A lock on a component that goes refuses the exchange, and a disabled component that goes leaves no trace.
func TestExchangeOfWhatIsKept(t *testing.T) {
	h := newHerd(t, "nothing moves", false)
	v := raw.Of(&whole{})
	x := h.NewExchange([]*Component{h.more}, []uintptr{0}, []*Component{h.l})
	back := h.NewExchange([]*Component{h.l}, []uintptr{0}, []*Component{h.more})
	e, err := h.Spawn()
	if err = errors.Join(err, h.Add(h.l, e, v), h.SetEnabled(h.l, e, false), h.Hold(&Lock{Name: "lock", Comps: []*Component{h.l}}, e, "me")); err != nil {
		t.Fatal(err)
	}
	if err := x.Do(e, v); !errors.Is(err, ErrLocked) || h.more.Has(e) || !h.l.Has(e) {
		t.Errorf("a locked one: %v", err)
	}
	if n, err := x.Batch([]Entity{e, 0, e}, v); n != 0 || !errors.Is(err, ErrLocked) {
		t.Errorf("a locked one in a list: %d, %v", n, err)
	}
	if err := h.Release(h.Holds(e)[0].Lock, e, "me"); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(x.Do(e, v), back.Do(e, v)); err != nil || !h.l.Enabled(e) {
		t.Errorf("what came again is enabled: %v, %v", h.l.Enabled(e), err)
	}
	if err := x.Do(e+1<<VersionShift, v); err != ErrStale {
		t.Errorf("a stale handle: %v", err)
	}
	if err := back.Do(e, v); !errors.Is(err, ErrAbsent) {
		t.Errorf("one that lacks what goes: %v", err)
	}
	if err := errors.Join(h.Add(h.more, e, v)); err != nil {
		t.Fatal(err)
	}
	if err := x.Do(e, v); !errors.Is(err, ErrPresent) {
		t.Errorf("one that has what comes: %v", err)
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}
