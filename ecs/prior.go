package ecs

import (
	"github.com/ashlar-go/ashlar/ecs/internal/field"
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/ecs/internal/walk"
)

// Prior as the type of a field of a system's struct has the values that component T had when the system began. So a
// Parallel system may write a component and read that of others, as cells and crowds do:
//
//	Alive ecs.Write[Alive]
//	Was   ecs.Prior[Alive]
//	Near  []Neighbours
//
// Get finds a value by handle, and Rows those of the call's own rows. All values are copied before the
// function is called first, so it costs one copy of the component, and memory for that as long as the system is
// there. While the system runs, the structure of the world can't change but by commands.
type Prior[T any] struct {
	of of[T]
	prior
}

type prior struct {
	b       *store.Prior
	scratch *[]uint64 // of a worker
}

// Rows returns the values that entities had, side by side: of the call's rows, with a field []Entity. They stay as they
// were while the function writes its columns. An entity that lacks the component has a zero there. The slice is for reading,
// and good until Rows is called again or the function returns. Rows that are passed as they lie are not copied; with others,
// each costs a look-up and a copy.
func (b Prior[T]) Rows(es []Entity) []T {
	if b.b == nil {
		panic(unmade{"Prior", "Rows"})
	}
	return raw.Slice[T](b.b.Rows(es, b.scratch), len(es))[:len(es):len(es)]
}

// fillPrior fills a field of type Prior, and returns the function that takes values before each run.
func fillPrior(f *field.Field, into raw.Ptr) *store.Prior {
	b := store.NewPrior(f.Comp)
	*raw.As[prior](raw.At(into, f.Offset)) = prior{b, new([]uint64)}
	return b
}

// unchanging returns a function that is fn, and refuses changes of structure meanwhile, for a system without rows: rows
// stay where its Prior fields have copied them, and systems beside it go over them.
func unchanging(walks *walk.Walks, name string, fn func(raw.Ptr)) func(raw.Ptr) {
	return func(into raw.Ptr) {
		if !walks.Split { // else they are refused already
			defer walks.End(walks.Begin(name))
		}
		fn(into)
	}
}
