package main

import (
	"fmt"
	"io"

	"github.com/ashlar-go/ashlar/ecs"
)

// storageShown is how many components a summary lists.
const storageShown = 12

// storing writes how components that no group owns are stored, and why, one a line.
func storing(w io.Writer, world *ecs.World) {
	label, shown, more := "storage", 0, 0
	for _, c := range world.Stats().Components {
		switch {
		case c.Group != "":
		case shown == storageShown:
			more++
		default:
			fmt.Fprintf(w, "%s\t%v\n", label, c)
			label, shown = "", shown+1
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "\tand %d more\n", more)
	}
}
