package main

import (
	"fmt"
	"io"

	"github.com/ashlar-go/ashlar/ecs"
)

// storageShown is how many components a summary lists.
const storageShown = 12

// storing is how components are stored that no group owns, and why: a line each.
func storing(w io.Writer, world *ecs.World) {
	label, shown, more := "storage", 0, 0
	for _, c := range world.StorageStats() {
		switch {
		case c.Group != "":
		case shown == storageShown:
			more++
		default:
			fmt.Fprintf(w, "%s\t%s\n", label, stored(c))
			label, shown = "", shown+1
		}
	}
	if more > 0 {
		fmt.Fprintf(w, "\tand %d more\n", more)
	}
}

// stored is a line about a component.
func stored(c ecs.ComponentStorage) string {
	of := func(n int, one, many string) string {
		if n == 1 {
			return "1 " + one
		}
		return fmt.Sprintf("%d %s", n, many)
	}
	text := fmt.Sprintf("%s, %v: %s, %s in %s", c.Name, c.Storage, c.Reason, of(c.Entities, "entity", "entities"), of(c.Tables, "table", "tables"))
	if c.Changing {
		text += ", changing over"
	}
	return text
}
