package ecs_test

import (
	"testing"

	"github.com/ashlar-go/ashlar/ecs"
)

// A contract gives the values that its struct names, whatever it names without a value before or after them.
func TestContractWith(t *testing.T) {
	w := world(t, ecs.Options{})
	a, b, c := ecs.Register[gotA](w, "gota"), ecs.Register[gotB](w, "gotb"), ecs.Register[gotC](w, "gotc")
	s := ecs.SchemaOf[struct {
		_ ecs.With[gotC]
		A *gotA
		_ ecs.With[gotB]
	}](w)
	for i := range 20 {
		e := ok(w.Spawn())
		ok(0, a.Add(e, gotA{int64(i)}))
		ok(0, b.Add(e, gotB{N: -1, M: -1}))
		ok(0, c.Add(e, gotC{-2}))
		x := ok(s.Bind(e))
		for range 2 {
			if v, has := s.Get(&x); !has || v.A != a.Get(e) || v.A.N != int64(i) {
				t.Errorf("%v: %+v, %v", e, v, has)
			}
		}
	}
}
