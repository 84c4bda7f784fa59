package ecs_test

import (
	"encoding/json"
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A description lists all that a system's struct and options ask for.
func TestDescribeSystems(t *testing.T) {
	type clock struct{ N int }
	type score struct{ N int }
	type (
		poison struct{ N int32 }
		fire   struct{ N int32 }
		shape  struct{ N int32 }
		engine struct{ N int32 }
	)
	w := world(t, ecs.Options{})
	ecs.Register[hp](w, "hp")
	ecs.Register[poison](w, "poison")
	ecs.Register[fire](w, "fire")
	ecs.Register[shape](w, "shape")
	ecs.Register[engine](w, "engine")
	ecs.Provide(w, clock{})
	ecs.Provide(w, score{})
	solo := ecs.GroupOf[struct{ HP hp }](w, "solo")
	ecs.System(w, "only", func(*struct {
		HP ecs.Write[hp]
	}) {
	}, ecs.OnlyIn(solo))
	ecs.System(w, "filters", func(*struct {
		Clock ecs.Res[clock]
		Score ecs.WriteRes[score]
		Look  *ecs.Pool[engine]
		_     ecs.With[hp]
		_     ecs.Or[poison, fire]
		_     ecs.Changed[shape]
		_     ecs.Added[poison]
		_     ecs.Disabled[engine]
		_     ecs.Present[ecs.Entity]
		_     ecs.Without[fire]
	}) {
	})
	ecs.System(w, "none", func(*struct{}) {})
	got := string(ok(json.Marshal(w.Describe().Systems)))
	const want = `[{"name":"only","phase":"EachFrame","writes":["hp"],"onlyIn":["solo"]},` +
		`{"name":"filters","phase":"EachFrame","with":["hp","shape","poison","engine"],"without":["fire"],"or":["poison or fire"],` +
		`"changed":["shape"],"added":["poison"],"present":["entity"],"disabled":["engine"],"pools":["engine"],` +
		`"resourcesRead":["ecs_test.clock"],"resourcesWritten":["ecs_test.score"]},` +
		`{"name":"none","phase":"EachFrame"}]`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
