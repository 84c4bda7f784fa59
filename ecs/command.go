package ecs

// op is the change that a command makes.
type op uint8

const (
	opDestroy op = iota // of one entity, or of several that were asked for one after the other
	opAdd
	opSet
	opPut // add or set
	opRemove
	opFill    // the components of a group or spawner, for an entity that has none yet
	opPutEach // the components of a group or spawner, each added or set
	opEnable
	opDisable
	opMass // of many entities
	opExchange
)

// command is one change that waits for the next safe point. It has no pointers, so that the collector passes over a long
// queue, and a place in the queue is written field by field.
type command struct {
	op     op
	asker  uint32 // place in Commands.askers
	of     uint32 // number of the component, or of the bundle in Commands.bundles, from 1 on; of opDestroy how many
	value  uint32 // where the value starts in Commands.values; of opDestroy the handles
	entity Entity // of opDestroy the first; of opMass the place in Commands.masses
}

// changes is how many changes commands make. One of Destroy may be of many entities.
func changes(ops []command) (n int) {
	for i := range ops {
		if n++; ops[i].op == opDestroy {
			n += int(ops[i].of) - 1
		}
	}
	return n
}
