package main

import (
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// rowsOf are the rows of a group, which programs don't see.
func rowsOf(w *ecs.World, group string) *memmgr.Sequence {
	return (*memmgr.Manager)(w.Manager()).Named(group)
}
