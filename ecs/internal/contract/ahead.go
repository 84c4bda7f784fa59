package contract

import (
	"github.com/ashlar-go/ashlar/ecs/internal/raw"
	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/views"
)

// Ahead asks for the memory that the next call for each of some instances reads, store.WarmMost at most: for entries first,
// because rows are found by them. So the core waits for all of them together. It changes no instance. It pays where
// store.Store.Warms says so, and costs some 10 ns an instance elsewhere.
func (x *Schema) Ahead(list []Instance) {
	if x.valid != x.store.Version() {
		x.arrange()
	}
	if x.home == nil {
		return
	}
	var words [store.WarmMost]uint64
	list = list[:min(len(list), len(words))]
	for i := range list {
		words[i] = x.home.Load(list[i].entity.Index())
	}
	for i := range list {
		w := words[i]
		if !store.Names(w, list[i].entity) {
			continue
		}
		for _, l := range x.near {
			if at := l.C.Dir.Place(w); l.Filled && at.Is(w) {
				views.Prefetch(raw.At(at.Addr, uintptr(store.LocOf(w).Row())*l.C.Size), l.C.Size)
			}
		}
	}
}
