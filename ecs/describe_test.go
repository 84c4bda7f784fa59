package ecs_test

import (
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
	const want = `phase EachFrame
  only: writes hp; only in solo
  filters: with hp, shape, poison, engine; without fire; any of poison or fire;
      changed shape; added poison; present entity; disabled engine; pools
      engine; writes resources ecs_test.score; reads resources ecs_test.clock
  none
table of solo of hp: 0 rows in 0 chunks
resource ecs_test.clock
resource ecs_test.score
`
	if got := w.Describe(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
