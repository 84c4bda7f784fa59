package main

import (
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/memmgr"
)

// rowsOf are the rows of a group, which programs don't see.
func rowsOf(w *ecs.World, group string) *memmgr.Sequence {
	return w.Manager().Named(group)
}
