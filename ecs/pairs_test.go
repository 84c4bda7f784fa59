package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Pairs and Triples pass each row that All passes, in the same order, and their writes arrive.
func TestPairsAndTriples(t *testing.T) {
	w := ecs.New(ecs.Options{})
	defer w.Close()
	a, b, c := ecs.Register[gotA](w, "gota"), ecs.Register[gotB](w, "gotb"), ecs.Register[gotC](w, "gotc")
	var es []ecs.Entity
	for i := range int64(5000) {
		e := ok(w.Spawn())
		ok(0, a.Add(e, gotA{i}))
		ok(0, b.Add(e, gotB{i, 1}))
		if i%3 > 0 {
			ok(0, c.Add(e, gotC{2}))
		}
		es = append(es, e)
	}
	type cols struct {
		A ecs.Write[gotA]
		B []gotB
		C ecs.Maybe[gotC]
	}
	q := ecs.QueryOf[cols](w)
	var want, pairs, triples []int64
	for s := range q.All() {
		for i := range s.A {
			want = append(want, s.B[i].N)
		}
	}
	ecs.Pairs(q, func(a *gotA, b *gotB) {
		pairs = append(pairs, b.N)
		a.N += b.M
	})
	ecs.Triples(q, func(c *gotC, a *gotA, b *gotB) {
		triples = append(triples, b.N)
		a.N += c.N
	})
	if fmt.Sprint(pairs) != fmt.Sprint(want) || fmt.Sprint(triples) != fmt.Sprint(want) || len(want) != len(es) {
		t.Errorf("%d pairs and %d triples, want the %d rows of All in their order", len(pairs), len(triples), len(want))
	}
	for i, e := range es {
		n := int64(i + 1)
		if i%3 > 0 {
			n += 2
		}
		if a.Get(e).N != n {
			t.Fatalf("entity %d has %d, want %d", i, a.Get(e).N, n)
		}
	}
	defer func() {
		if said := fmt.Sprint(recover()); !strings.Contains(said, "0 fields []ecs_test.gotX") {
			t.Errorf("pairs of a column that the struct lacks: %s", said)
		}
	}()
	ecs.Pairs(q, func(*gotA, *gotX) {})
}
