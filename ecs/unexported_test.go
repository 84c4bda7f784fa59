package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// Names of fields have no meaning, so fields are filled and read whether they are exported or not.
func TestUnexportedFields(t *testing.T) {
	w := world(t, ecs.Options{})
	p := ecs.Register[hp](w, "hp")
	ecs.Register[frozen](w, "frozen")
	clock := ecs.Provide(w, 41)
	bodies := ecs.SpawnerOf[struct{ health hp }](w)
	e := ok(bodies.Spawn(struct{ health hp }{hp{7}}))
	ecs.System(w, "heal", func(c *struct {
		e      []ecs.Entity
		health ecs.Write[hp]
		now    ecs.WriteRes[int]
		look   ecs.Look[hp]
		_      ecs.Without[frozen]
	}) {
		*c.now.Mut()++
		for i, e := range c.e {
			c.health[i].V += c.look.Get(e).V
		}
	})
	if err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for c := range ecs.QueryOf[struct{ health *hp }](w).All() {
		if c.health.V != 14 || p.Get(e).V != 14 || *clock != 42 {
			t.Errorf("the row has %v, the pool %v, the resource %d: want 14, 14, 42", *c.health, *p.Get(e), *clock)
		}
	}
}
