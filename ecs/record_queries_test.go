package ecs_test

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/profile"
)

// Queries outside of systems are recorded behind the systems, those of one type together, also where a program makes one
// for each walk. Queries that passed no row are not.
func TestFactsOfQueries(t *testing.T) {
	type asked struct {
		A ecs.Write[b4]
		_ ecs.With[b16]
	}
	type nobody struct{ C []b24 }
	for _, anew := range []bool{false, true} {
		s := newSmall(t, ecs.Options{Record: true, TimeEvery: never})
		addSystem(t, s.w, "the-system", func(*readAB) {})
		kept, never := ecs.QueryOf[asked](s.w), ecs.QueryOf[nobody](s.w)
		const frames = 40
		rows := uint64(0)
		for range frames {
			for range 3 {
				q := kept
				if anew {
					q = ecs.QueryOf[asked](s.w)
				}
				for c := range q.All() {
					rows += uint64(len(c.A))
				}
			}
			if anew {
				runtime.GC() // the counts of queries that are gone stay
			}
			s.frames(t, 1)
		}
		runtime.KeepAlive(never)
		p := s.w.Facts()
		if len(p.Systems) != 2 || p.Systems[0].Name != "the-system" {
			t.Fatalf("anew %v: %+v", anew, p.Systems)
		}
		q := p.Systems[1]
		if want := "a query of " + fmt.Sprint(reflect.TypeFor[asked]()); q.Name != want || q.Frames != frames || q.Timed != 0 {
			t.Errorf("anew %v: %+v, want %q", anew, q, want)
		}
		got := profile.Access{}
		for _, a := range q.Access {
			got.Rows, got.Bytes = got.Rows+a.Rows, got.Bytes+a.Bytes
			if a.Component != "a" || !a.Write {
				t.Errorf("anew %v: %+v", anew, a)
			}
		}
		if got.Rows != rows || got.Bytes != 4*rows || rows == 0 {
			t.Errorf("anew %v: %d rows and %d bytes are recorded of %d rows", anew, got.Rows, got.Bytes, rows)
		}
		checkFacts(t, s.w, p)
	}
}

// Queries of a Parallel system's own are recorded, whichever workers walk them.
func TestFactsOfFieldQueries(t *testing.T) {
	type asked struct{ A []b4 }
	var first []profile.Access
	for _, workers := range []int{1, 2, 8} {
		s := newSmall(t, ecs.WithPieces(ecs.Options{Record: true, TimeEvery: never, Workers: workers}, 16))
		rows := new(atomic.Uint64)
		addSystem(t, s.w, "the-system", func(c *struct {
			B []b16
			Q *ecs.Query[asked]
		}) {
			for q := range c.Q.All() {
				rows.Add(uint64(len(q.A)))
			}
		}, ecs.Parallel())
		s.frames(t, 3)
		p := s.w.Facts()
		checkFacts(t, s.w, p)
		if len(p.Systems) != 2 || !strings.HasPrefix(p.Systems[1].Name, "a query of ") {
			t.Fatalf("%d workers: %+v", workers, p.Systems)
		}
		sum := uint64(0)
		list := canonical(p).Systems[1].Access
		for _, a := range list {
			sum += a.Rows
		}
		if sum != rows.Load() || sum == 0 {
			t.Errorf("%d workers: %d rows are recorded of %d", workers, sum, rows.Load())
		}
		if first == nil {
			first = list
		}
		if !reflect.DeepEqual(list, first) {
			t.Errorf("%d workers: %+v, with one %+v", workers, list, first)
		}
	}
}
