package walk

import "github.com/ashlar-go/ashlar/ecs/internal/store"

// calls is what walks within the calls of a system have in common, if one of them passes copies of values that another one
// reaches, too. The calls are made one after the other. So these walks are to each other as walks of a world are: one within
// another asks which values that has, and handles find copies. Nothing else has the values meanwhile.
//
//	a world's walks       Base.Walks     lend all that they copy
//	walks within calls    calls.walks    lend the system's own components
//	any other parallel    none           lend nothing
//
// Plan.Copies sets calls when a system is added. Walks change walks, and lendAhead on.
type calls struct {
	walks  Walks
	copied []*store.Component
	on     bool
}

// lendAhead says that calls are made from now on, or no more.
func (x *calls) lendAhead(on bool) {
	if x.on == on {
		return
	}
	by := -1
	if x.on = on; on {
		by = 1
	}
	for _, c := range x.copied {
		c.LendAhead(by)
	}
}
