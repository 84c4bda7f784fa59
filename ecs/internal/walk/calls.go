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
// Copies sets calls when a system is added. Walks change walks, and LendAhead on.
type calls struct {
	walks  Walks
	copied []*store.Component
	on     bool
}

// Copies says which components calls of the system that has the plan pass copies of, and write. It is called before the first
// walk.
func (p *Plan) Copies(list []*store.Component) {
	if len(list) > 0 {
		p.calls = &calls{copied: list}
	}
}

// LendAhead says that calls of the system may be made from now on, or no more. The goroutine that has the world says it, while
// nothing else reads the store.
func (p *Plan) LendAhead(on bool) {
	if p.calls == nil || p.calls.on == on {
		return
	}
	by := -1
	if p.calls.on = on; on {
		by = 1
	}
	for _, c := range p.calls.copied {
		c.LendAhead(by)
	}
}

// join has a parallel cursor walk within calls of the system that has a plan.
func (c *Cursor) join(system *Plan) {
	if x := system.calls; x != nil {
		c.walks = &x.walks
		c.set.Lends(x.copied)
	}
}
