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
	const want = `[{"name":"only","phase":"EachFrame","uses":[{"how":"writes","name":"hp"}],"onlyIn":["solo"]},` +
		`{"name":"filters","phase":"EachFrame","uses":[` +
		`{"how":"with","name":"hp"},{"how":"with","name":"shape"},{"how":"with","name":"poison"},{"how":"with","name":"engine"},` +
		`{"how":"without","name":"fire"},{"how":"any of","name":"poison or fire"},{"how":"changed","name":"shape"},{"how":"added","name":"poison"},` +
		`{"how":"present","name":"entity"},{"how":"disabled","name":"engine"},{"how":"pools","name":"engine"},` +
		`{"how":"writes resources","name":"ecs_test.score"},{"how":"reads resources","name":"ecs_test.clock"}]},` +
		`{"name":"none","phase":"EachFrame"}]`
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
