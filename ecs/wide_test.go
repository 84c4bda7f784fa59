package ecs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Wide components come and go, more of them than fit in a row. Each entity has a few, so no call may be refused,
// however the store keeps them.
func TestWideComponentsComeAndGo(t *testing.T) {
	type wide [4000]byte
	const components, entities, each = 24, 400, 4
	w := world(t, ecs.Options{})
	base := ecs.Register[b16](w, "base")
	ecs.System(w, "look", func(c *struct{ B ecs.Write[b16] }) {})
	var pools []*ecs.Pool[wide]
	for i := range components {
		pools = append(pools, ecs.Register[wide](w, fmt.Sprint("wide", i)))
	}
	es := make([]ecs.Entity, entities)
	for i := range es {
		es[i] = ok(w.Spawn())
		ok(0, base.Add(es[i], b16{byte(i)}))
		for k := range each {
			ok(0, pools[(i+k*7)%components].Add(es[i], wide{byte(k)}))
		}
	}
	for frame := range 60 {
		for i := frame % 3; i < entities; i += 3 { // the k-th goes on to the next component
			k := (frame + i) % each
			at := i + k*7 + components - 1
			for pools[at%components].Get(es[i]) == nil || pools[at%components].Get(es[i])[0] != byte(k) {
				at++
			}
			to := at + 1
			for pools[to%components].Has(es[i]) {
				to++
			}
			ok(0, pools[at%components].Remove(es[i]))
			ok(0, pools[to%components].Add(es[i], wide{byte(k)}))
		}
		ok(0, w.Run(t.Context()))
	}
	ok(0, w.Check())
	for i, e := range es {
		sum := 0
		for _, p := range pools {
			if v := p.Get(e); v != nil {
				sum += 1 << (4 * v[0])
			}
		}
		if sum != 0x1111 || base.Get(e)[0] != byte(i) {
			t.Fatalf("%v has values %#x", e, sum)
		}
	}
}

// An entity has room for so many columns, and the error of one more names the remedy.
func TestTooManyColumns(t *testing.T) {
	w := world(t, ecs.Options{})
	e := ok(w.Spawn())
	for i := range 300 {
		p := ecs.Register[uint8](w, fmt.Sprint("c", i), ecs.Stable)
		if err := p.Add(e, 1); err != nil {
			if i < 250 || !strings.Contains(err.Error(), "as ecs.Thin does") {
				t.Errorf("column %d: %v", i, err)
			}
			thin := ecs.Register[uint8](w, "thin", ecs.Thin)
			if err := thin.Add(e, 1); err != nil {
				t.Errorf("a thin component beside them: %v", err)
			}
			return
		}
	}
	t.Error("300 columns fit")
}
