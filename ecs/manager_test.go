package ecs_test

import (
	"slices"

	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/internal/adapt"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// managerOf is all of a world's manager, where programs see the part that they need.
func managerOf(w *ecs.World) *memmgr.Manager { return (*adapt.Adapter)(w.Manager()).Manager() }

func adapterOf(w *ecs.World) *adapt.Adapter { return (*adapt.Adapter)(w.Manager()) }

// membersByIndex are a group's members in ascending order of their index.
func membersByIndex(g interface {
	Members(dst []ecs.Entity) []ecs.Entity
}) []ecs.Entity {
	return slices.SortedFunc(slices.Values(g.Members(nil)), func(a, b ecs.Entity) int { return int(a.Index()) - int(b.Index()) })
}
