package queue

import "github.com/ashlar-go/ashlar/ecs/internal/store"

// Op is the kind of a change.
type Op uint8

const (
	Destroy Op = iota // of one entity, or of several that were asked for one after the other
	Add
	Set
	Put // add or set
	Remove
	Fill    // the components of a bundle, for an entity that has none yet
	PutEach // the components of a bundle, each added or set
	Enable
	Disable
)

// String is the kind in words, for reports of commands that were dropped.
func (o Op) String() string {
	return [...]string{"destroy", "add", "set", "put", "remove", "spawn", "put", "enable", "disable"}[o]
}

// Command is one change that waits for the next safe point. It has no pointers, so that the collector passes over a long
// queue, and a place in the queue is written field by field.
type Command struct {
	Op     Op
	Asker  uint32       // place in Askers
	Of     uint32       // number of the component, or of the bundle, from 1 on; of Destroy how many
	Value  uint32       // where the value starts in words; of Destroy the handles
	Entity store.Entity // of Destroy the first
}

// Changes is how many changes commands make. One of Destroy may be of many entities.
func Changes(ops []Command) (n int) {
	for i := range ops {
		if n++; ops[i].Op == Destroy {
			n += int(ops[i].Of) - 1
		}
	}
	return n
}
