package ecs_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// membersByIndex are a group's members in ascending order of their index.
func membersByIndex(g interface {
	Members(dst []ecs.Entity) []ecs.Entity
}) []ecs.Entity {
	return slices.SortedFunc(slices.Values(g.Members(nil)), func(a, b ecs.Entity) int { return int(a.Index()) - int(b.Index()) })
}

// Safe points that a program asks of a world's manager would move chunks under iterations. So
// they panic there, and are allowed elsewhere.
func TestManagerRestsWhileIterating(t *testing.T) {
	w := world(t, ecs.Options{Memory: memmgr.Options{Stress: true}})
	p := ecs.Register[hp](w, "hp")
	e := ok(w.Spawn())
	ok(0, p.Add(e, hp{1}))
	q := ecs.QueryOf[struct {
		HP ecs.Write[hp]
	}](w)
	m := w.Manager()
	calls := map[string]func() error{
		"EndFrame":  m.EndFrame,
		"Idle":      func() error { return m.Idle(time.Now()) },
		"SafePoint": m.SafePoint,
		"Reclaim":   func() error { _, err := m.Reclaim(1 << 20); return err },
		"Purge":     func() error { return second(m.Purge()) },
	}
	all := func(who string) {
		for name, call := range calls {
			panics(t, "memmgr: "+name+" while "+who+" iterates, whose rows would move under it: call it when the loop has ended", func() { ok(0, call()) })
		}
	}
	for b := range q.All() {
		all("a query of struct{HP}")
		b.HP[0].V = 2
	}
	ecs.System(w, "writes", func(c *struct {
		HP ecs.Write[hp]
	}) {
		all("writes")
		c.HP[0].V++
	})
	ecs.System(w, "between", func(*struct{}) {
		for _, call := range calls {
			ok(0, call())
		}
	})
	ok(0, w.Run(t.Context()))
	for _, call := range calls {
		ok(0, call())
	}
	if v := p.Get(e).V; v != 3 {
		t.Errorf("a write was lost: %d", v)
	}
	ok(0, w.Check())
}
