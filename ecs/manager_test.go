package ecs_test

import (
	"github.com/ashlar-go/ashlar/ecs"
	"github.com/ashlar-go/ashlar/internal/memmgr"
)

// managerOf is all of a world's manager, where programs see the part that they need.
func managerOf(w *ecs.World) *memmgr.Manager { return (*memmgr.Manager)(w.Manager()) }
