package store

import (
	"fmt"
	"testing"

	"github.com/ashlar-go/ashlar/arena"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
)

// S2: Words are a map where few of many have one, and an array else; they are the same words
// whichever they are.
func TestWordsForms(t *testing.T) {
	for name, o := range map[string]arena.Options{"reserved": {}, "heap": {Backend: arena.Heap}} {
		for _, c := range []struct {
			bound, n uint32 // one more than the largest index, and how many have a word
			rare     bool
		}{
			{2, 1, false},
			{rareSpan, 1, false},
			{rareSpan, 100, false},
			{rareSpan + 1, 1, true},
			{rareSpan + 1, 129, true}, // 128 of them before the last: less than one in 64
			{rareSpan + 1, 130, false},
			{100 * rareOne, 99, false},
			{1000 * rareOne, 1000, true},
			{1000 * rareOne, 1001, false},
			{1000 * rareOne, 5000, false},
		} {
			a, err := arena.New(o)
			if err != nil {
				t.Fatal(err)
			}
			w := makeWords(a, 1<<20)
			what := fmt.Sprintf("%s, %d of %d", name, c.n, c.bound)
			index := func(k uint32) uint32 { return 1 + k*((c.bound-1)/c.n) }
			for round := range uint64(3) {
				for k := range c.n {
					if err := w.ensure(index(k), c.bound, 1); err != nil {
						t.Fatal(err)
					}
					w.set(index(k), uint64(k)<<8|round+1)
				}
				if rare := w.rare != nil; rare != c.rare || rare == (len(w.flat) > 0) {
					t.Fatalf("%s: a map: %v, %d in it, %d in the array", what, rare, len(w.rare), len(w.flat))
				}
				n := 0
				if err := w.each(func(i uint32, v uint64) error { n++; return nil }); err != nil || n != int(c.n) {
					t.Fatalf("%s: %d words, %v", what, n, err)
				}
				for k := range c.n {
					if got := w.Load(index(k)); got != uint64(k)<<8|round+1 {
						t.Fatalf("%s: word %d is %#x", what, k, got)
					}
				}
				if got := w.Load(index(c.n)+7) | w.Load(0) | w.Load(1<<20+5); got != 0 {
					t.Fatalf("%s: %#x where there is no word", what, got)
				}
				for k := range c.n {
					if round == 1 { // one by one
						w.set(index(k), 0)
					}
				}
				if round != 1 {
					w.reset()
				}
				for k := range c.n {
					if got := w.Load(index(k)); got != 0 {
						t.Fatalf("%s: word %d is %#x after it was removed", what, k, got)
					}
				}
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// The content of an array of words before it was reset does not come back when it is an array
// again, and a map goes along.
func TestWordsKeepNothing(t *testing.T) {
	a, err := arena.New(arena.Options{SmallPages: true})
	if err != nil {
		t.Fatal(err)
	}
	w := makeWords(a, 1<<20)
	put := func(i uint32, bound uint32) {
		if err := w.ensure(i, bound, 1); err != nil {
			t.Fatal(err)
		}
		w.set(i, uint64(i))
	}
	for i := range uint32(5000) {
		put(i+1, 1<<19)
		put(1<<19-1-i, 1<<19)
	}
	w.reset()
	put(70_000, 1<<19)
	if w.rare == nil || w.Load(3) != 0 {
		t.Fatal("after reset words are an array, or still there")
	}
	for i := range uint32(9000) {
		put(100_000+i, 1<<19)
	}
	if w.rare != nil {
		t.Fatal("9001 words are a map")
	}
	n := 0
	if err := w.each(func(i uint32, v uint64) error {
		if n++; uint64(i) != v {
			return fmt.Errorf("word %d is %d", i, v)
		}
		return nil
	}); err != nil || n != 9001 {
		t.Errorf("%d words, %v", n, err)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

// Many entities at once have arrays, not maps: spawned into a group, with thin
// components, when a component changes over and when a group takes it.
func TestManyAtOnceAreArrays(t *testing.T) {
	const n = 3 * rareSpan
	rare := func(what string, c *Component, w *Words) {
		t.Helper()
		if c.Len() != n || len(w.flat) == 0 || len(w.rare) > 0 {
			t.Errorf("%s: %d have %q, %d of them in a map", what, c.Len(), c.Name, len(w.rare))
		}
	}
	h := newHerd(t, "nothing moves", true)
	if err := h.whole.SpawnBatch(make([]Entity, n), raw.Of(&whole{}), 0); err != nil {
		t.Fatal(err)
	}
	rare("a group's", h.l, h.l.Entries())
	rare("own words", h.thin, &h.thin.own)
	h = newHerd(t, "nothing moves", false)
	if err := h.whole.SpawnBatch(make([]Entity, n), raw.Of(&whole{}), 0); err != nil {
		t.Fatal(err)
	}
	h.more.stated = false
	h.Change(h.more, Thin)
	for h.Moving() > 0 {
		h.EndFrame()
	}
	rare("changed over", h.more, &h.more.own)
	if _, err := h.Declare("late", []*Component{h.l}, []*Component{h.more}); err != nil {
		t.Fatal(err)
	}
	rare("declared", h.more, h.more.Home())
}
