package store

import "github.com/ashlar-go/ashlar/ecs/internal/raw"

// Told is entities that have got a component in one change, or lose it. It is good during the call.
type Told struct {
	// Component is nil for entities that were spawned or are destroyed.
	Component *Component
	Left      bool
	Entities  []Entity
	// Values are of components that went, side by side.
	Values raw.Ptr
}

// Observer is called with each change of components that Tell names, in the order of changes. Values that
// came are found by the entities. Values that went are passed. Entities that are destroyed are there still,
// with all their components.
type Observer struct {
	// Told must not change the structure of the store. Done follows when a verb has ended, and may.
	Told func(Told)
	Done func()
}

// telling has the changes that the observer will be told of. Tell changes comps and wholes; verbs append, and deliver empties it.
type telling struct {
	Observer
	comps    []*Component // that somebody asks about
	wholes   int          // who asks about entities
	notices  []notice
	entities []Entity
	values   []uint64
	bytes    uintptr // of values
	waits    int     // verbs under way that are one change
	under    bool    // the observer is called
	single   [1]Entity
}

// notice is a Told, by the ends of its lists.
type notice struct {
	c      *Component
	left   bool
	end    int     // of entities
	values uintptr // where they begin, in bytes
}

// point is a place to which notes can be taken back.
type point struct {
	notices, entities int
	bytes             uintptr
}
