package ecs

import (
	"reflect"

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
// The value of the row itself is in its slice, until the function writes it. All values are copied before the
// function is called first, so it costs one copy of the component, and memory for that as long as the system is
// there. While the system runs, the structure of the world can't change but by commands.
type Prior[T any] struct{ b *store.Prior }

func (Prior[T]) priorType() reflect.Type { return reflect.TypeFor[T]() }

// former is a Prior of any type.
type former interface{ priorType() reflect.Type }

// fillPrior fills a field of type Prior, and returns the function that takes values before each run.
func (f *field) fillPrior(into raw.Ptr) (take func()) {
	b := store.NewPrior(&f.pool.c)
	*raw.As[*store.Prior](raw.At(into, f.offset)) = b
	return b.Take
}

// holds returns a function that is fn, with the structure of the world held meanwhile, for a system without rows: rows
// stay where its Prior fields have copied them, and systems beside it go over them.
func holds(walks *walk.Walks, name string, fn func(raw.Ptr)) func(raw.Ptr) {
	return func(into raw.Ptr) {
		if !walks.Split { // else it is held
			defer walks.End(walks.Begin(name))
		}
		fn(into)
	}
}
