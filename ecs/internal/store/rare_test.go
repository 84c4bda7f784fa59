package store

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// settle runs so many frames as it takes to look at words and give their memory back.
func (h *herd) settle(t *testing.T) {
	t.Helper()
	for range 4*tidyEvery + 300 {
		h.EndFrame()
		if err := h.Tidy(time.Second / 60); err != nil {
			t.Fatal(err)
		}
	}
}

// A component that was common and has become rare has a map for words, and sets of places do, too:
// their arrays are given back. One that becomes common again has an array.
func TestArraysBecomeMaps(t *testing.T) {
	const n = 40_000
	for _, form := range []string{"nothing moves", "all moves"} {
		for _, how := range []string{"frames", "shrink", "shrink while arrays go back"} {
			t.Run(form+", "+how, func(t *testing.T) {
				h := newHerd(t, form, true)
				es := make([]Entity, n)
				for i := range es {
					var err error
					if es[i], err = h.Spawn(); err != nil {
						t.Fatal(err)
					}
					if err := h.Add(h.more, es[i], at(make([]byte, 8))); err != nil {
						t.Fatal(err)
					}
				}
				value := func(i int) (v [33]byte) { v[0], v[1] = byte(i), byte(i>>8); return v }
				rnd := rand.New(rand.NewPCG(1, 7))
				for round := range 2 {
					has := map[*Component]map[int]bool{}
					for _, c := range []*Component{h.opt, h.thin, h.l} { // of the commons, thin, of a group
						has[c] = map[int]bool{}
						for i, e := range es {
							v := value(i)
							if err := h.Add(c, e, raw.Of(&v)); err != nil {
								t.Fatal(err)
							}
						}
						for k, i := range rnd.Perm(n) {
							if has[c][i] = k < 100; !has[c][i] {
								if err := h.Remove(c, es[i]); err != nil {
									t.Fatal(err)
								}
							}
						}
					}
					if how == "frames" {
						h.settle(t)
					} else {
						if how != "shrink" {
							for range 3 * tidyEvery {
								h.EndFrame()
								if err := h.Tidy(0); err != nil {
									t.Fatal(err)
								}
							}
							if h.tidier.at == 0 {
								t.Error("no array is on its way")
							}
						}
						if _, err := h.Shrink(); err != nil {
							t.Fatal(err)
						}
					}
					for what, w := range map[string]*Words{"thin": &h.thin.own, "group's": &h.l.owner.words, "places": &h.thin.place.sets, "places of groups": &h.l.owner.place.sets} {
						if len(w.flat) > 0 || len(w.rare) != 100 || w.array.Len() > 0 {
							t.Errorf("round %d, %s: %d words are a map, %d an array, which has room for %d", round, what, len(w.rare), len(w.flat), w.array.Len())
						}
					}
					if w := &h.Commons.words; len(w.flat) < n || w.rare != nil {
						t.Error("homes are no array")
					}
					if err := h.Check(); err != nil {
						t.Fatal(err)
					}
					for c, has := range has {
						for i, e := range es {
							l, found := c.Loc(e)
							v := value(i)
							if found != has[i] || found && !slices.Equal(raw.Slice[byte](c.At(l), int(c.Size)), v[:c.Size]) {
								t.Fatalf("round %d, %q: entity %d has it: %v; want %v", round, c.Name, i, found, has[i])
							}
							if found {
								if err := h.Remove(c, e); err != nil {
									t.Fatal(err)
								}
							}
						}
					}
				}
			})
		}
	}
}

// Words keep their form while as many come and go as lie between the two marks.
func TestFew(t *testing.T) {
	for _, c := range []struct {
		n     int
		bound uint32
		few   bool
	}{
		{0, rareSpan, false},
		{0, rareSpan + 1, true},
		{100, 100 * rareAgain, false},
		{100, 100*rareAgain + 1, true},
		{rareMost, 1 << 30, true},
		{rareMost + 1, 1 << 30, false},
	} {
		if got := new(Words).few(c.n, c.bound); got != c.few {
			t.Errorf("%d of %d: %v", c.n, c.bound, got)
		}
	}
	h := newHerd(t, "nothing moves", false)
	const n = 50_000
	var es []Entity
	for range n {
		e, err := h.Spawn()
		if err = errors.Join(err, h.Add(h.thin, e, at(make([]byte, 33)))); err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	for left := n; left/2 > n/rareAgain; left /= 2 {
		for _, e := range es[left/2 : left] {
			if err := h.Remove(h.thin, e); err != nil {
				t.Fatal(err)
			}
		}
		h.settle(t)
		if h.thin.own.rare != nil {
			t.Fatalf("%d of %d are a map", h.thin.Len(), n)
		}
	}
}

// Words that become an array again before the memory of the old one went back hold nothing
// of their content.
func TestArrayKeepsNothing(t *testing.T) {
	const n = 40_000
	h := newHerd(t, "nothing moves", false)
	var es []Entity
	for range n {
		e, err := h.Spawn()
		if err = errors.Join(err, h.Add(h.thin, e, at(make([]byte, 33)))); err != nil {
			t.Fatal(err)
		}
		es = append(es, e)
	}
	for _, e := range es[100:] {
		if err := h.Remove(h.thin, e); err != nil {
			t.Fatal(err)
		}
	}
	h.makeRare(&h.thin.own)
	h.makeRare(&h.thin.place.sets)
	for _, e := range es[:100] {
		if err := h.Remove(h.thin, e); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range es[100:] {
		if err := h.Add(h.thin, e, at(make([]byte, 33))); err != nil {
			t.Fatal(err)
		}
	}
	if h.thin.own.rare != nil || h.thin.place.sets.rare != nil {
		t.Fatal("many are a map")
	}
	for _, e := range es[:100] {
		if h.thin.Has(e) {
			t.Fatalf("%v has what it lost", e)
		}
	}
	if err := h.Check(); err != nil {
		t.Error(err)
	}
}

// A group ends while its array of entries is on its way to the system. The next group has that array.
func TestGroupEndsWhileTidied(t *testing.T) {
	const n = 40_000
	h := newHerd(t, "nothing moves", false)
	es := make([]Entity, n)
	for i := range es {
		var err error
		if es[i], err = h.Spawn(); err != nil {
			t.Fatal(err)
		}
	}
	for round := range byte(3) {
		o, err := h.Declare("l", []*Component{h.l}, nil)
		if err != nil {
			t.Fatal(err)
		}
		h.settle(t) // sets of places go back, too
		for i, e := range es {
			v := [12]byte{round, byte(i), byte(i >> 8)}
			if err := h.Add(h.l, e, raw.Of(&v)); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range es[100:] {
			if err := h.Remove(h.l, e); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 * tidyEvery {
			h.EndFrame()
			if err := h.Tidy(0); err != nil {
				t.Fatal(err)
			}
		}
		if h.tidier.at == 0 || h.tidier.words != &o.words {
			t.Error("the array is not on its way")
		}
		if err := errors.Join(h.Check(), h.Dissolve(o.levels[0]), h.Check()); err != nil {
			t.Fatal(err)
		}
		for i, e := range es[:100] {
			l, ok := h.l.Loc(e)
			if v := *raw.As[[12]byte](h.l.At(l)); !ok || v != [12]byte{round, byte(i)} {
				t.Fatalf("round %d: entity %d has %v", round, i, v)
			}
			if err := h.Remove(h.l, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	h.settle(t)
}
