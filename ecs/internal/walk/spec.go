package walk

import (
	"github.com/ashlar-go/ashlar/ecs/internal/match"
	"github.com/ashlar-go/ashlar/ecs/internal/source"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
)

// Spec is the question of a struct. Package ecs makes it from the struct's fields and tags, once for
// each system, query or selection. It is read only from then on, but for Reached, which is set when a
// system is added. A selection has no fields: its walks find rows and pass no values.
type Spec struct {
	// Name is its name in messages.
	Name string
	// Query says which rows, and Fields which values of them.
	match.Query
	source.Fields
	// Pools are components reached by handle, and Resources other things that are read or written. They
	// are for the schedule and for descriptions: no walk looks at them.
	Pools     []Pool
	Later     []*store.Component // that commands change, by fields of type Later
	Priors    []*store.Prior     // values of before
	Reached   []*store.Component // that a system writes where they lie, by handle or by a query of its struct
	Resources []Resource
	// Begins fill fields that change from run to run of a system, in its tick.
	Begins []func(tick uint64)
	// Ends end the use of things that fields refer to, when the system is removed.
	Ends []func()
}

// Pool is a component that is reached by handle.
type Pool struct {
	Comp *store.Component
	// Write says that it may be written.
	Write bool
}

// Resource is a field that gives access to a resource.
type Resource struct {
	// Type is the resource's.
	Type string
	// Write says that it may be changed.
	Write bool
}
