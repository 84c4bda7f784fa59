package main

import (
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/internal/adapt"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// rowsOf are the rows of a group, which programs don't see.
func rowsOf(w *ecs.World, group string) *memmgr.Sequence {
	return (*adapt.Adapter)(w.Manager()).Manager().Named(group)
}
