package ecs

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"
)

type tidied uint64

// As most entities lose a component, pages of its entries are given back while others
// keep theirs: in steps by frames, and by Shrink. Who has it keeps its value.
func TestTidyKeepsComponents(t *testing.T) {
	for _, how := range []string{"frames", "shrink"} {
		t.Run(how, func(t *testing.T) {
			w, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			p, err := Register[tidied](w, "tidied")
			if err != nil {
				t.Fatal(err)
			}
			const n = 100_000
			var all []Entity
			for i := range n {
				e, err := w.Spawn()
				if err != nil {
					t.Fatal(err)
				}
				if err := p.Add(e, tidied(i)); err != nil {
					t.Fatal(err)
				}
				all = append(all, e)
			}
			rnd := rand.New(rand.NewPCG(1, 5))
			keeps := map[int]bool{}
			for i := range 20 { // few, some of them at the ends of pages
				keeps[rnd.IntN(n)] = true
				keeps[i*4096-1+i%3] = true
			}
			if err := w.Run(context.Background()); err != nil {
				t.Fatal(err)
			}
			for i, e := range all {
				if !keeps[i] {
					if err := p.Remove(e); err != nil {
						t.Fatal(err)
					}
				}
			}
			if how == "shrink" {
				if _, err := w.Shrink(); err != nil {
					t.Fatal(err)
				}
			} else {
				for range 3*tidyEvery + 200 {
					if err := w.tidy(time.Second / 60); err != nil { // as long as a frame takes in a program
						t.Fatal(err)
					}
					w.frame++
				}
				if w.records.Reserved() && w.Tidied() < 100<<10 {
					t.Fatalf("%d bytes were tidied: the test tests less than it says", w.Tidied())
				}
			}
			for i, e := range all {
				if v := p.Get(e); (v != nil) != keeps[i] || v != nil && *v != tidied(i) {
					t.Fatalf("entity %d: %v; want it kept: %v", i, v, keeps[i])
				}
			}
			for i, e := range all[:5000] { // and they can have it again
				if !keeps[i] {
					if err := p.Add(e, 7); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := w.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}
