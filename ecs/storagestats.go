package ecs

import (
	"fmt"

	"github.com/ashlar-go/ashlar/ecs/internal/store"
	"github.com/ashlar-go/ashlar/internal/profile"
)

// ComponentStorage says how a component is stored, and why.
type ComponentStorage struct {
	Name string
	// Group is the group that owns the component, which stores it as it was declared. It is
	// empty for a component of tables.
	Group string
	// Storage is Stable, Volatile or Thin; while the component changes over, what it will be.
	Storage Storage
	// Reason says why, in words, such as "by default", "stated" or "removed often".
	Reason string
	// Since is the number of the frame in which that was decided; 0: from the start.
	Since uint64
	// Changing says that some values are still stored in another way.
	Changing bool
	// Entities is how many have the component, and Tables in how many tables they are.
	Entities, Tables int
	// Removed is removes a frame. Limit is the number of them above which the component is not
	// worth a column of its own tables. Both are 0 if nothing was counted of late.
	Removed, Limit float64
}

// String is the storage's name in reports and profiles: fixed for Stable, optional for
// Volatile, thin for Thin.
func (s Storage) String() string {
	switch s {
	case Counted:
		return "counted"
	case Stable:
		return store.Fixed.String()
	case Volatile:
		return store.Optional.String()
	case Thin:
		return store.Thin.String()
	}
	return fmt.Sprintf("Storage(%d)", uint8(s))
}

// StorageStats tells how each component is stored, and why, in the order of registration.
// It costs a look at each table for each of its components.
func (w *World) StorageStats() (list []ComponentStorage) {
	for _, p := range w.made("StorageStats").names.pools {
		list = append(list, p.storage())
	}
	return list
}

func (p *pool) storage() ComponentStorage {
	way, changing := p.c.Changing()
	r := p.c.Report()
	c := ComponentStorage{
		Name: p.c.Name, Storage: storages[way], Reason: r.Reason.String(), Since: uint64(r.Frame),
		Changing: changing, Entities: p.c.Len(), Removed: r.Removed, Limit: r.Limit,
	}
	if g := p.w.groupOf(p); g != nil {
		c.Group, c.Reason = g.name, "declared by its group"
	}
	for _, t := range p.c.Tables() {
		if t.Count(&p.c) > 0 {
			c.Tables++
		}
	}
	return c
}

// storages are ways of the store as options of Register.
var storages = [...]Storage{store.Fixed: Stable, store.Optional: Volatile, store.Thin: Thin}

// stored is what facts say of the storage of components that no group owns.
func (w *World) stored() (list []profile.Stored) {
	for _, p := range w.names.pools {
		if p.c.Owner() == w.base.S.Commons {
			c := p.storage()
			list = append(list, profile.Stored{Component: c.Name, Way: c.Storage.String(), Reason: c.Reason, Entities: uint64(c.Entities), Tables: uint64(c.Tables)})
		}
	}
	return list
}
