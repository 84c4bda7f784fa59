package ecs_test

import (
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Facts say how many rows a query matched, and how many were tested for it. Tables and counts of chunks decide without a test. A
// query by hand that tests rows is told of, too, if none of them match.
func TestFactsOfTestedRows(t *testing.T) {
	type whole struct{ B []b16 }
	type having struct {
		B []b16
		_ ecs.With[b4]
	}
	type lacking struct {
		B []b16
		_ ecs.Without[b4]
	}
	type thin struct {
		B []b16
		C []b24
	}
	type nothing struct {
		C []b24
		_ ecs.With[b4]
	}
	const rows, half, frames = 10_000, 5000, 3
	for _, o := range [][]ecs.SystemOption{nil, {ecs.Parallel()}} {
		w := world(t, ecs.WithPieces(ecs.Options{Record: true, TimeEvery: never, Workers: 2}, 16))
		a := ecs.Register[b4](w, "a", ecs.Volatile)
		ecs.Register[b16](w, "b")
		c := ecs.Register[b24](w, "c", ecs.Thin)
		es := make([]ecs.Entity, rows)
		ok(0, ecs.SpawnerOf[struct {
			B b16
			A b4
		}](w).SpawnN(es, []struct {
			B b16
			A b4
		}{{}}))
		for i := 0; i < half; i += 2 {
			if ok(0, a.Remove(es[i])); i < 100 {
				ok(0, c.Add(es[i], b24{}))
			}
		}
		for range 10 {
			ok(0, c.Add(ok(w.Spawn()), b24{})) // without the other component of thin
		}
		addSystem(t, w, "whole", func(*whole) {}, o...)
		addSystem(t, w, "having", func(*having) {}, o...)
		addSystem(t, w, "lacking", func(*lacking) {}, o...)
		addSystem(t, w, "thin", func(*thin) {}, o...)
		q := ecs.QueryOf[nothing](w)
		for range frames {
			for range q.All() {
				t.Error("a row matches")
			}
			ok(0, w.Run(t.Context()))
		}
		p := w.Facts()
		checkFacts(t, w, p)
		if len(p.Systems) != 5 {
			t.Fatalf("%d systems and queries: %+v", len(p.Systems), p.Systems)
		}
		for _, s := range p.Systems {
			matched, tested, most := s.Matched/frames, s.Tested/frames, uint64(0)
			var want, least uint64
			switch name, _, _ := strings.Cut(s.Name, " of "); name {
			case "whole":
				want = rows
			case "having":
				want, least, most = rows-half/2, half, rows-1000 // the chunks behind have it in all rows
			case "lacking":
				want, least, most = half/2, half, rows-1000
			case "thin":
				want, least, most = 50, 60, 60
			case "a query":
				want, least, most = 0, 60, 60
			}
			if matched != want || tested < least || tested > most {
				t.Errorf("%d options, %s: %d rows matched and %d tested, want %d, and %d to %d", len(o), s.Name, matched, tested, want, least, most)
			}
		}
	}
}
